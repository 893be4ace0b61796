import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import type { Figure, OpenCell } from './figure-cell.tsx'
import { lineName } from './figure-text.ts'

const figureParam = 'rows'
const cellParam = 'cell'
const momentParam = 'moment'
/** State of the history entry added by `open`, so that closing the drawer removes that entry. */
const openedHere = { opensRows: true }

type Lines = { lines: readonly ReportLine[]; total: ReportLine }

/** Cell whose rows are open, stored in the address: Back closes the rows, and a reload or link opens them. */
export function useOpenedCell(figures: readonly Figure[], lines: Lines | undefined) {
  const { t } = useTranslation('reports')
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const figure = figures.find(({ key }) => key === params.get(figureParam))
  const cell = params.get(cellParam) ?? ''
  const line = lines && [lines.total, ...lines.lines].find(({ keys }) => writeCell(keys) === cell)
  const isBefore = params.get(momentParam) === 'before'
  const label = figure && (isBefore ? t('beforeColumn', { figure: figure.label }) : figure.label)
  const open: OpenCell = ({ key }, { keys }, moment) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.set(figureParam, key)
        next.set(cellParam, writeCell(keys))
        if (moment) next.set(momentParam, moment)
        else next.delete(momentParam)
        return next
      },
      { state: openedHere, preventScrollReset: true },
    )
  const close = () => {
    if ((state as Partial<typeof openedHere> | null)?.opensRows) return void navigate(-1)
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete(figureParam)
        next.delete(cellParam)
        next.delete(momentParam)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return {
    /** Part of the rows' query; undefined while none are open. */
    cell: figure && { figure: figure.key, cell, ...(isBefore && { moment: 'before' }) },
    title: figure && (line ? t('behind', { figure: label, line: lineName(line, t) }) : label),
    open,
    close,
  }
}
