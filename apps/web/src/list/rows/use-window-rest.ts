import { type RefObject, useLayoutEffect, useState } from 'react'
import { onSettledResize } from '#web/ui/use-settled-media.ts'

/** Below this many pixels the page scrolls as well, so that a small window still shows some rows. */
const leastPx = 320

/**
 * Height in pixels with which the box and the elements below it fill the rest of the window, so that only the box scrolls.
 * Measured again when the page or the window changes its size.
 */
export function useWindowRest(box: RefObject<HTMLElement | null>, active: boolean): number | undefined {
  const [height, setHeight] = useState<number>()
  useLayoutEffect(() => {
    if (!active) return setHeight(undefined)
    const measure = () => {
      const element = box.current
      const card = element?.closest('section')
      const main = element?.closest('main')
      if (!element || !card || !main) return
      const rectangle = element.getBoundingClientRect()
      const hint = card.parentElement?.nextElementSibling
      const below =
        card.getBoundingClientRect().bottom -
        rectangle.bottom +
        (hint instanceof HTMLElement ? hint.offsetHeight + Number.parseFloat(getComputedStyle(hint).marginTop) : 0) +
        Number.parseFloat(getComputedStyle(main).paddingBottom)
      const rest = Math.floor(window.innerHeight - (rectangle.top + window.scrollY) - below)
      setHeight(Math.max(rest, leastPx))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    const endResize = onSettledResize(measure)
    return () => {
      observer.disconnect()
      endResize()
    }
  }, [box, active])
  return height
}
