import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rupiah } from '#locales/format.ts'
import classes from '#web/modules/fees/tuition.module.css'
import { withNote } from '#web/modules/fees/with-note.tsx'
import type { CopiedRow } from './copied-rows.ts'

/** Amounts of the other wave, beside the grid's new and current amounts. */
export function CopyPreview({ rows }: { rows: readonly CopiedRow[] }) {
  const { t } = useTranslation('fees')
  return (
    <section className={classes.preview} aria-label={t('copy.preview')} tabIndex={0}>
      <Table
        className={classes.amounts}
        data={{
          head: [t('grid.component'), t('copy.old'), t('copy.new')],
          body: rows.map(({ componentName, className, otherAmount, currentAmount, newAmount, isTaken }) => [
            withNote(componentName, className),
            rupiah(otherAmount),
            withNote(
              isTaken ? rupiah(newAmount) : '–',
              typeof currentAmount === 'number' &&
                t(isTaken ? 'copy.instead' : currentAmount === newAmount ? 'copy.same' : 'copy.stays', {
                  amount: rupiah(currentAmount),
                }),
            ),
          ]),
        }}
      />
    </section>
  )
}
