import crypto from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import tar from 'tar-stream'
import { theOnly } from '#domain/must.ts'
import { migrateWithin } from '#server/platform/database/migrate.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { StartError } from '#server/platform/postgres/start-error.ts'
import {
  filePrefix,
  jobsName,
  type Manifest,
  manifestName,
  manifestSchema,
  type WaitingJob,
  waitingJob,
} from './manifest.ts'
import { copyIn, readOut, type Table, tablesOf, textFormat } from './tables.ts'
import { markUnfinished } from './unfinished-restore.ts'

type Options = {
  from: string
  /** Login of the database owner. */
  connectionString: string
  files: FileStore
  /** Drops the current contents of the database first. */
  replace?: boolean
}

export type Counter = { kind: string; scope: string; value: number }

export type Restored = {
  manifest: Manifest
  jobs: WaitingJob[]
  /** Counters of the replaced database; empty if there was none or they could not be read. */
  countersBefore: Counter[]
}

/**
 * Restores a backup in one transaction, committed only if every table reads back with the backup's row count and hash.
 * The caller then runs newer migrations, adds the waiting jobs and moves the counters, which are as old as the backup;
 * until then no server starts on the database.
 */
export async function restoreBackup({ from, connectionString, files, replace = false }: Options): Promise<Restored> {
  const manifest = await checkArchive(from)
  const client = new pg.Client({ connectionString, application_name: 'pmb-restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(textFormat)
    const countersBefore = replace ? await readCounters(client) : []
    await makeRoom(client, replace)
    await migrateWithin(client, manifest.migrations)
    await requireSameTables(client, manifest)
    const references = await setRulesAside(client)
    const jobs = await load(client, { from, manifest, files })
    for (const { name, value } of manifest.sequences)
      await client.query('SELECT setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), value])
    await putRulesBack(client, references)
    await requireSameRows(client, manifest)
    await markUnfinished(client)
    await client.query('COMMIT')
    await client.query('ANALYZE')
    return { manifest, jobs, countersBefore }
  } finally {
    // Ending the connection rolls back unless COMMIT succeeded.
    await client.end().catch(() => {})
  }
}

const damageError = (damage: string) => new StartError(`The backup is damaged: ${damage}. Nothing was changed.`)

/** Reads the whole archive once before any change. */
export async function checkArchive(from: string): Promise<Manifest> {
  if (!fs.existsSync(from)) throw new StartError(`There is no file ${from}.`)
  const { hashes, text } = await readArchive(from).catch((error: Error) => {
    throw damageError(error.message)
  })
  if (text === undefined) throw damageError('its end is missing')
  const manifest = manifestSchema.safeParse(JSON.parse(text))
  if (!manifest.success) throw damageError('its list of contents cannot be read; it may come from a newer program')
  for (const { name, sha256 } of manifest.data.members)
    if (hashes.get(name) !== sha256) throw damageError(hashes.has(name) ? `${name} was changed` : `${name} is missing`)
  return manifest.data
}

async function readArchive(from: string) {
  const hashes = new Map<string, string>()
  let text: string | undefined
  for await (const { name, stream } of membersOf(from)) {
    if (name === manifestName) {
      text = (await buffer(stream)).toString('utf8')
      continue
    }
    const hash = crypto.createHash('sha256')
    for await (const piece of stream) hash.update(piece)
    hashes.set(name, hash.digest('hex'))
  }
  return { hashes, text }
}

async function* membersOf(from: string): AsyncGenerator<{ name: string; stream: Readable }> {
  const extract = tar.extract()
  const unpacking = pipeline(fs.createReadStream(from), createGunzip(), extract)
  // The loop below reports the same error; unhandled here it would end the process.
  unpacking.catch(() => {})
  for await (const entry of extract) yield { name: entry.header.name, stream: entry as unknown as Readable }
  await unpacking
}

/** Counters of the database before it is replaced; empty if it is empty, damaged or has no counters yet. */
async function readCounters(client: pg.Client): Promise<Counter[]> {
  await client.query('SAVEPOINT counters')
  try {
    const { rows } = await client.query<Counter & { value: string }>(
      `SELECT kind, scope, value::text AS value FROM number_counters
       UNION ALL SELECT 'school', '', coalesce(last_value, 0)::text FROM pg_sequences
       WHERE schemaname = 'public' AND sequencename = 'school_provisional_numbers'`,
    )
    return rows.map((row) => ({ ...row, value: Number(row.value) }))
  } catch {
    await client.query('ROLLBACK TO SAVEPOINT counters')
    return []
  }
}

async function makeRoom(client: pg.Client, replace: boolean) {
  const { rows } = await client.query<{ tables: number; others: number }>(`
    SELECT (SELECT count(*)::int FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('public', 'pgboss') AND c.relkind IN ('r', 'p')) AS tables,
      (SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend') AS others`)
  const { tables, others: otherConnections } = theOnly(rows)
  if (otherConnections > 0)
    throw new StartError(`${otherConnections} other connections use this database. Stop every server and worker first.`)
  if (tables === 0) return
  if (!replace)
    throw new StartError(
      'The database is not empty. Restore into an empty one, or add --replace to lose what is in it.',
    )
  const { rows: trials } = await client.query<{ name: string }>(
    "SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^trial_[0-9a-f]{32}$'",
  )
  for (const { name } of trials) await client.query(`DROP SCHEMA ${name} CASCADE`)
  await client.query("SET LOCAL lock_timeout = '10s'; DROP SCHEMA IF EXISTS pgboss CASCADE; DROP SCHEMA public CASCADE")
  await client.query('CREATE SCHEMA public')
}

async function requireSameTables(client: pg.Client, manifest: Manifest) {
  const tables = new Map((await tablesOf(client)).map(({ name, columns }) => [name, columns.toSorted().join()]))
  for (const { name, columns } of manifest.tables)
    if (tables.get(name) !== columns.toSorted().join())
      throw new StartError(`The table ${name} of the backup does not look like the one of its migrations.`)
}

type Reference = { table: string; name: string; definition: string }

/**
 * Drops foreign keys, disables triggers and empties the tables, since migrations insert rows. Tables can then be loaded
 * in any order with no right beyond ownership; `putRulesBack` checks all references at once.
 */
async function setRulesAside(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0 ORDER BY 1, 2`)
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  const tables = (await tablesOf(client)).map(({ name }) => pg.escapeIdentifier(name))
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await client.query(`TRUNCATE ${tables.join(', ')}`)
  return rows
}

async function putRulesBack(client: pg.Client, references: readonly Reference[]) {
  for (const { table, name, definition } of references)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  for (const { name } of await tablesOf(client))
    await client.query(`ALTER TABLE ${pg.escapeIdentifier(name)} ENABLE TRIGGER USER`)
}

type Source = { from: string; manifest: Manifest; files: FileStore }

/** Second pass over the archive: loads rows into tables and files into the store; returns the jobs. */
async function load(client: pg.Client, { from, manifest, files }: Source): Promise<WaitingJob[]> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  const mimes = new Map(manifest.files.map(({ key, mime }) => [key, mime]))
  const jobs: WaitingJob[] = []
  let current: { table: Table; into: TableLoader } | undefined
  const close = async () => {
    await current?.into.end()
    current = undefined
  }
  for await (const { name, stream } of membersOf(from)) {
    const [, tableName] = /^tables\/([^/]+)\//.exec(name) ?? []
    const table = tableName ? tables.get(tableName) : undefined
    if (table !== current?.table) await close()
    if (table) {
      current ??= { table, into: openLoader(client, table) }
      for await (const piece of stream) await current.into.write(piece)
    } else if (name.startsWith(filePrefix)) {
      const key = name.slice(filePrefix.length)
      await files.put(key, await buffer(stream), mimes.get(key) ?? 'application/octet-stream')
    } else if (name === jobsName) {
      const lines = (await buffer(stream)).toString('utf8').trim().split('\n')
      jobs.push(...lines.map((line) => waitingJob.parse(JSON.parse(line))))
    } else stream.resume()
  }
  await close()
  return jobs
}

type TableLoader = { write(piece: Buffer): Promise<void>; end(): Promise<void> }

function openLoader(client: pg.Client, table: Table): TableLoader {
  const stream: CopyStreamQuery = client.query(copyFrom(copyIn(table)))
  const end = finished(stream)
  end.catch(() => {})
  return {
    async write(piece) {
      if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), end])
    },
    async end() {
      stream.end()
      await end
    },
  }
}

/** Reads every table back; throws if its row count or hash differs from the backup. */
async function requireSameRows(client: pg.Client, manifest: Manifest) {
  for (const { rows, sha256, ...table } of manifest.tables) {
    const restoredTable = await readOut(client, table, () => {})
    if (restoredTable.rows !== rows || restoredTable.sha256 !== sha256)
      throw new Error(
        `${table.name} has ${restoredTable.rows} rows that differ from the ${rows} of the backup. Nothing was changed.`,
      )
  }
}
