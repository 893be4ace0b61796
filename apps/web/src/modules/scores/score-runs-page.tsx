import { Select, Stack, Text, TextInput } from '@mantine/core'
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
import { bindingsOf } from '#web/ui/form/use-values.ts'
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
  const [{ name, methods }, set, draft] = useDraft<{ name: string; methods: Record<string, MethodDraft> }>(
    'score-run',
    {
      name: '',
      methods: {},
    },
  )
  const waveOf = (chosenWave: string | null) => chosenWave ?? choices.waves[0]?.id ?? null
  const testsOf = (waveId: string | null) => {
    const sessions = choices.sessions.filter((session) => session.waveId === waveId)
    const offered = new Set(sessions.flatMap(({ testIds }) => testIds))
    return choices.tests.filter(({ id }) => offered.has(id))
  }
  const form = useForm({
    call: createScoreRun,
    start: { waveId: null as string | null, trackId: '' },
    body: ({ waveId, trackId }) => ({
      name,
      waveId: waveOf(waveId),
      trackId: trackId || null,
      methods: testsOf(waveOf(waveId)).flatMap(({ id }) => {
        const method = methodOf(methods[id] ?? emptyMethod)
        return method ? [{ testId: id, method }] : []
      }),
    }),
    done: ({ data }) => t('runs.made', { count: wholeNumber(data.scores) }),
    onDone: ({ data }) => {
      draft.clear()
      navigate(`/import-nilai-cbt/runs/${data.id}`)
    },
  })
  const waveId = waveOf(form.values.waveId)
  const tests = testsOf(waveId)
  const { text } = bindingsOf({ name }, (change) => set((before) => ({ ...before, ...change })), form.field)
  return (
    <PageForm form={form} submit={t('runs.make')}>
      <Select
        label={t('runs.wave')}
        data={choices.waves.map((wave) => ({ value: wave.id, label: wave.name }))}
        allowDeselect={false}
        searchable
        maw={480}
        {...form.value('waveId')}
        value={waveId}
      />
      <Select
        label={t('runs.track')}
        data={[
          { value: '', label: t('runs.everyTrack') },
          ...choices.tracks.map((track) => ({ value: track.id, label: track.name })),
        ]}
        allowDeselect={false}
        maw={480}
        {...form.choice('trackId')}
      />
      <TextInput label={t('runs.name')} maw={480} {...text('name')} />
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
