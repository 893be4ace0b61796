import { Text, Timeline } from '@mantine/core'
import type { Entity } from '#entities/define/entity.ts'
import type { FieldValue, Titles } from '#entities/define/row.ts'
import { endpointsOf, type HistoryEntry } from '#entities/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '../api/query.ts'
import { Card } from '../ui/card.tsx'
import { LoadingRows } from '../ui/loading-rows.tsx'
import { FieldCell } from './field-cell.tsx'
import { useEntityWords } from './words.ts'

/** Who did what to the row, newest first, with what changed. */
export function HistoryPanel({ entity, id }: { entity: Entity; id: string }) {
  const { t, language } = useEntityWords()
  const answer = useEndpoint(endpointsOf(entity).history, { params: { id } }, { quiet: true, staleTime: 0 })
  const entries = answer.data?.data ?? []
  return (
    <Card title={t('history')}>
      {answer.isPending && <LoadingRows rows={2} />}
      {answer.isError && <Text size="sm">{answer.error.message}</Text>}
      {answer.isSuccess && entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noHistory')}
        </Text>
      )}
      <Timeline bulletSize={12} lineWidth={2} active={-1}>
        {entries.map((entry) => (
          <Timeline.Item key={entry.id} title={<Text size="sm">{`${entry.actor} ${t(`did.${entry.action}`)}`}</Text>}>
            <Text size="xs" c="dimmed">
              {dateTime(entry.at, language)} · {entry.role}
            </Text>
            {entry.action === 'update' && <Changes entity={entity} changes={entry.changes} />}
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  )
}

function Changes({ entity, changes }: { entity: Entity; changes: HistoryEntry['changes'] }) {
  const { labelOf } = useEntityWords()
  const shown = (name: string, value: unknown, title: unknown) => (
    <FieldCell field={entity.fields[name]!} value={value as FieldValue} title={title as Titles[string]} />
  )
  return changes
    .filter(({ field }) => entity.fields[field])
    .map(({ field, before, after, beforeTitle, afterTitle }) => (
      <Text key={field} size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {labelOf(entity, field)}:{' '}
        <s style={{ color: 'var(--mantine-color-dimmed)' }}>{shown(field, before, beforeTitle)}</s>{' '}
        <span aria-hidden="true">→</span> {shown(field, after, afterTitle)}
      </Text>
    ))
}
