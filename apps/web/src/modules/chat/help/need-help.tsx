import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { lazyPart } from '#web/ui/lazy-part.ts'
import classes from './need-help.module.css'

const Help = lazyPart(() => import('./help.tsx'))

/** "Need help?" below every page of an applicant. Its content is loaded when it is opened. */
export function NeedHelp() {
  const { t } = useTranslation('navigation')
  const { pathname } = useLocation()
  // Closed again on the next page, whose questions are others.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const isOpen = openOn === pathname
  return (
    <details
      className={classes.help}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpenOn(currentTarget.open ? pathname : null)}
    >
      <summary>{t('needHelp')}</summary>
      {isOpen && (
        <Suspense>
          <Help pathname={pathname} />
        </Suspense>
      )}
    </details>
  )
}
