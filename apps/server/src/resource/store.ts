import { type Kysely, sql } from 'kysely'
import { columnName, declaredField, type Entity, isStored } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import type { Row } from '#entities/define/row.ts'
import { table } from '#server/list/row-titles.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { refuseSharedToLimited } from '#server/platform/database/shared-rows.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import { columnsOf, scopeSql, toRow } from './columns.ts'
import { explainRefusal, refuseProblems } from './refusals.ts'
import { usersOf } from './users.ts'

type Input = Record<string, unknown>
/** Context of a change; refusals are in `language`. */
export type Writing = { actor: Actor; language: Language; now: Date; parentId?: string }

/** Table names come from declarations here, so the generated row types do not apply. */
const untyped = (db: Db) => db as unknown as Kysely<any>

/** The row must be below `parentId` and in the actor's scope; with `NO KEY UPDATE` others may refer to it meanwhile. */
type RowQuery = { id: string; actor: Actor; parentId?: string | undefined; lock?: 'NO KEY UPDATE' | 'UPDATE' }

export async function findRow(db: Db, entity: Entity, { id, actor, parentId, lock }: RowQuery) {
  const belowParent =
    entity.parent && parentId ? sql`AND t.${sql.raw(columnName(entity.parent.field))} = ${parentId}` : sql``
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity)} FROM ${table(entity)} t
    WHERE t.id = ${id} AND ${scopeSql(entity, actor, lock !== undefined)} ${belowParent} ${sql.raw(lock ? `FOR ${lock} OF t` : '')}`.execute(
    db,
  )
  return rows[0] && toRow(rows[0])
}

export async function getRow(db: Db, entity: Entity, rowQuery: RowQuery): Promise<Row> {
  const row = await findRow(db, entity, rowQuery)
  if (!row) throw notFound(entity.slug)
  return row
}

/** Reads a written row back; throws if it is outside the writer's scope, which rolls the write back. */
async function writtenRow(tx: Db, entity: Entity, id: string, actor: Actor): Promise<Row> {
  const row = await findRow(tx, entity, { id, actor, lock: 'NO KEY UPDATE' })
  if (row) return row
  const field = entity.scope!.field
  throw field in entity.fields && field !== entity.parent?.field
    ? invalid({ [field]: 'outside_scope' })
    : new AppError(403, 'outside_scope')
}

const storedPart = (entity: Entity, input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => key === 'active' || isStored(declaredField(entity, key))))

async function replaceJoined(tx: Db, entity: Entity, id: string, input: Input) {
  for (const [key, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'multiReference' || !(key in input)) continue
    const { through } = field
    await untyped(tx).deleteFrom(through.table).where(through.from, '=', id).execute()
    const targets = [...new Set(input[key] as string[])]
    if (targets.length > 0)
      await untyped(tx)
        .insertInto(through.table)
        .values(targets.map((target) => ({ [through.from]: id, [through.to]: target })))
        .execute()
  }
}

export async function createRow(db: Db, entity: Entity, input: Input, { actor, language, now, parentId }: Writing) {
  refuseSharedToLimited(entity, actor)
  const row = { ...input, ...(entity.parent && { [entity.parent.field]: parentId }) }
  await refuseProblems(db, entity, row, language)
  const values = {
    ...storedPart(entity, row),
    createdAt: now,
    updatedAt: now,
    createdBy: actor.accountId || null,
    updatedBy: actor.accountId || null,
  }
  return explainRefusal(entity, () =>
    db.transaction().execute(async (tx) => {
      const { id } = await untyped(tx).insertInto(entity.table).values(values).returning('id').executeTakeFirstOrThrow()
      await replaceJoined(tx, entity, id, input)
      const after = await writtenRow(tx, entity, id, actor)
      await recordAudit(tx, actor, { action: `${entity.slug}.create`, on: { [entity.slug]: id }, after })
      return after
    }),
  )
}

type Change = { version: number; action: string; input: Input }

/** Changes a row if its version is still `version`; otherwise throws 409 `stale_version` with the current row. */
function changeRow(db: Db, entity: Entity, id: string, { version, action, input }: Change, writing: Writing) {
  const { actor, now, parentId } = writing
  refuseSharedToLimited(entity, actor)
  return explainRefusal(entity, () =>
    db.transaction().execute(async (tx) => {
      const before = await getRow(tx, entity, { id, actor, parentId, lock: 'NO KEY UPDATE' })
      if (before.version !== version) throw conflict('stale_version', { current: before })
      await untyped(tx)
        .updateTable(entity.table)
        .set({ ...storedPart(entity, input), version: version + 1, updatedAt: now, updatedBy: actor.accountId || null })
        .where('id', '=', id)
        .execute()
      await replaceJoined(tx, entity, id, input)
      const after = await writtenRow(tx, entity, id, actor)
      await recordAudit(tx, actor, { action: `${entity.slug}.${action}`, on: { [entity.slug]: id }, before, after })
      return after
    }),
  )
}

export async function updateRow(db: Db, entity: Entity, id: string, { version, ...input }: Input, writing: Writing) {
  await refuseProblems(db, entity, input, writing.language, id)
  return changeRow(db, entity, id, { version: version as number, action: 'update', input }, writing)
}

export const setRowActive = (db: Db, entity: Entity, id: string, active: boolean, version: number, writing: Writing) =>
  changeRow(db, entity, id, { version, action: active ? 'activate' : 'deactivate', input: { active } }, writing)

/** Deletes a row; throws 409 `in_use_by` with the kinds and numbers of rows that refer to it. */
export const removeRow = (db: Db, entity: Entity, id: string, { actor, language, parentId }: Writing) =>
  db.transaction().execute(async (tx) => {
    refuseSharedToLimited(entity, actor)
    const before = await getRow(tx, entity, { id, actor, parentId, lock: 'UPDATE' })
    const users = (await usersOf(tx, entity, [id], language)).get(id)
    if (users) throw conflict('in_use_by', { users })
    await untyped(tx).deleteFrom(entity.table).where('id', '=', id).execute()
    await recordAudit(tx, actor, { action: `${entity.slug}.delete`, on: { [entity.slug]: id }, before })
  })
