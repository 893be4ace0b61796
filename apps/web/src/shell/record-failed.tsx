import { useTranslation } from 'react-i18next'
import { isNotFound } from '#web/api/client.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'

type Props = { error: Error | null; onRetry: () => unknown }

/** Shown instead of a record that could not be read: 404 says that it does not exist, other failures offer a retry. */
export function RecordFailed({ error, onRetry }: Props) {
  const { t } = useTranslation('common')
  if (isNotFound(error)) return <EmptyState title={t('errors.notFoundTitle')} />
  return <LoadFailed error={error} onRetry={onRetry} />
}
