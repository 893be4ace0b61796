import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { timeOfDay } from '#locales/format.ts'
import { keepPage } from '#web/offline/keep-page.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { useDevice } from './device.ts'
import classes from './door.module.css'
import type { useDoor } from './use-door.ts'

type DoorState = Pick<ReturnType<typeof useDoor>, 'items' | 'isOffline' | 'refusal' | 'retry'>

type Props = {
  title: string
  description: string
  /** The page opens without network below `scope`, from the cache `cacheName`. */
  scope: string
  cacheName: string
  device: ReturnType<typeof useDevice>
  door: DoorState
  /** When the server read the list. */
  readAt: string
  scanTitle: string
  /** Verdict, camera and other ways to record people. */
  scan: ReactNode
  counts: string
  /** Below the state. */
  more?: ReactNode
  people: ReactNode
}

/** Page of a door on a phone: scanning, what is sent, and the people. */
export function DoorLayout({ title, description, scope, cacheName, scanTitle, scan, more, people, ...state }: Props) {
  const { t } = useTranslation('door')
  const { typedName, rename } = state.device
  useEffect(() => {
    // Once the page is shown, all its scripts are loaded and can be stored.
    void keepPage(scope, cacheName).catch(() => {})
  }, [scope, cacheName])
  return (
    <>
      <PageHeader title={title} description={description} />
      <div className={classes.grid}>
        <div className={classes.column}>
          <Card title={scanTitle}>
            <Stack gap="md">
              {scan}
              <TextInput
                label={t('device')}
                description={t('deviceHint')}
                value={typedName}
                onChange={(event) => rename(event.currentTarget.value.slice(0, 80))}
              />
            </Stack>
          </Card>
          <StateCard {...state} />
          {more}
        </div>
        {people}
      </div>
    </>
  )
}

function StateCard({ door, readAt, counts }: Pick<Props, 'door' | 'readAt' | 'counts'>) {
  const { t } = useTranslation('door')
  const { language } = useSurroundings()
  const { items, isOffline, refusal, retry } = door
  const waiting = items.length
  return (
    <Card title={t('state')}>
      <Stack gap="sm">
        <Text fw={600}>{counts}</Text>
        <div role="status">
          <StatusDot
            tone={waiting > 0 ? 'attention' : isOffline ? 'waiting' : 'done'}
            label={waiting > 0 ? t('waiting', { count: waiting }) : t(isOffline ? 'offline' : 'saved')}
          />
        </div>
        <Text size="sm" c="dimmed">
          {t('listOf', { time: timeOfDay(readAt, language) })} {isOffline && t('offlineHint')}
        </Text>
        {refusal && waiting > 0 && (
          <Text size="sm" c="dimmed">
            {refusal.message}
          </Text>
        )}
        <Button variant="default" onClick={() => void retry()} style={{ alignSelf: 'flex-start' }}>
          {t('readAgain')}
        </Button>
      </Stack>
    </Card>
  )
}
