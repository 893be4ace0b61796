import { Readable } from 'node:stream'
import type { CampaignSheet } from '#domain/campaigns/sheet-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { sheetsVisibleTo } from '#server/modules/campaigns/audiences/people-of.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FieldErrors, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { csvLine, harmlessText, separatorOf } from '#server/platform/sheets/csv-writer.ts'
import { notesOf, type SheetFindings } from '#server/platform/sheets/headings.ts'
import { sentences } from '#server/platform/text.ts'
import { isOfCells, rowJudge, type SheetColumns, type SheetProblem } from './columns.ts'
import { type StoredRow, storedRows, updateRows } from './sheet-rows.ts'

const sampleRows = 5

/** The sheet if the actor sees it; 404 otherwise. */
async function getSheet(db: Db, actor: Actor, id: string) {
  const sheet = await db
    .selectFrom('campaignSheets as s')
    .selectAll()
    .where('s.id', '=', id)
    .where(sheetsVisibleTo(actor))
    .executeTakeFirst()
  if (!sheet) throw notFound('sheet')
  return sheet
}

type Answer = Omit<CampaignSheet, 'createdAt'> & { createdAt: Date }

export async function sheetAnswer(db: Db, actor: Actor, id: string): Promise<Answer> {
  const {
    rowCount,
    problemCount,
    invalidCount,
    findings,
    createdBy: _createdBy,
    ...sheet
  } = await getSheet(db, actor, id)
  const rows = await db
    .selectFrom('campaignSheetRows')
    .select('values')
    .where('sheetId', '=', id)
    .orderBy('number')
    .limit(sampleRows)
    .execute()
  return {
    ...sheet,
    rows: rowCount,
    problems: problemCount,
    invalid: invalidCount,
    notes: notesOf(findings as SheetFindings).map(({ sentence }) => sentence(actor.language)),
    sample: rows.map(({ values }) => values as Record<string, string>),
  }
}

/** Assigns columns and judges the rows again. 422 for an unknown or repeated column. */
export async function assignColumns(services: Services, actor: Actor, id: string, columns: SheetColumns) {
  const { db } = services
  const before = await getSheet(db, actor, id)
  const problems: FieldErrors = {}
  const seen = new Set<string>()
  for (const [field, column] of Object.entries(columns)) {
    if (column === null) continue
    if (!before.columns.includes(column)) problems[field] = 'sheet_column_unknown'
    else if (seen.has(column)) problems[field] = 'sheet_column_twice'
    seen.add(column)
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  await db.transaction().execute(async (tx) => {
    // Locks the sheet, because two parallel assignments would mix their results in its rows.
    await tx.selectFrom('campaignSheets').select('id').where('id', '=', id).forUpdate().execute()
    const judge = rowJudge(columns)
    let [problemCount, invalidCount] = [0, 0]
    for await (const rows of storedRows(tx, id)) {
      const judged = rows.map(({ number, values, problems }) =>
        judge(number, values, problems?.filter(isOfCells) ?? []),
      )
      problemCount += judged.filter((row) => row.problems).length
      invalidCount += judged.filter((row) => row.isInvalid).length
      await updateRows(tx, id, judged)
    }
    await tx
      .updateTable('campaignSheets')
      .set({ ...columns, problemCount, invalidCount })
      .where('id', '=', id)
      .execute()
    const { phoneColumn, emailColumn, nameColumn, languageColumn } = before
    await recordAudit(tx, actor, {
      action: 'campaign-sheet.columns',
      on: { 'campaign-sheet': id },
      before: { phoneColumn, emailColumn, nameColumn, languageColumn },
      after: columns,
    })
  })
  return sheetAnswer(db, actor, id)
}

type Page = { page: number; per_page: number }

export async function listProblems(db: Db, actor: Actor, id: string, { page, per_page: perPage }: Page) {
  const { problemCount } = await getSheet(db, actor, id)
  const rows = await db
    .selectFrom('campaignSheetRows')
    .select(['number', 'name', 'problems'])
    .where('sheetId', '=', id)
    .where('problems', 'is not', null)
    .orderBy('number')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return {
    data: rows.map((row) => ({ ...row, problems: row.problems as SheetProblem[] })),
    meta: {
      total: problemCount,
      total_is_estimate: false,
      next: page * perPage < problemCount ? String(page + 1) : null,
    },
  }
}

/** Headings of the first and last column in the file that `problemsCsv` writes. */
export const problemHeadings = (language: Language) => {
  const t = sentences(language)
  return { first: t('campaigns:sheetFile.number'), last: t('campaigns:sheetFile.problems') }
}

/** Invalid rows as CSV with the columns of the upload, so that staff can correct and upload only these rows. */
export async function problemsCsv({ db }: Services, actor: Actor, id: string, language: Language) {
  const sheet = await getSheet(db, actor, id)
  const t = sentences(language)
  const line = (cells: readonly string[]) => csvLine(cells.map(harmlessText), separatorOf(language))
  const inWords = ({ problems }: StoredRow) =>
    (problems ?? [])
      .map(({ column, code }) => `${column ? `${column}: ` : ''}${t(`campaigns:sheetProblem.${code}`)}`)
      .join('; ')
  async function* lines() {
    const { first, last } = problemHeadings(language)
    yield `\uFEFF${line([first, ...sheet.columns, last])}`
    for await (const rows of storedRows(db, id, { onlyInvalid: true }))
      yield rows
        .map((row) => line([String(row.number), ...sheet.columns.map((key) => row.values[key] ?? ''), inWords(row)]))
        .join('')
  }
  const name = t('campaigns:sheetFile.name', { file: sheet.fileName.replace(/\.\w+$/, '') })
  return { name: `${name}.csv`, content: Readable.from(lines(), { objectMode: false }) }
}
