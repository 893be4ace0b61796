import type { Actor } from './access/authorization.ts'
import type { Tx } from './database/database.ts'
import type { Services } from './services.ts'

/** What a use case needs inside its transaction. `now` is the time at which the transaction began. */
export type Context = { tx: Tx; services: Services; actor: Actor; now: Date }

/**
 * Opens a transaction and reads the clock once for it. A rule that compares a deadline after waiting for a row lock
 * reads `services.clock` again, because `now` may be seconds older.
 */
export const inTransaction = <T>(
  services: Services,
  actor: Actor,
  work: (context: Context) => Promise<T>,
): Promise<T> => services.db.transaction().execute((tx) => work({ tx, services, actor, now: services.clock.now() }))
