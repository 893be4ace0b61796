import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { ReportQuestion } from '#domain/reports/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import type { GroupName, Report } from '#server/modules/reports/report.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { withMoreMemory } from '#server/platform/database/more-memory.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { isSmall, smallLines } from './answer-report.ts'
import { wordsOf } from './describe-report.ts'
import { readAskedCell, readQuestion } from './read-question.ts'
import { type Cell, type Question, rowsBehind, runReport } from './run-report.ts'

/** Replaces the key of the sum of all small lines by the keys of those lines; 404 for a small line on its own. */
async function withoutSmallLines(db: Db, actor: Actor, report: Report, question: Question, cell: Cell): Promise<Cell> {
  const [group] = Object.keys(cell.keys) as [GroupName?]
  if (!report.smallestLine || !group || cell.keys[group] === null) return cell
  const small = (await runReport(db, report, actor, question)).filter((line) => isSmall(report, line))
  const keys = small.map((line) => line.keys[group]!)
  if (cell.keys[group] === smallLines) return { ...cell, any: { group, keys } }
  if (keys.includes(cell.keys[group]!)) throw notFound('report line')
  return cell
}

/** Number of rows from which joining a table is faster than a lookup for each row. */
const manyRows = 20_000

type Found = { id: string; path: string | null } & Record<`c${number}`, unknown>
type CellRequest = ReportQuestion & {
  cell: string
  moment: 'now' | 'before'
  search?: string | undefined
  sort?: string | undefined
}
export type ReportCell = string | number | boolean | Date | null

/** Prepares the rows behind a figure: query, columns, and a function that turns a row into cells. */
export async function readRowsBehind(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  report: Report,
  request: CellRequest,
  language: Language,
) {
  // The cell names its figure; only a pivot is limited to one figure.
  const { figure, cell, moment, search, sort, ...rest } = request
  const question = await readQuestion(
    db,
    report,
    report.shape === 'pivot' && figure ? { ...rest, figure } : rest,
    clock.now(),
  )
  const requestedCell = await withoutSmallLines(
    db,
    actor,
    report,
    question,
    readAskedCell(report, { figure, cell }, question),
  )
  const counted = moment === 'before' ? question.before : question
  if (!counted) throw invalid({ moment: 'invalid_input' })
  const columnNames: readonly string[] = report.columns
  if (sort && !columnNames.includes(sort.replace('-', ''))) throw invalid({ sort: 'invalid_input' })
  const { columns, rows, allRows, hasMoreThan, count, searchable } = rowsBehind(
    report,
    actor,
    question,
    requestedCell,
    {
      search,
      sort,
      moment: counted,
    },
  )
  const words = wordsOf(report, language)
  return {
    /** The question, moved to the moment whose rows these are. */
    question: { ...question, year: counted.year, since: counted.since, at: counted.at, before: null },
    cell: requestedCell,
    words,
    /** The query of all rows for a file; joins whole tables only if there are many rows. */
    allRows: async () => (theOnly((await hasMoreThan(manyRows).execute(db)).rows).more ? allRows : rows),
    searchable,
    count: () => withMoreMemory(db, async (tx) => theOnly((await count.execute(tx)).rows)),
    page: (page: number, perPage: number) =>
      withMoreMemory(
        db,
        async (tx) => (await sql<Found>`${rows} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`.execute(tx)).rows,
      ),
    columns: columns.map(({ name, kind }) => ({ key: name, label: words.t(`columns.${name}`), kind })),
    cellsOf(found: Found) {
      const cells: Record<string, ReportCell> = {}
      for (const [index, { name, words: list }] of columns.entries()) {
        const value = (found[`c${index}`] ?? null) as ReportCell
        cells[name] = list && typeof value === 'string' ? words.word(list, value) : value
      }
      return cells
    },
  }
}
export type RowFound = Found
