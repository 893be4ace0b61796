import { type Kysely, sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { Language } from '#entities/define/language.ts'

import { type Row, sortKeys } from '#entities/define/row.ts'
import { columnType } from '#entities/define/sql.ts'
import { getEntity } from '#entities/index.ts'
import { codedReferences, type EntityList } from '#entities/list-endpoints.ts'
import { valueIn } from '#server/list/columns.ts'
import type { Sort } from '#server/list/page.ts'
import { findTitle, joinTitles, orderByTitle, table } from '#server/list/row-titles.ts'
import type { ListSource } from '#server/list/serve-list.ts'
import type { Db } from '#server/platform/database/database.ts'
import { column, columnsOf, referenceTitleSql } from './columns.ts'
import { rulesOf, scopeOf } from './list-query.ts'
import { getRow } from './store.ts'

/** Sort order of a column; a reference sorts by the title of its row. */
function sortOf(key: string, field: Field | undefined): Sort {
  if (field?.kind === 'reference') return { by: referenceTitleSql(key, field.to), ...orderByTitle(field) }
  const type = field
    ? columnType(field)
        .replace(/^varchar/, 'text')
        .replace(/\(.*/, '')
    : ownTypes[key]
  return { by: column(key), ...(!field?.optional && { type: type as NonNullable<Sort['type']> }) }
}

const ownTypes: Record<string, string> = { active: 'boolean', createdAt: 'timestamptz', updatedAt: 'timestamptz' }

/** Cells for a file: titles instead of ids, names instead of keys, fractions instead of basis points. */
function cellsOf({ fields }: Entity, row: Row, language: Language) {
  const cells: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(fields)) {
    const value = row[key]
    if (value === null || value === undefined) continue
    if ('to' in field || field.kind === 'file') cells[key] = row.titles[key]
    else if (field.kind === 'multiChoice')
      cells[key] = (value as string[]).map((choice) => valueIn(field.choices, choice, language))
    else if (field.kind === 'basisPoints') cells[key] = Number(value) / 10_000
    else if (field.kind === 'decimal' && field.percent) cells[key] = Number(value) / 100
  }
  return cells
}

/** Source of an entity's lists. */
export function sourceOf(db: Db, entity: Entity): ListSource<EntityList, any, any, Row> {
  const { parent } = entity
  // Table names come from declarations here, so the generated row types do not apply.
  const untypedDb = db as unknown as Kysely<any>
  const codes = codedReferences(entity).map(({ key, field, to, code }) =>
    sql`(SELECT ${column(code, 'r')}::text FROM ${table(to)} r WHERE r.id = ${column(field)})`.as(key),
  )
  return {
    from: () => untypedDb.selectFrom(sql`${table(entity)}`.as('t')),
    scope: ({ actor, params }) => scopeOf(entity, actor, params?.parentId as string | undefined),
    filters: rulesOf(entity),
    rows: () =>
      untypedDb
        .selectFrom(sql`(SELECT ${columnsOf(entity)} FROM ${table(entity)} t)`.as('t'))
        .selectAll('t')
        .select(codes)
        .$castTo<Row>(),
    sorts: Object.fromEntries(sortKeys(entity).map((key) => [key, sortOf(key, entity.fields[key])])),
    id: sql`t.id`,
    planFor: ({ from, sort }) => joinTitles(from, entity, sort),
    toCells: (row, { language }) => cellsOf(entity, row, language),
    above: async ({ actor, language, params }) => {
      const id = params?.parentId as string | undefined
      if (!parent || !id) return undefined
      const parentEntity = getEntity(parent.slug)
      await getRow(db, parentEntity, { id, actor })
      return { label: parentEntity.label.one[language], value: (await findTitle(db, parentEntity, id)) ?? id }
    },
  }
}
