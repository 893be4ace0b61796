import { sql } from 'kysely'
import { columnName, type Entity } from '#entities/define/entity.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Every name below comes from a declaration, never from a request: that is what makes `sql.raw` safe here. */
export const table = (entity: Entity) => sql.raw(entity.table)

/** SQL of what a row of an entity is called, under the name its table has in the query. */
export const titleOf = (entity: Entity, alias: string) =>
  entity.titleFields.length === 0
    ? `''`
    : `concat_ws(' · ', ${entity.titleFields.map((key) => `${alias}.${columnName(key)}`).join(', ')})`

/** What one row of an entity is called; nothing where there is none. */
export async function findTitle(db: Db, entity: Entity, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ title: string }>`
    SELECT ${sql.raw(titleOf(entity, 't'))} AS title FROM ${table(entity)} t WHERE t.id = ${id}`.execute(db)
  return rows[0]?.title
}
