import { useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBranding } from '#web/shell/branding.ts'
import classes from './demo-banner.module.css'

/** Permanent strip on every page of a demo; renders nothing in a real installation. */
export function DemoBanner() {
  const { t } = useTranslation('common')
  const { demo } = useBranding()
  // Lets CSS move fixed and sticky parts below the strip.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-demo', demo)
  }, [demo])
  if (!demo) return null
  return (
    <aside className={classes.banner} aria-label={t('demo.label')}>
      {t('demo.text')}
    </aside>
  )
}
