import { useCallback, useEffect, useState } from 'react'

/** Counts whole seconds down to 0; `start` sets the seconds. */
export function useCountdown() {
  const [endsAtMs, setEndsAtMs] = useState(0)
  const [now, setNow] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((endsAtMs - now) / 1000))
  const isRunning = secondsLeft > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  const start = useCallback((seconds: number) => {
    setNow(Date.now())
    setEndsAtMs(Date.now() + seconds * 1000)
  }, [])
  return [secondsLeft, start] as const
}
