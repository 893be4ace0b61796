import type { Report } from '#server/modules/reports/report.ts'
import type { Services } from '#server/platform/services.ts'
import type { Export } from '#server/platform/sheets/send-export.ts'
import { answerReport } from './answer-report.ts'
import {
  chosenColumns,
  figureSheet,
  filterWords,
  type ReportReader,
  sheetColumnsOf,
  streamRows,
} from './export-report.ts'
import { readRowsBehind } from './report-rows.ts'
import { figuresOf } from './run-report.ts'

export type ReportSheet = Omit<Export, 'format'> & {
  /** Rows below the heading, without the total. */
  count: number
  /** Whether there are no rows, or all figures are 0 except those of places offered. */
  isEmpty: boolean
  asOf: Date
}

/**
 * Answers a report as a sheet outside a request: the rows if the report has the shape `rows`, else lines and total.
 * Ignores chosen `columns` that the report no longer has. With more than `most` rows, only their number is read.
 */
export async function readReportSheet(
  services: Services,
  report: Report,
  reader: ReportReader,
  columns: readonly string[],
  most: number,
): Promise<ReportSheet> {
  const { actor, language, query } = reader
  const name = `laporan-${report.slug}`
  if (report.rowsOf) {
    const request = { ...query, figure: report.rowsOf[0], cell: '', moment: 'now' as const }
    const behind = await readRowsBehind(services, actor, report, request, language)
    const { total } = await behind.count()
    const found = total > most ? [] : await behind.page(1, most)
    return {
      name,
      title: behind.words.title,
      columns: sheetColumnsOf(behind.columns),
      rows: streamRows(found.map(behind.cellsOf)),
      filter: await filterWords(services, reader, report, behind.question, behind.words),
      count: total,
      isEmpty: total === 0,
      asOf: behind.question.at,
    }
  }
  const answer = await answerReport(services, actor, report, query, language)
  const { question, words, total } = answer
  const sheet = figureSheet(report, answer)
  const known = columns.filter((key) => sheet.columns.some((column) => column.key === key))
  return {
    name,
    title: words.title,
    columns: known.length > 0 ? chosenColumns(sheet.columns, known, question) : sheet.columns,
    rows: streamRows(sheet.rows),
    filter: await filterWords(services, reader, report, question, words),
    count: sheet.rows.length - 1,
    isEmpty:
      sheet.rows.length === 1 ||
      figuresOf(report)
        .filter(([name, { offered }]) => !offered && (question.figure ?? name) === name)
        .every(([name]) => !total.values[name]),
    asOf: question.at,
  }
}
