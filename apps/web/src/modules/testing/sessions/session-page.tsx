import { Alert, Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { readSession, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { timeRange, weekdayDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ParticipantsCard } from './participants/participants-card.tsx'
import { RoomsCard } from './rooms/rooms-card.tsx'
import { SessionActions } from './session-actions.tsx'
import { SessionState } from './states.tsx'

/** One test session: rooms and places, people, and all actions. */
export default function SessionPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useEndpoint(readSession, { params: { id } })
  usePageTitle(data?.data.name)
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return <Session session={data.data} />
}

function Session({ session }: { session: SessionDetail }) {
  const { t } = useTranslation(['test-sessions', 'staff-titles'])
  const { language } = useSurroundings()
  const { name, date, startTime, endTime, location, wave, track, tests, taken, capacity, state } = session
  return (
    <>
      <PageHeader
        title={name}
        description={`${weekdayDate(date, language)}, ${timeRange(startTime, endTime)}`}
        actions={
          <>
            <Button component={Link} to={`/jadwal-test/${session.id}/attendance`} variant="default">
              {t('staff-titles:jadwal-test-attendance')}
            </Button>
            <SessionActions session={session} />
          </>
        }
      />
      <Stack>
        {session.cancelReason && (
          <Alert color="red" variant="light">
            {t('detail.cancelled', { reason: session.cancelReason })}
          </Alert>
        )}
        <Card>
          <Facts
            facts={[
              [t('detail.booking'), <SessionState key="state" state={state} />],
              [t('detail.fill'), t('fill', { taken, capacity })],
              [t('detail.place'), location],
              [t('detail.wave'), wave],
              [t('detail.track'), track ?? t('everyTrack')],
              [t('detail.tests'), tests.join(', ')],
            ]}
          />
        </Card>
        <RoomsCard session={session} />
        <ParticipantsCard session={session} />
      </Stack>
    </>
  )
}
