import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { theOnly } from '#domain/must.ts'
import { StartError } from '#server/platform/postgres/start-error.ts'
import { type Migration, replacedMigrations, withBaseline } from './replaced-migrations.ts'
import { grantRuntimeRole } from './runtime-role.ts'

const migrationsDir = path.resolve(import.meta.dirname, '../../../migrations')
/** Arbitrary key of the advisory lock that makes servers starting together wait for each other. */
const lockKey = 7_262_001

export const migrationFiles = () =>
  fs
    .readdirSync(migrationsDir)
    .filter((name) => /^\d{4}_[\w-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = fs.readFileSync(path.join(migrationsDir, name), 'utf8')
      return { name, text, checksum: crypto.createHash('sha256').update(text).digest('hex') }
    })

/** Migrates the database to the newest schema: each file once, in order, in its own transaction. */
export async function migrate(connectionString: string, until = '9999'): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await client.query(register)
    const { rows } = await client.query<Migration>('SELECT name, checksum FROM schema_migrations')
    const files = migrationFiles()
    const applied = withBaseline(rows, files, 'database')
    const checksums = new Map(applied.map((row) => [row.name, row.checksum]))
    const changedFile = files.find((file) => checksums.has(file.name) && checksums.get(file.name) !== file.checksum)
    if (changedFile)
      throw new StartError(
        `Migration ${changedFile.name} was changed after it ran on this database. Add a new migration instead.`,
      )
    const unknownName = [...checksums.keys()].find((name) => !files.some((file) => file.name === name))
    if (unknownName)
      throw new StartError(
        `This database is newer than this program: it knows migration ${unknownName}. Update the program.`,
      )
    if (applied !== rows) await carryOver(client, applied)
    const pendingFiles = files.filter((file) => !checksums.has(file.name) && file.name.slice(0, 4) <= until)
    if (pendingFiles.length > 0) await removeTrials(client)
    for (const file of pendingFiles) await apply(client, file)
    await grantRuntimeRole(client)
    return pendingFiles.map((file) => file.name)
  } finally {
    await client.end()
  }
}

/**
 * Records the baseline in place of the migrations that it replaced, in one statement and so in one transaction. The time
 * of the first one stays: the health page shows it as the beginning of the installation.
 */
const carryOver = (client: pg.Client, applied: readonly Migration[]) =>
  client.query(
    `WITH replaced AS (DELETE FROM schema_migrations WHERE name = ANY ($1) RETURNING applied_at)
     INSERT INTO schema_migrations (name, checksum, applied_at)
     SELECT name, checksum, (SELECT min(applied_at) FROM replaced) FROM unnest($2::text[], $3::text[]) AS kept (name, checksum)
     ON CONFLICT DO NOTHING`,
    [
      replacedMigrations.map(({ name }) => name),
      applied.map(({ name }) => name),
      applied.map(({ checksum }) => checksum),
    ],
  )

/** Trials have their own tables, which migrations do not cover. */
async function removeTrials(client: pg.Client) {
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass('trials') IS NOT NULL AS exists")
  if (theOnly(rows).exists) await client.query('SELECT remove_trial(id, now()) FROM trials WHERE ended_at IS NULL')
}

type MigrationFile = ReturnType<typeof migrationFiles>[number]

const register = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`

async function apply(client: pg.Client, file: MigrationFile) {
  await client.query('BEGIN')
  try {
    await run(client, file)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw new Error(`Migration ${file.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function run(client: pg.Client, { name, text, checksum }: MigrationFile) {
  await client.query(text)
  await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [name, checksum])
}

/**
 * Runs exactly the migrations of a backup on an empty schema, within the client's transaction; the baseline in place of
 * those that it replaced.
 */
export async function migrateWithin(client: pg.Client, migrationsOfBackup: readonly Migration[]) {
  const files = new Map(migrationFiles().map((file) => [file.name, file]))
  const migrations = withBaseline(migrationsOfBackup, [...files.values()], 'backup')
  const known = migrations.map(({ name, checksum }) => {
    const file = files.get(name)
    if (!file) throw new StartError(`This program does not know migration ${name}. Update the program.`)
    if (file.checksum !== checksum) throw new StartError(`Migration ${name} is another one in this program.`)
    return file
  })
  await client.query(register)
  for (const file of known) await run(client, file)
}

/** Whether all migrations of this program are applied. */
export async function isMigrated(query: (text: string) => Promise<{ rows: { name: string }[] }>) {
  const { rows } = await query('SELECT name FROM schema_migrations')
  const appliedNames = new Set(rows.map((row) => row.name))
  return migrationFiles().every((file) => appliedNames.has(file.name))
}

/** Throws StartError unless a start of this program has migrated the database. */
export async function requireMigrated(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    if (!(await isMigrated((text) => client.query(text)).catch(() => false)))
      throw new StartError('The database is not that of this program yet: start PMB Online once, then try again.')
  } finally {
    await client.end()
  }
}

export async function createDatabaseIfMissing(maintenanceUrl: string, name: string) {
  const client = new pg.Client({ connectionString: maintenanceUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
