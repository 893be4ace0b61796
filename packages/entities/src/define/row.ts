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

/** Kinds whose values sort in a way that helps a reader. */
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

/** Not by sensitive values: their order tells what their readers may not see. */
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

/** Fields a choice is searched by. Choices are open to more people than rows, who must not guess other fields by searching. */
export const optionKeys = ({ fields, titleFields, hintFields = [] }: Entity): string[] =>
  Object.keys(fields).filter(
    (key) => fields[key]!.kind === 'code' || key.startsWith('name') || [...titleFields, ...hintFields].includes(key),
  )

/** Field by which people tell rows apart: their code, or another field no two rows share. */
export const codeFieldOf = (entity: Entity): string | undefined =>
  Object.entries(entity.fields).find(([, field]) => field.kind === 'code' || field.unique)?.[0]

/** The same where the title of a row does not hold it already. */
export function codeKeyOf(entity: Entity): string | undefined {
  const found = codeFieldOf(entity)
  return found && entity.titleFields.includes(found) ? undefined : found
}

/** The column of lists and sheets that holds the code of what a reference points to. */
export const codeColumn = (key: string, { label }: Field) => ({
  key: `${key}.code`,
  label: { en: `${label.en} code`, id: `Kode ${label.id.toLowerCase()}` },
})
