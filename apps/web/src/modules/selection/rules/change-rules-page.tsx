import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import {
  readSelectionDefaults,
  readSelectionRun,
  type SelectionRun,
  updateSelectionRun,
} from '#domain/selection/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import type { Defaults } from './rules-state.ts'
import { RunFields, type RunValues } from './run-fields.tsx'

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
  if (!run) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={8} />
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
  const navigate = useNavigate()
  const { method, tracks, ties, criteria, reservePercent } = run.rules
  const start: RunValues = {
    name: run.name,
    scoreRunId: run.scoreRun?.id ?? null,
    rules: { method, tracks, ties, criteria, reservePercent },
  }
  const form = useForm({
    call: updateSelectionRun,
    params: { id: run.id },
    start,
    body: (values) => ({ version: run.version, ...values }),
    onDone: () => navigate(`/seleksi/${run.id}`),
  })
  return (
    <PageForm form={form} submit={t('form.save')}>
      <RunFields form={form} defaults={defaults} />
    </PageForm>
  )
}
