import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

const askersOf = (ofLine: boolean) =>
  sql<string[]>`ARRAY(SELECT account_id FROM approval_askers(q.id) WHERE of_line = ${sql.lit(ofLine)})`

/**
 * Columns of a request `q`: accounts that asked for it, and accounts that asked to record the statement line behind it.
 */
export const askerColumns = [askersOf(false).as('askedBy'), askersOf(true).as('lineAskedBy')] as const

/** Accounts that may not decide a request because they asked for it. */
export const readAskers = (db: Db, id: string) =>
  db.selectFrom('approvalRequests as q').select(askerColumns).where('q.id', '=', id).executeTakeFirstOrThrow()
