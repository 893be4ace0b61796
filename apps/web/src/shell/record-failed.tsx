import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isNotFound } from '#web/api/client.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { titleText, usePage } from './title.tsx'
import { useWayBack } from './way-back.ts'

type Props = { error: Error | null; onRetry: () => unknown }

/** Shown instead of a record that does not exist, with the way back to the list of its page. */
export function NoRecord() {
  const { t } = useTranslation(['common', 'titles'])
  const page = usePage()
  const wayBack = useWayBack()
  const list = page?.breadcrumbs.findLast(({ path }) => path && !path.includes(':'))
  return (
    <ErrorState title={t('errors.noRecordTitle')} message={t('errors.noRecordText')}>
      <Button component={Link} {...wayBack(list?.path ?? '/dashboard')} variant="default">
        {list ? t('errors.backTo', { page: titleText(t as never, list) }) : t('toDashboard')}
      </Button>
    </ErrorState>
  )
}

/** Shown instead of a record that could not be read: 404 says that it does not exist, other failures offer a retry. */
export function RecordFailed({ error, onRetry }: Props) {
  return isNotFound(error) ? <NoRecord /> : <LoadFailed error={error} onRetry={onRetry} />
}

/** A page without its record: skeleton rows while loading, `RecordFailed` after a failure. */
export function LoadingRecord({ rows, height, ...failed }: Props & { rows: number; height?: number }) {
  if (failed.error) return <RecordFailed {...failed} />
  return <LoadingRows rows={rows} {...(height !== undefined && { height })} />
}
