import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { dateTime, timeOfDay } from '#locales/format.ts'
import { deviceName } from '#web/modules/accounts/device-name.ts'
import { useDevice } from '#web/modules/door/device.ts'
import { DoorLayout } from '#web/modules/door/door-layout.tsx'
import { Scanner } from '#web/modules/door/scanner.tsx'
import { useBranding } from '#web/shell/branding.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { GuestList } from './guest-list.tsx'
import { useCheckIn } from './use-check-in.ts'
import { Verdict } from './verdict.tsx'
import { WalkInDialog } from './walk-in-dialog.tsx'

/** Check-in on a phone: scan tickets, type codes or choose people by name. Works offline. */
export default function CheckInPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation(['events', 'door'])
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const { name: university } = useBranding()
  const device = useDevice(deviceName(navigator.userAgent) ?? t('door:thisPhone'))
  const [chosen, choose] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [isRegistering, setRegistering] = useState(false)
  const door = useCheckIn(id, chosen, device.device)
  const { list, session, guests, last } = door

  if (!list || !session) return <LoadingRecord error={door.error} onRetry={door.retry} rows={6} />

  const expected = guests.filter(({ state, sessionId }) => state === 'registered' && sessionId === session.id)
  return (
    <>
      <DoorLayout
        title={title}
        description={[list.name[language], dateTime(session.startsAt, language), list.place, session.room]
          .filter(Boolean)
          .join(' · ')}
        scope="/event-afiliator/"
        cacheName="offline-events"
        device={device}
        door={door}
        readAt={list.now}
        scanTitle={t('events:door.scan')}
        scan={
          <>
            {list.sessions.length > 1 && (
              <Select
                label={t('events:door.session')}
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
                <Scanner hint={t('events:door.scanHint')} onText={(text) => void door.scanText(text)} />
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
                      label={t('events:door.typed')}
                      autoCapitalize="characters"
                      autoComplete="off"
                      value={typed}
                      onChange={(event) => setTyped(event.currentTarget.value)}
                    />
                    <Button type="submit" variant="default">
                      {t('events:door.check')}
                    </Button>
                  </Group>
                </form>
                {list.mayRegister && (
                  <Button variant="default" mih={44} h="auto" py={8} onClick={() => setRegistering(true)}>
                    {t('events:door.walkIn')}
                  </Button>
                )}
              </>
            ) : (
              <Text>{t('events:door.notBegun')}</Text>
            )}
          </>
        }
        counts={t('events:door.counts', {
          inside: guests.filter(({ inSince }) => inSince).length,
          registered: expected.length,
        })}
        people={
          <Card title={t('events:door.people')} count={expected.length}>
            <GuestList
              guests={guests}
              sessionId={session.id}
              disabled={!list.begun}
              onCheckIn={(visitorId, force) => void door.checkIn(visitorId, force)}
              onUndo={(visitorId) => void door.undo(visitorId)}
            />
          </Card>
        }
      />
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
