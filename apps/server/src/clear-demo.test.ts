import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testConfig } from '#server-test/test-config.ts'
import { clearDemo } from './clear-demo.ts'
import { claimDatabase } from './platform/database/claim-database.ts'
import { connect } from './platform/database/database.ts'
import { startDatabase } from './platform/postgres/start-database.ts'

let dataDir: string
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-clear-'))
  fs.chmodSync(dataDir, 0o755)
})
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }))

/** A data folder as the first start leaves it. */
async function startedAs(demo: boolean) {
  const config = testConfig({ dataDir, demo })
  const { connectionString, stop } = await startDatabase(config, (_name, work) => work())
  const { db } = connect(connectionString, { max: 1 })
  await claimDatabase(db, config)
  await db.destroy()
  await stop()
  fs.mkdirSync(path.join(dataDir, 'files'))
  fs.writeFileSync(path.join(dataDir, 'files/photo'), 'x')
  return config
}
const contents = () => fs.readdirSync(dataDir).sort()

test('a demo loses database and files, and the next start is empty', async () => {
  const config = await startedAs(true)
  await clearDemo(config)
  expect(contents()).toEqual([])
  await startedAs(false)
}, 240_000)

test('a real installation is left unchanged', async () => {
  const config = await startedAs(false)
  const before = contents()
  await expect(clearDemo({ ...config, demo: true })).rejects.toThrow('holds no demo, so nothing was removed')
  expect(contents()).toEqual(before)
  expect(fs.existsSync(path.join(dataDir, 'files/photo'))).toBe(true)
}, 240_000)

test('a running demo is left unchanged', async () => {
  const config = await startedAs(true)
  fs.writeFileSync(path.join(dataDir, 'lock'), `${process.ppid} `)
  await expect(clearDemo(config)).rejects.toThrow('is in use by another PMB Online')
  expect(contents()).toContain('postgres')
}, 240_000)

test('a folder without a database and a database of DATABASE_URL are refused', async () => {
  await expect(clearDemo(testConfig({ dataDir }))).rejects.toThrow('There is no database in')
  await expect(clearDemo(testConfig({ dataDir, databaseUrl: 'postgres://db/pmb' }))).rejects.toThrow('DATABASE_URL')
})
