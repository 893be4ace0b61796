import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { asOwner } from './database.ts'
import { keptConnections, lendConnections } from './lent-connections.ts'
import { lendDatabase } from './lent-database.ts'
import { testApp } from './test-app.ts'

test('the planner treats a table that a file filled as if no file had', async () => {
  const sizesIn = (url: string) =>
    asOwner(url, async (client) => {
      const { rows } = await client.query<{ size: number; count: string }>(
        `SELECT reltuples AS size, (SELECT count(*) FROM trial_jobs) AS count FROM pg_class WHERE relname = 'trial_jobs'`,
      )
      return rows[0]
    })
  const one = await lendDatabase()
  await asOwner(one.connectionString, (client) =>
    client.query("INSERT INTO trial_jobs (name, data, start_after) VALUES ('x', '{}', now())"),
  )
  await one.giveBack()
  const next = await lendDatabase()
  expect(next.connectionString).toBe(one.connectionString)
  expect(await sizesIn(next.connectionString)).toEqual({ size: -1, count: '0' })
  await next.giveBack()
})

test('files with twenty parallel callers on two servers leave few connections behind', async () => {
  const lent = await lendDatabase()
  const connections = () =>
    asOwner(lent.connectionString, async (client) => {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
      return rows[0]!.count
    })
  const before = await connections()
  const callers = (count: number) => Array.from({ length: count }, () => sql`SELECT pg_sleep(0.1)`)
  const servers = [1, 2].map(() => lendConnections(lent.connectionString, { max: 20 }).db)
  await Promise.all(servers.flatMap((db) => callers(20).map((sleep) => sleep.execute(db))))
  await Promise.all(servers.map((db) => db.destroy()))
  await lent.giveBack()
  // PostgreSQL ends the closed connections a moment later.
  await expect.poll(connections).toBeLessThanOrEqual(before + keptConnections)
})

test('of two databases lent at once, one is kept', async () => {
  const lent = [await lendDatabase(), await lendDatabase()]
  for (const database of lent) await database.giveBack()
  const next = await lendDatabase()
  expect(next.connectionString).toBe(lent[0]!.connectionString)
  await expect(asOwner(lent[1]!.connectionString, async () => {})).rejects.toThrow(/does not exist/)
  await next.giveBack()
})

test('a trial leaves no connection behind', async () => {
  const t = await testApp()
  const trialDb = (await t.services.connectTrial('trial_1'))!
  await sql`SELECT 'of a trial'`.execute(trialDb)
  await trialDb.destroy()
  const connections = async () =>
    (await sql`SELECT 1 FROM pg_stat_activity WHERE query = ${"SELECT 'of a trial'"}`.execute(t.owner)).rows
  // PostgreSQL ends a closed connection a moment later.
  await expect.poll(connections).toEqual([])
  await t.close()
})
