import { Text, Timeline } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { FieldValue, Row, Titles } from '#entities/define/row.ts'
import { endpointsOf, type HistoryEntry } from '#entities/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useSession } from '#web/shell/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { FieldCell } from './field-cell.tsx'
import { useEntityWords } from './words.ts'

const useHistory = (entity: Entity, id: string) =>
  useEndpoint(endpointsOf(entity).history, { params: { id } }, { staleTime: 0 })

/** Who changed the row last, and when; nothing where nobody did since it came with the product. */
export function LastChange({ entity, id }: { entity: Entity; id: string }) {
  const { t, language } = useEntityWords()
  const last = useHistory(entity, id).data?.data[0]
  return last ? <> · {t('lastChanged', { when: dateTime(last.at, language), who: last.actor })}</> : null
}

/** Who did what to the row, newest first, with what changed. */
export function HistoryPanel({ entity, id, row }: { entity: Entity; id: string; row?: Row | undefined }) {
  const { t, language } = useEntityWords()
  const answer = useHistory(entity, id)
  const entries = answer.data?.data ?? []
  return (
    <Card title={t('history')}>
      {answer.isPending && <LoadingRows rows={2} />}
      <Missing error={answer.error} onRetry={answer.refetch} />
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
            {entry.action === 'update' && row && <Restore entity={entity} row={row} entry={entry} />}
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

/** Puts the fields of one change back to what they were before it: an ordinary change, with a history of its own. */
function Restore({ entity, row, entry }: { entity: Entity; row: Row; entry: HistoryEntry }) {
  const send = useSend(endpointsOf(entity).update)
  const { t, say } = useEntityWords()
  const { may } = useSession()
  const queries = useQueryClient()
  const changed = entry.changes.filter(({ field }) => field in entity.fields && !entity.fields[field]!.sensitive)
  const differs = changed.some(({ field, before }) => JSON.stringify(row[field] ?? null) !== JSON.stringify(before))
  if (!differs || !may(permissionOf(entity, 'update'))) return null
  const restore = async () => {
    const keys = Object.keys(entity.fields).filter((key) => key !== entity.parent?.field)
    const body = {
      ...Object.fromEntries(keys.map((key) => [key, row[key]])),
      ...Object.fromEntries(changed.map(({ field, before }) => [field, before])),
      version: row.version,
    }
    const params = { id: row.id, ...(entity.parent && { parentId: String(row[entity.parent.field]) }) }
    try {
      await send({ params, body } as never)
      notifications.show({ message: t('saved', { noun: say(entity.label.one) }), color: 'green' })
      await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/master/') })
    } catch (error) {
      notifications.show({ message: (error as Error).message, color: 'red' })
      throw error
    }
  }
  return (
    <ConfirmButton
      variant="subtle"
      size="compact-xs"
      mt={4}
      title={t('restoreTitle')}
      message={<Changes entity={entity} changes={changed.map(undone)} />}
      onConfirm={restore}
      children={t('restore')}
    />
  )
}

const undone = (change: HistoryEntry['changes'][number]) => ({
  ...change,
  before: change.after,
  after: change.before,
  beforeTitle: change.afterTitle,
  afterTitle: change.beforeTitle,
})
