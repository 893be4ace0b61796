import { useTranslation } from 'react-i18next'
import { readDashboard } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { PageSkeleton } from '#web/app/page-skeleton.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ApplicantDashboard } from './applicant-dashboard.tsx'
import { StaffDashboard } from './staff-dashboard.tsx'

/** What somebody should look at first after signing in. */
export default function DashboardPage() {
  const { t } = useTranslation('common')
  const { data, isPending, error, refetch } = useEndpoint(readDashboard)
  if (isPending) return <PageSkeleton />
  if (error)
    return (
      <ErrorState
        title={t('errors.title')}
        message={error.message}
        retryLabel={t('actions.retry')}
        onRetry={() => void refetch()}
      />
    )
  return data.data.kind === 'applicant' ? (
    <ApplicantDashboard dashboard={data.data} />
  ) : (
    <StaffDashboard dashboard={data.data} />
  )
}
