import { Text, Timeline } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readTimeline } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'

type Props = { registrationId: string; onlyKind?: 'message' }

/** Events of a registration, newest first; `onlyKind` limits them to messages to the applicant. */
export function StaffTimeline({ registrationId, onlyKind }: Props) {
  const { t } = useTranslation(['staff', 'admissions'])
  const { data, error, refetch } = useEndpoint(readTimeline, { params: { id: registrationId } })
  const entries = (data?.data ?? []).filter(({ kind }) => !onlyKind || kind === onlyKind)
  return (
    <Card title={t(onlyKind ? 'detail.tabs.messages' : 'detail.tabs.timeline')}>
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={4} />}
      {data && entries.length === 0 && <EmptyState title={onlyKind ? t('detail.noMessages') : undefined} />}
      <Timeline bulletSize={14} lineWidth={2}>
        {entries.map((entry) => (
          <Timeline.Item
            key={entry.id}
            title={
              entry.kind === 'message'
                ? entry.title
                : (t(`admissions:timeline.${entry.name.replaceAll('.', '-')}`, {
                    defaultValue: entry.name,
                    title: entry.title ?? '',
                  }) as string)
            }
          >
            <Text size="sm" c="dimmed">
              <DateText value={entry.at} as="datetime" />
              {entry.actorName && `, ${entry.actorName}`}
            </Text>
            {entry.kind !== 'message' && entry.title && <Text size="sm">{entry.title}</Text>}
            {entry.reason && <Text size="sm">{entry.reason}</Text>}
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  )
}
