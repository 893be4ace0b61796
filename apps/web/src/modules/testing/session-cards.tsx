import { Badge, Group } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TestSessionView } from '#domain/testing/endpoints.ts'
import { dateTime, monthsFor, weekdayDate } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import quiet from '#web/ui/text/quiet.module.css'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './session-cards.module.css'

type Props = {
  sessions: readonly TestSessionView[]
  chosenId: string | null
  onChoose: (id: string) => void
  /** Session of the applicant's seat, which can be chosen even if full. */
  ownId?: string | null
  label: string
  /** Full sessions can be chosen too, to wait for a seat. */
  canWait?: boolean
  disabled?: boolean
}

const fewSeats = 5

/** One card per session; arrow keys move between them like radio buttons. */
export function SessionCards({ sessions, chosenId, onChoose, ownId, label, canWait, disabled }: Props) {
  const possible = sessions.filter(
    (session) => session.state === 'open' || session.id === ownId || (canWait && session.state === 'full'),
  )
  const move = (fromId: string, step: number) => {
    const index = possible.findIndex(({ id }) => id === fromId)
    const next = possible[(index + step + possible.length) % possible.length]
    if (!next) return
    onChoose(next.id)
    document.getElementById(`session-${next.id}`)?.focus()
  }
  const reachable = possible.some(({ id }) => id === chosenId) ? chosenId : possible[0]?.id
  return (
    <div role="radiogroup" aria-label={label} className={classes.cards}>
      {sessions.map((session) => {
        const isEnabled = !disabled && possible.includes(session)
        return (
          <button
            key={session.id}
            id={`session-${session.id}`}
            type="button"
            role="radio"
            aria-checked={session.id === chosenId}
            aria-disabled={!isEnabled}
            tabIndex={session.id === reachable ? 0 : -1}
            data-checked={session.id === chosenId || undefined}
            data-disabled={!isEnabled || undefined}
            className={classes.card}
            onClick={() => isEnabled && onChoose(session.id)}
            onKeyDown={(event) => {
              const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
              if (!step || disabled) return
              event.preventDefault()
              move(session.id, step)
            }}
          >
            <CalendarLeaf date={session.date} />
            <SessionWords session={session} />
            <span className={classes.side}>
              <Seats session={session} />
              {session.id === chosenId && <IconCheck size={20} aria-hidden="true" className={classes.tick} />}
            </span>
          </button>
        )
      })}
    </div>
  )
}

export function CalendarLeaf({ date }: { date: string }) {
  const { language } = useSurroundings()
  const month = monthsFor(language, 'short')[Number(date.slice(5, 7)) - 1]
  return (
    <span className={classes.day} aria-hidden="true">
      <span className={classes.month}>{month}</span>
      <span className={classes.number}>{Number(date.slice(8))}</span>
    </span>
  )
}

/** Time, subject and place of a session, in three short lines. */
export function SessionWords({ session }: { session: TestSessionView }) {
  const { t } = useTranslation('testing')
  const { language } = useSurroundings()
  const startTime = session.startTime.replace(':', '.')
  const endTime = session.endTime.replace(':', '.')
  return (
    <span className={classes.words}>
      <span className={classes.when}>{weekdayDate(session.date, language)}</span>
      <span>
        {t('until', { from: startTime, to: endTime, zone: zoneName() })} · {session.name}
      </span>
      <span className={quiet.text}>
        {session.mode === 'onsite'
          ? `${t('mode.onsite')} · ${session.location}`
          : t(session.location ? 'mode.online' : 'onlineLater')}
      </span>
      {session.tests.length > 0 && (
        <Group component="span" gap={6} mt={4}>
          {session.tests.map((test) => (
            <Badge key={test.id} component="span" variant="default" size="md" tt="none" fw={500}>
              {test.name}
            </Badge>
          ))}
        </Group>
      )}
    </span>
  )
}

function Seats({ session }: { session: TestSessionView }) {
  const { t } = useTranslation('testing')
  const { language } = useSurroundings()
  if (session.state === 'open')
    return (
      <StatusDot
        tone={session.seatsLeft <= fewSeats ? 'attention' : 'done'}
        label={t('seats', { count: session.seatsLeft })}
      />
    )
  const date = session.bookingOpensAt ? dateTime(session.bookingOpensAt, language) : ''
  return (
    <StatusDot
      tone={session.state === 'not_yet' ? 'waiting' : 'stopped'}
      label={t(`state.${session.state}`, { date })}
    />
  )
}
