import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { requestVirtualAccount } from '#server/modules/payments/bills/numbers/request-virtual-account.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { connect, kyselyOn } from '#server/platform/database/database.ts'
import { migrate, migrationFiles } from '#server/platform/database/migrate.ts'
import { type FileStore, localStore } from '#server/platform/files/file-store.ts'
import { asOwner, createDatabase, dropDatabase, templateName } from '#server-test/database.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { aReport } from '#server-test/factories/payments.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { isWhole } from '#testing/form.ts'
import type { Manifest } from './manifest.ts'
import { checkArchive, restoreBackup } from './restore-backup.ts'
import { readOut, tablesOf } from './tables.ts'
import { writeBackup } from './write-backup.ts'

/**
 * Whole databases are written out and read back. In the quick form every migration takes part in four restores. The
 * snapshot under writes, the restore that fails half-way and the first restore by a limited owner use a small backup of
 * old tables.
 */
vi.setConfig({ testTimeout: 120_000 })

const secretKey = 'a key for tests only, a key for tests only'
let t: TestApp
let folder: string
let archive: string
let manifest: Manifest
const names: string[] = []

/** Creates an empty database on the test server, or a copy of `template`. */
async function createEmptyDatabase(template = 'template0') {
  const name = `pmb_test_restore_${process.pid}_${names.length}`
  names.push(name)
  await createDatabase(t.connectionString, name, template)
  return t.connectionString.replace(/\/[^/?]+(\?|$)/, `/${name}$1`)
}

/** Database of another university. */
async function createFilledDatabase() {
  const url = await createEmptyDatabase(templateName)
  await asOwner(url, (client) => client.query("INSERT INTO faculties (code, name) VALUES ('X', 'Fakultas Lain')"))
  return url
}

type Old = { url: string; name: string; archive: string }
let old: Promise<Old> | undefined

/** Backup of a database with only the first migrations, one row and one file. */
const oldBackup = () => {
  old ??= (async () => {
    const url = await createEmptyDatabase()
    const name = names.at(-1)!
    await migrate(url, '0018')
    await t.services.files.put('lama.txt', Buffer.from('lama'), 'text/plain')
    await asOwner(url, async (client) => {
      await client.query("INSERT INTO faculties (code, name) VALUES ('LAMA', 'Fakultas Lama')")
      await client.query(`INSERT INTO files (purpose, name, mime, bytes, sha256, storage_key)
        VALUES ('other', 'lama.txt', 'text/plain', 4, 'x', 'lama.txt')`)
    })
    const archivePath = path.join(folder, 'old.tar.gz')
    await backUp(archivePath, url)
    return { url, name, archive: archivePath }
  })()
  return old
}

let demo: Promise<{ url: string; files: FileStore; jobs: { name: string }[] }> | undefined

/** The backup of the demo, restored into an empty database; tests may add rows. */
const restoredDemo = () => {
  demo ??= (async () => {
    const url = await createEmptyDatabase()
    const files = freshFiles()
    const { jobs } = await restoreBackup({ from: archive, connectionString: url, files })
    return { url, files, jobs }
  })()
  return demo
}

const freshFiles = (): FileStore => localStore(fs.mkdtempSync(path.join(folder, 'files-')))
const backUp = (archivePath: string, connectionString = t.connectionString) =>
  writeBackup({ connectionString, files: t.services.files, secretKey, now: new Date(), archive: archivePath })

/** Row count and hash of every table. */
const hashTables = (connectionString: string) =>
  asOwner(connectionString, async (client) => {
    const hashes: Record<string, string> = {}
    for (const table of await tablesOf(client)) {
      const { rows, sha256 } = await readOut(client, table, () => {})
      hashes[table.name] = `${rows} ${sha256}`
    }
    return hashes
  })

/** Definitions of all constraints, triggers and indexes. */
const readRules = (connectionString: string) =>
  asOwner(connectionString, async (client) => {
    const { rows } = await client.query<{ rule: string }>(`
      SELECT conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid) AS rule
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`)
    return rows.map(({ rule }) => rule)
  })

/** Shortens each picture to a few bytes, so that the quick form does not pack and hash 47 MB repeatedly. */
async function shrinkPictures() {
  const { rows } = await sql<{ key: string; mime: string }>`SELECT storage_key AS key, mime FROM files
    UNION ALL SELECT thumbnail_key, 'image/webp' FROM files WHERE thumbnail_key IS NOT NULL`.execute(t.owner)
  await Promise.all(rows.map(({ key, mime }) => t.services.files.put(key, Buffer.from(key), mime)))
}

beforeAll(async () => {
  t = await demoApp()
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-backup-'))
  archive = path.join(folder, 'one.tar.gz')
  if (!isWhole) await shrinkPictures()
  const bill = await t.db.selectFrom('bills').selectAll().where('status', '=', 'open').executeTakeFirstOrThrow()
  await t.db
    .updateTable('applicants')
    .set({ fullName: 'Nama dengan \t tab, \\ garis\ndan "baris"' })
    .where('accountId', '=', bill.accountId)
    .execute()
  const { number } = await requestVirtualAccount(t.services, systemActor, bill.id, { bank: 'sandbox-a' })
  const report = aReport(t, { virtualAccountNumber: number!, amount: bill.total + 1_000 })
  expect((await report.send()).statusCode).toBe(200)
  manifest = await backUp(archive)
}, 120_000)
afterAll(async () => {
  for (const name of names) await dropDatabase(t.connectionString, name)
  await t.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

describe('a backup', () => {
  test('holds every row, file and waiting job, and restores constraints, triggers and indexes', async () => {
    expect(manifest.files.length).toBeGreaterThan(100)
    expect(manifest.missingFiles).toEqual([])
    expect(manifest.jobs).toBeGreaterThan(0)
    const { url: target, files, jobs } = await restoredDemo()
    expect(await hashTables(target)).toEqual(await hashTables(t.connectionString))
    expect(await readRules(target)).toEqual(await readRules(t.connectionString))
    for (const { key } of manifest.files) expect(await files.bytes(key)).toEqual(await t.services.files.bytes(key))
    expect(jobs.map(({ name }) => name)).toContain('settle-registration-fee')
    expect(await migrate(target)).toEqual([])
  })

  test('can be used after the restore: the books add up, counters continue, and append-only tables refuse deletion', async () => {
    const { url: target } = await restoredDemo()
    await migrate(target)
    const { db } = connect(target)
    expect(await checkInvariants({ db, clock: t.clock })).toEqual([])
    await recordAudit(db, systemActor, { action: 'faculty.update', on: { faculty: '1' } })
    await expect(sql`DELETE FROM payments`.execute(db)).rejects.toThrow('keeps what was written')
    await expect(
      sql`INSERT INTO bill_lines (bill_id, description, amount) VALUES (gen_random_uuid(), 'x', 1)`.execute(db),
    ).rejects.toThrow('foreign key')
    await db.destroy()
  })

  test('is a snapshot of one moment while rows are being written', async () => {
    const source = isWhole ? t.connectionString : await createEmptyDatabase((await oldBackup()).name)
    const writer = connect(source)
    const accounts = async () =>
      (await sql<{ n: number }>`SELECT count(*)::int AS n FROM accounts`.execute(writer.db)).rows[0]!.n
    const countBefore = await accounts()
    let isWriting = true
    const pendingWrites = (async () => {
      const { id: roleId } = await writer.db
        .insertInto('roles')
        .values({ name: 'Penulis' })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (let n = 0; isWriting; n++)
        await writer.db.transaction().execute(async (tx) => {
          const { id } = await tx
            .insertInto('accounts')
            .values({ name: 'Baru', email: `baru-${n}@example.com`, roleId })
            .returning('id')
            .executeTakeFirstOrThrow()
          await tx
            .insertInto('messages')
            .values({
              accountId: id,
              channel: 'inbox',
              event: 'note',
              language: 'id',
              subject: 'a',
              body: 'b',
              status: 'sent',
            })
            .execute()
        })
    })()
    while ((await accounts()) === countBefore) await new Promise((resolve) => setTimeout(resolve, 5))
    const file = path.join(folder, 'busy.tar.gz')
    await backUp(file, source)
    isWriting = false
    await pendingWrites
    expect(await accounts()).toBeGreaterThan(countBefore)
    await writer.db.destroy()
    const target = await createEmptyDatabase()
    // A message without its account would fail the foreign key.
    await restoreBackup({ from: file, connectionString: target, files: freshFiles() })
    const { db } = connect(target)
    const { rows } = await sql`SELECT 1 FROM accounts a WHERE name = 'Baru'
      AND NOT EXISTS (SELECT FROM messages m WHERE m.account_id = a.id)`.execute(db)
    expect(rows).toEqual([])
    await db.destroy()
  })

  test('from before later migrations is restored as it was, then migrated', async () => {
    const { url: oldDatabase, archive: file } = await oldBackup()
    const target = await createEmptyDatabase()
    await restoreBackup({ from: file, connectionString: target, files: freshFiles() })
    expect(await hashTables(target)).toEqual(await hashTables(oldDatabase))
    expect(await migrate(target)).toEqual(
      migrationFiles()
        .map(({ name }) => name)
        .filter((name) => name > '0019'),
    )
    const pool = new pg.Pool({ connectionString: target })
    const db = kyselyOn(pool)
    expect(await db.selectFrom('faculties').select('name').execute()).toEqual([{ name: 'Fakultas Lama' }])
    await db.destroy()
  })
})

describe('a restore', () => {
  test('refuses a database that is not empty; with replace it drops the old contents', async () => {
    const target = await createFilledDatabase()
    const restore = (replace: boolean) =>
      restoreBackup({ from: archive, connectionString: target, files: freshFiles(), replace })
    const contentsBefore = await hashTables(target)
    await expect(restore(false)).rejects.toThrow('not empty')
    expect(await hashTables(target)).toEqual(contentsBefore)
    await restore(true)
    expect(await hashTables(target)).toEqual(
      Object.fromEntries(manifest.tables.map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`])),
    )
    expect(await readRules(target)).toEqual(await readRules(t.connectionString))
  })

  test('needs no more rights than owning the database', async () => {
    const owner = `pmb_test_restorer_${process.pid}`
    const target = await createEmptyDatabase()
    await asOwner(target, async (client) => {
      await client.query(`CREATE ROLE ${owner} LOGIN`)
      await client.query(`ALTER DATABASE ${names.at(-1)} OWNER TO ${owner}`)
    })
    const url = new URL(target)
    url.username = owner
    const restore = (from: string, replace: boolean) =>
      restoreBackup({ from, connectionString: url.href, files: freshFiles(), replace })
    await restore(isWhole ? archive : (await oldBackup()).archive, false)
    await restore(archive, true)
    expect(await readRules(target)).toEqual(await readRules(t.connectionString))
    await dropDatabase(t.connectionString, names.at(-1)!)
    await asOwner(t.connectionString, (client) => client.query(`DROP ROLE ${owner}`))
  })

  test('refuses while another connection is open', async () => {
    const target = await createEmptyDatabase()
    const otherClient = new pg.Client({ connectionString: target })
    await otherClient.connect()
    const restore = () => restoreBackup({ from: archive, connectionString: target, files: freshFiles() })
    await expect(restore()).rejects.toThrow('other connections')
    await otherClient.end()
  })

  test.each([
    ['a changed byte', (bytes: Buffer) => withChangedByte(bytes)],
    ['a missing end', (bytes: Buffer) => gzipSync(half(gunzipSync(bytes)))],
    ['half a file', half],
    ['something else', () => gzipSync('no archive at all')],
  ])('refuses %s before changing anything', async (_what, spoil) => {
    const file = path.join(folder, 'spoiled.tar.gz')
    fs.writeFileSync(file, spoil(fs.readFileSync(archive)))
    const target = await createEmptyDatabase(templateName)
    const contentsBefore = await hashTables(target)
    await expect(
      restoreBackup({ from: file, connectionString: target, files: freshFiles(), replace: true }),
    ).rejects.toThrow(/damaged/)
    expect(await hashTables(target)).toEqual(contentsBefore)
  })

  test('that fails half-way leaves everything unchanged', async () => {
    const target = await createFilledDatabase()
    const contentsBefore = await hashTables(target)
    const from = isWhole ? archive : (await oldBackup()).archive
    const fullStore: FileStore = { ...freshFiles(), put: () => Promise.reject(new Error('the disk is full')) }
    await expect(restoreBackup({ from, connectionString: target, files: fullStore, replace: true })).rejects.toThrow(
      'the disk is full',
    )
    expect(await hashTables(target)).toEqual(contentsBefore)
  })
})

test('an unfinished backup leaves no file behind', async () => {
  const archivePath = path.join(folder, 'never.tar.gz')
  await expect(backUp(archivePath, await createEmptyDatabase())).rejects.toThrow()
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([])
  await expect(checkArchive(archivePath)).rejects.toThrow('There is no file')
})

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)

/** Changes one byte of a name in an archive and keeps it valid gzip and tar. */
function withChangedByte(bytes: Buffer) {
  const unzipped = gunzipSync(bytes)
  const index = unzipped.indexOf('Penguji')
  unzipped[index < 0 ? unzipped.indexOf('Demo') : index]! ^= 1
  return gzipSync(unzipped)
}
