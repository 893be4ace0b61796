import { Alert, Skeleton } from '@mantine/core'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { readDashboard } from '#domain/admissions/endpoints.ts'
import { longDate, timeOfDay } from '#locales/format.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useWaiting } from '#web/modules/chat/use-waiting.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ApplicantDashboard } from './applicant-dashboard.tsx'
import { useLastSeen } from './use-last-seen.ts'

// Not loaded for applicants.
const StaffDashboard = lazyPart(() => import('./staff-dashboard.tsx'))
const loadCards = () => import('#web/modules/dashboards/cards.tsx')
const Cards = lazyPart(loadCards)

/** First page after sign-in, for applicants or staff. */
export default function DashboardPage() {
  const { data, isPending, error, refetch, fetchStatus } = useEndpoint(readDashboard)
  const { user } = useSession()
  const waiting = useWaiting()
  const isStaff = user?.role.name !== applicantRole
  // Loads while the dashboard is read; the part that draws the cards shows a failed load.
  useEffect(() => void (isStaff && loadCards().catch(() => {})), [isStaff])
  const isOffline = fetchStatus === 'paused' || (error instanceof ApiError && error.status === 0)
  const lastSeen = useLastSeen(data?.data, !data && isOffline)
  if (lastSeen)
    return (
      <>
        <LastSeenAt at={lastSeen.at} />
        <ApplicantDashboard dashboard={lastSeen.dashboard} />
      </>
    )
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

function LastSeenAt({ at }: { at: Date }) {
  const { t } = useTranslation('dashboard')
  const { language } = useSurroundings()
  return (
    <Alert color="yellow" variant="light" role="status" mb="md">
      {t('lastSeen', { date: longDate(at, language), time: timeOfDay(at, language) })}
    </Alert>
  )
}
