import { Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { checkScoreImport, readScoreChoices, type ScoreImport, type TestChoice } from '#domain/scores/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { type ColumnChoice, choicesOf, mappingOf, plainKinds } from './column-choices.ts'

/** Assigns the columns of the file and checks it with that mapping. */
export function MappingCard({ record }: { record: ScoreImport }) {
  const { t } = useTranslation('scores')
  const { data: answer, error, refetch } = useEndpoint(readScoreChoices)
  if (!answer)
    return (
      <Card title={t('mapping.title')}>
        <LoadingOrFailed error={error} onRetry={refetch} />
      </Card>
    )
  const { sessions, tests } = answer.data
  const offered = new Set(
    sessions
      .filter(({ id, waveId }) => (record.testSessionId ? id === record.testSessionId : waveId === record.waveId))
      .flatMap(({ testIds }) => testIds),
  )
  return <Mapping key={record.version} record={record} tests={tests.filter(({ id }) => offered.has(id))} />
}

function Mapping({ record, tests }: { record: ScoreImport; tests: readonly TestChoice[] }) {
  const { t } = useTranslation('scores')
  const { id, headers, samples } = record
  const start = { choices: choicesOf(headers, record.mapping), profile: record.profile ?? '' }
  const [{ choices, profile }, set, draft] = useDraft(`score-mapping:${id}:${record.version}`, start)
  const form = useForm({
    call: checkScoreImport,
    params: { id },
    body: { mapping: mappingOf(headers, choices), profile: profile.trim() || null },
    onDone: () => draft.clear(),
  })
  const { text } = bindingsOf({ profile }, (change) => set((before) => ({ ...before, ...change })), form.field)
  const choose = (index: number, change: Partial<ColumnChoice>) =>
    set((before) => ({
      ...before,
      choices: before.choices.map((choice, at) => (at === index ? { ...choice, ...change } : choice)),
    }))
  return (
    <Card title={t('mapping.title')}>
      <PageForm form={form} submit={t(record.status === 'uploaded' ? 'mapping.check' : 'mapping.again')}>
        <Text>{record.profile ? t('mapping.known', { profile: record.profile }) : t('mapping.text')}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {headers.map((header, index) => (
            <Column
              key={index}
              header={header}
              samples={samples.map((row) => row[index] ?? '').filter(Boolean)}
              tests={tests}
              choice={choices[index] ?? { holds: '', part: '' }}
              onChange={(change) => choose(index, change)}
            />
          ))}
        </SimpleGrid>
        {form.errorOf('mapping') && (
          <Text c="var(--mantine-color-error)" role="alert" data-field="mapping">
            {form.errorOf('mapping')}
          </Text>
        )}
        <TextInput label={t('mapping.profile')} description={t('mapping.profileHelp')} maw={480} {...text('profile')} />
      </PageForm>
    </Card>
  )
}

type ColumnProps = {
  header: string
  samples: readonly string[]
  tests: readonly TestChoice[]
  choice: ColumnChoice
  onChange: (change: Partial<ColumnChoice>) => void
}

function Column({ header, samples, tests, choice, onChange }: ColumnProps) {
  const { t } = useTranslation('scores')
  const isPart = choice.holds.startsWith('part:')
  return (
    <Stack gap={4}>
      <Select
        label={header || t('mapping.column')}
        description={samples.slice(0, 3).join(' · ') || undefined}
        value={choice.holds}
        onChange={(holds) => onChange({ holds: holds ?? '' })}
        data={[
          { value: '', label: t('mapping.ignored') },
          ...plainKinds.map((kind) => ({ value: kind as string, label: t(`mapping.kind.${kind}`) })),
          ...tests.map((test) => ({ value: `score:${test.id}`, label: t('mapping.kind.score', { test: test.name }) })),
          ...tests.map((test) => ({ value: `part:${test.id}`, label: t('mapping.kind.part', { test: test.name }) })),
        ]}
        allowDeselect={false}
      />
      {isPart && (
        <Group grow>
          <TextInput
            size="sm"
            label={t('mapping.part')}
            description={t('mapping.partHelp')}
            value={choice.part}
            onChange={(event) => onChange({ part: event.currentTarget.value })}
          />
        </Group>
      )}
    </Stack>
  )
}
