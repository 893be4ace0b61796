import { ActionIcon } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationConstants } from '#domain/navigation/constants.ts'
import classes from './scroll-top.module.css'

/** Scrolls to the top in a fixed time, whatever the page length. */
function glideToTop() {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return window.scrollTo(0, 0)
  const startTop = window.scrollY
  const startMs = performance.now()
  const step = (nowMs: number) => {
    const share = Math.min((nowMs - startMs) / navigationConstants.scrollTopSpeed, 1)
    window.scrollTo(0, startTop * (1 - share) ** 3)
    if (share < 1) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

/** Whether a control is under the round button on a phone. */
function coversControl() {
  const [right, bottom] = [innerWidth - 20, innerHeight - 76]
  return [0, 22, 44].some((dx) =>
    [0, 22, 44].some((dy) =>
      document
        .elementsFromPoint(right - dx, bottom - dy)
        .some((element) => element.closest('#content :is(a, button, input, select, textarea, label)')),
    ),
  )
}

/**
 * Round button that scrolls to the top. On phones it overlaps the content, so it appears only while the reader scrolls
 * up and no control is under it.
 */
export function ScrollTop() {
  const { t } = useTranslation('navigation')
  const [isVisible, setIsVisible] = useState(false)
  useEffect(() => {
    const wide = matchMedia('(min-width: 62em)')
    let previousTop = window.scrollY
    const update = () => {
      const top = window.scrollY
      setIsVisible(
        top > navigationConstants.scrollTopOffset && (wide.matches || (top < previousTop && !coversControl())),
      )
      previousTop = top
    }
    addEventListener('scroll', update, { passive: true })
    return () => removeEventListener('scroll', update)
  }, [])
  if (!isVisible) return null
  return (
    <ActionIcon className={classes.button} size={44} radius="xl" onClick={glideToTop} aria-label={t('scrollTop')}>
      <IconArrowUp size={22} aria-hidden />
    </ActionIcon>
  )
}
