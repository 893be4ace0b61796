import { Button } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { hasNewerBuild, onNewerBuild } from '#web/api/newer-build.ts'
import classes from './frame.module.css'

/** Whether the user has typed on the page at this path. */
function useTypedOn(pathname: string) {
  const [typedOn, setTypedOn] = useState<string | null>(null)
  useEffect(() => {
    const note = () => setTypedOn(pathname)
    document.addEventListener('input', note)
    return () => document.removeEventListener('input', note)
  }, [pathname])
  return typedOn === pathname
}

/** Offers to reload after a site update; until then the tab keeps working with its own build's files. */
export function NewerBuildNotice({ pathname }: { pathname: string }) {
  const { t } = useTranslation('common')
  const isNewer = useSyncExternalStore(onNewerBuild, hasNewerBuild)
  const typed = useTypedOn(pathname)
  return (
    <div role="status" aria-live="polite">
      {isNewer && (
        <div className={classes.newer}>
          <span>{t(typed ? 'newerBuild.typed' : 'newerBuild.text')}</span>
          <Button size="compact-sm" variant="white" className={classes.reload} onClick={() => location.reload()}>
            {t('newerBuild.reload')}
          </Button>
        </div>
      )}
    </div>
  )
}
