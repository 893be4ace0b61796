import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rupiah } from '#locales/format.ts'
import classes from '#web/modules/fees/tuition.module.css'
import type { CopiedRow } from './copied-rows.ts'

/** Amounts of the other wave, beside the grid's new and current amounts. */
export function CopyPreview({ rows }: { rows: readonly CopiedRow[] }) {
  const { t } = useTranslation('fees')
  return (
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
          {rows.map(({ key, componentName, className, otherAmount, currentAmount, newAmount, isTaken }) => (
            <Table.Tr key={key}>
              <Table.Td>
                {componentName}
                <Text size="xs" c="dimmed">
                  {className}
                </Text>
              </Table.Td>
              <Table.Td className={classes.right}>{rupiah(otherAmount)}</Table.Td>
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
  )
}
