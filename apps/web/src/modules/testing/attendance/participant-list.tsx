import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { minutesLate } from '#domain/testing/attendance.ts'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { timeOfDay } from '#locales/format.ts'
import { PeopleList, PersonRow } from '#web/modules/door/people-list.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { findParticipants } from './local-attendance.ts'
import type { useAttendance } from './use-attendance.ts'

const tones = { booked: 'waiting', attended: 'done', absent: 'stopped', held: 'waiting', released: 'waiting' } as const
const filters = ['all', 'booked', 'attended', 'absent'] as const

type Props = {
  participants: readonly Participant[]
  startsAt: string
  disabled: boolean
  onMark: ReturnType<typeof useAttendance>['mark']
  onExcuse: (participant: Participant) => void
}

/** Participants of a session, found by name or code, each with the applicable marks. */
export function ParticipantList({ participants, startsAt, disabled, onMark, onExcuse }: Props) {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  const row = (participant: Participant) => {
    const { registrationId, name, code, status, arrivedAt, arrivedOn, leftAt, forcedReason } = participant
    const late = arrivedAt ? minutesLate(new Date(arrivedAt), new Date(startsAt)) : 0
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
    const tone = late > 0 && status === 'attended' ? 'attention' : tones[status]
    return (
      <PersonRow
        key={registrationId}
        name={name}
        facts={[
          code,
          arrivedAt && t('arrived', { time: timeOfDay(arrivedAt, language), device: arrivedOn ?? '' }),
          late > 0 && t('late', { count: late }),
          leftAt && t('leftAt', { time: timeOfDay(leftAt, language) }),
          forcedReason && t('forcedBecause', { reason: forcedReason }),
        ]}
        status={<StatusDot tone={tone} label={t(`statuses.${status}`)} />}
      >
        {(status === 'booked' || status === 'absent') && button('arrive', true)}
        {status === 'booked' && button('absent')}
        {status === 'attended' && !leftAt && button('leave')}
        {status === 'absent' && (
          <Button
            size="sm"
            variant="default"
            disabled={disabled}
            onClick={() => onExcuse(participant)}
            aria-label={`${t('excuse.open')}: ${name}`}
          >
            {t('excuse.open')}
          </Button>
        )}
        {(status === 'attended' || status === 'absent') && button('cancel')}
      </PersonRow>
    )
  }
  return (
    <PeopleList
      searchLabel={t('search')}
      filters={filters.map((value) => ({ value, label: t(`filters.${value}`) }))}
      find={(search, filter) =>
        findParticipants(participants, search).filter(({ status }) => filter === 'all' || status === filter)
      }
      nobody={participants.length === 0 ? t('nobody') : null}
      row={row}
    />
  )
}
