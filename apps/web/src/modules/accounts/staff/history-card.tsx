import { Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AccountHistoryEntry, accountHistory } from '#domain/accounts/staff-endpoints.ts'
import { differencesOf } from '#domain/audit/differences.ts'
import { actionSentence } from '#domain/audit/sentence.ts'
import { dateTime } from '#locales/format.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './staff.module.css'

type Say = (key: string, params?: Record<string, unknown>) => string

/** Audit log entries with the account as actor or target. */
export function HistoryCard({ id }: { id: string }) {
  const { t } = useTranslation(['staff-accounts', 'audit'])
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: keyOf(accountHistory, { params: { id } }),
    queryFn: ({ pageParam, signal }) =>
      call(accountHistory, { params: { id }, query: pageParam ? { before: pageParam } : {} }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ meta }) => meta.next,
  })
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Card title={t('detail.history')}>
      {!data ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={6} />
      ) : entries.length === 0 ? (
        <Text c="dimmed">{t('detail.noHistory')}</Text>
      ) : (
        <ul className={classes.list}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('detail.more')}
          </Button>
        </Group>
      )}
    </Card>
  )
}

function Entry({ entry }: { entry: AccountHistoryEntry }) {
  const { t } = useTranslation(['staff-accounts', 'audit'])
  const { language, say } = useSurroundings()
  const { actor, actingAs, reason } = entry
  const renderValue = (value: unknown): string =>
    value === null || value === undefined || value === ''
      ? '—'
      : typeof value === 'boolean'
        ? say(value ? 'yes' : 'no')
        : typeof value === 'object'
          ? JSON.stringify(value)
          : /^\d{4}-\d\d-\d\dT/.test(String(value))
            ? dateTime(String(value), language)
            : String(value)
  const changes = entry.before === null ? [] : differencesOf(entry.before, entry.after)
  const actorName = actingAs ? t('detail.asWhom', { name: actor.name, other: actingAs }) : actor.name
  return (
    <li>
      <div className={classes.words}>
        <Text fw={500}>{actionSentence(t as Say, entry.action, language)}</Text>
        <Text size="sm" c="dimmed">
          {actorName} · {actor.role}
          {reason && ` · ${reason}`}
        </Text>
        {changes.length > 0 && (
          <ul className={classes.changes}>
            {changes.map(({ field, before, after }) => (
              <li key={field}>
                {(t as Say)(`audit:fields.${field}`, { defaultValue: field })}: {renderValue(before)} →{' '}
                {renderValue(after)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {dateTime(entry.at, language)}
      </Text>
    </li>
  )
}
