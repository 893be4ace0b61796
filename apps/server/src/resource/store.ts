import { type Kysely, sql } from 'kysely'
import { columnName, type Entity, isStored } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import type { Locale } from '#locales/index.ts'
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
/** Where the change comes from: who, when, below which parent, and the language to refuse it in. */
export type Writing = { actor: Actor; language: Locale; now: Date; parentId?: string }

/** Tables are named by declarations here, so the generated row types cannot follow. */
const loosely = (db: Db) => db as unknown as Kysely<any>

/** Which row, as whom: `parentId` and the reader's scope must fit; `lock` holds it for a change. */
type Wanted = { id: string; actor: Actor; parentId?: string | undefined; lock?: boolean }

export async function findRow(db: Db, entity: Entity, { id, actor, parentId, lock = false }: Wanted) {
  const below = entity.parent && parentId ? sql`AND t.${sql.raw(columnName(entity.parent.field))} = ${parentId}` : sql``
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity)} FROM ${table(entity)} t
    WHERE t.id = ${id} AND ${scopeSql(entity, actor, lock)} ${below} ${sql.raw(lock ? 'FOR UPDATE OF t' : '')}`.execute(
    db,
  )
  return rows[0] && toRow(rows[0])
}

export async function getRow(db: Db, entity: Entity, wanted: Wanted): Promise<Row> {
  const row = await findRow(db, entity, wanted)
  if (!row) throw notFound(entity.slug)
  return row
}

/** The row as it was written, if its writer may have such a row. */
async function writtenRow(tx: Db, entity: Entity, id: string, actor: Actor): Promise<Row> {
  const row = await findRow(tx, entity, { id, actor, lock: true })
  if (row) return row
  const field = entity.scope!.field
  throw field in entity.fields && field !== entity.parent?.field
    ? invalid({ [field]: 'outside_scope' })
    : new AppError(403, 'outside_scope')
}

const storedPart = (entity: Entity, input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => key === 'active' || isStored(entity.fields[key]!)))

async function replaceJoined(tx: Db, entity: Entity, id: string, input: Input) {
  for (const [key, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'multiReference' || !(key in input)) continue
    const { through } = field
    await loosely(tx).deleteFrom(through.table).where(through.from, '=', id).execute()
    const targets = [...new Set(input[key] as string[])]
    if (targets.length > 0)
      await loosely(tx)
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
      const { id } = await loosely(tx).insertInto(entity.table).values(values).returning('id').executeTakeFirstOrThrow()
      await replaceJoined(tx, entity, id, input)
      const after = await writtenRow(tx, entity, id, actor)
      await recordAudit(tx, actor, `${entity.slug}.create`, { type: entity.slug, id }, { after })
      return after
    }),
  )
}

type Change = { version: number; action: string; input: Input }

/** Changes a row as long as nobody did since `version`; whoever comes second is shown the row as it is now. */
function changeRow(db: Db, entity: Entity, id: string, { version, action, input }: Change, by: Writing) {
  const { actor, now, parentId } = by
  refuseSharedToLimited(entity, actor)
  return explainRefusal(entity, () =>
    db.transaction().execute(async (tx) => {
      const before = await getRow(tx, entity, { id, actor, parentId, lock: true })
      if (before.version !== version) throw conflict('stale_version', { current: before })
      await loosely(tx)
        .updateTable(entity.table)
        .set({ ...storedPart(entity, input), version: version + 1, updatedAt: now, updatedBy: actor.accountId || null })
        .where('id', '=', id)
        .execute()
      await replaceJoined(tx, entity, id, input)
      const after = await writtenRow(tx, entity, id, actor)
      await recordAudit(tx, actor, `${entity.slug}.${action}`, { type: entity.slug, id }, { before, after })
      return after
    }),
  )
}

export async function updateRow(db: Db, entity: Entity, id: string, { version, ...input }: Input, by: Writing) {
  await refuseProblems(db, entity, input, by.language, id)
  return changeRow(db, entity, id, { version: version as number, action: 'update', input }, by)
}

export const setRowActive = (db: Db, entity: Entity, id: string, active: boolean, version: number, by: Writing) =>
  changeRow(db, entity, id, { version, action: active ? 'activate' : 'deactivate', input: { active } }, by)

/** Refused while anything points to the row; the refusal says everything that does. */
export const removeRow = (db: Db, entity: Entity, id: string, { actor, language, parentId }: Writing) =>
  db.transaction().execute(async (tx) => {
    refuseSharedToLimited(entity, actor)
    const before = await getRow(tx, entity, { id, actor, parentId, lock: true })
    const users = (await usersOf(tx, entity, [id], language)).get(id)
    if (users) throw conflict('in_use_by', { users })
    await loosely(tx).deleteFrom(entity.table).where('id', '=', id).execute()
    await recordAudit(tx, actor, `${entity.slug}.delete`, { type: entity.slug, id }, { before })
  })
