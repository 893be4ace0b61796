import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { readOwnChat } from '#domain/chat/endpoints.ts'
import type { Answer } from '#domain/endpoint.ts'
import { timeOfDay, timeRange, weekdayDate } from '#locales/format.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Hours = Answer<typeof readOwnChat>['data']['hours']

/** Whether the office answers now, else from when. */
export function OfficeHours({ hours: { open, days, from, until, opensAt, answerMinutes } }: { hours: Hours }) {
  const { t } = useTranslation('chat')
  const { language } = useSurroundings()
  const nameOf = (day: number) => t(`days.${day as 1}`)
  const [first, last] = [days[0], days.at(-1)]
  const isRange = days.length > 2 && first !== undefined && last === first + days.length - 1
  const dayText = isRange ? t('dayRange', { first: nameOf(first), last: nameOf(last) }) : days.map(nameOf).join(', ')
  const text = `${dayText}, ${timeRange(from, until)}`
  const sentence = open
    ? t('openNow', { hours: text })
    : opensAt
      ? t('closedNow', { at: `${weekdayDate(opensAt, language)}, ${timeOfDay(opensAt, language)}` })
      : t('noHours')
  return (
    <>
      <StatusDot tone={open ? 'done' : 'waiting'} label={sentence} />
      {open && (
        <Text size="sm" c="dimmed">
          {t('usually', { minutes: answerMinutes })}
        </Text>
      )}
    </>
  )
}
