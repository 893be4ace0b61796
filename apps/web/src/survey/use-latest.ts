import { useRef } from 'preact/hooks'

/** Ref with the value of the newest render, for timers and requests started in an earlier render. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  latest.current = value
  return latest
}
