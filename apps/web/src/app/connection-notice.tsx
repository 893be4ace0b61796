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

type Props = { trouble: string | null; sendsLater: boolean }

/** Says that the device is offline, or that the server did not answer the last session check (`trouble`). */
export function ConnectionNotice({ trouble, sendsLater }: Props) {
  const { t } = useTranslation('common')
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" aria-live="polite">
      {(!online || trouble) && (
        <div className={classes.offline}>
          {online ? `${trouble} ${t('errors.checkedAgain')}` : t(sendsLater ? 'offlineSentLater' : 'offline')}
        </div>
      )}
    </div>
  )
}
