import { useTranslation } from 'react-i18next'
import { isNotFound } from '#web/api/client.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'

type Props = { error: Error | null; onRetry: () => unknown }

/** Shown instead of a record that could not be read: 404 says that it does not exist, other failures offer a retry. */
function RecordFailed({ error, onRetry }: Props) {
  const { t } = useTranslation('common')
  if (isNotFound(error)) return <ErrorState title={t('errors.notFoundTitle')} message={error?.message} />
  return <LoadFailed error={error} onRetry={onRetry} />
}

/** A page without its record: skeleton rows while loading, `RecordFailed` after a failure. */
export function LoadingRecord({ rows, height, ...failed }: Props & { rows: number; height?: number }) {
  if (failed.error) return <RecordFailed {...failed} />
  return <LoadingRows rows={rows} {...(height !== undefined && { height })} />
}
