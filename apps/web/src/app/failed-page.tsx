import { useTranslation } from 'react-i18next'
import { ErrorState } from '#web/ui/states/error-state.tsx'

export function ChunkFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('common', { useSuspense: false })
  return (
    <ErrorState
      title={t('errors.chunkTitle', 'Loading chunk failed')}
      message={t('errors.chunkText', '')}
      retryLabel={t('actions.retry', 'Try again!')}
      onRetry={onRetry}
    />
  )
}

export function Crashed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('common', { useSuspense: false })
  return (
    <ErrorState
      title={t('errors.crashTitle', 'Something went wrong')}
      message={t('errors.crashText', '')}
      retryLabel={t('actions.retry', 'Try again!')}
      onRetry={onRetry}
    />
  )
}

/** The first session check got no answer, so the visitor is unknown; the check is repeated. */
export function ServerSilent({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useTranslation('common')
  return (
    <ErrorState title={message} message={t('errors.checkedAgain')} retryLabel={t('actions.retry')} onRetry={onRetry} />
  )
}
