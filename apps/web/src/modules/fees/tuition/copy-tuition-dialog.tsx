import { Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Adjustment, noAdjustment } from '#domain/fees/amounts.ts'
import { readTuitionGrid, type TuitionGrid } from '#domain/fees/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { AdjustmentInputs } from '#web/modules/fees/adjustment-inputs.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { copiedRows } from './copied-rows.ts'
import { CopyPreview } from './copy-preview.tsx'
import type { TuitionEdits } from './use-tuition-edits.ts'

type Props = { grid: TuitionGrid; edits: TuitionEdits; opened: boolean; onClose: () => void }

/** Copies another wave's amounts into the grid, raised and rounded, old beside new; they are saved with the grid. */
export function CopyTuitionDialog({ grid, edits, opened, onClose }: Props) {
  const { t } = useTranslation('fees')
  const close = useTranslation('common').t('actions.close')
  const otherWaves = grid.waves.filter(({ id, rows }) => id !== grid.waveId && rows > 0)
  const [waveId, setWaveId] = useState<string | null>(null)
  const [adjustment, setAdjustment] = useState<Adjustment>(noAdjustment)
  const [existing, setExisting] = useState('keep')
  const fromWaveId = waveId ?? otherWaves[0]?.id ?? null
  const answer = useEndpoint(
    readTuitionGrid,
    {
      params: { parentId: grid.programme.id },
      query: { waveId: fromWaveId ?? '', ...(grid.trackId && { trackId: grid.trackId }) },
    },
    { enabled: opened && fromWaveId !== null },
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
    edits.fill(
      takenRows.map(({ key, newAmount, installmentsAllowed }) => ({
        key,
        text: wholeNumber(newAmount),
        installmentsAllowed,
      })),
    )
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={t('copy.title')}
      closeButtonProps={{ 'aria-label': close }}
    >
      {otherWaves.length === 0 ? (
        <Text>{t('copy.nothing')}</Text>
      ) : (
        <Stack>
          <Select
            size="sm"
            label={t('copy.from')}
            value={fromWaveId}
            onChange={setWaveId}
            data={otherWaves.map(({ id, title, rows: count }) => ({
              value: id,
              label: `${title} (${t('copy.amounts', { count })})`,
            }))}
            allowDeselect={false}
          />
          <AdjustmentInputs value={adjustment} onChange={setAdjustment} />
          <Radio.Group value={existing} onChange={setExisting} label={t('copy.existing')}>
            <Stack gap={8} mt={4}>
              <Radio size="sm" value="keep" label={t('copy.keep')} />
              <Radio size="sm" value="replace" label={t('copy.replace')} />
            </Stack>
          </Radio.Group>
          {!answer.data ? (
            <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
          ) : (
            <CopyPreview rows={rows} />
          )}
          <Text size="sm" c="dimmed">
            {t('copy.notSaved')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button onClick={fillGrid} disabled={takenRows.length === 0}>
              {t('copy.put', { count: takenRows.length })}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
