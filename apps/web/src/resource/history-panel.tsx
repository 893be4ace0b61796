import { Text, Timeline } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { declaredField, type Entity, permissionOf } from '#entities/define/entity.ts'
import type { FieldValue, Row, Titles } from '#entities/define/row.ts'
import { endpointsOf, type HistoryEntry } from '#entities/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { FieldCell } from './field-cell.tsx'
import { useEntityWords } from './words.ts'

const useHistory = (entity: Entity, id: string) =>
  useEndpoint(endpointsOf(entity).history, { params: { id } }, { staleTime: 0 })

/** Who changed the row last and when; renders nothing if it is unchanged since installation. */
export function LastChange({ entity, id }: { entity: Entity; id: string }) {
  const { t, language } = useEntityWords()
  const lastEntry = useHistory(entity, id).data?.data[0]
  return lastEntry ? <> · {t('lastChanged', { when: dateTime(lastEntry.at, language), who: lastEntry.actor })}</> : null
}

/** Changes to the row, newest first, each with its author and its old and new values. */
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
  const renderValue = (name: string, value: unknown, title: unknown) => (
    <FieldCell field={declaredField(entity, name)} value={value as FieldValue} title={title as Titles[string]} />
  )
  return changes
    .filter(({ field }) => entity.fields[field])
    .map(({ field, before, after, beforeTitle, afterTitle }) => (
      <Text key={field} size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {labelOf(entity, field)}:{' '}
        <s style={{ color: 'var(--mantine-color-dimmed)' }}>{renderValue(field, before, beforeTitle)}</s>{' '}
        <span aria-hidden="true">→</span> {renderValue(field, after, afterTitle)}
      </Text>
    ))
}

/** Restores the fields of one change to their earlier values, as an ordinary change with a history entry. */
function Restore({ entity, row, entry }: { entity: Entity; row: Row; entry: HistoryEntry }) {
  const { t, say } = useEntityWords()
  const { may } = useSession()
  const queries = useQueryClient()
  const restorable = entry.changes.filter(
    ({ field }) => field in entity.fields && !declaredField(entity, field).sensitive,
  )
  const differs = restorable.some(({ field, before }) => JSON.stringify(row[field] ?? null) !== JSON.stringify(before))
  if (!differs || !may(permissionOf(entity, 'update'))) return null
  const restore = async () => {
    const keys = Object.keys(entity.fields).filter((key) => key !== entity.parent?.field)
    const body = {
      ...Object.fromEntries(keys.map((key) => [key, row[key]])),
      ...Object.fromEntries(restorable.map(({ field, before }) => [field, before])),
      version: row.version,
    }
    const params = { id: row.id, ...(entity.parent && { parentId: String(row[entity.parent.field]) }) }
    try {
      await sendOnce(endpointsOf(entity).update, { params, body })
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
      message={<Changes entity={entity} changes={restorable.map(undone)} />}
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
