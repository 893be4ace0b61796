import { Box } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createSelectionRun, readSelectionDefaults } from '#domain/selection/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { RowChoice } from '#web/list/bar/row-choice.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { DraftSaved, useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { type Defaults, startingRules } from './rules-state.ts'
import { RunFields, type RunValues } from './run-fields.tsx'

/** Starts a selection: first the wave, then the rules, prefilled with the wave's tests. */
export default function CreateRunPage() {
  const { t } = useTranslation('selection')
  const title = useScreenTitle()
  const [waveId, setWaveId] = useState<string | null>(null)
  const answer = useEndpoint(
    readSelectionDefaults,
    { query: { waveId: waveId ?? '' } },
    { enabled: waveId !== null, refetchOnWindowFocus: false },
  )
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <RowChoice to="periode" label={t('form.wave')} withAsterisk value={waveId} onChange={setWaveId} />
        {waveId &&
          (answer.data ? (
            <Box mt="md">
              <RunForm key={waveId} waveId={waveId} defaults={answer.data.data} />
            </Box>
          ) : (
            <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={6} />
          ))}
      </Card>
    </>
  )
}

function RunForm({ waveId, defaults }: { waveId: string; defaults: Defaults }) {
  const { t } = useTranslation('selection')
  const navigate = useNavigate()
  const [values, setValues, draft] = useDraft<RunValues>(`selection:${waveId}`, {
    name: '',
    scoreRunId: null,
    rules: startingRules(defaults),
  })
  const form = useForm({
    call: createSelectionRun,
    body: { waveId, ...values },
    onDone: ({ data }) => {
      draft.clear()
      navigate(`/seleksi/${data.id}`)
    },
  })
  const set = (change: Partial<RunValues>) => setValues((before) => ({ ...before, ...change }))
  return (
    <PageForm
      form={form}
      submit={defaults.tracks.length > 0 ? t('form.create') : null}
      beside={<DraftSaved savedAt={draft.savedAt} failed={draft.failed} />}
    >
      <RunFields form={boundTo(form, { values, set })} defaults={defaults} />
    </PageForm>
  )
}
