import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minutesLate } from '#domain/testing/attendance.ts'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { timeOfDay } from '#locales/format.ts'
import classes from '#web/offline/door/door.module.css'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { findParticipants } from './local-attendance.ts'
import type { useAttendance } from './use-attendance.ts'

const filters = ['all', 'booked', 'attended', 'absent'] as const
type Filter = (typeof filters)[number]

/** Most people drawn at a time; search finds the others. */
const mostShown = 60

type Props = {
  participants: readonly Participant[]
  startsAt: string
  disabled: boolean
  onMark: ReturnType<typeof useAttendance>['mark']
  onExcuse: (participant: Participant) => void
}

/** People of a session, found by name or code, each with the applicable marks. */
export function PeopleList({ participants, startsAt, disabled, onMark, onExcuse }: Props) {
  const { t } = useTranslation('attendance')
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const found = findParticipants(participants, search).filter(({ status }) => filter === 'all' || status === filter)
  return (
    <Stack gap="md">
      <TextInput
        label={t('search')}
        type="search"
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label={t('filter')}
        fullWidth
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        data={filters.map((value) => ({ value, label: t(`filters.${value}`) }))}
      />
      {found.length === 0 ? (
        <EmptyState title={t(participants.length === 0 ? 'nobody' : 'noMatch')} />
      ) : (
        <ul className={classes.people}>
          {found.slice(0, mostShown).map((participant) => (
            <Person key={participant.registrationId} {...{ participant, startsAt, disabled, onMark, onExcuse }} />
          ))}
        </ul>
      )}
      {found.length > mostShown && (
        <Text c="dimmed" size="sm">
          {t('more', { count: found.length - mostShown })}
        </Text>
      )}
    </Stack>
  )
}

const tones = { booked: 'waiting', attended: 'done', absent: 'stopped', held: 'waiting', released: 'waiting' } as const

function Person({
  participant,
  startsAt,
  disabled,
  onMark,
  onExcuse,
}: Omit<Props, 'participants'> & { participant: Participant }) {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const { registrationId, name, code, status, arrivedAt, arrivedOn, leftAt, forcedReason } = participant
  const late = arrivedAt ? minutesLate(new Date(arrivedAt), new Date(startsAt)) : 0
  const facts = [
    code,
    arrivedAt && t('arrived', { time: timeOfDay(arrivedAt, language), device: arrivedOn ?? '' }),
    late > 0 && t('late', { count: late }),
    leftAt && t('leftAt', { time: timeOfDay(leftAt, language) }),
    forcedReason && t('forcedBecause', { reason: forcedReason }),
  ].filter(Boolean)
  const button = (kind: 'arrive' | 'leave' | 'absent' | 'cancel', filled = false) => (
    <Button
      size="sm"
      variant={filled ? 'light' : 'default'}
      disabled={disabled}
      onClick={() => void onMark(registrationId, kind)}
      aria-label={`${t(`marks.${kind}`)}: ${name}`}
    >
      {t(`marks.${kind}`)}
    </Button>
  )
  return (
    <li className={classes.person}>
      <div className={classes.words}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
        <StatusDot
          tone={late > 0 && status === 'attended' ? 'attention' : tones[status]}
          label={t(`statuses.${status}`)}
        />
      </div>
      <Group gap="xs">
        {status === 'booked' && button('arrive', true)}
        {status === 'booked' && button('absent')}
        {status === 'attended' && !leftAt && button('leave')}
        {status === 'absent' && button('arrive', true)}
        {status === 'absent' && (
          <Button size="sm" variant="default" onClick={() => onExcuse(participant)} disabled={disabled}>
            {t('excuse.open')}
          </Button>
        )}
        {(status === 'attended' || status === 'absent') && button('cancel')}
      </Group>
    </li>
  )
}
