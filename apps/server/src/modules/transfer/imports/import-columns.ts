import { type ImportProfile, importProfiles, type ProfileColumn } from '#domain/transfer/profiles.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { Localized } from '#entities/define/language.ts'
import { codeColumn, codeFieldOf, codeKeyOf } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import type { Cell } from '#server/platform/sheets/sheet-reader.ts'

/** One thing a sheet of an entity may tell: a field, the code of what a reference points to, or whether the row is active. */
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

/** Pictures and documents do not travel in sheets. */
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

/** Letter case, spaces, dashes, underscores and the star of required columns make no difference. */
const normal = (header: string) =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\*+\s*$/, '')
    .replace(/[\s_.-]+/g, '')

/** Columns that our own files carry and nobody wants back. */
const ownColumns = new Set(
  ['Problem', 'Masalah', 'Row', 'Baris', 'Created', 'Dibuat', 'Last change', 'Perubahan terakhir', 'id'].map(normal),
)

/** Where in the file a thing is told: `index` of the cell; `within` of the cell that narrows a name. */
export type Placed = ImportColumn & { index: number; header: string; profile?: ProfileColumn; withinIndex?: number }

export type Understood = {
  columns: Placed[]
  unknown: string[]
  /** Keys of required fields that no column gives. */
  missing: string[]
  profile: ImportProfile | undefined
  /** Two columns that say they are the same. */
  twice: { header: string; other: string } | undefined
}

export const isRequired = (field: Field) => !field.optional && !('default' in field && field.default !== undefined)

/** Understands a header in either language, by technical key, or by the profile of another system's file. */
export function understandHeader(entity: Entity, cells: readonly Cell[], parentGiven: boolean): Understood {
  const headers = cells.map((cell) => String(cell).trim())
  const names = headers.map(normal)
  const profile = importProfiles.find(
    (one) => one.entity === entity.slug && one.recognisedBy.every((header) => names.includes(normal(header))),
  )
  const known = new Map<string, ImportColumn & { profile?: ProfileColumn }>()
  const learn = (name: string, column: ImportColumn & { profile?: ProfileColumn }) => {
    if (!known.has(normal(name))) known.set(normal(name), column)
  }
  const codes = Object.entries(entity.fields)
    .filter(([, field]) => field.kind === 'reference' && codeFieldOf(getEntity(field.to)))
    .map(([key, field]) => importedCode(key, field))
  const columns = [...importColumnsOf(entity).filter(({ part }) => part === 'value'), ...codes]
  for (const column of columns) {
    const told = profile?.columns[column.key]
    for (const header of told?.headers ?? []) learn(header, { ...column, profile: told! })
  }
  for (const column of columns) learn(column.key, column)
  for (const column of columns) {
    learn(column.label.en, column)
    learn(column.label.id, column)
  }
  const ignored = new Set([
    ...ownColumns,
    ...(profile?.ignored ?? []).map(normal),
    ...Object.values(profile?.columns ?? {}).flatMap(({ within }) => within?.headers.map(normal) ?? []),
  ])

  const placed: Placed[] = []
  const unknown: string[] = []
  let twice: Understood['twice']
  for (const [index, name] of names.entries()) {
    if (name === '') continue
    const column = known.get(name) ?? known.get(normal(headers[index]!.replace(/\([^)]*\)/g, '')))
    if (!column) {
      if (!ignored.has(name)) unknown.push(headers[index]!)
      continue
    }
    const before = placed.find((one) => one.key === column.key)
    if (before) twice ??= { header: headers[index]!, other: before.header }
    const within = column.profile?.within?.headers.map((header) => names.indexOf(normal(header))).find((at) => at >= 0)
    placed.push({ ...column, index, header: headers[index]!, ...(within !== undefined && { withinIndex: within }) })
  }
  const given = new Set(placed.map(({ fieldKey }) => fieldKey))
  const missing = Object.entries(entity.fields)
    .filter(([key, field]) => field.kind !== 'file' && isRequired(field) && !given.has(key))
    .filter(([key]) => profile?.columns[key]?.otherwise === undefined)
    .filter(([key]) => !(parentGiven && key === entity.parent?.field))
    .map(([key]) => key)
  return { columns: placed, unknown, missing, profile, twice }
}

/** Remarks above the header, and lines with nothing in them. */
export const isBlank = (cells: readonly Cell[]) => cells.every((cell) => String(cell).trim() === '')
export const isRemark = (cells: readonly Cell[]) => String(cells[0] ?? '').startsWith('#')
