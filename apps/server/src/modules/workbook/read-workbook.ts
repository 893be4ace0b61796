import type { ProblemLevel } from '#domain/transfer/import-status.ts'
import { findSheetEntity, sheetNameOf, workbookSheets } from '#domain/workbook/sheets.ts'
import { maxWorkbookRows } from '#domain/workbook/status.ts'
import type { Entity } from '#entities/define/entity.ts'
import { languages } from '#entities/define/language.ts'
import { parseHeader } from '#server/modules/transfer/imports/import-columns.ts'
import { openSheet } from '#server/modules/transfer/imports/import-files.ts'
import { inBothLanguages, type Sentence } from '#server/modules/transfer/imports/problems.ts'
import { Stop } from '#server/modules/transfer/imports/uploads.ts'
import type { Services } from '#server/platform/services.ts'
import { isBlank, isRemark } from '#server/platform/sheets/headings.ts'
import { lengthOf, type SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { sentences } from '#server/platform/text.ts'

/** A problem of a workbook: in a cell, a row or, without either, a sheet. */
export type WorkbookProblem = {
  level: ProblemLevel
  sheet: string
  row: number | null
  letter: string | null
  header: string | null
  value: string | null
  reason: Sentence
}

export type ReadWorkbook = Awaited<ReturnType<typeof readWorkbook>>

export type SheetToRead = { name: string; entity: Entity; lines: SheetLine[]; merged: string[] }

/** Maximum characters of all cells, which are in memory together. */
const maxCharacters = 20_000_000

/** Reads the sheets of a stored workbook; lists sheets with an unknown name. */
export async function readWorkbook(services: Services, fileId: string) {
  const sheets = new Map<string, { lines: SheetLine[]; merged: string[] }>()
  const { reader, close } = await openSheet(services, fileId, 'workbook')
  try {
    let rows = 0
    let characters = 0
    for await (const line of reader.lines) {
      const name = line.sheet ?? ''
      if (isOwnRemark(name)) continue
      const sheet = sheets.get(name) ?? { lines: [], merged: [] }
      sheets.set(name, sheet)
      if (line.merged) sheet.merged.push(line.merged)
      if (isBlank(line.cells)) continue
      rows++
      characters += lengthOf(line)
      if (rows > maxWorkbookRows) throw new Stop('too_many_rows')
      if (characters > maxCharacters) throw new Stop('too_big_inside')
      sheet.lines.push(line)
    }
  } finally {
    await close()
  }
  return chooseSheets(sheets)
}

/** Whether a sheet has the workbook's own explanations or allowed values, in either language. */
const isOwnRemark = (name: string) =>
  languages.some((language) =>
    (['instructions', 'lists'] as const).some((sheet) => sentences(language)(`workbook:sheet.${sheet}`) === name),
  )

function chooseSheets(sheets: ReadonlyMap<string, { lines: SheetLine[]; merged: string[] }>) {
  const chosen: SheetToRead[] = []
  const problems: WorkbookProblem[] = []
  const unknownHeaders: SheetLine[] = []
  const refuse = (sheet: string, reason: Sentence) =>
    problems.push({ level: 'problem', sheet, row: null, letter: null, header: null, value: null, reason })
  for (const [name, { lines, merged }] of sheets) {
    if (lines.length === 0) continue
    const entity = findSheetEntity(name)
    const other = chosen.find((sheet) => sheet.entity === entity)
    if (!entity) {
      unknownHeaders.push(...lines.filter(({ cells }) => !isRemark(cells)).slice(0, 1))
      refuse(
        name,
        inBothLanguages((language) =>
          sentences(language)('workbook:problem.unknown_sheet', {
            names: workbookSheets.map((one) => sheetNameOf(one, language)).join(', '),
          }),
        ),
      )
    } else if (other)
      refuse(
        name,
        inBothLanguages((language) => sentences(language)('workbook:problem.sheet_twice', { other: other.name })),
      )
    else chosen.push({ name, entity, lines, merged })
  }
  const ordered = chosen.toSorted((a, b) => workbookSheets.indexOf(a.entity) - workbookSheets.indexOf(b.entity))
  return { sheets: ordered, problems, misnamed: findMisnamed(unknownHeaders, chosen) }
}

/** Entities without a sheet that an unknown sheet may be meant for, because it has their columns. */
const findMisnamed = (headers: readonly SheetLine[], chosen: readonly SheetToRead[]) =>
  workbookSheets.filter(
    (entity) =>
      !chosen.some((sheet) => sheet.entity === entity) &&
      headers.some(({ cells }) => parseHeader(entity, cells, false).missing.length === 0),
  )
