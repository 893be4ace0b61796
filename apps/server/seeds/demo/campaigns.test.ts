import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSeeds } from '#seeds/run-seeds.ts'
import { sendDue } from '#server/modules/sending/sender.ts'
import { statesOf } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await runSeeds({ ...t.services, db: t.owner }, 'demo')
}, 120_000)
afterAll(() => t.close())

test('the demo has campaigns in every state and sends none of them by itself', async () => {
  const campaigns = await t.db.selectFrom('campaigns').select(['id', 'name', 'state', 'reachableCount']).execute()
  expect(new Set(campaigns.map(({ state }) => state))).toEqual(
    new Set(['draft', 'to_approve', 'scheduled', 'running', 'paused', 'cancelled', 'finished']),
  )
  expect(campaigns.filter(({ state, reachableCount }) => state !== 'draft' && reachableCount === 0)).toEqual([])
  const before = await Promise.all(campaigns.map(({ id }) => statesOf(t, id)))
  await sendDue(t.services)
  expect(await Promise.all(campaigns.map(({ id }) => statesOf(t, id)))).toEqual(before)
  const finished = before.filter((_, index) => campaigns[index]!.state === 'finished')
  expect(finished[0]).toMatchObject({ read: expect.any(Number), failed: expect.any(Number) })
})

test("a failed message of the demo is followed by one on the recipient's next channel", async () => {
  const { rows } = await sql<{ state: string; rest: number; tries: number; handovers: number }>`
    SELECT r.state, cardinality(r.channels) AS rest, r.attempts::int AS tries,
      (SELECT count(*)::int FROM handovers h WHERE h.campaign_id = r.campaign_id AND h.number = r.number) AS handovers
    FROM campaign_recipients r WHERE r.handover_id IS NOT NULL`.execute(t.db)
  expect(rows.filter(({ state, rest }) => state === 'failed' && rest !== 1)).toEqual([])
  expect(rows.filter(({ tries, handovers }) => tries !== handovers)).toEqual([])
  expect(rows.some(({ state, tries }) => state === 'accepted' && tries === 2)).toBe(true)
})
