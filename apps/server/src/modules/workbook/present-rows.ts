import { sql } from 'kysely'
import { workbookSheets } from '#domain/workbook/sheets.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { Language } from '#entities/define/language.ts'
import { codeFieldOf, type Row } from '#entities/define/row.ts'
import { table } from '#server/list/row-titles.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { SheetRow } from '#server/platform/sheets/columns.ts'
import { sentences } from '#server/platform/text.ts'
import { columnsOf, toRow } from '#server/resource/columns.ts'
import { identityOf, workbookColumnsOf } from './columns.ts'

/** Codes of stored rows by slug and id. */
type Codes = ReadonlyMap<string, ReadonlyMap<string, string>>

export const yesOrNo = (value: boolean, language: Language) =>
  sentences(language)(`transfer:template.${value ? 'yes' : 'no'}`)

/** A stored value, or the key of a choice, as its cell shows it. */
export function cellOf(field: Field, value: unknown, language: Language, codes?: Codes): unknown {
  if (value === null || value === undefined) return ''
  switch (field.kind) {
    case 'boolean':
      return yesOrNo(value === true, language)
    case 'choice':
      return field.choices[String(value)]?.[language] ?? value
    case 'multiChoice':
      return (value as string[]).map((key) => field.choices[key]?.[language] ?? key).join('; ')
    case 'basisPoints':
      return Number(value) / 10_000
    case 'moneyList':
      return (value as number[]).join('; ')
    case 'reference':
      return codes?.get(field.to)?.get(String(value)) ?? value
    case 'multiReference':
      return (value as string[])
        .map((id) => codes?.get(field.to)?.get(id) ?? id)
        .toSorted()
        .join('; ')
    default:
      return value
  }
}

/** Every stored row of the workbook's entities as cells, sorted by identity; by slug, without empty lists. */
export async function findPresentRows(db: Db, language: Language): Promise<Map<string, SheetRow[]>> {
  const codes = new Map<string, Map<string, string>>()
  const cells = new Map<string, SheetRow[]>()
  for (const entity of workbookSheets) {
    const rows = await storedRows(db, entity)
    const codeKey = codeFieldOf(entity)
    if (codeKey) codes.set(entity.slug, new Map(rows.map((row) => [row.id, String(row[codeKey])])))
    const identity = identityOf(entity)
    const columns = workbookColumnsOf(entity)
    const toCells = (row: Row): SheetRow =>
      Object.fromEntries(columns.map(({ key, field }) => [key, cellOf(field, row[key], language, codes)]))
    const orderOf = (row: SheetRow) => identity.map((key) => String(row[key] ?? '').padStart(12, '0')).join('\u0000')
    const ordered = rows.map(toCells).map((row) => ({ row, order: orderOf(row) }))
    ordered.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    if (ordered.length > 0)
      cells.set(
        entity.slug,
        ordered.map(({ row }) => row),
      )
  }
  return cells
}

async function storedRows(db: Db, entity: Entity): Promise<Row[]> {
  const { rows } = await sql<Record<string, unknown>>`SELECT ${columnsOf(entity)} FROM ${table(entity)} t`.execute(db)
  return rows.map(toRow)
}
