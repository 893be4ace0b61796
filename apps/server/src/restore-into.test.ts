import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runSeeds } from '#seeds/run-seeds.ts'
import { asOwner, createDatabase, dropDatabase } from '#server-test/database.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { testConfig } from '#server-test/test-config.ts'
import { isWhole } from '#testing/form.ts'
import { backupName } from './platform/backup/backup-folder.ts'
import { restoreBackup } from './platform/backup/restore-backup.ts'
import { tablesOf } from './platform/backup/tables.ts'
import { writeBackup } from './platform/backup/write-backup.ts'
import { restoreInto } from './restore-into.ts'
import { restoreIntoScratch } from './restore-into-scratch.ts'

/**
 * The quick form restores one paid and one open bill instead of the demo, and tries leftovers of a killed test only in
 * the first test.
 */
vi.setConfig({ testTimeout: 120_000 })

let t: TestApp
let folder: string
let archive: string
const config = () => testConfig({ dataDir: folder, backupDir: folder })
const names: string[] = []

async function aDatabase(template: string) {
  const name = `pmb_test_into_${process.pid}_${names.length}`
  names.push(name)
  await createDatabase(t.connectionString, name, template)
  return t.connectionString.replace(/\/[^/?]+(\?|$)/, `/${name}$1`)
}

let restoredName: string | undefined

/** Creates a database that looks like the live one at the time of the backup. */
async function createCopy() {
  if (!restoredName) {
    const connectionString = await aDatabase('template0')
    await restoreBackup({ from: archive, connectionString, files: t.services.files })
    restoredName = names.at(-1)!
  }
  return aDatabase(restoredName)
}

const countRows = (connectionString: string) =>
  asOwner(connectionString, async (client) => {
    const counts: Record<string, number> = {}
    for (const { name } of await tablesOf(client)) {
      const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM "${name}"`)
      counts[name] = rows[0]!.count
    }
    return counts
  })

const readCounters = (connectionString: string) =>
  asOwner(connectionString, async (client) => {
    const { rows } = await client.query<{ kind: string; scope: string; value: string }>(
      'SELECT kind, scope, value FROM number_counters ORDER BY 1, 2',
    )
    return rows
  })

beforeAll(async () => {
  t = await testApp()
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-into-'))
  fs.chmodSync(folder, 0o755)
  if (isWhole) await runSeeds({ ...t.services, db: t.owner }, 'demo')
  else {
    const academic = await academicFixture(t.db)
    const [, paid] = [await aBill(t, academic, { amount: 250_000 }), await aBill(t, academic, { amount: 250_000 })]
    const { number } = await aVirtualAccount(paid.actor, paid.bill.id)
    await aReport(t, { virtualAccountNumber: number, amount: 250_000 }).send()
  }
  archive = path.join(folder, backupName(new Date()))
  const { secretKey } = config()
  await writeBackup({
    connectionString: t.connectionString,
    files: t.services.files,
    secretKey,
    now: new Date(),
    archive,
  })
})
afterAll(async () => {
  await t.close()
  for (const name of names) await dropDatabase(t.connectionString, name)
  fs.rmSync(folder, { recursive: true, force: true })
})

let tried: ReturnType<typeof restoreIntoScratch> | undefined

/** Tries the backup after a killed restore test has left its folder and lock. */
const tryAfterKilledTest = () => {
  fs.mkdirSync(path.join(folder, 'restore-test/files'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'restore-test/lock'), '999999999 1')
  return restoreIntoScratch(config(), archive)
}

test('the newest backup is restored into a separate database, which is deleted afterwards, and the live one stays unchanged', async () => {
  const before = await countRows(t.connectionString)
  tried = isWhole ? restoreIntoScratch(config(), archive) : tryAfterKilledTest()
  const report = await tried
  expect(report.violations).toEqual([])
  expect(report.sameSecretKey).toBe(true)
  expect(report.manifest.tables.find(({ name }) => name === 'registrations')!.rows).toBe(before.registrations)
  expect(await countRows(t.connectionString)).toEqual(before)
  expect(fs.readdirSync(folder)).toEqual([path.basename(archive)])
})

test('leftovers of a killed restore test do not stop the next one', async () => {
  const report = await (isWhole || !tried ? tryAfterKilledTest() : tried)
  expect(report.violations).toEqual([])
})

test('a backup under another secret key and a damaged one are reported', async () => {
  const otherKey = { ...config(), secretKey: 'another key, which is as long as it has to be' }
  expect((await restoreIntoScratch(otherKey, archive)).sameSecretKey).toBe(false)
  const damaged = path.join(folder, 'damaged.tar.gz')
  fs.writeFileSync(damaged, fs.readFileSync(archive).subarray(0, 10_000))
  await expect(restoreIntoScratch(config(), damaged)).rejects.toThrow('The backup is damaged')
  expect(fs.existsSync(path.join(folder, 'restore-test'))).toBe(false)
  fs.rmSync(damaged)
})

test('after an update that is rolled back no number is skipped, and no page mentions a restore', async () => {
  const url = await createCopy()
  const before = await readCounters(url)
  const report = await restoreInto({
    config: config(),
    connectionString: url,
    from: archive,
    replace: true,
    untouched: true,
  })
  expect(report.gaps).toBeUndefined()
  expect(report.violations).toEqual([])
  expect(await readCounters(url)).toEqual(before)
  expect((await countRows(url)).restores).toBe(0)
})

test('if somebody has worked on the database after all, its numbers are skipped', async () => {
  const url = await createCopy()
  await asOwner(url, (client) => client.query('UPDATE number_counters SET value = value + 1'))
  const report = await restoreInto({
    config: config(),
    connectionString: url,
    from: archive,
    replace: true,
    untouched: true,
  })
  expect(report.gaps!.length).toBeGreaterThan(0)
  expect((await countRows(url)).restores).toBe(1)
})
