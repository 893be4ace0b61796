import type pg from 'pg'
import { type ConnectOptions, connect, kyselyOn, openPool } from '#server/platform/database/database.ts'

/** Idle pools, by what they connect to and how. */
const shelves = new Map<string, pg.Pool[]>()

const keyOf = (connectionString: string, options: ConnectOptions) => JSON.stringify([connectionString, options])

/**
 * Connects through a pool opened by earlier tests, because PostgreSQL reads the catalogue and plans again for each new
 * connection; `db.destroy()` returns the pool with its connections open. A trial's schema never returns, so its pool is
 * closed.
 */
export const lendConnections: typeof connect = (connectionString, options = {}) => {
  if (new URL(connectionString).searchParams.get('options')?.includes('search_path='))
    return connect(connectionString, options)
  const key = keyOf(connectionString, options)
  const shelf = shelves.get(key) ?? []
  shelves.set(key, shelf)
  const pool =
    shelf.pop() ??
    openPool(connectionString, { ...options, idleTimeoutMillis: 0, maxLifetimeSeconds: 0, allowExitOnIdle: true })
  const lent = {
    connect: (...args: []) => pool.connect(...args),
    async end() {
      await allIdle(pool)
      shelf.push(pool)
    },
  } as unknown as pg.Pool
  return { db: kyselyOn(lent), pool: lent }
}

/** Closes the lent pools of a database that is no longer used. */
export async function closeConnections(connectionString: string): Promise<void> {
  for (const [key, shelf] of shelvesOf(connectionString)) {
    shelves.delete(key)
    for (const pool of shelf) await pool.end()
  }
}

/**
 * Connections a pool keeps between two files; keeping those of twenty parallel callers would add up to
 * `max_connections`.
 */
export const keptConnections = 4

/** Closes all but one lent pool of each kind, and all but a few of its connections. */
export async function closeSpareConnections(connectionString: string): Promise<void> {
  for (const [, shelf] of shelvesOf(connectionString)) {
    for (const pool of shelf.splice(1)) await pool.end()
    for (const pool of shelf) await shrink(pool)
  }
}

async function shrink(pool: pg.Pool) {
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()))
  for (const [i, client] of idle.entries()) client.release(i >= keptConnections)
}

const shelvesOf = (connectionString: string) =>
  [...shelves].filter(([key]) => isSameDatabase(JSON.parse(key)[0], connectionString))

/** The URLs of owner and runtime role differ only in their parameters. */
const isSameDatabase = (one: string, other: string) => new URL(one).pathname === new URL(other).pathname

/** Waits up to five seconds until the pool's connections are all idle. */
async function allIdle(pool: pg.Pool) {
  for (let waitedMs = 0; pool.idleCount < pool.totalCount; waitedMs += 10) {
    if (waitedMs > 5_000) throw new Error('A test left a query or a transaction open on its database')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
