import type { Entity } from '#entities/define/entity.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { fieldOf, type Header, isRequired, parseHeader } from '#server/modules/transfer/imports/import-columns.ts'
import { inBothLanguages, type Sentence, sentenceOf } from '#server/modules/transfer/imports/problems.ts'
import type { SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { sentences } from '#server/platform/text.ts'
import { identityOf, markHeading } from './columns.ts'

export const say = (key: string, paramsIn: (language: Language) => Record<string, unknown> = () => ({})): Sentence =>
  inBothLanguages((language) => sentences(language)(`workbook:problem.${key}`, paramsIn(language)))

export type SheetHeader = {
  header: Header
  /** Index of the mark column, which holds no values. */
  markIndex: number
  problems: { header: string | null; reason: Sentence }[]
  /** True if the rows cannot be understood. */
  fatal: boolean
}

const isMark = (heading: string) => languages.some((language) => markHeading[language] === heading.trim())

/** Reads the headings of a sheet. A heading that begins with `#` leaves its column out on purpose. */
export function readHeader(entity: Entity, line: SheetLine): SheetHeader {
  const header = parseHeader(entity, line.cells, false)
  const unknown = header.unknown.filter((heading) => !isMark(heading) && !heading.startsWith('#'))
  const markIndex = line.cells.findIndex((cell) => isMark(String(cell)))
  const refused = (reason: Sentence): SheetHeader => ({
    header,
    markIndex,
    problems: [{ header: null, reason }],
    fatal: true,
  })
  if (header.columns.length === 0) return refused(sentenceOf({ key: 'file.no_known_column' }))
  if (header.twice) return refused(sentenceOf({ key: 'file.column_twice', params: { ...header.twice } }))
  const identity = identityOf(entity).filter((key) => isRequired(fieldOf(entity, key)))
  const missing = header.missing.filter((key) => identity.includes(key))
  if (missing.length > 0) return refused(missingColumns(entity, missing, unknown))
  const problems = unknown.map((heading) => ({
    header: heading,
    reason: say('unknown_column', () => ({ column: heading })),
  }))
  return { header, markIndex, problems: header.missing.length > 0 ? [] : problems, fatal: false }
}

/** One problem for all missing columns; an unknown heading may be one of them. */
export const missingColumns = (entity: Entity, missing: readonly string[], unknown: readonly string[]) =>
  say(unknown.length > 0 ? 'columns_missing_or_renamed' : 'columns_missing', (language) => ({
    columns: missing.map((key) => fieldOf(entity, key).label[language]).join(', '),
    unknown: unknown.join(', '),
  }))
