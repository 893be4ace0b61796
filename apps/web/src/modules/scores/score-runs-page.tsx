import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { createScoreRun, readScoreChoices } from '#domain/scores/endpoints.ts'
import { listScoreRuns } from '#domain/scores/lists.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { emptyMethod, type MethodDraft, MethodInputs, methodOf } from './method-inputs.tsx'
import { ScoreTabs } from './score-tabs.tsx'

type Choices = Answer<typeof readScoreChoices>['data']

/** Creates score runs and lists earlier ones. */
export default function ScoreRunsPage() {
  const { t } = useTranslation('scores')
  const title = useScreenTitle()
  const { data: answer, error, refetch } = useEndpoint(readScoreChoices)
  return (
    <>
      <PageHeader title={title} description={t('runs.text')} />
      <ScoreTabs tab="runs" />
      <Stack>
        <Card title={t('runs.new')}>
          {answer ? <NewRun choices={answer.data} /> : <LoadingOrFailed error={error} onRetry={refetch} />}
        </Card>
        <ListCard
          list={listScoreRuns}
          prefix="r."
          title={t('runs.title')}
          rowTitle={({ name }) => name}
          href={({ id }) => `/import-nilai-cbt/runs/${id}`}
          empty={{ title: t('runs.empty'), text: t('runs.emptyText') }}
        />
      </Stack>
    </>
  )
}

function NewRun({ choices }: { choices: Choices }) {
  const { t } = useTranslation('scores')
  const navigate = useNavigate()
  const [chosenWave, setChosenWave] = useState<string | null>(null)
  const [trackId, setTrackId] = useState('')
  const waveId = chosenWave ?? choices.waves[0]?.id ?? null
  const [{ name, methods }, set, draft] = useDraft<{ name: string; methods: Record<string, MethodDraft> }>(
    'score-run',
    {
      name: '',
      methods: {},
    },
  )
  const offered = new Set(
    choices.sessions.filter((session) => session.waveId === waveId).flatMap(({ testIds }) => testIds),
  )
  const tests = choices.tests.filter(({ id }) => offered.has(id))
  const form = useForm({
    call: createScoreRun,
    body: {
      name,
      waveId,
      trackId: trackId || null,
      methods: tests.flatMap(({ id }) => {
        const method = methodOf(methods[id] ?? emptyMethod)
        return method ? [{ testId: id, method }] : []
      }),
    },
    done: ({ data }) => t('runs.made', { count: wholeNumber(data.scores) as never }),
    onDone: ({ data }) => {
      draft.clear()
      navigate(`/import-nilai-cbt/runs/${data.id}`)
    },
  })
  return (
    <PageForm form={form} submit={t('runs.make')}>
      <Select
        label={t('runs.wave')}
        value={waveId}
        data={choices.waves.map((wave) => ({ value: wave.id, label: wave.name }))}
        allowDeselect={false}
        searchable
        maw={480}
        {...form.field('waveId')}
        onChange={setChosenWave}
      />
      <Select
        label={t('runs.track')}
        value={trackId}
        data={[
          { value: '', label: t('runs.everyTrack') },
          ...choices.tracks.map((track) => ({ value: track.id, label: track.name })),
        ]}
        allowDeselect={false}
        maw={480}
        onChange={(id) => setTrackId(id ?? '')}
      />
      <TextInput
        label={t('runs.name')}
        value={name}
        maw={480}
        {...form.field('name')}
        onChange={(event) => {
          const { value } = event.currentTarget
          set((before) => ({ ...before, name: value }))
        }}
      />
      <Stack gap="sm" data-field="methods" maw={640}>
        <div>
          <Text fw={600}>{t('runs.tests')}</Text>
          <Text size="sm" c="dimmed">
            {t(tests.length > 0 ? 'runs.testsHelp' : 'runs.noTests')}
          </Text>
        </div>
        {tests.map((test) => (
          <MethodInputs
            key={test.id}
            test={test}
            draft={methods[test.id] ?? emptyMethod}
            onChange={(change) =>
              set((before) => ({
                ...before,
                methods: { ...before.methods, [test.id]: { ...(before.methods[test.id] ?? emptyMethod), ...change } },
              }))
            }
          />
        ))}
        {form.errorOf('methods') && (
          <Text c="var(--mantine-color-error)" role="alert">
            {form.errorOf('methods')}
          </Text>
        )}
      </Stack>
    </PageForm>
  )
}
