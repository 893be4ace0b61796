import { z } from 'zod'
import type { Schema } from '#domain/endpoint.ts'
import { defineList, type List, type ListColumn, type ListFilter } from '#domain/list.ts'
import { declaredField, type Entity, permissionOf } from './define/entity.ts'
import type { Field, FieldKind } from './define/field.ts'
import { oncePer } from './define/once.ts'

import { codeColumn, codeKeyOf, filterKeys, type Row, sortKeys } from './define/row.ts'
import { rowSchema } from './define/schema.ts'
import { getEntity } from './index.ts'

export type EntityList = List<
  string,
  Schema<Row>,
  Record<string, ListColumn>,
  Record<string, ListFilter>,
  never,
  z.ZodObject<{ parentId?: z.ZodUUID }>
>

const columnKinds: Partial<Record<FieldKind, NonNullable<ListColumn['kind']>>> = {
  integer: 'number',
  decimal: 'number',
  money: 'money',
  basisPoints: 'percent',
  date: 'date',
  dateTime: 'dateTime',
  boolean: 'yesNo',
}

function columnOf(entity: Entity, key: string): ListColumn {
  const field = declaredField(entity, key)
  const kind = field.kind === 'decimal' && field.percent ? 'percent' : columnKinds[field.kind]
  return {
    word: field.label,
    ...(kind && { kind }),
    ...('choices' in field && { words: field.choices }),
    ...(sortKeys(entity).includes(key) && { sort: true }),
    ...((!field.list || key === entity.parent?.field) && { hidden: true }),
    ...(field.sensitive && { masked: { as: 'text', without: permissionOf(entity, 'update'), evenOwn: true } }),
  }
}

/** References to rows with a code: lists include the code, so that an exported file can be imported again. */
export const codedReferences = ({ fields }: Entity) =>
  Object.entries(fields).flatMap(([key, field]) => {
    const code = field.kind === 'reference' && codeKeyOf(getEntity(field.to))
    return code ? [{ ...codeColumn(key, field), field: key, to: getEntity((field as { to: string }).to), code }] : []
  })

const activeWord = { en: 'Active', id: 'Aktif' }

function columnsOf(entity: Entity): Record<string, ListColumn> {
  const keys = Object.keys(entity.fields)
  // The first column cannot be hidden, so it is a title field, never the parent.
  const firstKey = entity.titleFields[0] ?? keys.find((key) => key !== entity.parent?.field)!
  const codes = new Map(codedReferences(entity).map((code) => [code.field, code]))
  const columns: Record<string, ListColumn> = {}
  for (const key of [firstKey, ...keys.filter((key) => key !== firstKey)]) {
    columns[key] = columnOf(entity, key)
    const code = codes.get(key)
    if (code) columns[code.key] = { word: code.label, hidden: true }
  }
  return {
    ...columns,
    active: { kind: 'yesNo', word: activeWord, sort: true },
    updatedAt: {
      kind: 'dateTime',
      word: { en: 'Last change', id: 'Perubahan terakhir' },
      sort: true,
      hidden: true,
    },
  }
}

function filterOf(field: Field): ListFilter {
  const { label: word } = field
  if (field.kind === 'boolean') return { word, kind: 'yesNo' }
  if (field.kind === 'choice') return { word, values: Object.keys(field.choices), words: field.choices }
  return field.kind === 'reference' ? { word, of: field.to } : { word, kind: 'text', most: 200 }
}

const filtersOf = (entity: Entity, keys: readonly string[]): Record<string, ListFilter> => ({
  active: { kind: 'yesNo', word: activeWord, quick: true },
  ...Object.fromEntries(keys.map((key) => [key, filterOf(declaredField(entity, key))])),
})

/** A row plus the codes of its references. */
const listedSchema = oncePer((entity: Entity) =>
  rowSchema(entity).extend(Object.fromEntries(codedReferences(entity).map(({ key }) => [key, z.string().nullable()]))),
)

/**
 * Lists of an entity, from its field declarations. `list` has the rows, for a nested entity those of one parent; `all`
 * has the rows of all parents and exists only for nested entities.
 */
export function listsOf(entity: Entity) {
  const { parent, slug, label } = entity
  const nouns = label.many.en.toLowerCase()
  const sharedOptions = {
    name: slug,
    access: permissionOf(entity, 'view'),
    words: { title: label.many },
    columns: columnsOf(entity),
    orders: ['createdAt'],
    order: entity.defaultSort,
  }
  const list = defineList({
    ...sharedOptions,
    path: parent ? `/master/${parent.slug}/:parentId/${parent.path}` : `/master/${slug}`,
    summary: `List ${nouns}${parent ? ` of one ${getEntity(parent.slug).label.one.en.toLowerCase()}` : ''}`,
    params: z.object(parent ? { parentId: z.uuid() } : {}),
    get row() {
      return listedSchema(entity)
    },
    filters: filtersOf(entity, filterKeys(entity)),
  })
  const all = defineList({
    ...sharedOptions,
    path: `/master/${slug}`,
    summary: `List ${nouns}, whatever they stand below`,
    get row() {
      return listedSchema(entity)
    },
    filters: filtersOf(entity, [...filterKeys(entity), ...(parent ? [parent.field] : [])]),
  })
  return { list, all } as unknown as Record<'list' | 'all', EntityList>
}
