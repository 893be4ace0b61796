import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Language } from '#entities/define/language.ts'
import { getEntity } from '#entities/index.ts'
import { openSpool } from '#server/platform/files/spool.ts'
import type { Services } from '#server/platform/services.ts'
import { csvLine, harmlessText, separatorOf } from '#server/platform/sheets/csv-writer.ts'
import { noFindings, tableIn } from '#server/platform/sheets/headings.ts'
import { sheetFaults } from '#server/platform/sheets/sheet-reader.ts'
import { sentences } from '#server/platform/text.ts'
import { knownColumns } from './import-columns.ts'
import { openSheet } from './import-files.ts'
import { textOfCell } from './read-cell.ts'
import type { Import } from './uploads.ts'

type RowReasons = { row: number; reasons: string }

/**
 * Streams the rows with problems as uploaded, each with its reasons, so that they can be corrected and uploaded alone.
 * If the file is gone or unreadable, streams only the reasons.
 */
export const problemRowsCsv = (services: Services, record: Import, language: Language): Promise<Readable> =>
  services.threads(async () => {
    const { reader, whole: written } = await openSpool(
      Readable.from(linesOf(services, record, language), { objectMode: false }),
    )
    // Spools the sheet to disk before the first byte is sent, so that a slow reader occupies no thread.
    await written.catch((error) => {
      reader.destroy()
      throw error
    })
    return reader
  })

const batchSize = 500
const reasonColumns: Record<Language, string> = { en: 'reason_en', id: 'reason_id' }

/** Reads problems by row in batches, without a transaction, because the sheet is read in between. */
async function* problemsOf({ db }: Services, importId: string, language: Language): AsyncGenerator<RowReasons> {
  const reason = sql.ref(reasonColumns[language])
  for (let afterRow = 0; ; ) {
    const { rows } = await sql<RowReasons>`
      SELECT "row", string_agg(CASE WHEN header IS NULL THEN ${reason} ELSE header || ': ' || ${reason} END, ' ' ORDER BY number) AS reasons
      FROM import_problems WHERE import_id = ${importId} AND level = 'problem' AND "row" > ${afterRow}
      GROUP BY "row" ORDER BY "row" LIMIT ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    afterRow = rows.at(-1)!.row
  }
}

async function* linesOf(services: Services, record: Import, language: Language): AsyncGenerator<string> {
  const t = sentences(language)
  const separator = separatorOf(language)
  const problems = problemsOf(services, record.id, language)
  yield '\uFEFF'
  const line = (cells: readonly string[]) => csvLine(cells.map(harmlessText), separator)
  const extra = [t('transfer:problemFile.row'), t('transfer:problemFile.problem')]
  const fault = sheetFaults.find((one) => one === record.failure)
  if (!record.fileId || fault) {
    yield line(extra)
    for await (const { row, reasons } of problems) yield line([String(row), reasons])
    if (fault) yield line(['', t(`transfer:import.failure.${fault}`)])
    return
  }
  const { reader, close } = await openSheet(services, record.fileId, record.format)
  try {
    let next = await problems.next()
    let width = 0
    const countKnown = knownColumns(getEntity(record.entity))
    for await (const { number, cells } of tableIn(reader.lines, {
      findings: noFindings(),
      countKnown,
      skipsRemarks: true,
    })) {
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
