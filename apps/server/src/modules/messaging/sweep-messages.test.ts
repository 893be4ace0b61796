import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sendMail } from './notify.ts'
import { sweepMessagesJob } from './sweep-messages.job.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** A queued mail, half an hour later; its job is deleted unless `withJob`. */
async function strandedMail(values: { attempts?: number; error?: string } = {}, { withJob = false } = {}) {
  const to = `${crypto.randomUUID()}@example.com`
  await sendMail(t.db, t.services, { to, language: 'id', event: 'account-exists' })
  const { id } = await t.db
    .updateTable('messages')
    .set({ ...values, createdAt: new Date(t.clock.now().getTime() - 30 * 60_000) })
    .where('toAddress', '=', to)
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!withJob) await sql`DELETE FROM pgboss.job WHERE data ->> 'messageId' = ${id}`.execute(t.owner)
  return id
}
const jobsOf = async (id: string) =>
  (await sql<{ name: string }>`SELECT name FROM pgboss.job WHERE data ->> 'messageId' = ${id}`.execute(t.owner)).rows
const rowOf = (id: string) =>
  t.db.selectFrom('messages').select(['status', 'error']).where('id', '=', id).executeTakeFirstOrThrow()
const sweep = () => sweepMessagesJob.run(t.services, {})

test('a mail without an attempt and without a job is sent', async () => {
  const id = await strandedMail()
  await t.runJobs()
  expect(await rowOf(id)).toMatchObject({ status: 'queued' })
  await sweep()
  await sweep()
  expect(await jobsOf(id)).toHaveLength(1)
  await t.runJobs()
  expect(await rowOf(id)).toEqual({ status: 'sent', error: null })
})

test('a mail whose job used up its attempts fails with the stored error', async () => {
  const [silent, answered] = [await strandedMail({ attempts: 9 }), await strandedMail({ attempts: 2, error: '451' })]
  await sweep()
  expect(await rowOf(silent)).toEqual({ status: 'failed', error: 'interrupted' })
  expect(await rowOf(answered)).toEqual({ status: 'failed', error: '451' })
  expect([await jobsOf(silent), await jobsOf(answered)]).toEqual([[], []])
})

test('a WhatsApp message without a job is published again', async () => {
  const createdAt = new Date(t.clock.now().getTime() - 30 * 60_000)
  const words = { event: 'account-exists', language: 'id' as const, subject: '', body: 'Halo' }
  const { id } = await t.db
    .insertInto('messages')
    .values({ channel: 'whatsapp', toAddress: '+628123456789', ...words, createdAt, dueAt: createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sweep()
  expect((await jobsOf(id)).map(({ name }) => name)).toEqual(['deliver-whatsapp'])
})

test('a message with a job, a young message and a claimed message stay untouched', async () => {
  const waiting = await strandedMail({ attempts: 3 }, { withJob: true })
  const young = await strandedMail({ attempts: 1 })
  const claimed = await strandedMail({ attempts: 1 })
  const soon = new Date(t.clock.now().getTime() + 60_000)
  await t.db.updateTable('messages').set({ createdAt: t.clock.now() }).where('id', '=', young).execute()
  await t.db.updateTable('messages').set({ claimedUntil: soon }).where('id', '=', claimed).execute()
  await sweep()
  for (const id of [waiting, young, claimed]) expect(await rowOf(id)).toMatchObject({ status: 'queued' })
})

test('sweeps at once add one job to each mail', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await strandedMail()
    await Promise.all(Array.from({ length: 6 }, sweep))
    expect(await jobsOf(id)).toHaveLength(1)
  }
})
