import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { timeOfDay, timeRange, weekdayDate } from '#locales/format.ts'
import { deviceName } from '#web/modules/accounts/device-name.ts'
import { useDevice } from '#web/offline/door/device.ts'
import classes from '#web/offline/door/door.module.css'
import { Scanner } from '#web/offline/door/scanner.tsx'
import { keepPage } from '#web/offline/keep-page.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ExcuseDialog, ForceDialog } from './dialogs.tsx'
import { PeopleList } from './people-list.tsx'
import { RefusedScans } from './refused-scans.tsx'
import { useAttendance } from './use-attendance.ts'
import { Verdict } from './verdict.tsx'

/** Attendance of a test session on a phone: scan cards by camera or choose people by name, even without network. */
export default function AttendancePage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const { device, typedName, rename } = useDevice(deviceName(navigator.userAgent) ?? t('thisPhone'))
  const attendance = useAttendance(id, device)
  const [kind, setKind] = useState<'arrive' | 'leave'>('arrive')
  const [forcedCard, setForcedCard] = useState<string | null>(null)
  const [excused, setExcused] = useState<Participant | null>(null)
  const { list, participants, last } = attendance
  const isThere = list !== undefined
  useEffect(() => {
    // Once the page is shown, all its scripts are loaded and can be stored.
    if (isThere) void keepPage('/jadwal-test/', 'offline-pages').catch(() => {})
  }, [isThere])

  if (!list) return <LoadingRecord error={attendance.error} onRetry={attendance.retry} rows={6} />

  const { session, begun, refused, alternatives } = list
  const count = (status: Participant['status']) => participants.filter((person) => person.status === status).length
  const missing = participants.filter(({ status }) => status === 'booked')
  const vibrate = () => navigator.vibrate?.(80)
  return (
    <>
      <PageHeader
        title={title}
        description={`${session.name} · ${weekdayDate(session.date, language)}, ${timeRange(session.startTime, session.endTime)}${session.location ? ` · ${session.location}` : ''}`}
      />
      <div className={classes.grid}>
        <div className={classes.column}>
          <Card title={t('scan')}>
            <Stack gap="md">
              {last && (
                <Verdict last={last} participants={participants} startsAt={session.startsAt} onForce={setForcedCard} />
              )}
              {begun ? (
                <>
                  <SegmentedControl
                    aria-label={t('scanMeans')}
                    fullWidth
                    value={kind}
                    onChange={(value) => setKind(value as typeof kind)}
                    data={(['arrive', 'leave'] as const).map((value) => ({ value, label: t(`modes.${value}`) }))}
                  />
                  <Scanner
                    onText={(text) => {
                      vibrate()
                      void attendance.scanText(text, kind)
                    }}
                  />
                </>
              ) : (
                <Text>{t('notBegun')}</Text>
              )}
              <TextInput
                label={t('device')}
                description={t('deviceHint')}
                value={typedName}
                onChange={(event) => rename(event.currentTarget.value.slice(0, 80))}
              />
            </Stack>
          </Card>
          <Card title={t('state')}>
            <Stack gap="sm">
              <Text fw={600}>
                {t('counts', { attended: count('attended'), absent: count('absent'), booked: missing.length })}
              </Text>
              <div role="status">
                <StatusDot
                  tone={attendance.waiting > 0 ? 'attention' : attendance.isOffline ? 'waiting' : 'done'}
                  label={
                    attendance.waiting > 0
                      ? t('waiting', { count: attendance.waiting })
                      : t(attendance.isOffline ? 'offline' : 'saved')
                  }
                />
              </div>
              <Text size="sm" c="dimmed">
                {t('listOf', { time: timeOfDay(list.now, language) })} {attendance.isOffline && t('offlineHint')}
              </Text>
              {attendance.refusal && attendance.waiting > 0 && (
                <Text size="sm" c="dimmed">
                  {attendance.refusal.message}
                </Text>
              )}
              <Button variant="default" onClick={() => void attendance.retry()} style={{ alignSelf: 'flex-start' }}>
                {t('readAgain')}
              </Button>
            </Stack>
          </Card>
          {refused.length > 0 && <RefusedScans scans={refused} onForce={attendance.mark} />}
        </div>
        <Card
          title={t('people')}
          count={participants.length}
          actions={
            begun &&
            missing.length > 0 && (
              <ConfirmButton
                variant="default"
                size="compact-md"
                title={t('allAbsentTitle', { count: missing.length })}
                message={t('allAbsentText')}
                confirmLabel={t('marks.absent')}
                onConfirm={async () => {
                  for (const { registrationId } of missing) await attendance.mark(registrationId, 'absent')
                }}
              >
                {t('allAbsent')}
              </ConfirmButton>
            )
          }
        >
          <PeopleList
            participants={participants}
            startsAt={session.startsAt}
            disabled={!begun}
            onMark={attendance.mark}
            onExcuse={setExcused}
          />
        </Card>
      </div>
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
