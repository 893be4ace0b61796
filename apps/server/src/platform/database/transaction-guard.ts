import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Db } from './database.ts'

/** The transaction the running code belongs to; `open` turns false when it ends. */
const currentTransaction = new AsyncLocalStorage<{ open: boolean }>()

/** Refused work, including errors hidden by a `catch`; tests expect this to be empty. */
export const slowWorkInTransactions: string[] = []

/**
 * Throws when called inside a transaction. Code that waits for a socket, a disk, another server or a hash calls it first:
 * a transaction holds one of few connections, and ten transactions waiting for slow phones would stop the whole server.
 * Transactions are watched only where `guardTransactions` is set (tests, `npm run dev`); elsewhere nothing throws.
 */
export function refuseInTransaction(work: string): void {
  if (!currentTransaction.getStore()?.open) return
  slowWorkInTransactions.push(work)
  throw new Error(
    `${work} inside a database transaction: do it before the transaction begins or after it ends (a test that holds a lock uses t.owner)`,
  )
}

/**
 * Makes `db.transaction()` known to `refuseInTransaction`. Inside one, a query on another connection is refused too:
 * ten transactions that each wait for an eleventh connection wait for each other. A test that holds a lock while others
 * work uses `t.owner`.
 */
export function watchTransactions(db: Db, pool: pg.Pool): void {
  watchedDatabases.add(db)
  const begin = db.transaction.bind(db)
  db.transaction = () => watchBuilder(begin())
  const connect = pool.connect.bind(pool)
  pool.connect = ((...args: Parameters<typeof connect>) => {
    refuseInTransaction('a query on another connection')
    return connect(...args)
  }) as typeof pool.connect
}

/** Databases whose transactions are watched. */
const watchedDatabases = new WeakSet<Db>()

/** Runs work while a cursor holds a connection of `db`; the work is watched like a transaction. */
export const whileHolding = <T>(db: Db, work: () => Promise<T>): Promise<T> =>
  watchedDatabases.has(db) ? currentTransaction.run({ open: true }, work) : work()

/** Starts every request outside any transaction, even one sent by a test that holds a lock. */
export function beginOutsideTransactions(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => currentTransaction.exit(done))
}

type Builder = ReturnType<Db['transaction']>

const watchBuilder = (builder: Builder): Builder =>
  new Proxy(builder, {
    get(target, name: keyof Builder) {
      if (name === 'execute')
        return (work: Parameters<Builder['execute']>[0]) =>
          target.execute((tx) => {
            const transaction = { open: true }
            return currentTransaction
              .run(transaction, async () => work(tx))
              .finally(() => {
                transaction.open = false
              })
          })
      return (...args: unknown[]) => watchBuilder((target[name] as (...args: unknown[]) => Builder)(...args))
    },
  })

/** Wraps an object so that its functions throw inside a transaction. */
export const outsideTransactions = <T extends object>(name: string, target: T): T =>
  new Proxy(target, {
    get(from, key) {
      const value = Reflect.get(from, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        refuseInTransaction(`${name}.${String(key)}`)
        return value.apply(from, args)
      }
    },
  })
