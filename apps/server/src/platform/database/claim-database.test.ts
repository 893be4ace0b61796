import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { testConfig } from '#server-test/test-config.ts'
import { claimDatabase, findInstallation } from './claim-database.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const demo = testConfig({ demo: true, dataDir: '/srv/pmb' })
const real = testConfig({ demo: false, dataDir: '/srv/pmb' })
const outside = testConfig({ demo: false, databaseUrl: 'postgres://db/pmb' })

it('a demo stays a demo at every start', async () => {
  await claimDatabase(t.owner, demo)
  await claimDatabase(t.owner, demo)
  expect(await findInstallation(t.db)).toEqual({ demo: true })
})

it('a demo does not start as a real installation, because its passwords are public', async () => {
  await claimDatabase(t.owner, demo)
  await expect(claimDatabase(t.owner, real)).rejects.toThrow(
    /^The data folder \/srv\/pmb holds the demo university.*npm run demo -- --clear/,
  )
  await expect(claimDatabase(t.owner, outside)).rejects.toThrow(
    /^The database of DATABASE_URL holds the demo university/,
  )
})

it('demo data never gets into a real installation', async () => {
  await claimDatabase(t.owner, real)
  await expect(claimDatabase(t.owner, demo)).rejects.toThrow(/belongs to a real installation: start with DEMO=false/)
})

it('of two servers that start at the same moment as different kinds, one is refused', async () => {
  const results = await Promise.allSettled([demo, real].map((config) => claimDatabase(t.owner, config)))
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('the running server cannot change the kind of the database', async () => {
  await claimDatabase(t.owner, real)
  await expect(t.db.updateTable('installation').set({ demo: true }).execute()).rejects.toThrow('permission denied')
})

it('has at most one row', async () => {
  await claimDatabase(t.owner, real)
  await expect(sql`INSERT INTO installation (only_row, demo) VALUES (false, true)`.execute(t.owner)).rejects.toThrow()
})
