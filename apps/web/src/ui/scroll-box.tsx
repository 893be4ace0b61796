import { type ComponentPropsWithoutRef, type RefObject, useEffect, useRef, useState } from 'react'
import classes from './scroll-box.module.css'

type Props = ComponentPropsWithoutRef<'div'> & { boxRef?: RefObject<HTMLDivElement | null> | undefined }

/** A box that scrolls sideways, with a shadow at each edge that hides further columns. */
export function ScrollBox({ boxRef, ...box }: Props) {
  const ownRef = useRef<HTMLDivElement>(null)
  const ref = boxRef ?? ownRef
  const [hides, setHides] = useState({ left: false, right: false })
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const next = { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 }
      setHides((before) => (before.left === next.left && before.right === next.right ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    for (const observed of [element, ...element.children]) observer.observe(observed)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [ref])
  return (
    <div
      className={classes.frame}
      data-hides-left={hides.left || undefined}
      data-hides-right={hides.right || undefined}
    >
      <div ref={ref} {...box} />
    </div>
  )
}
