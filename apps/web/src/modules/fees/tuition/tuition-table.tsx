import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TuitionGrid } from '#domain/fees/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import classes from '#web/modules/fees/tuition.module.css'
import { InstallmentSwitch } from './installment-switch.tsx'
import { TuitionCell } from './tuition-cell.tsx'
import { useGridKeys } from './use-grid-keys.ts'
import { type CellKey, keyOf, type TuitionEdits } from './use-tuition-edits.ts'

type Props = {
  grid: TuitionGrid
  edits: TuitionEdits
  /** Visible columns. */
  classIds: readonly string[]
  /** Changes another user saved, by cell key. */
  conflicts: Readonly<Record<string, string>>
  readOnly: boolean
}

/** Grid of components by class programmes that works like a spreadsheet: arrows, Enter, and pasting blocks of cells. */
export function TuitionTable({ grid, edits, classIds, conflicts, readOnly }: Props) {
  const { t } = useTranslation('fees')
  const { components } = grid
  const columns = grid.classProgrammes.filter(({ id }) => classIds.includes(id))
  const generalAmounts = new Map(
    grid.everyTrack.map((cell) => [keyOf(cell.feeComponentId, cell.classProgrammeId), cell.amount]),
  )
  const { table, cellProps } = useGridKeys({
    componentIds: components.map(({ id }) => id),
    classIds: columns.map(({ id }) => id),
    edits,
    readOnly,
  })
  const totalOf = (classId: string) =>
    components.reduce((sum, component) => {
      const key = keyOf(component.id, classId)
      return sum + (edits.amountAt(key) ?? generalAmounts.get(key) ?? 0)
    }, 0)

  return (
    <div className={classes.scroll}>
      <table ref={table} className={classes.grid}>
        <thead>
          <tr>
            <th scope="col">{t('grid.component')}</th>
            {columns.map(({ id, name, offered }) => (
              <th key={id} scope="col" className={classes.number}>
                {name}
                {!offered && (
                  <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
                    {t('grid.notOffered')}
                  </Text>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {components.map((component, row) => (
            <tr key={component.id}>
              <ComponentHeading
                component={component}
                keys={columns.map(({ id }) => keyOf(component.id, id))}
                edits={edits}
                readOnly={readOnly}
              />
              {columns.map(({ id, name }, column) => {
                const key = keyOf(component.id, id)
                return (
                  <TuitionCell
                    key={id}
                    cellKey={key}
                    label={t('grid.cell', { component: component.name, class: name })}
                    edits={edits}
                    generalAmount={generalAmounts.get(key)}
                    conflict={conflicts[key]}
                    readOnly={readOnly}
                    cellProps={cellProps(row, column)}
                  />
                )
              })}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('grid.total')}</th>
            {columns.map(({ id }) => (
              <td key={id} className={classes.total}>
                {rupiah(totalOf(id))}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

type HeadingProps = {
  component: TuitionGrid['components'][number]
  /** Keys of the visible cells of the row. */
  keys: readonly CellKey[]
  edits: TuitionEdits
  readOnly: boolean
}

/** Name of a component, with one instalment switch for all filled cells of its row. */
function ComponentHeading({ component, keys, edits, readOnly }: HeadingProps) {
  const { t } = useTranslation('fees')
  const filledKeys = keys.filter((key) => edits.amountAt(key) !== null)
  const allowed = filledKeys.length > 0 && filledKeys.every((key) => edits.at(key).installmentsAllowed)
  return (
    <th scope="row">
      <div className={classes.component}>
        <span>
          {component.name}
          <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
            {t(`recurrence.${component.recurrence}` as 'recurrence.once')}
          </Text>
        </span>
        {!readOnly && filledKeys.length > 0 && keys.length > 1 && (
          <InstallmentSwitch
            allowed={allowed}
            label={t(allowed ? 'grid.forbidRow' : 'grid.allowRow', { name: component.name })}
            onChange={(next) => edits.allow(filledKeys, next)}
          />
        )}
      </div>
    </th>
  )
}
