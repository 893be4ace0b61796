import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isNotFound } from '#web/api/client.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import type { Crumb, Page } from './page.ts'
import { pageAt } from './page-table.ts'
import { titleText, usePage } from './title.tsx'
import { useWayBack } from './way-back.ts'

type Props = { error: Error | null; onRetry: () => unknown }

/**
 * List the page's record belongs to: the last crumb that names no record, or the page itself if it shows a record
 * beside its list.
 */
function listOf({ path, breadcrumbs, ...page }: Page): Crumb | undefined {
  if (!path.includes(':')) return { path, ...page }
  const crumb = breadcrumbs.findLast((step) => step.path && !step.path.includes(':'))
  return crumb ?? pageAt(path.slice(0, path.indexOf('/:')))
}

/** Shown instead of a record that does not exist, with a link to its list. */
export function NoRecord() {
  const { t } = useTranslation(['common', 'titles'])
  const page = usePage()
  const wayBack = useWayBack()
  const list = page && listOf(page)
  return (
    <ErrorState title={t('errors.noRecordTitle')} message={t('errors.noRecordText')}>
      <Button component={Link} {...wayBack(list?.path ?? '/dashboard')} variant="default">
        {list ? t('errors.backTo', { page: titleText(t, list) }) : t('toDashboard')}
      </Button>
    </ErrorState>
  )
}

/** Shown instead of an unreadable record: 404 says that it does not exist, other failures offer a retry. */
export function RecordFailed({ error, onRetry }: Props) {
  return isNotFound(error) ? <NoRecord /> : <LoadFailed error={error} onRetry={onRetry} />
}

/** A page without its record: skeleton rows while loading, `RecordFailed` after a failure. */
export function LoadingRecord({ rows, height, ...failed }: Props & { rows: number; height?: number }) {
  if (failed.error) return <RecordFailed {...failed} />
  return <LoadingRows rows={rows} {...(height !== undefined && { height })} />
}
