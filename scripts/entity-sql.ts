/**
 * Drafts an entity's table from its declaration: `npm run entity:sql -- fakultas jenjang …` (all if no names are
 * given). Paste the draft into a new migration and edit it there; nothing is created from it at run time.
 */
import { columnName, declaredField, type Entity, isStored } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'

import { columnType } from '#entities/define/sql.ts'
import { entities, getEntity } from '#entities/index.ts'

const quoteList = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')

function column(key: string, field: Field): string {
  const name = columnName(key)
  const parts = [name, columnType(field)]
  if (!field.optional) parts.push('NOT NULL')
  if (field.kind === 'boolean') parts.push(`DEFAULT ${field.default ?? false}`)
  if ((field.kind === 'integer' || field.kind === 'decimal') && field.default !== undefined)
    parts.push(`DEFAULT ${field.default}`)
  if (field.kind === 'choice' && field.default !== undefined && !field.optional)
    parts.push(`DEFAULT '${field.default}'`)
  if (field.kind === 'reference') parts.push(`REFERENCES ${getEntity(field.to).table} (id) ON DELETE RESTRICT`)
  if (field.kind === 'file') parts.push('REFERENCES files (id) ON DELETE RESTRICT')
  if (field.kind === 'choice') parts.push(`CHECK (${name} IN (${quoteList(Object.keys(field.choices))}))`)
  if (field.kind === 'multiChoice') parts.push(`CHECK (${name} <@ ARRAY[${quoteList(Object.keys(field.choices))}])`)
  if (field.kind === 'money') parts.push(`CHECK (${name} >= ${field.min ?? 0})`)
  if (field.kind === 'basisPoints') parts.push(`CHECK (${name} BETWEEN 1 AND 10000)`)
  if (field.kind === 'integer' || field.kind === 'decimal') {
    if (field.max !== undefined) parts.push(`CHECK (${name} BETWEEN ${field.min ?? 0} AND ${field.max})`)
    else parts.push(`CHECK (${name} >= ${field.min ?? 0})`)
  }
  return parts.join(' ')
}

function table(entity: Entity): string {
  const storedFields = Object.entries(entity.fields).filter(([, field]) => isStored(field))
  const lines = [
    'id uuid PRIMARY KEY DEFAULT gen_random_uuid()',
    ...storedFields.map(([key, field]) => column(key, field)),
    ...Object.entries(entity.moduleColumns ?? {}).map((column) => column.join(' ')),
    'active boolean NOT NULL DEFAULT true',
    'version integer NOT NULL DEFAULT 1',
    'created_at timestamptz NOT NULL DEFAULT now()',
    'updated_at timestamptz NOT NULL DEFAULT now()',
    'created_by uuid',
    'updated_by uuid',
    ...(entity.before ?? []).map(
      ([first, second]) =>
        `CHECK (${columnName(first)} ${declaredField(entity, first).kind === 'date' ? '<=' : '<'} ${columnName(second)})`,
    ),
    ...(entity.oneOf ?? []).map((group) => `CHECK (num_nonnulls(${group.map(columnName).join(', ')}) = 1)`),
  ]
  const indexes: string[] = []
  for (const [key, field] of storedFields) {
    const name = columnName(key)
    if (field.unique)
      indexes.push(
        `CREATE UNIQUE INDEX ${entity.table}_${name}_key ON ${entity.table} (lower(${name}) text_pattern_ops);`,
      )
    if (field.kind === 'reference' || field.kind === 'file')
      indexes.push(`CREATE INDEX ${entity.table}_${name} ON ${entity.table} (${name});`)
    if (entity.large && field.kind === 'text' && field.searchable !== false)
      indexes.push(
        `CREATE INDEX ${entity.table}_${name}_search ON ${entity.table} USING gin (search_key(${name}) gin_trgm_ops);`,
      )
  }
  for (const group of entity.uniqueTogether ?? []) {
    const columns = group.map((key) =>
      declaredField(entity, key).kind === 'text' ? `lower(${columnName(key)})` : columnName(key),
    )
    const nulls = group.some((key) => declaredField(entity, key).optional) ? ' NULLS NOT DISTINCT' : ''
    indexes.push(`CREATE UNIQUE INDEX ${entity.table}_one ON ${entity.table} (${columns.join(', ')})${nulls};`)
  }
  const joins = Object.values(entity.fields).flatMap((field) =>
    field.kind === 'multiReference'
      ? [
          `CREATE TABLE ${field.through.table} (
  ${field.through.from} uuid NOT NULL REFERENCES ${entity.table} (id) ON DELETE CASCADE,
  ${field.through.to} uuid NOT NULL REFERENCES ${getEntity(field.to).table} (id) ON DELETE RESTRICT,
  PRIMARY KEY (${field.through.from}, ${field.through.to})
);`,
          `CREATE INDEX ${field.through.table}_${field.through.to} ON ${field.through.table} (${field.through.to});`,
        ]
      : [],
  )
  return [`CREATE TABLE ${entity.table} (\n  ${lines.join(',\n  ')}\n);`, ...indexes, ...joins].join('\n')
}

const slugs = process.argv.slice(2)
const unknownSlugs = slugs.filter((slug) => !entities.some((entity) => entity.slug === slug))
if (unknownSlugs.length > 0) {
  console.error(`No such entity: ${unknownSlugs.join(', ')}.`)
  process.exit(1)
}
console.log((slugs.length > 0 ? slugs.map(getEntity) : entities).map(table).join('\n\n'))
