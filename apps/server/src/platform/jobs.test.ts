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

test('waiting jobs run one after another without waiting for the polling interval', async () => {
  const handled: number[] = []
  const count = defineJob({
    name: 'count',
    data: z.object({ n: z.number() }),
    run: async (_services, { n }) => void handled.push(n),
  })
  const { connectionString } = t
  const runner = createJobRunner({ connectionString, jobs: [count], log: t.services.log })
  await runner.start()
  try {
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    await t.db.transaction().execute(async (tx) => {
      for (const n of numbers) await runner.enqueue(tx, count, { n })
    })
    await runner.work(t.services)
    // With one job per two-second polling interval this would take two minutes.
    await vi.waitFor(() => expect(handled).toHaveLength(numbers.length), { timeout: 15_000, interval: 100 })
    expect(handled.toSorted((a, b) => a - b)).toEqual(numbers)
  } finally {
    await runner.stop()
  }
}, 30_000)

test('an event refused by `when` is not queued, and is not handled if queued earlier', async () => {
  const handled: string[] = []
  const onlyFees = defineJob({
    name: 'only-fees',
    on: 'something.paid',
    data: z.object({ kind: z.string() }),
    when: ({ kind }) => kind === 'fee',
    run: async (_services, { kind }) => void handled.push(kind),
  })
  const { connectionString } = t
  const runner = createJobRunner({ connectionString, jobs: [onlyFees], log: t.services.log })
  await runner.start()
  try {
    const queuedJobs = () => sql`SELECT 1 FROM pgboss.job WHERE name = 'only-fees'`.execute(t.owner)
    await t.db.transaction().execute((tx) => runner.publish(tx, 'something.paid', { kind: 'tuition' }))
    expect((await queuedJobs()).rows).toHaveLength(0)
    // As if queued before the job had `when`.
    await t.db.transaction().execute((tx) => runner.enqueue(tx, onlyFees, { kind: 'tuition' }))
    await t.db.transaction().execute((tx) => runner.publish(tx, 'something.paid', { kind: 'fee' }))
    expect((await queuedJobs()).rows).toHaveLength(2)
    await runner.work(t.services)
    await vi.waitFor(() => expect(handled).toEqual(['fee']), { timeout: 15_000, interval: 100 })
    expect(handled).toEqual(['fee'])
  } finally {
    await runner.stop()
  }
}, 30_000)

test("an existing queue adopts its job's current number of attempts", async () => {
  const { connectionString } = t
  const limitOf = async () =>
    (await sql<{ n: number }>`SELECT retry_limit AS n FROM pgboss.queue WHERE name = 'patient'`.execute(t.owner)).rows
  const startWith = async (maxAttempts?: number) => {
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
  await startWith()
  expect(await limitOf()).toEqual([{ n: 5 }])
  await startWith(9)
  expect(await limitOf()).toEqual([{ n: 8 }])
  const queuedLimits =
    await sql`SELECT retry_limit AS n FROM pgboss.job WHERE name = 'patient' ORDER BY created_on`.execute(t.owner)
  expect(queuedLimits.rows).toEqual([{ n: 5 }, { n: 8 }])
  await startWith(1)
  expect(await limitOf()).toEqual([{ n: 0 }])
}, 30_000)

test('a job that becomes due later and jobs added without NOTIFY run within seconds', async () => {
  const handled: string[] = []
  const later = defineJob({
    name: 'later',
    data: z.object({ which: z.string() }),
    run: async (_services, { which }) => void handled.push(which),
  })
  const { connectionString } = t
  const runner = createJobRunner({ connectionString, jobs: [later], log: t.services.log })
  await runner.start()
  try {
    await runner.work(t.services)
    await runner.enqueue(t.db, later, { which: 'due in a second' }, { startAfter: new Date(Date.now() + 1_000) })
    await runner.enqueueMany(t.db, later, [{ which: 'one of many' }])
    await vi.waitFor(() => expect(handled.toSorted()).toEqual(['due in a second', 'one of many']), {
      timeout: 8_000,
      interval: 100,
    })
  } finally {
    await runner.stop()
  }
}, 30_000)
