import { Button, Group, Modal, Radio, Select, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Adjustment, adjustAmount, noAdjustment } from '#domain/fees/amounts.ts'
import { readTuitionGrid, type TuitionGrid } from '#domain/fees/endpoints.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { AdjustmentInputs } from './adjustment-inputs.tsx'
import classes from './tuition.module.css'
import { keyOf, type TuitionEdits } from './use-tuition-edits.ts'

type Props = { grid: TuitionGrid; edits: TuitionEdits; opened: boolean; onClose: () => void }

/** Copies the amounts of another wave into the grid, raised and rounded, old beside new; saving the grid saves them. */
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
  const names = {
    components: new Map(grid.components.map(({ id, name }) => [id, name])),
    classes: new Map(grid.classProgrammes.map(({ id, name }) => [id, name])),
  }
  const rows = (answer.data?.data.cells ?? [])
    .filter(
      (cell) => cell.active && names.components.has(cell.feeComponentId) && names.classes.has(cell.classProgrammeId),
    )
    .map((cell) => {
      const key = keyOf(cell.feeComponentId, cell.classProgrammeId)
      const currentAmount = edits.amountAt(key)
      const newAmount = adjustAmount(cell.amount, adjustment)
      const mayReplace = currentAmount === null || currentAmount === undefined || existing === 'replace'
      return { cell, key, currentAmount, newAmount, isTaken: mayReplace && currentAmount !== newAmount }
    })
    .toSorted((a, b) => {
      const positionOf = ({ cell }: typeof a) =>
        grid.classProgrammes.findIndex(({ id }) => id === cell.classProgrammeId) * 1_000 +
        grid.components.findIndex(({ id }) => id === cell.feeComponentId)
      return positionOf(a) - positionOf(b)
    })
  const takenRows = rows.filter((row) => row.isTaken)
  const fillGrid = () => {
    edits.fill(
      takenRows.map(({ key, newAmount, cell }) => ({
        key,
        text: wholeNumber(newAmount),
        installmentsAllowed: cell.installmentsAllowed,
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
            <section className={classes.preview} aria-label={t('copy.preview')} tabIndex={0}>
              <Table className={classes.amounts}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('grid.component')}</Table.Th>
                    <Table.Th className={classes.right}>{t('copy.old')}</Table.Th>
                    <Table.Th className={classes.right}>{t('copy.new')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map(({ cell, key, currentAmount, newAmount, isTaken }) => (
                    <Table.Tr key={key}>
                      <Table.Td>
                        {names.components.get(cell.feeComponentId)}
                        <Text size="xs" c="dimmed">
                          {names.classes.get(cell.classProgrammeId)}
                        </Text>
                      </Table.Td>
                      <Table.Td className={classes.right}>{rupiah(cell.amount)}</Table.Td>
                      <Table.Td className={classes.right}>
                        {isTaken ? rupiah(newAmount) : '–'}
                        {currentAmount !== null && currentAmount !== undefined && (
                          <Text size="xs" c="dimmed">
                            {t(isTaken ? 'copy.instead' : currentAmount === newAmount ? 'copy.same' : 'copy.stays', {
                              amount: rupiah(currentAmount),
                            })}
                          </Text>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </section>
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
