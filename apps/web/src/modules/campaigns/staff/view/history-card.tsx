import { Text, Timeline } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { actionSentence } from '#domain/audit/sentence.ts'
import { campaignHistory } from '#domain/campaigns/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Say = (key: string, params?: Record<string, unknown>) => string

/** The campaign's latest steps, newest first, each with its account and time. */
export function HistoryCard({ id }: { id: string }) {
  const { t } = useTranslation(['send', 'audit'])
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(campaignHistory, { params: { id } })
  return (
    <Card title={t('view.history')}>
      {data ? (
        <Timeline bulletSize={14} lineWidth={2}>
          {data.data.map(({ id: entryId, at, action, name, actingAs }) => (
            <Timeline.Item key={entryId} title={actionSentence(t as Say, action, language)}>
              <Text size="sm" c="dimmed">
                {actingAs ? t('audit:seenAs', { name, as: actingAs }) : name}, {dateTime(at, language)}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      ) : (
        <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
      )}
    </Card>
  )
}
