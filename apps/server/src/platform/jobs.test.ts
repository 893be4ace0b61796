import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { createJobRunner, defineJob } from './jobs.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('jobs that wait are all done one after the other, not one at each look at the queue', async () => {
  const done: number[] = []
  const count = defineJob({
    name: 'count',
    data: z.object({ n: z.number() }),
    run: async (_services, { n }) => void done.push(n),
  })
  const { connectionString } = t
  const runner = createJobRunner({ connectionString, jobs: [count], log: t.services.log })
  await runner.start()
  try {
    const wanted = Array.from({ length: 60 }, (_, n) => n)
    await t.db.transaction().execute(async (tx) => {
      for (const n of wanted) await runner.enqueue(tx, count, { n })
    })
    await runner.work(t.services)
    // At one each two seconds this would take two minutes.
    await vi.waitFor(() => expect(done).toHaveLength(wanted.length), { timeout: 15_000, interval: 100 })
    expect(done.toSorted((a, b) => a - b)).toEqual(wanted)
  } finally {
    await runner.stop()
  }
}, 30_000)
