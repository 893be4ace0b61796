import type { Entity } from './entity.ts'
import type { Field } from './field.ts'

export type FieldValue = string | number | boolean | string[] | number[] | null
export type Titles = Record<string, string | string[] | null>
export type Row = {
  id: string
  active: boolean
  version: number
  createdAt: string
  updatedAt: string
  titles: Titles
} & { [field: string]: FieldValue | Titles }

/** Field kinds whose order is meaningful to a reader. */
const sortableKinds = new Set<Field['kind']>([
  'text',
  'code',
  'email',
  'integer',
  'decimal',
  'basisPoints',
  'money',
  'date',
  'dateTime',
  'time',
  'boolean',
  'choice',
  'reference',
])

/** Sortable fields. Sensitive ones are left out, since their order would reveal masked values. */
export const sortKeys = (entity: Entity): string[] => [
  ...Object.entries(entity.fields)
    .filter(([, field]) => sortableKinds.has(field.kind) && !field.sensitive)
    .map(([key]) => key),
  'active',
  'createdAt',
  'updatedAt',
]

const isFilter = (field: Field, key: string, entity: Entity) =>
  field.filter || (field.kind === 'reference' && key !== entity.parent?.field)

export const filterKeys = (entity: Entity): string[] =>
  Object.entries(entity.fields)
    .filter(([key, field]) => isFilter(field, key, entity))
    .map(([key]) => key)

/** Fields searched in choices. More users see choices than rows, so other fields are not searchable. */
export const optionKeys = ({ fields, titleFields, hintFields = [] }: Entity): string[] =>
  Object.entries(fields)
    .filter(
      ([key, { kind }]) => kind === 'code' || key.startsWith('name') || [...titleFields, ...hintFields].includes(key),
    )
    .map(([key]) => key)

/** Field that identifies a row for people: the code, otherwise the first unique field. */
export const codeFieldOf = (entity: Entity): string | undefined =>
  Object.entries(entity.fields).find(([, field]) => field.kind === 'code' || field.unique)?.[0]

/** `codeFieldOf`, unless the title already contains it. */
export function codeKeyOf(entity: Entity): string | undefined {
  const found = codeFieldOf(entity)
  return found && entity.titleFields.includes(found) ? undefined : found
}

/** List and file column for the code of the referenced row. */
export const codeColumn = (key: string, { label }: Field) => ({
  key: `${key}.code`,
  label: { en: `${label.en} code`, id: `Kode ${label.id.toLowerCase()}` },
})
