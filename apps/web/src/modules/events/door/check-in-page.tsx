import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { dateTime, timeOfDay } from '#locales/format.ts'
import { deviceName } from '#web/modules/accounts/device-name.ts'
import { useDevice } from '#web/offline/door/device.ts'
import classes from '#web/offline/door/door.module.css'
import { Scanner } from '#web/offline/door/scanner.tsx'
import { keepPage } from '#web/offline/keep-page.ts'
import { useBranding } from '#web/shell/branding.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { GuestList } from './guest-list.tsx'
import { useDoor } from './use-door.ts'
import { Verdict } from './verdict.tsx'
import { WalkInDialog } from './walk-in-dialog.tsx'

/** Check-in on a phone: scan tickets, type codes or choose people by name. Works offline. */
export default function CheckInPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('events')
  const { t: attendance } = useTranslation('attendance')
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const { name: university } = useBranding()
  const { device, typedName, rename } = useDevice(deviceName(navigator.userAgent) ?? attendance('thisPhone'))
  const [chosen, choose] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [isRegistering, setRegistering] = useState(false)
  const door = useDoor(id, chosen, device)
  const { list, session, guests, last } = door
  const isThere = list !== undefined
  useEffect(() => {
    // Once the page is rendered, all its scripts are loaded and can be cached.
    if (isThere) void keepPage('/event-afiliator/', 'offline-events').catch(() => {})
  }, [isThere])

  if (!list || !session) return <LoadingRecord error={door.error} onRetry={door.retry} rows={6} />

  const expected = guests.filter(({ state, sessionId }) => state === 'registered' && sessionId === session.id)
  return (
    <>
      <PageHeader
        title={title}
        description={[list.name[language], dateTime(session.startsAt, language), list.place, session.room]
          .filter(Boolean)
          .join(' · ')}
      />
      <div className={classes.grid}>
        <div className={classes.column}>
          <Card title={t('door.scan')}>
            <Stack gap="md">
              {list.sessions.length > 1 && (
                <Select
                  label={t('door.session')}
                  allowDeselect={false}
                  value={session.id}
                  onChange={choose}
                  data={list.sessions.map(({ id: value, name, startsAt }) => ({
                    value,
                    label: name ? `${name}, ${timeOfDay(startsAt, language)}` : dateTime(startsAt, language),
                  }))}
                />
              )}
              {last && (
                <Verdict
                  last={last}
                  guests={guests}
                  sessions={list.sessions}
                  onLetIn={(visitorId) => void door.checkIn(visitorId, true)}
                />
              )}
              {list.begun ? (
                <>
                  <Scanner hint={t('door.scanHint')} onText={(text) => void door.scanText(text)} />
                  <form
                    onSubmit={(event) => {
                      event.preventDefault()
                      if (typed.trim()) void door.scanText(typed.trim())
                      setTyped('')
                    }}
                  >
                    <Group align="flex-end" wrap="nowrap" gap="xs">
                      <TextInput
                        style={{ flex: 1 }}
                        label={t('door.typed')}
                        autoCapitalize="characters"
                        autoComplete="off"
                        value={typed}
                        onChange={(event) => setTyped(event.currentTarget.value)}
                      />
                      <Button type="submit" variant="default">
                        {t('door.check')}
                      </Button>
                    </Group>
                  </form>
                  {list.mayRegister && (
                    <Button variant="default" mih={44} h="auto" py={8} onClick={() => setRegistering(true)}>
                      {t('door.walkIn')}
                    </Button>
                  )}
                </>
              ) : (
                <Text>{t('door.notBegun')}</Text>
              )}
              <TextInput
                label={attendance('device')}
                description={attendance('deviceHint')}
                value={typedName}
                onChange={(event) => rename(event.currentTarget.value.slice(0, 80))}
              />
            </Stack>
          </Card>
          <Card title={attendance('state')}>
            <Stack gap="sm">
              <Text fw={600}>
                {t('door.counts', {
                  inside: guests.filter(({ inSince }) => inSince).length,
                  registered: expected.length,
                })}
              </Text>
              <div role="status">
                <StatusDot
                  tone={door.waiting > 0 ? 'attention' : door.isOffline ? 'waiting' : 'done'}
                  label={
                    door.waiting > 0
                      ? attendance('waiting', { count: door.waiting })
                      : attendance(door.isOffline ? 'offline' : 'saved')
                  }
                />
              </div>
              <Text size="sm" c="dimmed">
                {attendance('listOf', { time: timeOfDay(list.now, language) })}{' '}
                {door.isOffline && attendance('offlineHint')}
              </Text>
              {door.refusal && door.waiting > 0 && (
                <Text size="sm" c="dimmed">
                  {door.refusal.message}
                </Text>
              )}
              <Button variant="default" onClick={() => void door.retry()} style={{ alignSelf: 'flex-start' }}>
                {attendance('readAgain')}
              </Button>
            </Stack>
          </Card>
        </div>
        <Card title={t('door.people')} count={expected.length}>
          <GuestList
            guests={guests}
            sessionId={session.id}
            disabled={!list.begun}
            onCheckIn={(visitorId, force) => void door.checkIn(visitorId, force)}
            onUndo={(visitorId) => void door.undo(visitorId)}
          />
        </Card>
      </div>
      {isRegistering && (
        <WalkInDialog
          university={university}
          onClose={() => setRegistering(false)}
          onRegister={(walkIn) => {
            setRegistering(false)
            void door.register(walkIn)
          }}
        />
      )}
    </>
  )
}
