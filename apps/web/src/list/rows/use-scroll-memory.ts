import { type RefObject, useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { returning } from '#web/shell/way-back.ts'

/** Scroll positions in pixels by address. A reload clears them, like the rows loaded so far. */
const positions = new Map<string, { boxPx: number; windowPx: number }>()

/**
 * Remembers the scroll positions of rows and window, and restores them when the reader returns by Back, Forward or a
 * link to the list as left. `ready`: the rows are drawn.
 */
export function useScrollMemory(box: RefObject<HTMLElement | null>, ready: boolean) {
  const { pathname, search, state } = useLocation()
  const isReturn = useNavigationType() === 'POP' || (state as Partial<typeof returning> | null)?.returns === true
  const address = pathname + search
  // biome-ignore lint/correctness/useExhaustiveDependencies: restored once, when the first rows are drawn
  useEffect(() => {
    const position = positions.get(address)
    if (!ready || !isReturn || !position) return
    // After the frame's effects, one of which scrolls every new page to its top.
    const frame = requestAnimationFrame(() => {
      if (box.current) box.current.scrollTop = position.boxPx
      window.scrollTo({ top: position.windowPx, behavior: 'instant' })
    })
    return () => cancelAnimationFrame(frame)
  }, [ready])
  useEffect(() => {
    if (!ready) return
    const remember = () => positions.set(address, { boxPx: box.current?.scrollTop ?? 0, windowPx: window.scrollY })
    document.addEventListener('scroll', remember, { capture: true, passive: true })
    return () => document.removeEventListener('scroll', remember, { capture: true })
  }, [address, box, ready])
}
