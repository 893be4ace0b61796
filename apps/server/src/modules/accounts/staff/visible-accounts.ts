import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { accountsVisibleTo } from '#server/platform/row-scope.ts'

export async function isVisible(db: Db, actor: Actor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(accountsVisibleTo(actor))
    .executeTakeFirst()
  return row !== undefined
}
