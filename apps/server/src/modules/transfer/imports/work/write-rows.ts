import { sql } from 'kysely'
import { columnName, type Entity, isStored } from '#entities/define/entity.ts'
import { columnType } from '#entities/define/sql.ts'
import { table } from '#server/list/row-titles.ts'
import { fieldOf } from '#server/modules/transfer/imports/import-columns.ts'
import type { PlannedRow } from '#server/modules/transfer/imports/plan/decide-row.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskTextSql } from '#server/platform/access/masks-sql.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { isCutShort, withoutSecrets } from '#server/platform/sensitive.ts'
import { columnsOf } from '#server/resource/columns.ts'

export type WriteBy = {
  actor: Actor
  now: Date /** Recorded in every row's history. */
  reason: string
  audit: boolean
}

type Columns = readonly { key: string; name: string; type: string }[]

function columnsFor(entity: Entity, keys: readonly string[]): Columns {
  return keys.map((key) => ({
    key,
    name: columnName(key),
    type: columnType(fieldOf(entity, key)),
  }))
}

const storedKeys = (entity: Entity, keys: Iterable<string>) =>
  [...keys].filter((key) => key === 'active' || (entity.fields[key] && isStored(entity.fields[key])))

const recordType = (columns: Columns) =>
  sql.raw(['id uuid', 'version integer', ...columns.map(({ name, type }) => `${name} ${type}`)].join(', '))

const jsonOf = (columns: Columns, rows: readonly PlannedRow[]) =>
  JSON.stringify(
    rows.map(({ id, input, before }) => ({
      id,
      version: before?.version ?? 1,
      ...Object.fromEntries(
        columns.map(({ key, name }) => [name, (key in input ? input[key] : before?.[key]) ?? null]),
      ),
    })),
  )

async function insertRows(tx: Db, entity: Entity, rows: readonly PlannedRow[], { actor, now }: WriteBy) {
  const columns = columnsFor(entity, storedKeys(entity, ['active', ...Object.keys(entity.fields)]))
  const names = columns.map(({ name }) => name)
  await sql`
    INSERT INTO ${table(entity)} (id, ${sql.raw(names.join(', '))}, created_at, updated_at, created_by, updated_by)
    SELECT x.id, ${sql.raw(names.map((name) => `x.${name}`).join(', '))}, ${now}, ${now}, ${actor.accountId}, ${actor.accountId}
    FROM jsonb_to_recordset(${jsonOf(columns, rows)}::jsonb) AS x (${recordType(columns)})`.execute(tx)
}

/** Updates rows; throws 409 if a row has changed since it was read. */
async function updateRows(tx: Db, entity: Entity, rows: readonly PlannedRow[], { actor, now }: WriteBy) {
  const columns = columnsFor(entity, storedKeys(entity, new Set(rows.flatMap(({ input }) => Object.keys(input)))))
  const sets = columns.map(({ name }) => `${name} = x.${name}, `).join('')
  const { numAffectedRows } = await sql`
    UPDATE ${table(entity)} t SET ${sql.raw(sets)} version = t.version + 1, updated_at = ${now}, updated_by = ${actor.accountId}
    FROM jsonb_to_recordset(${jsonOf(columns, rows)}::jsonb) AS x (${recordType(columns)})
    WHERE t.id = x.id AND t.version = x.version`.execute(tx)
  if (Number(numAffectedRows) !== rows.length) throw conflict('stale_version')
}

async function replaceJoins(tx: Db, entity: Entity, rows: readonly PlannedRow[]) {
  for (const [key, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'multiReference') continue
    const referencingRows = rows.filter(({ input }) => Array.isArray(input[key]))
    if (referencingRows.length === 0) continue
    const [through, from, to] = [field.through.table, field.through.from, field.through.to].map((name) =>
      sql.raw(columnName(name)),
    )
    await sql`DELETE FROM ${through} WHERE ${from} = ANY(${referencingRows.map(({ id }) => id)}::uuid[])`.execute(tx)
    const pairs = referencingRows.flatMap(({ id, input }) =>
      (input[key] as string[]).map((target) => [id, target] as const),
    )
    await sql`INSERT INTO ${through} (${from}, ${to})
      SELECT * FROM unnest(${pairs.map(([id]) => id)}::uuid[], ${pairs.map(([, target]) => target)}::uuid[])`.execute(
      tx,
    )
  }
}

/**
 * SQL for the audit entry of a row `x` read with `columnsOf`: does what `toRow` and `withoutSecrets` do, inside the
 * database.
 */
function auditSql(entity: Entity) {
  const iso = (name: string) =>
    sql`to_char(${sql.ref(`x.${name}`)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const parts = ['id', 'active', 'version', 'titles'].map((name) => sql`${sql.lit(name)}, ${sql.ref(`x.${name}`)}`)
  parts.push(sql`'createdAt', ${iso('created_at')}`, sql`'updatedAt', ${iso('updated_at')}`)
  for (const [key, field] of Object.entries(entity.fields)) {
    const name = columnName(key)
    const column = sql.ref(`x.${name}`)
    if (isCutShort(entity.slug, key))
      parts.push(sql`${sql.lit(key)}, CASE WHEN ${column} <> '' THEN ${maskTextSql(column)} ELSE ${column} END`)
    else parts.push(sql`${sql.lit(key)}, ${field.kind === 'dateTime' ? iso(name) : column}`)
  }
  return sql`jsonb_build_object(${sql.join(parts)})`
}

/** Inserts, in one statement, the audit entries a form would write. */
async function auditRows(
  tx: Db,
  entity: Entity,
  rows: readonly PlannedRow[],
  action: string,
  { actor, reason }: WriteBy,
) {
  const name = `${entity.slug}.${action}`
  const before = rows.flatMap((row) => (row.before ? [[row.id, withoutSecrets(row.before, entity.slug, name)]] : []))
  await sql`
    INSERT INTO audit_log (actor_id, actor_name, role_name, action, subject_type, subject_id, before, after, reason, ip, request_id)
    SELECT ${actor.accountId}, ${actor.name}, ${actor.role.name}, ${name}, ${entity.slug}, x.id,
      ${JSON.stringify(Object.fromEntries(before))}::jsonb -> x.id::text, ${auditSql(entity)}, ${reason},
      ${actor.request?.ip ?? null}, ${actor.request?.id ?? null}
    FROM (SELECT ${columnsOf(entity)} FROM ${table(entity)} t WHERE t.id = ANY(${rows.map(({ id }) => id)}::uuid[])) x`.execute(
    tx,
  )
}

/** Writes planned rows with a few statements, however many rows; skips unchanged ones. */
export async function writeRows(tx: Db, entity: Entity, rows: readonly PlannedRow[], by: WriteBy): Promise<void> {
  const created = rows.filter(({ action }) => action === 'new')
  const changed = rows.filter(({ action }) => action === 'changed')
  if (created.length > 0) await insertRows(tx, entity, created, by)
  if (changed.length > 0) await updateRows(tx, entity, changed, by)
  await replaceJoins(tx, entity, [...created, ...changed])
  if (!by.audit) return
  if (created.length > 0) await auditRows(tx, entity, created, 'create', by)
  if (changed.length > 0) await auditRows(tx, entity, changed, 'update', by)
}
