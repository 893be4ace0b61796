import type { Actor } from '#server/platform/access/authorization.ts'
import { accountsVisibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

export async function isVisible(db: Db, actor: Actor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(accountsVisibleTo(actor))
    .executeTakeFirst()
  return row !== undefined
}
