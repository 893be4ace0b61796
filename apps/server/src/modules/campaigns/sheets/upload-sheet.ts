import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { maxSheetRows } from '#domain/campaigns/campaigns.ts'
import { languages } from '#entities/define/language.ts'
import { formatOf, type ImportFormat, refusedFormat } from '#server/modules/transfer/imports/import-files.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { invalid } from '#server/platform/errors.ts'
import { safeName } from '#server/platform/files/stored-files.ts'
import type { ReceivedUpload } from '#server/platform/files/uploads.ts'
import type { Services } from '#server/platform/services.ts'
import { noFindings, tableIn } from '#server/platform/sheets/headings.ts'
import { readSheet } from '#server/platform/sheets/read-sheet.ts'
import { sheetRefusal, tooManyColumns, tooManyRows } from '#server/platform/sheets/refusals.ts'
import type { Cell, SheetLine, SheetReader } from '#server/platform/sheets/sheet-reader.ts'
import {
  guessColumns,
  headingProblems,
  type JudgedRow,
  maxSheetColumns,
  problemsOfCells,
  rowJudge,
  textOf,
} from './columns.ts'
import { insertRows, rowsAtOnce } from './sheet-rows.ts'
import { problemHeadings, sheetAnswer } from './sheets.ts'

/**
 * Reads an uploaded spreadsheet and stores its rows. 422 if the file is missing, unreadable, empty or too large, or has
 * wrong headings.
 */
export async function uploadSheet(services: Services, actor: Actor, upload: ReceivedUpload | undefined) {
  if (!upload) throw invalid({ file: 'file_missing' })
  const bytes = await upload.toBuffer()
  if (bytes.length === 0) throw invalid({ file: 'file_empty' })
  const format = formatOf(bytes)
  if (!format) throw refusedFormat(upload, bytes, ['xlsx', 'csv'])
  const fileName = safeName(upload.filename, format).slice(0, 200)
  const id = await withCopy(bytes, format, (copy) =>
    services.threads(async () => {
      const read = () => readSheet(copy, format, services.config.reading)
      if (mayHaveTooManyRows(bytes, format)) await refuseTooManyRows(read())
      return storeRows(services, actor, fileName, read())
    }),
  )
  return sheetAnswer(services.db, actor, id)
}

/** Workbooks up to this many bytes are stored without counting their rows first. */
const smallWorkbook = 1_000_000

/** Estimates from the bytes whether the file may have too many rows. Line ends within CSV cells count as rows. */
function mayHaveTooManyRows(bytes: Buffer, format: ImportFormat): boolean {
  if (format === 'xlsx') return bytes.length > smallWorkbook
  const endsOf = (sign: string) => {
    let count = 0
    for (let at = bytes.indexOf(sign); at >= 0 && count <= maxSheetRows; at = bytes.indexOf(sign, at + 1)) count++
    return count
  }
  return Math.max(endsOf('\n'), endsOf('\r')) > maxSheetRows
}

/** Throws 422 for too many rows. Counting them first is faster than storing them in vain. */
async function refuseTooManyRows(reader: SheetReader) {
  let rowCount = -1
  try {
    for await (const _ of tableIn(reader.lines, { findings: noFindings() }))
      if (++rowCount > maxSheetRows) throw tooManyRows(maxSheetRows)
  } catch (error) {
    throw sheetRefusal(error)
  }
}

/** Runs `use` with a temporary local copy of the file, then deletes the copy. */
async function withCopy<T>(bytes: Buffer, format: ImportFormat, use: (copy: string) => Promise<T>): Promise<T> {
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'pmb-campaign-'))
  try {
    const copy = path.join(folder, `sheet.${format}`)
    await fs.promises.writeFile(copy, bytes, { mode: 0o600 })
    return await use(copy)
  } finally {
    await fs.promises.rm(folder, { recursive: true, force: true })
  }
}

async function storeRows(services: Services, actor: Actor, fileName: string, reader: SheetReader): Promise<string> {
  const { db } = services
  const findings = noFindings()
  let sheet: Awaited<ReturnType<typeof addSheet>> | undefined
  let rows: JudgedRow[] = []
  let [rowCount, problemCount, invalidCount] = [0, 0, 0]
  try {
    for await (const line of tableIn(reader.lines, { findings })) {
      if (!sheet) {
        sheet = await addSheet(services, actor, fileName, line)
        continue
      }
      if (++rowCount > maxSheetRows) throw tooManyRows(maxSheetRows)
      const cells = cellsIn(line, sheet)
      const values = Object.fromEntries([...cells].map(([heading, cell]) => [heading, textOf(cell)]))
      const row = sheet.judge(line.number, values, problemsOfCells(line, sheet.line, cells))
      if (row.problems) problemCount++
      if (row.isInvalid) invalidCount++
      if (rows.push(row) < rowsAtOnce) continue
      await insertRows(db, sheet.id, rows)
      rows = []
    }
    if (!sheet || rowCount === 0) throw invalid({ file: 'sheet_empty' })
    await insertRows(db, sheet.id, rows)
    const { id } = sheet
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('campaignSheets')
        .set({ rowCount, problemCount, invalidCount, findings: JSON.stringify(findings) })
        .where('id', '=', id)
        .execute()
      await recordAudit(tx, actor, {
        action: 'campaign-sheet.upload',
        on: { 'campaign-sheet': id },
        after: { fileName, rows: rowCount, problems: problemCount },
      })
    })
    return id
  } catch (error) {
    if (sheet) await db.deleteFrom('campaignSheets').where('id', '=', sheet.id).execute()
    throw sheetRefusal(error)
  }
}

/** Cells by heading. Leaves out empty cells. */
const cellsIn = (
  { cells }: SheetLine,
  { headings, skipped }: { headings: readonly string[]; skipped: number },
): ReadonlyMap<string, Cell> =>
  new Map(
    headings.flatMap((heading, index): [string, Cell][] => {
      const cell = cells[index + skipped] ?? ''
      return textOf(cell) === '' ? [] : [[heading, cell]]
    }),
  )

/**
 * Headings of the upload. Leaves out the first and last column if `problemsCsv` wrote the file. `skipped`: number of
 * columns left out at the start.
 */
function headingsIn({ cells }: SheetLine): { headings: string[]; skipped: number } {
  const headings = cells.map(textOf)
  while (headings.at(-1) === '') headings.pop()
  const isOfProblems = languages.some((language) => {
    const { first, last } = problemHeadings(language)
    return headings[0] === first && headings.at(-1) === last
  })
  return isOfProblems ? { headings: headings.slice(1, -1), skipped: 1 } : { headings, skipped: 0 }
}

async function addSheet({ db, clock }: Services, actor: Actor, fileName: string, line: SheetLine) {
  const { headings, skipped } = headingsIn(line)
  if (headings.length > maxSheetColumns) throw tooManyColumns(maxSheetColumns)
  const wrong = headingProblems(headings)
  if (wrong.length > 0)
    throw invalid({
      file: { code: 'sheet_headings', params: { names: wrong.map((name) => name.slice(0, 40) || '–').join(', ') } },
    })
  const columns = guessColumns(headings)
  const { id } = await db
    .insertInto('campaignSheets')
    .values({
      ...{ fileName, columns: headings, ...columns, rowCount: 0, problemCount: 0, invalidCount: 0 },
      ...{ createdAt: clock.now(), createdBy: actor.accountId },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, line, headings, skipped, judge: rowJudge(columns) }
}
