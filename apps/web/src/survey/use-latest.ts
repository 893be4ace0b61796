import { useRef } from 'preact/hooks'

/** The value of the last rendering, for timers and calls that began before it. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  latest.current = value
  return latest
}
