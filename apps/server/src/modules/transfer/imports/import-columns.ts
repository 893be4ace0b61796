import { type ImportProfile, importProfiles, type ProfileColumn } from '#domain/transfer/profiles.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { Localized } from '#entities/define/language.ts'
import { codeColumn, codeFieldOf, codeKeyOf } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import type { Cell } from '#server/platform/sheets/sheet-reader.ts'

/** A sheet column: a field, the code of a referenced row, or whether the row is active. */
export type ImportColumn = { key: string; fieldKey: string; part: 'value' | 'code'; label: Localized }

export const activeField: Field = {
  kind: 'boolean',
  label: { en: 'Active', id: 'Aktif' },
  default: true,
}

export const fieldOf = (entity: Entity, key: string): Field => (key === 'active' ? activeField : entity.fields[key]!)

const importedCode = (key: string, field: Field): ImportColumn => ({
  ...codeColumn(key, field),
  fieldKey: key,
  part: 'code',
})

/** Columns of an entity's sheet; files cannot be imported by sheet. */
export function importColumnsOf(entity: Entity): ImportColumn[] {
  const columns: ImportColumn[] = []
  for (const [key, field] of Object.entries(entity.fields)) {
    if (field.kind === 'file') continue
    columns.push({ key, fieldKey: key, part: 'value', label: field.label })
    if (field.kind === 'reference' && codeKeyOf(getEntity(field.to))) columns.push(importedCode(key, field))
  }
  columns.push({ key: 'active', fieldKey: 'active', part: 'value', label: activeField.label })
  return columns
}

/** Ignores case, spaces, dashes, underscores and the asterisk of required columns. */
const normalize = (header: string) =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\*+\s*$/, '')
    .replace(/[\s_.-]+/g, '')

/** Columns of the product's own exports that an import ignores. */
const ignoredColumns = new Set(
  ['Problem', 'Masalah', 'Row', 'Baris', 'Created', 'Dibuat', 'Last change', 'Perubahan terakhir', 'id'].map(normalize),
)

/** Position of a column in the file; `withinIndex` is the cell that narrows an ambiguous name. */
export type Placed = ImportColumn & { index: number; header: string; profile?: ProfileColumn; withinIndex?: number }

export type Header = {
  columns: Placed[]
  unknown: string[]
  /** Keys of required fields without a column. */
  missing: string[]
  profile: ImportProfile | undefined
  /** Two columns for the same field. */
  twice: { header: string; other: string } | undefined
}

export const isRequired = (field: Field) => !field.optional && !('default' in field && field.default !== undefined)

/** Matches header cells in either language, by technical key, or by the profile for another system's file. */
export function parseHeader(entity: Entity, cells: readonly Cell[], hasParent: boolean): Header {
  const headers = cells.map((cell) => String(cell).trim())
  const names = headers.map(normalize)
  const profile = importProfiles.find(
    (one) => one.entity === entity.slug && one.recognisedBy.every((header) => names.includes(normalize(header))),
  )
  const columnsByName = new Map<string, ImportColumn & { profile?: ProfileColumn }>()
  const addColumn = (name: string, column: ImportColumn & { profile?: ProfileColumn }) => {
    if (!columnsByName.has(normalize(name))) columnsByName.set(normalize(name), column)
  }
  const codes = Object.entries(entity.fields)
    .filter(([, field]) => field.kind === 'reference' && codeFieldOf(getEntity(field.to)))
    .map(([key, field]) => importedCode(key, field))
  const columns = [...importColumnsOf(entity).filter(({ part }) => part === 'value'), ...codes]
  for (const column of columns) {
    const profileColumn = profile?.columns[column.key]
    if (!profileColumn) continue
    for (const header of profileColumn.headers) addColumn(header, { ...column, profile: profileColumn })
  }
  for (const column of columns) addColumn(column.key, column)
  for (const column of columns) {
    addColumn(column.label.en, column)
    addColumn(column.label.id, column)
  }
  const ignored = new Set([
    ...ignoredColumns,
    ...(profile?.ignored ?? []).map(normalize),
    ...Object.values(profile?.columns ?? {}).flatMap(
      ({ within: withinIndex }) => withinIndex?.headers.map(normalize) ?? [],
    ),
  ])

  const placed: Placed[] = []
  const unknown: string[] = []
  let twice: Header['twice']
  for (const [index, header] of headers.entries()) {
    const name = normalize(header)
    if (name === '') continue
    const column = columnsByName.get(name) ?? columnsByName.get(normalize(header.replace(/\([^)]*\)/g, '')))
    if (!column) {
      if (!ignored.has(name)) unknown.push(header)
      continue
    }
    const earlier = placed.find((one) => one.key === column.key)
    if (earlier) twice ??= { header, other: earlier.header }
    const withinIndex = column.profile?.within?.headers
      .map((one) => names.indexOf(normalize(one)))
      .find((at) => at >= 0)
    placed.push({
      ...column,
      index,
      header,
      ...(withinIndex !== undefined && { withinIndex: withinIndex }),
    })
  }
  const filledFields = new Set(placed.map(({ fieldKey }) => fieldKey))
  const missing = Object.entries(entity.fields)
    .filter(([key, field]) => field.kind !== 'file' && isRequired(field) && !filledFields.has(key))
    .filter(([key]) => profile?.columns[key]?.otherwise === undefined)
    .filter(([key]) => !(hasParent && key === entity.parent?.field))
    .map(([key]) => key)
  return { columns: placed, unknown, missing, profile, twice }
}

/** Counts the headings in a row that an import of the entity knows. */
export const knownColumns = (entity: Entity) => (cells: readonly Cell[]) =>
  parseHeader(entity, cells, false).columns.length
