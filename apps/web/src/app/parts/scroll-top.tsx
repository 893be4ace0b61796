import { ActionIcon } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationConstants } from '#domain/navigation/constants.ts'
import classes from './scroll-top.module.css'

/** Glides to the top in a set time, whatever the length of the page. */
function glideToTop() {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return window.scrollTo(0, 0)
  const from = window.scrollY
  const begun = performance.now()
  const step = (now: number) => {
    const share = Math.min((now - begun) / navigationConstants.scrollTopSpeed, 1)
    window.scrollTo(0, from * (1 - share) ** 3)
    if (share < 1) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

export function ScrollTop() {
  const { t } = useTranslation('navigation')
  const [far, setFar] = useState(false)
  useEffect(() => {
    const look = () => setFar(window.scrollY > navigationConstants.scrollTopOffset)
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  if (!far) return null
  return (
    <ActionIcon className={classes.button} size={44} radius="xl" onClick={glideToTop} aria-label={t('scrollTop')}>
      <IconArrowUp size={22} aria-hidden />
    </ActionIcon>
  )
}
