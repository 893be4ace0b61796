import { Group, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { calendarOf, universityTimeZone } from '#domain/calendar.ts'
import { hasAssessors } from '#domain/scores/assessors.ts'
import { readScoreChoices, readScoreEntry } from '#domain/scores/endpoints.ts'
import { shortDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ScoreGrid } from './score-grid.tsx'
import { ScoreTabs } from './score-tabs.tsx'
import { useScoreDrafts } from './use-score-drafts.ts'

/** Manual score entry: a grid for one test of one session. */
export default function ScoreEntryPage() {
  const { t } = useTranslation('scores')
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const [search, setSearch] = useSearchParams()
  const { data: answer, error, refetch } = useEndpoint(readScoreChoices)
  const choices = answer?.data
  const today = calendarOf(universityTimeZone()).dayOf(new Date())
  const session =
    choices?.sessions.find(({ id }) => id === search.get('session')) ??
    choices?.sessions.find(({ date }) => date <= today) ??
    choices?.sessions[0]
  const tests = choices?.tests.filter(({ id }) => session?.testIds.includes(id)) ?? []
  const test = tests.find(({ id }) => id === search.get('test')) ?? tests[0]
  const choose = (change: Record<string, string>) =>
    setSearch((before) => ({ ...Object.fromEntries(before), ...change }), { replace: true })
  return (
    <>
      <PageHeader title={title} description={t('entry.text')} />
      <ScoreTabs tab="manual" />
      <Stack>
        <Card>
          {!choices ? (
            <LoadingOrFailed error={error} onRetry={refetch} rows={2} />
          ) : (
            <Group align="flex-end" grow preventGrowOverflow={false}>
              <Select
                label={t('entry.session')}
                value={session?.id ?? null}
                onChange={(id) => id && choose({ session: id })}
                allowDeselect={false}
                data={choices.sessions.map(({ id, name, date, startTime }) => ({
                  value: id,
                  label: `${name} · ${shortDate(date, language)}, ${startTime.slice(0, 5).replace(':', '.')}`,
                }))}
                placeholder={t('entry.choose')}
                searchable
                miw="min(100%, 15rem)"
              />
              <Select
                label={t('entry.test')}
                value={test?.id ?? null}
                onChange={(id) => id && choose({ test: id })}
                data={tests.map(({ id, name }) => ({ value: id, label: name }))}
                disabled={tests.length === 0}
                allowDeselect={false}
                miw="min(100%, 15rem)"
              />
            </Group>
          )}
        </Card>
        {choices && (!session || !test) && (
          <Card>
            <EmptyState title={t('entry.choose')} />
          </Card>
        )}
        {session && test && (
          <Entry
            key={`${session.id} ${test.id}`}
            testSessionId={session.id}
            testId={test.id}
            assessed={hasAssessors(test.kind)}
            title={`${session.name} · ${test.name}`}
          />
        )}
      </Stack>
    </>
  )
}

type EntryProps = { testSessionId: string; testId: string; assessed: boolean; title: string }

function Entry({ testSessionId, testId, assessed, title }: EntryProps) {
  const { t } = useTranslation('scores')
  const { data: answer, error, refetch } = useEndpoint(readScoreEntry, { query: { testSessionId, testId } })
  const drafts = useScoreDrafts({ testSessionId, testId, assessed })
  const entry = answer?.data
  if (!entry)
    return (
      <Card title={title}>
        <LoadingOrFailed error={error} onRetry={refetch} rows={8} />
      </Card>
    )
  const { rows } = entry
  const done = rows.filter(({ score }) => score !== null).length
  return (
    <Card title={title} count={t('entry.done', { done, count: rows.length })} flush>
      {drafts.unsaved.length > 0 && (
        <Text size="sm" px="lg" py="xs" role="status">
          {t('entry.unsavedCount', { count: drafts.unsaved.length })}
        </Text>
      )}
      {rows.length === 0 ? <EmptyState title={t('entry.empty')} /> : <ScoreGrid {...entry} drafts={drafts} />}
    </Card>
  )
}
