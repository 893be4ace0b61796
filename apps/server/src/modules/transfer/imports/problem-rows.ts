import { Readable } from 'node:stream'
import { type Selectable, sql } from 'kysely'
import type { Language } from '#entities/define/language.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openSpool } from '#server/platform/files/spool.ts'
import type { Services } from '#server/platform/services.ts'
import { csvLine, harmlessText, separatorOf } from '#server/platform/sheets/csv-writer.ts'
import { sentences } from '#server/platform/text.ts'
import { isBlank, isRemark } from './import-columns.ts'
import { openSheet } from './import-files.ts'
import { textOfCell } from './read-cell.ts'

type Import = Selectable<Database['imports']>
type Told = { row: number; reasons: string }

/** The rows that have problems as they were sent and why, so that they can be mended and sent again by themselves. */
export const problemRowsCsv = (services: Services, record: Import, language: Language): Promise<Readable> =>
  services.threads(async () => {
    const { reader, whole } = await openSpool(Readable.from(linesOf(services, record, language), { objectMode: false }))
    // The sheet is read before the first byte leaves: a slow reader keeps no thread.
    await whole.catch((error) => {
      reader.destroy()
      throw error
    })
    return reader
  })

const batchSize = 500

/** Problems by row, a few hundred at a time without a transaction: the sheet is read in between. */
async function* problemsOf({ db }: Services, importId: string, language: Language): AsyncGenerator<Told> {
  const reason = sql.ref(language === 'id' ? 'reason_id' : 'reason_en')
  for (let after = 0; ; ) {
    const { rows } = await sql<Told>`
      SELECT "row", string_agg(CASE WHEN header IS NULL THEN ${reason} ELSE header || ': ' || ${reason} END, ' ' ORDER BY number) AS reasons
      FROM import_problems WHERE import_id = ${importId} AND "row" > ${after}
      GROUP BY "row" ORDER BY "row" LIMIT ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.row
  }
}

async function* linesOf(services: Services, record: Import, language: Language): AsyncGenerator<string> {
  const t = sentences(language)
  const separator = separatorOf(language)
  const problems = problemsOf(services, record.id, language)
  yield '\uFEFF'
  const line = (cells: readonly string[]) => csvLine(cells.map(harmlessText), separator)
  const extra = [t('transfer:problemFile.row'), t('transfer:problemFile.problem')]
  if (!record.fileId) {
    yield line(extra)
    for await (const { row, reasons } of problems) yield line([String(row), reasons])
    return
  }
  const { reader, close } = await openSheet(services, record.fileId, record.format)
  try {
    let next = await problems.next()
    let width = 0
    for await (const { number, cells } of reader.lines) {
      if (isBlank(cells) || isRemark(cells)) continue
      const texts = Array.from({ length: Math.max(width, cells.length) }, (_, i) => textOfCell(cells[i]))
      if (width === 0) {
        width = cells.length
        yield line([...texts, ...extra])
        continue
      }
      while (!next.done && next.value.row < number) next = await problems.next()
      if (next.done) break
      if (next.value.row === number) yield line([...texts, String(number), next.value.reasons])
    }
  } finally {
    await close()
  }
}
