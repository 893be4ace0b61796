import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './frame.module.css'

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export function OfflineNotice() {
  const { t } = useTranslation('common')
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" aria-live="polite">
      {!online && <div className={classes.offline}>{t('offline')}</div>}
    </div>
  )
}
