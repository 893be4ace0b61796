import { Anchor, Button, Table } from '@mantine/core'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReportDescription, ReportLine } from '#domain/reports/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { type Figure, FigureCell, type OpenCell } from './figure-cell.tsx'
import { linesOf } from './figure-text.ts'
import classes from './report.module.css'

type Group = { key: string; label: string }
type Common = {
  lines: readonly ReportLine[]
  total: ReportLine
  groups: readonly Group[]
  /** Name of the year shown below each figure. */
  yearBefore: string
  onOpen: OpenCell
}

type Step = ReportDescription['steps'][number]
type LinesProps = Common & {
  figures: readonly Figure[]
  steps: readonly Step[]
  /** Goes from a line to the lines below it. */
  onStep: (step: Step, key: string) => void
}

/** Lines drawn at first and per press on the button below: thousands of schools would freeze a phone. */
const linesAtOnce = 200

/** Table with a line per group, a column per figure, and the total below. */
export function LinesTable({ lines, total, groups, figures, yearBefore, onOpen, steps, onStep }: LinesProps) {
  const { t } = useTranslation('reports')
  const [limit, setLimit] = useState(linesAtOnce)
  return (
    <>
      <ScrollBox className={classes.scroll}>
        <Table className={classes.table} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {groups.map(({ key, label }, index) => (
                <Table.Th
                  key={key}
                  scope="col"
                  className={index === 0 ? classes.name : classes.text}
                  data-sticky={index === 0 ? 'left' : undefined}
                >
                  {label}
                </Table.Th>
              ))}
              {figures.map(({ key, label }) => (
                <Table.Th key={key} scope="col" className={classes.number}>
                  {label}
                  {total.before && key in total.before && <span className={classes.before}>{yearBefore}</span>}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.slice(0, limit).map((line) => (
              <Table.Tr key={JSON.stringify(line.keys)}>
                {groups.map(({ key }, index) =>
                  index === 0 ? (
                    <Table.Th key={key} scope="row" fw={500} className={classes.name} data-sticky="left">
                      <LineName
                        line={line}
                        step={steps.find(({ group }) => group === key)}
                        onStep={onStep}
                        name={key}
                      />
                    </Table.Th>
                  ) : (
                    <Table.Td key={key} className={classes.text}>
                      {line.labels[key]}
                    </Table.Td>
                  ),
                )}
                <Figures figures={figures} line={line} onOpen={onOpen} />
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr className={classes.total}>
              <Table.Th scope="row" className={classes.name} data-sticky="left">
                {t('total')}
              </Table.Th>
              {groups.slice(1).map(({ key }) => (
                <Table.Td key={key} />
              ))}
              <Figures figures={figures} line={total} onOpen={onOpen} />
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </ScrollBox>
      {lines.length > limit && (
        <Button m="md" variant="default" size="sm" className="no-print" onClick={() => setLimit(limit + linesAtOnce)}>
          {t('moreLines', { count: Math.min(linesAtOnce, lines.length - limit), all: wholeNumber(lines.length) })}
        </Button>
      )}
    </>
  )
}

type LineNameProps = { line: ReportLine; name: string; step: Step | undefined; onStep: LinesProps['onStep'] }

/** Name of a line; a button if there are lines below it. */
function LineName({ line, name, step, onStep }: LineNameProps) {
  const { t } = useTranslation('reports')
  const key = line.keys[name]
  if (!step || !key) return line.labels[name]
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      ta="left"
      aria-label={t('openStep', { line: line.labels[name] })}
      onClick={() => onStep(step, key)}
    >
      {line.labels[name]}
    </Anchor>
  )
}

const Figures = ({ figures, line, onOpen }: { figures: readonly Figure[]; line: ReportLine; onOpen: OpenCell }) =>
  figures.map((figure) => (
    <Table.Td key={figure.key} className={classes.number}>
      <FigureCell figure={figure} line={line} onOpen={onOpen} />
    </Table.Td>
  ))

/** Strongest background of a cell, in percent of its colour: its text keeps 4.5 : 1. */
const maxHeatPercent = 35

/**
 * Two groups as rows and columns, one figure in the cells; larger values have a stronger background. Totals on both
 * sides.
 */
export function PivotTable({ lines, total, groups, figure, yearBefore, onOpen }: Common & { figure: Figure }) {
  const { t } = useTranslation('reports')
  const [rowGroup, columnGroup] = groups as [Group, Group]
  const [rows, columns] = [linesOf(lines, [rowGroup.key]), linesOf(lines, [columnGroup.key])]
  const idOf = ({ keys }: ReportLine) => JSON.stringify([keys[rowGroup.key], keys[columnGroup.key]])
  const cells = new Map(linesOf(lines, [rowGroup.key, columnGroup.key]).map((line) => [idOf(line), line]))
  const largest = Math.max(1, ...[...cells.values()].map(({ values }) => values[figure.key] ?? 0))
  const cellOf = (row: ReportLine, column: ReportLine) =>
    cells.get(JSON.stringify([row.keys[rowGroup.key], column.keys[columnGroup.key]]))
  const nameBefore = total.before && <span className={classes.before}>{yearBefore}</span>
  const heatOf = (line: ReportLine | undefined) =>
    ({ '--heat': ((line?.values[figure.key] ?? 0) / largest) * maxHeatPercent }) as CSSProperties
  return (
    <ScrollBox className={classes.scroll}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={classes.name} data-sticky="left">
              {rowGroup.label}
            </Table.Th>
            {columns.map((column) => (
              <Table.Th key={String(column.keys[columnGroup.key])} scope="col" className={classes.number}>
                {column.labels[columnGroup.key]}
                {nameBefore}
              </Table.Th>
            ))}
            <Table.Th scope="col" className={classes.number}>
              {t('total')}
              {nameBefore}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={String(row.keys[rowGroup.key])}>
              <Table.Th scope="row" fw={500} className={classes.name} data-sticky="left">
                {row.labels[rowGroup.key]}
              </Table.Th>
              {columns.map((column) => {
                const line = cellOf(row, column)
                return (
                  <Table.Td
                    key={String(column.keys[columnGroup.key])}
                    className={`${classes.number} ${classes.heat}`}
                    style={heatOf(line)}
                  >
                    {line ? <FigureCell figure={figure} line={line} onOpen={onOpen} plain /> : 0}
                  </Table.Td>
                )
              })}
              <Table.Td className={classes.number} fw={600}>
                <FigureCell figure={figure} line={row} onOpen={onOpen} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr className={classes.total}>
            <Table.Th scope="row" className={classes.name} data-sticky="left">
              {t('total')}
            </Table.Th>
            {[...columns, total].map((line) => (
              <Table.Td key={JSON.stringify(line.keys)} className={classes.number}>
                <FigureCell figure={figure} line={line} onOpen={onOpen} />
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </ScrollBox>
  )
}
