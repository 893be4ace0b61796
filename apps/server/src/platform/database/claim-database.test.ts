import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asOwner, createDatabase, dropDatabase } from '#server-test/database.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { testConfig } from '#server-test/test-config.ts'
import { claimDatabase, findInstallation } from './claim-database.ts'
import { withUrlChanged } from './database-url.ts'
import { migrate } from './migrate.ts'

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

describe('a database older than the mark', () => {
  /** Kind that the migration gives a database with accounts of these addresses. */
  async function markAfter(...emails: string[]) {
    const name = `pmb_test_mark_${process.pid}`
    const url = withUrlChanged(t.connectionString, (parts) => {
      parts.pathname = `/${name}`
    })
    await createDatabase(t.connectionString, name, 'template0')
    try {
      await migrate(url, '0083')
      return await asOwner(url, async (client) => {
        await client.query("INSERT INTO roles (name) VALUES ('Administrator')")
        for (const email of emails)
          await client.query('INSERT INTO accounts (name, email, role_id) SELECT $1, $1, id FROM roles', [email])
        await migrate(url)
        return (await client.query('SELECT demo FROM installation')).rows
      })
    } finally {
      await dropDatabase(t.connectionString, name)
    }
  }

  it('with the demo accounts is a demo', async () => {
    expect(await markAfter('administrator@demo.test', 'sari@example.com')).toEqual([{ demo: true }])
  })
  it('with other accounts is real', async () => {
    expect(await markAfter('sari@example.com')).toEqual([{ demo: false }])
  })
  it('without accounts becomes the kind it is first started as', async () => {
    expect(await markAfter()).toEqual([])
  })
})

it('has at most one row', async () => {
  await claimDatabase(t.owner, real)
  await expect(sql`INSERT INTO installation (only_row, demo) VALUES (false, true)`.execute(t.owner)).rejects.toThrow()
})
