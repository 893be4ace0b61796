import { type RefObject, useLayoutEffect, useState } from 'react'
import { onSettledResize } from '#web/ui/use-settled-media.ts'

/** Minimum height in pixels: in a smaller window the page scrolls too, so that some rows stay visible. */
const leastPx = 320

/**
 * Height in pixels at which the box and the elements below it fill the rest of the window, so that only the box
 * scrolls. Measured again when the page content or window is resized.
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
      const nextElement = card.parentElement?.nextElementSibling
      const belowPx =
        card.getBoundingClientRect().bottom -
        rectangle.bottom +
        (nextElement instanceof HTMLElement
          ? nextElement.offsetHeight + Number.parseFloat(getComputedStyle(nextElement).marginTop)
          : 0) +
        Number.parseFloat(getComputedStyle(main).paddingBottom)
      const restPx = Math.floor(window.innerHeight - (rectangle.top + window.scrollY) - belowPx)
      setHeight(Math.max(restPx, leastPx))
    }
    measure()
    const observer = new ResizeObserver(measure)
    // Not the body, which keeps the window's height when a line above the rows disappears. Includes the page padding,
    // which Chromium may apply a frame after the list is drawn.
    observer.observe(box.current?.closest('main') ?? document.body, { box: 'border-box' })
    const endResize = onSettledResize(measure)
    return () => {
      observer.disconnect()
      endResize()
    }
  }, [box, active])
  return height
}
