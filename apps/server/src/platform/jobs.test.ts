import { sql } from 'kysely'
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

test('an event that is none of its business waits in the queue of no job, and one that waited there already is not acted on', async () => {
  const done: string[] = []
  const onlyFees = defineJob({
    name: 'only-fees',
    on: 'something.paid',
    data: z.object({ kind: z.string() }),
    when: ({ kind }) => kind === 'fee',
    run: async (_services, { kind }) => void done.push(kind),
  })
  const { connectionString } = t
  const runner = createJobRunner({ connectionString, jobs: [onlyFees], log: t.services.log })
  await runner.start()
  try {
    const waiting = () => sql`SELECT 1 FROM pgboss.job WHERE name = 'only-fees'`.execute(t.owner)
    await t.db.transaction().execute((tx) => runner.publish(tx, 'something.paid', { kind: 'tuition' }))
    expect((await waiting()).rows).toHaveLength(0)
    // As one put there before the job knew what concerns it.
    await t.db.transaction().execute((tx) => runner.enqueue(tx, onlyFees, { kind: 'tuition' }))
    await t.db.transaction().execute((tx) => runner.publish(tx, 'something.paid', { kind: 'fee' }))
    expect((await waiting()).rows).toHaveLength(2)
    await runner.work(t.services)
    await vi.waitFor(() => expect(done).toEqual(['fee']), { timeout: 15_000, interval: 100 })
    expect(done).toEqual(['fee'])
  } finally {
    await runner.stop()
  }
}, 30_000)

test('a queue that exists already takes the attempts its job has now', async () => {
  const { connectionString } = t
  const limitOf = async () =>
    (await sql<{ n: number }>`SELECT retry_limit AS n FROM pgboss.queue WHERE name = 'patient'`.execute(t.owner)).rows
  const started = async (maxAttempts?: number) => {
    const patient = defineJob({
      name: 'patient',
      ...(maxAttempts && { maxAttempts }),
      data: z.object({}),
      run: async () => {},
    })
    const runner = createJobRunner({ connectionString, jobs: [patient], log: t.services.log })
    await runner.start()
    try {
      await t.db.transaction().execute((tx) => runner.enqueue(tx, patient, {}))
    } finally {
      await runner.stop()
    }
  }
  await started()
  expect(await limitOf()).toEqual([{ n: 5 }])
  await started(9)
  expect(await limitOf()).toEqual([{ n: 8 }])
  const added = await sql`SELECT retry_limit AS n FROM pgboss.job WHERE name = 'patient' ORDER BY created_on`.execute(
    t.owner,
  )
  expect(added.rows).toEqual([{ n: 5 }, { n: 8 }])
  await started(1)
  expect(await limitOf()).toEqual([{ n: 0 }])
}, 30_000)
