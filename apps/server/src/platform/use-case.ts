import type { Actor } from './access/authorization.ts'
import type { Tx } from './database/database.ts'
import type { Services } from './services.ts'

/** First parameter of functions that run inside a transaction; `now` is the time at which the transaction began. */
export type Context = { tx: Tx; services: Services; actor: Actor; now: Date }

/**
 * Opens a transaction and reads the clock once for it. Code that compares a deadline after waiting for a row lock reads
 * `services.clock` again, because `now` may be seconds older by then.
 */
export const inTransaction = <T>(
  services: Services,
  actor: Actor,
  work: (context: Context) => Promise<T>,
): Promise<T> => services.db.transaction().execute((tx) => work({ tx, services, actor, now: services.clock.now() }))
