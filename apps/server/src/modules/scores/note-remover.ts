import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Names who takes scores away and when, for the versions that the database keeps of them. Lasts for the transaction. */
export const noteRemover = (tx: Tx, { accountId }: Pick<Actor, 'accountId'>, now: Date) =>
  sql`SELECT set_config('pmb.removed_by', ${accountId}, true),
    set_config('pmb.removed_at', ${now.toISOString()}, true)`.execute(tx)
