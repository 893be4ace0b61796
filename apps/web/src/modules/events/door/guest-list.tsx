import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { typedCode } from '#domain/events/ticket.ts'
import { timeOfDay } from '#locales/format.ts'
import { hashOfCode } from '#web/modules/door/hash-of-code.ts'
import { PeopleList, PersonRow } from '#web/modules/door/people-list.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type DoorGuest, findGuests } from './local-door.ts'

const filters = ['all', 'missing', 'inside'] as const

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
  const { language } = useSurroundings()
  const [hash, setHash] = useState<string | null>(null)
  return (
    <PeopleList
      searchLabel={t('door.search')}
      onSearch={(search) => {
        const code = typedCode(search)
        if (code) void hashOfCode(code).then(setHash)
        else setHash(null)
      }}
      filters={filters.map((value) => ({ value, label: t(`door.filters.${value}`) }))}
      find={(search, filter) =>
        findGuests(guests, search, hash).filter(
          ({ inSince, state, sessionId: own }) =>
            (search !== '' || (state !== 'cancelled' && (own === sessionId || inSince))) &&
            (filter === 'all' || (filter === 'inside') === (inSince !== null)),
        )
      }
      nobody={guests.length === 0 ? t('door.nobody') : null}
      row={({ id, name, school, state, walkIn, inSince, sessionId: own }) => {
        const needsForce = state === 'cancelled' || own !== sessionId
        const label = t(inSince ? 'door.undo' : needsForce ? 'door.letIn' : 'door.in')
        const status = inSince
          ? t('door.inSince', { time: timeOfDay(inSince.at, language), device: inSince.deviceName })
          : t(`visitorState.${state}`)
        return (
          <PersonRow
            key={id}
            name={name}
            facts={[school, walkIn && t('door.walkInMark')]}
            status={
              <StatusDot tone={inSince ? 'done' : state === 'registered' ? 'waiting' : 'attention'} label={status} />
            }
          >
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
          </PersonRow>
        )
      }}
    />
  )
}
