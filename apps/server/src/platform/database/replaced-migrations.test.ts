import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { restoreBackup } from '#server/platform/backup/restore-backup.ts'
import { writeBackup } from '#server/platform/backup/write-backup.ts'
import { localStore } from '#server/platform/files/file-store.ts'
import { StartError } from '#server/platform/postgres/start-error.ts'
import { asOwner, createDatabase, dropDatabase, freshDatabase } from '#server-test/database.ts'
import { readCatalog, readRows } from '#server-test/read-catalog.ts'
import { withUrlChanged } from './database-url.ts'
import { isMigrated, migrate, migrationFiles } from './migrate.ts'
import { replacedMigrations, withBaseline } from './replaced-migrations.ts'

vi.setConfig({ testTimeout: 120_000 })

let url: string
let giveBack: () => Promise<void>
beforeEach(async () => {
  ;({ connectionString: url, giveBack } = await freshDatabase())
})
const emptyNames: string[] = []
afterEach(async () => {
  for (const name of emptyNames.splice(0)) await dropDatabase(url, name)
  await giveBack()
})

async function emptyDatabase() {
  const name = `pmb_test_empty_${process.pid}_${emptyNames.length}`
  emptyNames.push(name)
  await createDatabase(url, name, 'template0')
  return withUrlChanged(url, (parts) => {
    parts.pathname = `/${name}`
  })
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-replaced-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

type Applied = { name: string; checksum: string }
const present = migrationFiles().map(({ name, checksum }) => ({ name, checksum }))
/** Those and the migrations since the baseline, whose tables the database of a test has too. */
const replacedAndNewer = [...replacedMigrations, ...present.filter(({ name }) => name > '0025_operations.sql')].sort(
  (one, other) => (one.name < other.name ? -1 : 1),
)
const first = new Date('2026-01-05T00:00:00Z')

const readApplied = async (client: pg.Client) =>
  (await client.query<Applied>('SELECT name, checksum FROM schema_migrations ORDER BY name')).rows

/** Makes the database one of an earlier program, to which these migrations were applied. */
async function applyInstead(client: pg.Client, migrations: readonly Applied[]) {
  await client.query('DELETE FROM schema_migrations')
  for (const [index, { name, checksum }] of migrations.entries())
    await client.query('INSERT INTO schema_migrations VALUES ($1, $2, $3)', [
      name,
      checksum,
      new Date(first.getTime() + index * 1000),
    ])
}
const beforeBaseline = (migrations: readonly Applied[] = replacedAndNewer) =>
  asOwner(url, (client) => applyInstead(client, migrations))

const expectRefused = async (message: RegExp) => {
  const before = await asOwner(url, readApplied)
  const error = await migrate(url).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).toMatch(message)
  expect(await asOwner(url, readApplied)).toEqual(before)
}

describe('a database with all replaced migrations', () => {
  test('has those of the baseline afterwards, its rows, and the time at which it began', async () => {
    await beforeBaseline()
    const rowsBefore = await asOwner(url, readRows)
    expect(await migrate(url)).toEqual([])
    await asOwner(url, async (client) => {
      expect(await readApplied(client)).toEqual(present)
      expect(await readRows(client)).toEqual(rowsBefore)
      expect((await client.query('SELECT min(applied_at) AS at FROM schema_migrations')).rows).toEqual([{ at: first }])
      expect(await isMigrated((text) => client.query(text))).toBe(true)
    })
    expect(await migrate(url)).toEqual([])
  })

  test('and a later one keeps that one', () => {
    const later = { name: '9998_later.sql', checksum: 'x' }
    expect(withBaseline([...replacedAndNewer, later], [...present, later], 'database')).toEqual([...present, later])
  })

  test('is not ready before it is carried over', async () => {
    await beforeBaseline()
    await asOwner(url, async (client) => expect(await isMigrated((text) => client.query(text))).toBe(false))
  })

  test('is carried over once by two servers that start together', async () => {
    await beforeBaseline()
    expect(await Promise.all([migrate(url), migrate(url)])).toEqual([[], []])
    expect(await asOwner(url, readApplied)).toEqual(present)
  })

  test('keeps them if the server is killed in between, and the next start carries it over', async () => {
    await beforeBaseline()
    await asOwner(url, async (client) => {
      await client.query('BEGIN; LOCK TABLE schema_migrations IN SHARE MODE')
      const killed = migrate(url).catch((error) => error)
      await vi.waitFor(async () => {
        const { rows } = await client.query<{ pid: number }>(
          "SELECT pid FROM pg_locks WHERE relation = 'schema_migrations'::regclass AND NOT granted",
        )
        expect(rows).toHaveLength(1)
        await client.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid])
      })
      expect(await killed).toBeInstanceOf(Error)
      await client.query('COMMIT')
      expect(await readApplied(client)).toEqual(replacedAndNewer)
    })
    await migrate(url)
    expect(await asOwner(url, readApplied)).toEqual(present)
  })

  test('keeps a trial, whose tables are the same', async () => {
    const trial = '00000000-0000-4000-8000-000000000001'
    await beforeBaseline()
    await asOwner(url, async (client) => {
      const ids = ['wave', 'track', 'entry_level', 'class_programme', 'programme'].map((name) => `${name}_id`)
      await client.query(
        `INSERT INTO trials (id, ${ids}, started_at) SELECT $1, ${ids.map(() => 'gen_random_uuid()')}, now()`,
        [trial],
      )
      await client.query('SELECT build_trial($1)', [trial])
    })
    await migrate(url)
    await asOwner(url, async (client) => {
      const { rows } = await client.query('SELECT ended_at, to_regclass(trial_schema(id) || $1) AS bills FROM trials', [
        '.bills',
      ])
      expect(rows).toEqual([{ ended_at: null, bills: 'trial_00000000000040008000000000000001.bills' }])
      await client.query('SELECT remove_trial($1, now())', [trial])
    })
  })
})

describe('refused, and left as it is, is a database', () => {
  test('with some of the replaced migrations: the message names the version to update to first', async () => {
    await beforeBaseline(replacedMigrations.slice(0, 100))
    await expectRefused(
      /lacks migration \d{4}_\w+\.sql\. Update first to the version whose newest .* 0242_one_sender\.sql,/,
    )
  })

  test('that lacks one of them in the middle', async () => {
    await beforeBaseline(replacedMigrations.filter(({ name }) => name !== '0038_sums_of_money.sql'))
    await expectRefused(/lacks migration 0038_sums_of_money\.sql/)
  })

  test('with a replaced migration of another text', async () => {
    await beforeBaseline(
      replacedMigrations.map((migration) =>
        migration.name === '0005_payments.sql' ? { ...migration, checksum: 'other' } : migration,
      ),
    )
    await expectRefused(/0005_payments\.sql of this database is another one/)
  })

  test('of a program that is newer, also if it has all replaced migrations', async () => {
    await beforeBaseline([...replacedMigrations, { name: '9998_later.sql', checksum: 'x' }])
    await expectRefused(/newer than this program: it knows migration 9998_later\.sql/)
  })
})

describe('a backup', () => {
  const files = localStore(path.join(folder, 'files'))
  const secretKey = 'a key for tests only, a key for tests only'

  /** Backup of a small database to which these migrations were applied. */
  async function backUp(migrations: readonly Applied[]) {
    const source = await emptyDatabase()
    await migrate(source)
    await asOwner(source, async (client) => {
      await client.query("INSERT INTO faculties (code, name) VALUES ('LAMA', 'Fakultas Lama')")
      await applyInstead(client, migrations)
    })
    const archive = path.join(folder, `${migrations.length}.tar.gz`)
    await writeBackup({ connectionString: source, files, secretKey, now: new Date(), archive })
    return { archive, rows: await asOwner(source, readRows) }
  }

  test('with all replaced migrations is restored into the tables of the baseline', async () => {
    const { archive, rows } = await backUp(replacedAndNewer)
    const target = await emptyDatabase()
    await restoreBackup({ from: archive, connectionString: target, files })
    await asOwner(target, async (client) => {
      expect(await readApplied(client)).toEqual(present)
      expect(await readRows(client)).toEqual(rows)
    })
    expect(await migrate(target)).toEqual([])
  })

  test('with some of them is refused, and the database stays', async () => {
    const { archive } = await backUp(replacedMigrations.slice(0, 100))
    const before = await asOwner(url, readApplied)
    await expect(restoreBackup({ from: archive, connectionString: url, files, replace: true })).rejects.toThrow(
      /This backup is of an older version: it lacks migration .* Restore it with the version whose newest/,
    )
    expect(await asOwner(url, readApplied)).toEqual(before)
  })
})

const git = (...args: string[]) =>
  spawnSync('git', ['-c', 'safe.directory=*', ...args], { cwd: import.meta.dirname, encoding: 'utf8', maxBuffer: 1e8 })
const migrationsFolder = 'apps/server/migrations'
const last = replacedMigrations.at(-1)!.name
/** Commit whose tree has the replaced files; undefined outside a checkout with its history. */
const findCommitWithReplaced = () => {
  const [deletedIn] = git(
    'log',
    '-1',
    '--format=%H',
    '--diff-filter=D',
    '--',
    `:/${migrationsFolder}/${last}`,
  ).stdout.split('\n')
  const commit = deletedIn ? `${deletedIn}^` : 'HEAD'
  return git('cat-file', '-e', `${commit}:${migrationsFolder}/${last}`).status === 0 ? commit : undefined
}
const commit = findCommitWithReplaced()

test.skipIf(!commit)('a database made by the replaced migrations is, once carried over, like a new one', async () => {
  const [oldUrl, newUrl] = [await emptyDatabase(), await emptyDatabase()]
  await asOwner(oldUrl, async (client) => {
    for (const migration of replacedMigrations)
      await client.query(git('show', `${commit}:${migrationsFolder}/${migration.name}`).stdout)
    await client.query(
      'CREATE TABLE schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    await applyInstead(client, replacedMigrations)
  })
  await migrate(oldUrl)
  await migrate(newUrl)
  const read = (connectionString: string) =>
    asOwner(connectionString, async (client) => {
      const { functions, ...catalog } = await readCatalog(client)
      // An array in one source, its text in the other.
      const { 'trial_settings()': source, ...otherFunctions } = functions!
      expect(source).toContain('schema_migrations')
      const settings = (await client.query('SELECT trial_settings()')).rows
      return { ...catalog, functions: otherFunctions, settings, rows: await readRows(client) }
    })
  expect(await read(oldUrl)).toEqual(await read(newUrl))
})
