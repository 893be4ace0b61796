import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPdf } from '#server-test/factories/applicants.ts'
import { setSettings } from '#server-test/factories/installation/installations.ts'
import { registrationForTest } from '#server-test/factories/registrations/testing.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { createDocumentSlots } from './document-slots.ts'
import { followUpDocumentsJob } from './follow-up-documents.job.ts'

const now = new Date('2026-11-20T03:00:00Z')
const day = (count: number) => new Date(now.getTime() + count * 86_400_000)

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db, now)
})
beforeEach(async () => {
  t.clock.set(now)
  await setSettings(t, { documentFollowDays: 30 })
})
afterAll(() => t.close())

type Slot = { id: string; status: string; required: boolean; version: number; mayFollowUntil: string | null }

/** A paid registration with one required document that may follow, and others that are settled. */
async function aRegistration() {
  const actor = await asApplicant(t, { profile: true })
  const id = await registrationForTest(t.db, academic, actor.accountId)
  await createDocumentSlots(t.db, id, academic.tracks.regular)
  const slots = () => actor.get(`/pendaftaran/${id}/files`).then((answer) => answer.json().data as Slot[])
  const [first, ...others] = (await slots()).filter(({ required }) => required)
  await t.db.updateTable('documents').set({ mayDefer: true }).where('id', '=', first!.id).execute()
  for (const { id: other } of others)
    await t.db.updateTable('documents').set({ status: 'waived' }).where('id', '=', other).execute()
  const read = async () => (await slots()).find(({ id: same }) => same === first!.id)!
  return { actor, id, read }
}
type Registered = Awaited<ReturnType<typeof aRegistration>>

const postpone = ({ actor, id }: Pick<Registered, 'actor' | 'id'>, slot: Slot) =>
  actor.post(`/pendaftaran/${id}/files/${slot.id}/postpone`, { version: slot.version })
const statusOf = async ({ id }: Registered) =>
  (await t.db.selectFrom('registrations').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const messagesTo = async ({ actor }: { actor: TestActor }) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', actor.accountId)
      .where('channel', '=', 'inbox')
      .orderBy('createdAt')
      .execute()
  ).map(({ event }) => event)
/** Runs the daily job that many days later, several times at once if asked, and comes back before sessions end. */
async function after(days: number, { times = 1 } = {}) {
  t.clock.set(day(days))
  await Promise.all(Array.from({ length: times }, () => followUpDocumentsJob.run(t.services, {})))
  t.clock.set(now)
}

describe('a missing document that may follow', () => {
  test('is postponed by the applicant with one call, which verifies a registration without other open documents', async () => {
    const registered = await aRegistration()
    const slot = await registered.read()
    expect(slot).toMatchObject({ status: 'empty', mayFollowUntil: '2026-12-20' })
    const answer = await postpone(registered, slot)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data).toMatchObject({ status: 'deferred', deferredUntil: '2026-12-20', mayFollowUntil: null })
    expect(await statusOf(registered)).toBe('verified')
  })

  test('is postponed once, even by twenty calls at once, and not again after its date', async () => {
    const registered = await aRegistration()
    const slot = await registered.read()
    const codes = (await Promise.all(Array.from({ length: 20 }, () => postpone(registered, slot)))).map(
      ({ statusCode }) => statusCode,
    )
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    await after(31)
    const lapsed = await registered.read()
    expect(lapsed).toMatchObject({ status: 'empty', mayFollowUntil: null, dueOn: '2026-12-20' })
    expect((await postpone(registered, lapsed)).json().code).toBe('document_not_deferrable')
  })

  test('verifies what the applicant sees of a hidden refusal too, and its lapse takes that back', async () => {
    const registered = await aRegistration()
    await t.db
      .updateTable('registrations')
      .set({ status: 'decided', decision: 'not_accepted', decisionReason: 'Kuota penuh', decidedAt: now })
      .where('id', '=', registered.id)
      .execute()
    const seen = async () => (await registered.actor.get(`/pendaftaran/${registered.id}`)).json().data.status
    expect(await seen()).toBe('paid')
    await postpone(registered, await registered.read())
    expect(await seen()).toBe('verified')
    expect(await messagesTo(registered)).toContain('registration-verified')
    await after(31)
    expect(await seen()).toBe('paid')
  })

  test('is not reminded of if the applicant knows that they are not accepted', async () => {
    const registered = await aRegistration()
    await postpone(registered, await registered.read())
    await t.db
      .updateTable('registrations')
      .set({ status: 'decided', decision: 'not_accepted', decisionReason: 'Kuota penuh', decidedAt: now })
      .where('id', '=', registered.id)
      .execute()
    const publication = { waveId: academic.wave, trackId: academic.tracks.regular, publishAt: now }
    await t.db.insertInto('resultPublications').values(publication).execute()
    await after(24)
    await after(31)
    expect(await messagesTo(registered)).not.toContain('document-due')
    expect(await registered.read()).toMatchObject({ status: 'deferred' })
    await t.db.deleteFrom('resultPublications').execute()
  })

  test('is not postponed once the applicant reads a refusal', async () => {
    const registered = await aRegistration()
    const slot = await registered.read()
    await t.db
      .updateTable('registrations')
      .set({ status: 'decided', decision: 'not_accepted', decidedAt: now })
      .where('id', '=', registered.id)
      .execute()
    expect((await registered.read()).mayFollowUntil).toBe('2026-12-20')
    const publication = { waveId: academic.wave, trackId: academic.tracks.regular, publishAt: now }
    await t.db.insertInto('resultPublications').values(publication).execute()
    expect((await registered.read()).mayFollowUntil).toBeNull()
    expect((await postpone(registered, slot)).json().code).toBe('document_closed')
    await t.db.deleteFrom('resultPublications').execute()
  })

  test('is not postponed by staff, who defer it', async () => {
    const registered = await aRegistration()
    const clerk = await asStaff(t, 'Panitia PMB')
    expect((await postpone({ actor: clerk, id: registered.id }, await registered.read())).statusCode).toBe(403)
  })

  test('is not postponed without the setting, for another applicant, on another registration or in an old version', async () => {
    const registered = await aRegistration()
    const other = await aRegistration()
    const slot = await registered.read()
    expect((await postpone({ actor: other.actor, id: registered.id }, slot)).statusCode).toBe(404)
    expect((await postpone({ actor: registered.actor, id: other.id }, slot)).statusCode).toBe(404)
    expect((await postpone(registered, { ...slot, version: slot.version + 1 })).json().code).toBe('stale_version')
    await setSettings(t, { documentFollowDays: 0 })
    expect((await registered.read()).mayFollowUntil).toBeNull()
    expect((await postpone(registered, slot)).json().code).toBe('document_not_deferrable')
  })

  test('is not postponed if it is optional, sent, rejected or excluded by the track', async () => {
    const registered = await aRegistration()
    const slot = await registered.read()
    const refusedWith = async (values: object) => {
      await t.db.updateTable('documents').set(values).where('id', '=', slot.id).execute()
      return (await postpone(registered, slot)).json().code
    }
    expect(await refusedWith({ required: false })).toBe('document_not_deferrable')
    expect(await refusedWith({ required: true, mayDefer: false })).toBe('document_not_deferrable')
    expect(await refusedWith({ mayDefer: true, status: 'rejected' })).toBe('document_not_deferrable')
    expect(await refusedWith({ status: 'uploaded' })).toBe('document_not_deferrable')
  })
})

describe('a document that follows', () => {
  test('is reminded of a week and a day before its date, once each, with a link to the documents', async () => {
    const registered = await aRegistration()
    await postpone(registered, await registered.read())
    const reminders = async () => (await messagesTo(registered)).filter((event) => event === 'document-due').length
    await after(22)
    expect(await reminders()).toBe(0)
    await after(23)
    await after(24)
    expect(await reminders()).toBe(1)
    await after(29, { times: 3 })
    await after(30)
    expect(await reminders()).toBe(2)
    const { link } = await t.db
      .selectFrom('messages')
      .select('link')
      .where('accountId', '=', registered.actor.accountId)
      .where('event', '=', 'document-due')
      .executeTakeFirstOrThrow()
    expect(link).toMatch(new RegExp(`/pendaftaran/${registered.id}/file\\?`))
  })

  test('is missing again after its date, and the registration is no longer verified; both are said once', async () => {
    const registered = await aRegistration()
    await postpone(registered, await registered.read())
    await after(30)
    expect(await registered.read()).toMatchObject({ status: 'deferred' })
    await after(31, { times: 3 })
    expect(await registered.read()).toMatchObject({ status: 'empty', deferredUntil: null })
    expect(await statusOf(registered)).toBe('paid')
    expect((await messagesTo(registered)).filter((event) => event === 'document-overdue')).toHaveLength(1)
  })

  test('is reminded of again if staff give it another day, and lapses only if its day did not pass before', async () => {
    const registered = await aRegistration()
    const clerk = await asStaff(t, 'Panitia PMB')
    await postpone(registered, await registered.read())
    await after(29)
    const { id, version } = await registered.read()
    const reopened = await clerk.post(`/documents/${id}/reopen`, { version, reason: 'Diberi waktu lagi' })
    expect(reopened.statusCode, reopened.body).toBe(200)
    const until = '2027-01-10'
    const deferred = await clerk.post(`/documents/${id}/defer`, { version: version + 1, until })
    expect(deferred.statusCode, deferred.body).toBe(200)
    await after(45)
    expect((await messagesTo(registered)).filter((event) => event === 'document-due')).toHaveLength(2)
    await t.db.updateTable('documents').set({ neverLapses: true }).where('id', '=', id).execute()
    await after(60)
    expect(await registered.read()).toMatchObject({ status: 'deferred' })
  })

  test('that arrives in time is left alone', async () => {
    const registered = await aRegistration()
    await postpone(registered, await registered.read())
    const { id } = await registered.read()
    const file = { name: 'ijazah.pdf', type: 'application/pdf', bytes: aPdf() }
    expect((await registered.actor.upload(`/pendaftaran/${registered.id}/files/${id}`, file)).statusCode).toBe(200)
    await after(60)
    expect(await registered.read()).toMatchObject({ status: 'uploaded' })
    expect(await messagesTo(registered)).not.toContain('document-overdue')
  })

  test('of a registration after its decision is missing again, and the decision stays', async () => {
    const registered = await aRegistration()
    await postpone(registered, await registered.read())
    await t.db.updateTable('registrations').set({ status: 'confirmed' }).where('id', '=', registered.id).execute()
    await after(31)
    expect(await registered.read()).toMatchObject({ status: 'empty' })
    expect(await statusOf(registered)).toBe('confirmed')
  })
})
