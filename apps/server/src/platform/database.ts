import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'
import { committingClaims } from './write-claim.ts'

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
  return new Kysely<Database>({
    dialect: {
      createDriver: () => committingClaims(dialect.createDriver()),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** Connects to PostgreSQL; `db.destroy()` closes the pool. */
export function connect(connectionString: string, options: pg.PoolConfig = {}) {
  const pool = poolFor(connectionString, options)
  // A lost connection is replaced by the pool, and what was asked on it fails; without listeners it would end the process:
  // the pool's own hears of those that are idle only, not of one between two statements of a transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return { db: kyselyOn(pool), pool }
}

/** Escapes what a person typed for use inside LIKE. */
export const likePattern = (typed: string) => `%${typed.replace(/[%_\\]/g, '\\$&')}%`
