import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReportLine, ReportQuestion } from '#domain/reports/endpoints.ts'
import type { FigureKind } from '#domain/reports/report.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate } from '#locales/format.ts'
import type { FigureName, GroupName, Report } from '#server/modules/reports/report.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetColumn, SheetColumnKind, SheetRow } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { refuseUnknownColumns } from '#server/platform/sheets/refusals.ts'
import { type SheetFormat, sendExport } from '#server/platform/sheets/send-export.ts'
import { answerReport } from './answer-report.ts'
import { listedFigures, type ReportWords, sharesOf } from './describe-report.ts'
import { filterChoices } from './read-question.ts'
import { type RowFound, readRowsBehind } from './report-rows.ts'
import type { Before, Question } from './run-report.ts'

const sheetKinds: Record<FigureKind, SheetColumnKind> = {
  count: 'number',
  money: 'money',
  days: 'number',
  decimal: 'number',
  share: 'percent',
}

/** The reader of a report, with language and question. */
export type ReportReader = { actor: Actor; language: Language; query: ReportQuestion }

const readerOf = (request: FastifyRequest & { query: ReportQuestion }): ReportReader => ({
  actor: actorOf(request),
  language: languageOfRequest(request),
  query: request.query,
})

type ExportRequest<Q> = FastifyRequest & { query: Q & { format: SheetFormat } }

/**
 * Exports lines and total with the page's columns. With a comparison, each figure is followed by that of the year
 * before.
 */
export async function exportFigures(
  services: Services,
  request: ExportRequest<ReportQuestion & { columns?: string | undefined }>,
  reply: FastifyReply,
  report: Report,
) {
  const { format, columns: chosen, ...reportQuestion } = request.query
  const language = languageOfRequest(request)
  const answer = await answerReport(services, actorOf(request), report, reportQuestion, language)
  const { question, words } = answer
  const sheet = figureSheet(report, answer)
  return sendExport(services, request, reply, {
    name: `laporan-${report.slug}`,
    title: words.title,
    format,
    columns: chosen ? chosenColumns(sheet.columns, chosen.split(','), question) : sheet.columns,
    rows: streamRows(sheet.rows),
    filter: await filterWords(services, readerOf(request), report, question, words),
  })
}

/** Exports the rows behind a figure. */
export async function exportRows(
  services: Services,
  request: ExportRequest<ReportQuestion & { cell: string; moment: 'now' | 'before' }>,
  reply: FastifyReply,
  report: Report,
) {
  const { format, ...reportQuestion } = request.query
  const language = languageOfRequest(request)
  const behind = await readRowsBehind(services, actorOf(request), report, reportQuestion, language)
  const { question, words, cell } = behind
  return sendExport(services, request, reply, {
    name: `laporan-${report.slug}`,
    title: words.title,
    format,
    columns: sheetColumnsOf(behind.columns),
    rows: readRows<RowFound, SheetRow>(services.db, await behind.allRows(), (found) => found.map(behind.cellsOf), {
      asNamed: true,
    }),
    filter: [
      { label: words.t('filters.figure'), value: words.figure(cell.figure) },
      ...(await filterWords(services, readerOf(request), report, question, words)),
    ],
  })
}

/** Columns of the rows behind a figure, in the form of a sheet. */
export const sheetColumnsOf = (columns: Awaited<ReturnType<typeof readRowsBehind>>['columns']): SheetColumn[] =>
  columns.map(({ kind, ...column }) => ({ ...column, kind: kind === 'decimal' ? 'number' : kind }))

/** The chosen columns, each with that of the year before, and all columns that label the line. */
export function chosenColumns(columns: readonly SheetColumn[], chosen: readonly string[], { by }: Question) {
  refuseUnknownColumns(
    chosen,
    columns.map(({ key }) => key),
  )
  return columns.filter(({ key }, index) => index < by.length || chosen.includes(key.replace(/Before$/, '')))
}

export async function* streamRows(rows: SheetRow[]) {
  yield* rows
}

const columnBefore = ({ t }: ReportWords, figure: string, { year }: Before) =>
  year ? t('columnOfYear', { figure, year }) : t('beforeColumn', { figure })

type Answered = { question: Question; words: ReportWords; lines: ReportLine[]; total: ReportLine }

/** Columns and rows of an answer, with the total as the last row. */
export function figureSheet(report: Report, { question, words, lines, total }: Answered) {
  const { figure } = question
  return figure
    ? pivotSheet(report, { ...question, figure }, words, lines, total)
    : lineSheet(report, question, words, lines, total)
}

function lineSheet(
  report: Report,
  { by, before }: Question,
  words: ReportWords,
  lines: ReportLine[],
  total: ReportLine,
) {
  const figures = [...listedFigures(report), ...sharesOf(report)].map(({ name, kind }) => ({
    name,
    kind: sheetKinds[kind],
  }))
  const columns: SheetColumn[] = [
    ...by.map((name) => ({ key: name, label: words.group(name), kind: 'text' as const })),
    ...figures.flatMap(({ name, kind }) => [
      { key: name, label: words.figure(name), kind },
      ...(before && name !== 'ofTotal'
        ? [{ key: `${name}Before`, label: columnBefore(words, words.figure(name), before), kind }]
        : []),
    ]),
  ]
  const rowOf = (line: ReportLine): SheetRow => ({
    ...line.labels,
    ...line.values,
    ...Object.fromEntries(Object.entries(line.before ?? {}).map(([name, value]) => [`${name}Before`, value])),
  })
  return { columns, rows: [...lines.map(rowOf), { ...rowOf(total), [by[0]!]: words.t('total') }] }
}

/**
 * A row per key of the first group, a column per key of the second, and totals for both. With a comparison, each column
 * is followed by that of the year before.
 */
function pivotSheet(
  report: Report,
  { by, figure, before }: Question & { figure: FigureName },
  words: ReportWords,
  lines: ReportLine[],
  total: ReportLine,
) {
  const kind = sheetKinds[report.measures[figure]?.kind ?? 'count']
  const [down, across] = by as [GroupName, GroupName]
  const hasGroups = (line: ReportLine, ...names: GroupName[]) =>
    Object.keys(line.keys).length === names.length && names.every((name) => name in line.keys)
  const columnLines = lines.filter((line) => hasGroups(line, across))
  const columnsOf = (key: string, label: string): SheetColumn[] => [
    { key, label, kind },
    ...(before ? [{ key: `${key}Before`, label: columnBefore(words, label, before), kind }] : []),
  ]
  const valuesOf = (key: string, line: ReportLine | undefined) => ({
    [key]: line?.values[figure] ?? 0,
    [`${key}Before`]: line?.before?.[figure] ?? 0,
  })
  const rowOf = (
    label: string,
    totalLine: ReportLine,
    cellOf: (column: ReportLine) => ReportLine | undefined,
  ): SheetRow => ({
    row: label,
    ...Object.assign({}, ...columnLines.map((column, index) => valuesOf(`c${index}`, cellOf(column)))),
    ...valuesOf('total', totalLine),
  })
  const cells = new Map(
    lines
      .filter((line) => hasGroups(line, down, across))
      .map((line) => [`${line.keys[down]} ${line.keys[across]}`, line]),
  )
  return {
    columns: [
      { key: 'row', label: words.group(down), kind: 'text' },
      ...columnLines.flatMap(({ labels }, index) => columnsOf(`c${index}`, labels[across]!)),
      ...columnsOf('total', words.t('total')),
    ] satisfies SheetColumn[],
    rows: [
      ...lines
        .filter((line) => hasGroups(line, down))
        .map((line) =>
          rowOf(line.labels[down]!, line, (column) => cells.get(`${line.keys[down]} ${column.keys[across]}`)),
        ),
      rowOf(words.t('total'), total, (column) => column),
    ],
  }
}

/** Filters and moment of an export in words, and the moment of the year before if the file compares. */
export async function filterWords(
  { db }: Services,
  { actor, language, query }: ReportReader,
  report: Report,
  question: Question,
  words: ReportWords,
) {
  const chosen = report.filters.filter((name) => query[name] !== undefined && name !== 'year')
  const choices = await filterChoices(db, actor, chosen)
  const chosenFilters = choices.map(({ key, choices: values }) => {
    const value = query[key]!
    return {
      label: words.t(`filters.${key}`),
      value: values
        ? (values.find((choice) => choice.value === value)?.label ?? words.t('filters.outOfScope'))
        : longDate(value, language),
    }
  })
  return [
    { label: words.t('filters.asOf'), value: dateTime(question.at, language, question.zone) },
    { label: words.t('filters.year'), value: question.year ?? words.t('everyYear') },
    ...chosenFilters,
    { label: words.t('filters.by'), value: question.by.map(words.group).join(', ') },
    ...(question.figure ? [{ label: words.t('filters.figure'), value: words.figure(question.figure) }] : []),
    ...(question.before
      ? [{ label: words.t('filters.before'), value: dateTime(question.before.at, language, question.zone) }]
      : []),
  ]
}
