import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { timeRange, weekdayDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { SeriesState } from './use-series.ts'

const shownSessions = 20

/** Sessions to be written, and existing ones that clash. */
export function SeriesPreview({ series: { sessions, isLoading, isComplete } }: { series: SeriesState }) {
  const { t } = useTranslation('test-sessions')
  const { language } = useSurroundings()
  if (!isComplete) return <Text c="dimmed">{t('create.previewEmpty')}</Text>
  if (!sessions) return <Text c="dimmed">{isLoading ? t('create.loading') : t('create.previewEmpty')}</Text>
  const clashing = sessions.filter(({ clashes }) => clashes.length > 0)
  const more = sessions.length - shownSessions
  const whenOf = ({ date, startTime, endTime }: (typeof sessions)[number]) =>
    `${weekdayDate(date, language)}, ${timeRange(startTime, endTime)}`
  return (
    <Stack gap="md" role="status" aria-busy={isLoading}>
      {clashing.length > 0 && (
        <Alert color="orange" variant="light" title={t('create.clashTitle', { count: clashing.length })}>
          <List size="sm" mb="xs">
            {clashing.flatMap((session) =>
              session.clashes.map(({ id, name, room }) => (
                <List.Item key={`${session.date} ${session.startTime} ${id} ${room}`}>
                  {whenOf(session)}: {room ? t('create.clashRoom', { room, name }) : t('create.clash', { name })}
                </List.Item>
              )),
            )}
          </List>
          {t('create.clashes')}
        </Alert>
      )}
      <List>
        {sessions.slice(0, shownSessions).map((session) => (
          <List.Item key={`${session.date} ${session.startTime}`}>
            <strong>{session.name}</strong>: {whenOf(session)}, {t('create.seats', { seats: session.capacity })}
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text c="dimmed">{t('create.more', { count: more })}</Text>}
    </Stack>
  )
}
