import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { timeRange, weekdayDate } from '#locales/format.ts'
import { deviceName } from '#web/modules/accounts/device-name.ts'
import { useDevice } from '#web/modules/door/device.ts'
import { DoorLayout } from '#web/modules/door/door-layout.tsx'
import { Scanner } from '#web/modules/door/scanner.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ExcuseDialog, ForceDialog } from './dialogs.tsx'
import { ParticipantList } from './participant-list.tsx'
import { RefusedScans } from './refused-scans.tsx'
import { useAttendance } from './use-attendance.ts'
import { Verdict } from './verdict.tsx'

/** Attendance of a test session on a phone: scan cards by camera or choose people by name, even without network. */
export default function AttendancePage() {
  const { id = '' } = useParams()
  const { t } = useTranslation(['attendance', 'door'])
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const device = useDevice(deviceName(navigator.userAgent) ?? t('door:thisPhone'))
  const attendance = useAttendance(id, device.device)
  const [kind, setKind] = useState<'arrive' | 'leave'>('arrive')
  const [forcedCard, setForcedCard] = useState<string | null>(null)
  const [excused, setExcused] = useState<Participant | null>(null)
  const { list, participants, last } = attendance

  if (!list) return <LoadingRecord error={attendance.error} onRetry={attendance.retry} rows={6} />

  const { session, begun, refused, alternatives } = list
  const count = (status: Participant['status']) => participants.filter((person) => person.status === status).length
  const missing = participants.filter(({ status }) => status === 'booked')
  return (
    <>
      <DoorLayout
        title={title}
        description={`${session.name} · ${weekdayDate(session.date, language)}, ${timeRange(session.startTime, session.endTime)}${session.location ? ` · ${session.location}` : ''}`}
        scope="/jadwal-test/"
        cacheName="offline-pages"
        device={device}
        door={attendance}
        readAt={list.now}
        scanTitle={t('attendance:scan')}
        scan={
          <>
            {last && (
              <Verdict last={last} participants={participants} startsAt={session.startsAt} onForce={setForcedCard} />
            )}
            {begun ? (
              <>
                <SegmentedControl
                  aria-label={t('attendance:scanMeans')}
                  fullWidth
                  value={kind}
                  onChange={(value) => setKind(value as typeof kind)}
                  data={(['arrive', 'leave'] as const).map((value) => ({
                    value,
                    label: t(`attendance:modes.${value}`),
                  }))}
                />
                <Scanner onText={(text) => void attendance.scanText(text, kind)} />
              </>
            ) : (
              <Text>{t('attendance:notBegun')}</Text>
            )}
          </>
        }
        counts={t('attendance:counts', {
          attended: count('attended'),
          absent: count('absent'),
          booked: missing.length,
        })}
        more={refused.length > 0 && <RefusedScans scans={refused} onForce={attendance.mark} />}
        people={
          <Card
            title={t('attendance:people')}
            count={participants.length}
            actions={
              begun &&
              missing.length > 0 && (
                <ConfirmButton
                  variant="default"
                  size="compact-md"
                  title={t('attendance:allAbsentTitle', { count: missing.length })}
                  message={t('attendance:allAbsentText')}
                  confirmLabel={t('attendance:marks.absent')}
                  onConfirm={() => attendance.markAbsent(missing.map(({ registrationId }) => registrationId))}
                >
                  {t('attendance:allAbsent')}
                </ConfirmButton>
              )
            }
          >
            <ParticipantList
              participants={participants}
              startsAt={session.startsAt}
              disabled={!begun}
              onMark={attendance.mark}
              onExcuse={setExcused}
            />
          </Card>
        }
      />
      {forcedCard && (
        <ForceDialog
          onClose={() => setForcedCard(null)}
          onForce={(reason) => {
            void attendance.force(forcedCard, reason)
            setForcedCard(null)
          }}
        />
      )}
      {excused && <ExcuseDialog participant={excused} alternatives={alternatives} onClose={() => setExcused(null)} />}
    </>
  )
}
