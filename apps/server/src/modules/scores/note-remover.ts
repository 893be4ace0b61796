import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Tells the database's version history who removes scores and when, until the end of the transaction. */
export const noteRemover = (tx: Tx, { accountId }: Pick<Actor, 'accountId'>, now: Date) =>
  sql`SELECT set_config('pmb.removed_by', ${accountId}, true),
    set_config('pmb.removed_at', ${now.toISOString()}, true)`.execute(tx)
