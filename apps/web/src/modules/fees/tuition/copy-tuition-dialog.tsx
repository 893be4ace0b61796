import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Adjustment, noAdjustment } from '#domain/fees/amounts.ts'
import { readTuitionGrid, type TuitionGrid } from '#domain/fees/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { AdjustmentInputs } from '#web/modules/fees/adjustment-inputs.tsx'
import { RowSelect } from '#web/modules/fees/row-select.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { copiedRows } from './copied-rows.ts'
import { CopyPreview } from './copy-preview.tsx'
import { type Existing, ExistingChoice } from './existing-choice.tsx'
import type { TuitionEdits } from './use-tuition-edits.ts'

type Props = { grid: TuitionGrid; edits: TuitionEdits; onClose: () => void }

/** Copies another wave's amounts into the grid, raised and rounded, old beside new; they are saved with the grid. */
export function CopyTuitionDialog({ grid, edits, onClose }: Props) {
  const { t } = useTranslation('fees')
  const otherWaves = grid.waves.filter(({ id, rows }) => id !== grid.waveId && rows > 0)
  const inputs = useValues<{ waveId: string | null; adjustment: Adjustment; existing: Existing }>({
    waveId: otherWaves[0]?.id ?? null,
    adjustment: noAdjustment,
    existing: 'keep',
  })
  const { waveId, adjustment, existing } = inputs.values
  const answer = useEndpoint(
    readTuitionGrid,
    {
      params: { parentId: grid.programme.id },
      query: { waveId: waveId ?? '', ...(grid.trackId && { trackId: grid.trackId }) },
    },
    { enabled: waveId !== null },
  )
  const rows = copiedRows({
    grid,
    edits,
    cells: answer.data?.data.cells ?? [],
    adjustment,
    replacing: existing === 'replace',
  })
  const takenRows = rows.filter((row) => row.isTaken)
  const fillGrid = () => {
    edits.fill(takenRows.map(({ newAmount, ...cell }) => ({ ...cell, text: wholeNumber(newAmount) })))
    onClose()
  }
  return (
    <DialogForm
      form={{ form: {}, formError: null, busy: false, submit: fillGrid }}
      title={t('copy.title')}
      size="xl"
      submit={otherWaves.length > 0 ? t('copy.put', { count: takenRows.length }) : null}
      button={{ disabled: takenRows.length === 0 }}
      onClose={onClose}
    >
      {otherWaves.length === 0 ? (
        <Text>{t('copy.nothing')}</Text>
      ) : (
        <>
          <RowSelect
            label={t('copy.from')}
            rows={otherWaves.map(({ id, title, rows: count }) => ({
              id,
              name: `${title} (${t('copy.amounts', { count })})`,
            }))}
            {...inputs.value('waveId')}
          />
          <AdjustmentInputs {...inputs.value('adjustment')} />
          <ExistingChoice {...inputs.value('existing')} />
          {!answer.data ? (
            <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
          ) : (
            <CopyPreview rows={rows} />
          )}
          <Text size="sm" c="dimmed">
            {t('copy.notSaved')}
          </Text>
        </>
      )}
    </DialogForm>
  )
}
