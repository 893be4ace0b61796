import { useEffect, useState } from 'react'

/** False until what was drawn with it is on the screen. */
export function useAfterPaint() {
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setIsPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted
}
