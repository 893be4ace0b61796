import { useRef } from 'preact/hooks'

/** The newest value, for timers and requests that began in an earlier rendering. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  latest.current = value
  return latest
}
