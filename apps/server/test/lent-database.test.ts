import { expect, test } from 'vitest'
import { asOwner } from './database.ts'
import { lendDatabase } from './lent-database.ts'

test('a table that one file has filled looks to the planner as if no file had', async () => {
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
