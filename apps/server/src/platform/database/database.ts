import { setTimeout as wait } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { committingClaims } from '#server/platform/http/write-claim.ts'
import type { Database } from './schema.ts'

export type { Database } from './schema.ts'
export type Db = Kysely<Database>
export type Tx = Transaction<Database>

const { builtins } = pg.types
const asText = (value: string) => value

/** bigint and numeric columns hold whole rupiah, counts and scores: all far below 2^53. */
const typeParsers = new Map<number, (value: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, asText],
])

export const poolFor = (connectionString: string, options: pg.PoolConfig = {}) =>
  new pg.Pool({
    connectionString,
    max: 10,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        typeParsers.get(oid) ?? pg.types.getTypeParser(oid, format as never),
    } as pg.CustomTypesConfig,
    ...options,
  })

export function kyselyOn(pool: pg.Pool): Db {
  const dialect = new PostgresDialect({ pool })
  const db = new Kysely<Database>({
    dialect: {
      createDriver: () => committingClaims(dialect.createDriver()),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  return repeatingTransactions(db)
}

/** PostgreSQL ends a transaction with these for the sake of another one, and undoes it: run once more it may pass. */
const endedForAnother = new Set(['40001', '40P01'])
const mostAttempts = 3

/**
 * Transactions that PostgreSQL ended in a deadlock are run again before anybody hears of it; its log tells of each.
 * The work of a transaction may therefore run several times: it changes nothing but rows.
 */
function repeatingTransactions(db: Db): Db {
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const builder = begin()
    const execute = builder.execute.bind(builder)
    builder.execute = async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await execute(work)
        } catch (error) {
          if (attempt === mostAttempts || !endedForAnother.has(String((error as { code?: unknown }).code))) throw error
          // Of two transactions that blocked each other, the first one to try again passes.
          await wait(attempt * (10 + Math.random() * 40))
        }
      }
    }
    return builder
  }
  return db
}

/** Connects to PostgreSQL; `db.destroy()` closes the pool. */
export function connect(connectionString: string, options: pg.PoolConfig = {}) {
  const pool = poolFor(connectionString, options)
  // A lost connection is replaced by the pool, and what was asked on it fails; without listeners it would end the process:
  // the pool's own hears of those that are idle only, not of one between two statements of a transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  leaveStandbys(pool)
  return { db: kyselyOn(pool), pool }
}

const readOnlyServer = '25006'

/**
 * A server that was made a standby keeps its connections and refuses every write on them. Such a connection is closed
 * when it comes back to the pool, so that the next one leads to whoever took over.
 */
function leaveStandbys(pool: pg.Pool) {
  const refused = new WeakSet<pg.ClientBase>()
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnlyServer) refused.add(client)
    })
  })
  // The pool looks whether a connection is ending only after it has told of its release.
  pool.on('release', (_error, client) => {
    if (refused.has(client)) (client as pg.Client).end().catch(() => {})
  })
}

/** Escapes what a person typed for use inside LIKE. */
export const likePattern = (typed: string) => `%${typed.replace(/[%_\\]/g, '\\$&')}%`
