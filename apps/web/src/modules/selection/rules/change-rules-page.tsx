import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import {
  readSelectionDefaults,
  readSelectionRun,
  type SelectionRun,
  updateSelectionRun,
} from '#domain/selection/endpoints.ts'
import type { ChosenRules } from '#domain/selection/rules.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { RulesFields } from './rules-fields.tsx'
import type { Defaults } from './rules-state.ts'

/** Changes the rules of a selection that is not adopted; saving computes it again. */
export default function ChangeRulesPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('selection')
  const answer = useEndpoint(readSelectionRun, { params: { id } }, { refetchOnWindowFocus: false })
  const run = answer.data?.data
  const defaults = useEndpoint(
    readSelectionDefaults,
    { query: { waveId: run?.wave.id ?? '' } },
    { enabled: run !== undefined && run.refusal === null, refetchOnWindowFocus: false },
  )
  if (answer.isPending) return <LoadingRows rows={8} />
  if (!run) return <RecordFailed error={answer.error} onRetry={answer.refetch} />
  return (
    <>
      <PageHeader title={t('form.edit')} description={run.name} />
      <Card>
        {run.refusal ? (
          <EmptyState title={run.refusal} />
        ) : defaults.data ? (
          <RulesForm key={run.version} run={run} defaults={defaults.data.data} />
        ) : (
          <LoadingOrFailed error={defaults.error} onRetry={defaults.refetch} rows={6} />
        )}
      </Card>
    </>
  )
}

function RulesForm({ run, defaults }: { run: SelectionRun; defaults: Defaults }) {
  const { t } = useTranslation('selection')
  const { language } = useSurroundings()
  const navigate = useNavigate()
  const [name, setName] = useState(run.name)
  const [scoreRunId, setScoreRunId] = useState(run.scoreRun?.id ?? null)
  const [rules, setRules] = useState<ChosenRules>(() => {
    const { method, tracks, ties, criteria, reservePercent } = run.rules
    return { method, tracks, ties, criteria, reservePercent }
  })
  const form = useForm({
    call: updateSelectionRun,
    params: { id: run.id },
    body: { version: run.version, name, scoreRunId, rules },
    onDone: () => navigate(`/seleksi/${run.id}`),
  })
  return (
    <PageForm form={form} submit={t('form.save')}>
      <TextInput
        label={t('form.name')}
        maw={480}
        value={name}
        {...form.field('name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('form.scoreRun')}
        description={t('form.scoreRunHelp')}
        maw={480}
        allowDeselect={false}
        data={[
          { value: '', label: t('form.raw') },
          ...defaults.scoreRuns.map((one) => ({
            value: one.id,
            label: `${one.name} · ${dateTime(one.createdAt, language)}`,
          })),
        ]}
        value={scoreRunId ?? ''}
        onChange={(value) => setScoreRunId(value || null)}
      />
      <RulesFields rules={rules} onChange={setRules} defaults={defaults} form={form} />
    </PageForm>
  )
}
