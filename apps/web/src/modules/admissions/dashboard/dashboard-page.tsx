import { readDashboard } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { ApplicantDashboard } from './applicant-dashboard.tsx'
import { StaffDashboard } from './staff-dashboard.tsx'

/** First page after signing in, for applicants or for staff. */
export default function DashboardPage() {
  const { data, isPending, error, refetch } = useEndpoint(readDashboard)
  if (isPending) return <PageSkeleton />
  if (!data) return <LoadFailed error={error} onRetry={refetch} />
  return data.data.kind === 'applicant' ? (
    <ApplicantDashboard dashboard={data.data} />
  ) : (
    <StaffDashboard dashboard={data.data} />
  )
}
