import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/** Lets the rest of the transaction group, join and sort a whole season in memory; PostgreSQL's default is 4 MB. */
export const giveMoreMemory = (tx: Tx) => sql`SET LOCAL work_mem = '64MB'`.execute(tx)

/** Runs reads in a separate transaction with more memory. */
export const withMoreMemory = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await giveMoreMemory(tx)
      return read(tx)
    })
