import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Number of leading columns that fit into the box without scrolling sideways (at least one) while a row is open beside
 * the list; otherwise all columns are shown.
 */
export function useFittingCount(box: RefObject<HTMLElement | null>, active: boolean, columnCount: number): number {
  const [count, setCount] = useState(columnCount)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!active || !box.current) return
    const element = box.current
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, active])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width or set of columns restarts the measuring
  useLayoutEffect(() => setCount(columnCount), [columnCount, active, width])
  useLayoutEffect(() => {
    const element = box.current
    if (active && element && count > 1 && element.scrollWidth > element.clientWidth + 1) setCount(count - 1)
  })
  return active ? count : columnCount
}
