import { setTimeout as wait } from 'node:timers/promises'
import {
  type AccessMode,
  type Command,
  type IsolationLevel,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type QueryCreator,
  type RawBuilder,
  sql,
} from 'kysely'
import pg from 'pg'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { committingClaims } from '#server/platform/http/write-claim.ts'
import { collectingLaterWork } from './after-commit.ts'
import { columnNames } from './column-names.ts'
import { ArrayQueryCompiler, prepareStatements } from './prepared-statements.ts'
import type {} from './query-types.ts'
import type { Database } from './schema.ts'

export type { Database } from './schema.ts'

/**
 * Kysely on our tables. An interface of our own, because a Tx is passed as a Db everywhere; with Kysely's classes the
 * compiler compares every generic method for any database, which takes 20 seconds.
 */
export interface Db extends Pick<Kysely<Database>, Queries> {
  transaction(): TransactionBuilder
  startTransaction(): OpenTransactionBuilder
  connection(): { execute<T>(work: (db: Db) => Promise<T>): Promise<T> }
  withPlugin(plugin: KyselyPlugin): Db
  withoutPlugins(): Db
}
type Queries =
  | Exclude<keyof QueryCreator<Database>, 'withPlugin' | 'withoutPlugins' | 'withSchema'>
  | 'fn'
  | 'case'
  | 'isTransaction'
  | 'getExecutor'
  | 'executeQuery'
  | 'destroy'

export interface Tx extends Db {
  readonly isTransaction: true
  transaction(): never
  startTransaction(): never
  connection(): never
  destroy(): never
  withPlugin(plugin: KyselyPlugin): Tx
  withoutPlugins(): Tx
}

interface TransactionBuilder {
  setAccessMode(mode: AccessMode): TransactionBuilder
  setIsolationLevel(level: IsolationLevel): TransactionBuilder
  execute<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A transaction that the caller commits or rolls back; `Savepoints` names its open savepoints. */
export interface OpenTx<Savepoints extends string = never> extends Tx {
  readonly isCommitted: boolean
  readonly isRolledBack: boolean
  commit(): Command<void>
  rollback(): Command<void>
  savepoint<Name extends string>(name: Name extends Savepoints ? never : Name): Command<OpenTx<Savepoints | Name>>
  rollbackToSavepoint(name: Savepoints): Command<OpenTx<Savepoints>>
  releaseSavepoint<Name extends Savepoints>(name: Name): Command<OpenTx<Exclude<Savepoints, Name>>>
  withPlugin(plugin: KyselyPlugin): OpenTx<Savepoints>
  withoutPlugins(): OpenTx<Savepoints>
}

interface OpenTransactionBuilder {
  setAccessMode(mode: AccessMode): OpenTransactionBuilder
  setIsolationLevel(level: IsolationLevel): OpenTransactionBuilder
  execute(): Promise<OpenTx>
}

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
        typeParsers.get(oid) ?? pg.types.getTypeParser(oid, format),
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
      createQueryCompiler: () => new ArrayQueryCompiler(),
    },
    plugins: [columnNames],
  })
  return repeatingTransactions(db as unknown as Db)
}

/**
 * Serialization failure and deadlock: PostgreSQL rolled back this transaction in favour of another, so a repetition may
 * succeed.
 */
const conflictStates = new Set(['40001', '40P01'])
const maxAttempts = 3

/**
 * Repeats a transaction that a deadlock or serialization failure ended, up to three attempts in total. Since its
 * function may run several times, it must change nothing except rows.
 */
function repeatingTransactions(db: Db): Db {
  const begin = db.transaction.bind(db)
  db.transaction = () => repeating(begin())
  return db
}

function repeating(builder: ReturnType<Db['transaction']>) {
  const execute = builder.execute.bind(builder)
  builder.execute = async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await collectingLaterWork(() => execute(work))
      } catch (error) {
        if (attempt === maxAttempts || !conflictStates.has(String((error as { code?: unknown }).code))) throw error
        // Random wait, so that two transactions that blocked each other do not collide again.
        await wait(attempt * (10 + Math.random() * 40))
      }
    }
  }
  // Kysely returns another builder.
  const setIsolationLevel = builder.setIsolationLevel.bind(builder)
  builder.setIsolationLevel = (level) => repeating(setIsolationLevel(level))
  const setAccessMode = builder.setAccessMode.bind(builder)
  builder.setAccessMode = (mode) => repeating(setAccessMode(mode))
  return builder
}

export type ConnectOptions = pg.PoolConfig & { preparedStatements?: boolean }

/** A connection pool configured like the server's. */
export function openPool(connectionString: string, { preparedStatements = false, ...options }: ConnectOptions = {}) {
  const pool = poolFor(connectionString, options)
  // The pool replaces a lost connection and its query fails; an 'error' event without a listener would end the process.
  // The pool itself listens only on idle connections, not on one between two statements of a transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  leaveStandbys(pool)
  if (preparedStatements) prepareStatements(pool)
  return pool
}

/** Connects to PostgreSQL; `db.destroy()` closes the pool. */
export function connect(connectionString: string, options: ConnectOptions = {}) {
  const pool = openPool(connectionString, options)
  return { db: kyselyOn(pool), pool }
}

const readOnlyState = '25006'

/**
 * A server that became a standby keeps its connections and refuses every write. Such a connection is closed when it
 * returns to the pool, so the next one reaches the new primary.
 */
function leaveStandbys(pool: pg.Pool) {
  const standbyClients = new WeakSet<pg.ClientBase>()
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnlyState) standbyClients.add(client)
    })
  })
  // The pool checks whether a connection is closing only after it has emitted 'release'.
  pool.on('release', (_error, client) => {
    if (standbyClients.has(client)) (client as pg.Client).end().catch(() => {})
  })
}

/** Escapes typed text for use inside LIKE. */
export const likePattern = (text: string) => `%${text.replace(/[%_\\]/g, '\\$&')}%`
/** LIKE pattern for typed text within the `search_key` of a text. */
export const searchPattern = (typed: string) => likePattern(searchKeyOf(typed))
/** Whether a column or expression contains the typed text, ignoring case, accents and apostrophes. */
export const contains = (text: string | RawBuilder<unknown>, typed: string) =>
  sql<boolean>`search_key(${typeof text === 'string' ? sql.ref(text) : text}) LIKE ${searchPattern(typed)}`
