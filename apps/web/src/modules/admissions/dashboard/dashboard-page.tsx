import { Skeleton } from '@mantine/core'
import { Suspense, useEffect } from 'react'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { readDashboard } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useWaiting } from '#web/modules/chat/use-waiting.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { ApplicantDashboard } from './applicant-dashboard.tsx'

// Not loaded for applicants.
const StaffDashboard = lazyPart(() => import('./staff-dashboard.tsx'))
const loadCards = () => import('#web/modules/dashboards/cards.tsx')
const Cards = lazyPart(loadCards)

/** First page after sign-in, for applicants or staff. */
export default function DashboardPage() {
  const { data, isPending, error, refetch } = useEndpoint(readDashboard)
  const { user } = useSession()
  const waiting = useWaiting()
  const isStaff = user?.role.name !== applicantRole
  // Loads while the dashboard is read; the part that draws the cards shows a failed load.
  useEffect(() => void (isStaff && loadCards().catch(() => {})), [isStaff])
  if (isPending) return <PageSkeleton />
  if (!data) return <LoadFailed error={error} onRetry={refetch} />
  return data.data.kind === 'applicant' ? (
    <ApplicantDashboard dashboard={data.data} />
  ) : (
    <Suspense fallback={<PageSkeleton />}>
      <StaffDashboard
        dashboard={data.data}
        waiting={waiting}
        cards={
          <Suspense fallback={<Skeleton h={240} />}>
            <Cards />
          </Suspense>
        }
      />
    </Suspense>
  )
}
