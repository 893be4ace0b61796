import { type RawBuilder, sql } from 'kysely'
import { columnName, declaredField, type Entity } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { titleOf } from '#server/list/row-titles.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isLimited, programmeVisibleTo } from '#server/platform/access/row-scope.ts'

/** `sql.raw` is safe here: every name below comes from a declaration, never from a request. */
export const column = (key: string, alias = 't') => sql.raw(`${alias}.${columnName(key)}`)

/** Condition for the rows the actor sees. A limited role may read rows without a programme, but not change them. */
export function scopeSql({ scope }: Entity, actor: Actor, forWrite = false): RawBuilder<boolean> {
  if (!scope || !isLimited(actor)) return sql`true`
  const scopeColumn = column(scope.field)
  if (scope.by === 'faculty')
    return sql`${scopeColumn} IN (SELECT p.faculty_id FROM study_programmes p WHERE ${programmeVisibleTo(actor, 'p.id')})`
  const isOwn = programmeVisibleTo(actor, `t.${columnName(scope.field)}`)
  return forWrite ? isOwn : sql`(${isOwn} OR ${scopeColumn} IS NULL)`
}

/** Title of the referenced row as a subquery, which runs only for the rows of one page. */
function referenceTitle(key: string, to: string) {
  const target = getEntity(to)
  return `(SELECT ${titleOf(target, 'r')} FROM ${target.table} r WHERE r.id = t.${columnName(key)})`
}

export const titleSql = (entity: Entity) => sql.raw(titleOf(entity, 't'))

export const referenceTitleSql = (key: string, to: string) => sql.raw(referenceTitle(key, to))

export const hintSql = (entity: Entity): RawBuilder<string | null> => {
  const parts = (entity.hintFields ?? (entity.fields.code && !entity.titleFields.includes('code') ? ['code'] : [])).map(
    (key) => {
      const field = declaredField(entity, key)
      return field.kind === 'reference' ? referenceTitle(key, field.to) : `t.${columnName(key)}`
    },
  )
  return sql.raw(parts.length === 0 ? 'NULL' : `concat_ws(' · ', ${parts.join(', ')})`)
}

/** Columns of a row: its fields and, in `titles`, the titles of referenced rows and the last editor's name. */
export function columnsOf(entity: Entity, { withTitles = true } = {}): RawBuilder<unknown> {
  const columns = ['t.id', 't.active', 't.version', 't.created_at', 't.updated_at']
  const titles = [`'updatedBy', (SELECT a.name FROM accounts a WHERE a.id = t.updated_by)`]
  for (const [key, field] of Object.entries(entity.fields)) {
    const name = columnName(key)
    if (field.kind === 'multiReference') {
      const { through, to } = field
      const target = getEntity(to)
      const from = `FROM ${through.table} x JOIN ${target.table} r ON r.id = x.${through.to}
        WHERE x.${through.from} = t.id ORDER BY ${titleOf(target, 'r')}`
      columns.push(`ARRAY(SELECT r.id::text ${from}) AS ${name}`)
      titles.push(`'${key}', ARRAY(SELECT ${titleOf(target, 'r')} ${from})`)
    } else if (field.kind === 'time') columns.push(`to_char(t.${name}, 'HH24:MI') AS ${name}`)
    else if (field.kind === 'moneyList') columns.push(`t.${name}::float8[] AS ${name}`)
    else columns.push(`t.${name}`)
    if (field.kind === 'reference') titles.push(`'${key}', ${referenceTitle(key, field.to)}`)
    if (field.kind === 'file') titles.push(`'${key}', (SELECT f.name FROM files f WHERE f.id = t.${name})`)
  }
  if (withTitles) columns.push(`jsonb_build_object(${titles.join(', ')}) AS titles`)
  return sql.raw(columns.join(', '))
}

/** Converts dates to ISO text, as in JSON. */
export const toRow = (storedRow: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(storedRow).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  ) as Row
