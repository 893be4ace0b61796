import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { typedCode } from '#domain/events/ticket.ts'
import { timeOfDay } from '#locales/format.ts'
import classes from '#web/offline/door/door.module.css'
import { hashOfCode } from '#web/offline/door/hash-of-code.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type DoorGuest, findGuests } from './local-door.ts'

const filters = ['all', 'missing', 'inside'] as const
type Filter = (typeof filters)[number]

/** Most people drawn at a time; search finds the others. */
const mostShown = 60

type Props = {
  guests: readonly DoorGuest[]
  sessionId: string
  disabled: boolean
  onCheckIn: (id: string, force?: boolean) => void
  onUndo: (id: string) => void
}

/** Visitors of an event, searchable by name, school or code, each with the button or mark that applies. */
export function GuestList({ guests, sessionId, disabled, onCheckIn, onUndo }: Props) {
  const { t } = useTranslation('events')
  const { t: attendance } = useTranslation('attendance')
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const [hash, setHash] = useState<string | null>(null)
  useEffect(() => {
    const code = typedCode(search)
    if (code) void hashOfCode(code).then(setHash)
    else setHash(null)
  }, [search])
  const found = findGuests(guests, search, hash).filter(
    ({ inSince, state, sessionId: own }) =>
      (search !== '' || (state !== 'cancelled' && (own === sessionId || inSince))) &&
      (filter === 'all' || (filter === 'inside') === (inSince !== null)),
  )
  return (
    <Stack gap="md">
      <TextInput
        label={t('door.search')}
        type="search"
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label={t('door.filter')}
        fullWidth
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        data={filters.map((value) => ({ value, label: t(`door.filters.${value}`) }))}
      />
      {found.length === 0 ? (
        <EmptyState title={t(guests.length === 0 ? 'door.nobody' : 'door.noMatch')} />
      ) : (
        <ul className={classes.people}>
          {found.slice(0, mostShown).map((guest) => (
            <Row key={guest.id} {...{ guest, sessionId, disabled, onCheckIn, onUndo }} />
          ))}
        </ul>
      )}
      {found.length > mostShown && (
        <Text c="dimmed" size="sm">
          {attendance('more', { count: found.length - mostShown })}
        </Text>
      )}
    </Stack>
  )
}

function Row({
  guest: { id, name, school, state, walkIn, inSince, sessionId: own },
  sessionId,
  disabled,
  onCheckIn,
  onUndo,
}: Omit<Props, 'guests'> & { guest: DoorGuest }) {
  const { t } = useTranslation('events')
  const { language } = useSurroundings()
  const needsForce = state === 'cancelled' || own !== sessionId
  const label = t(inSince ? 'door.undo' : needsForce ? 'door.letIn' : 'door.in')
  return (
    <li className={classes.person}>
      <div className={classes.words}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {[school, walkIn && t('door.walkInMark')].filter(Boolean).join(' · ')}
        </Text>
        <StatusDot
          tone={inSince ? 'done' : state === 'registered' ? 'waiting' : 'attention'}
          label={
            inSince
              ? t('door.inSince', { time: timeOfDay(inSince.at, language), device: inSince.deviceName })
              : t(`visitorState.${state}`)
          }
        />
      </div>
      <Group gap="xs">
        <Button
          size="sm"
          mih={44}
          variant={inSince || needsForce ? 'default' : 'light'}
          disabled={disabled}
          aria-label={`${label}: ${name}`}
          onClick={() => (inSince ? onUndo(id) : onCheckIn(id, needsForce))}
        >
          {label}
        </Button>
      </Group>
    </li>
  )
}
