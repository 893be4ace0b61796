import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Db } from './database.ts'

/** Whether the code that runs now was called by a transaction that is still open. */
const held = new AsyncLocalStorage<{ open: boolean }>()

/** What ran inside a transaction although it may not, also where a `catch` hid the error; tests read it. */
export const slowWorkInTransactions: string[] = []

/**
 * Throws when called inside a transaction. Whatever waits for a socket, a disk, another server or a hash calls it first:
 * a transaction holds one of few connections, and ten of them waiting for slow phones would stop the whole server.
 * Transactions are watched only where `guardTransactions` is set (tests, `npm run dev`); elsewhere nothing throws.
 */
export function refuseInTransaction(work: string): void {
  if (!held.getStore()?.open) return
  slowWorkInTransactions.push(work)
  throw new Error(
    `${work} inside a database transaction: do it before the transaction begins or after it ends (a test that holds a lock uses t.owner)`,
  )
}

/**
 * Makes `db.transaction()` known to `refuseInTransaction`. Inside one, a query on another connection is refused too: ten
 * transactions that each wait for an eleventh connection wait for each other. A test that holds a lock while others work
 * does so with `t.owner`.
 */
export function watchTransactions(db: Db, pool: pg.Pool): void {
  const begin = db.transaction.bind(db)
  db.transaction = () => watched(begin())
  const connect = pool.connect.bind(pool)
  pool.connect = ((...given: Parameters<typeof connect>) => {
    refuseInTransaction('a query on another connection')
    return connect(...given)
  }) as typeof pool.connect
}

/** A request begins outside of any transaction, also one that a test sends while it holds a lock. */
export function beginOutsideTransactions(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => held.exit(done))
}

type Builder = ReturnType<Db['transaction']>

const watched = (builder: Builder): Builder =>
  new Proxy(builder, {
    get(target, name: keyof Builder) {
      if (name === 'execute')
        return (work: Parameters<Builder['execute']>[0]) =>
          target.execute((tx) => {
            const transaction = { open: true }
            return held
              .run(transaction, async () => work(tx))
              .finally(() => {
                transaction.open = false
              })
          })
      return (...given: unknown[]) => watched((target[name] as (...all: unknown[]) => Builder)(...given))
    },
  })

/** The same object; each of its functions throws inside a transaction. */
export const outsideTransactions = <T extends object>(name: string, target: T): T =>
  new Proxy(target, {
    get(from, key) {
      const value = Reflect.get(from, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        refuseInTransaction(`${name}.${String(key)}`)
        return value.apply(from, given)
      }
    },
  })
