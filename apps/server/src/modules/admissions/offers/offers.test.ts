import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { universityCalendar } from '#domain/calendar.ts'
import { announceResultsJob } from '#server/modules/admissions/results/announce-results.job.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration, publish, statusOf } from '#server-test/factories/admissions.ts'
import { days, now, registrationSteps, step } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { expireOffersJob } from './expire-offers.job.ts'
import { offerDueAtOf } from './offer-due.ts'

let t: TestApp
let staff: TestActor
let academic: Awaited<ReturnType<typeof academicOf>>
const { at, withoutPublication } = registrationSteps(() => ({ t, academic }))

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  staff = await asStaff(t, 'Panitia PMB')
})
afterEach(() => t.clock.set(now))
afterAll(() => t?.close())

/** A published acceptance that was announced to the applicant. */
async function anOffer() {
  const registration = await aRegistration(t, { status: 'decided' })
  await publish(t, registration.trackId)
  await announceResultsJob.run(t.services, { waveId: academic.wave, trackId: registration.trackId })
  return registration
}
const reason = 'Diterima di tempat lain'
const eventsOf = async (accountId: string) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', accountId)
      .where('channel', '=', 'inbox')
      .where('event', 'like', 'offer-%')
      .execute()
  ).map(({ event }) => event)

describe('declining', () => {
  it('needs a reason, ends the registration and can be reverted', async () => {
    const { id, applicant } = await anOffer()
    expect((await step(applicant, id, 'decline')).statusCode).toBe(422)
    const declined = await step(applicant, id, 'decline', { reason })
    expect(declined.json().data).toMatchObject({ status: 'withdrawn', result: 'accepted', closedReason: reason })
    expect(await eventsOf(applicant.accountId)).toEqual(['offer-declined'])
    const timeline = (await applicant.get(`/pendaftaran/${id}/timeline`)).json().data
    expect(timeline).toContainEqual(expect.objectContaining({ name: 'registration.decline', actor: 'you', reason }))
    expect((await step(staff, id, 'revert-withdrawal', { reason: 'Keliru menekan' })).json().data.status).toBe(
      'decided',
    )
  })

  it('is refused before the publication, without revealing that a decision exists', async () => {
    await withoutPublication()
    const { id, applicant } = await aRegistration(t, { status: 'decided' })
    const refused = await step(applicant, id, 'decline', { reason })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'wrong_status'])
    expect(refused.body).not.toContain('decided')
  })

  it('is refused to applicants who are not accepted, and to staff without permission', async () => {
    const { id, applicant, trackId } = await aRegistration(t, { status: 'decided', decision: 'not_accepted' })
    await publish(t, trackId)
    expect((await step(applicant, id, 'decline', { reason })).json().code).toBe('not_accepted')
    const offer = await anOffer()
    const finance = await asStaff(t, 'Keuangan')
    expect((await step(finance, offer.id, 'decline', { reason })).statusCode).toBe(403)
    expect((await step(staff, offer.id, 'decline', { reason })).json().data.status).toBe('withdrawn')
  })
})

describe('the deadline of an offer', () => {
  it('expires the offer once, notifies the applicant and frees the place', async () => {
    const { id, applicant } = await anOffer()
    t.clock.set(days(59))
    await expireOffersJob.run(t.services, {})
    expect(await statusOf(t, id)).toBe('decided')
    t.clock.set(days(61))
    await Promise.all([1, 2, 3].map(() => expireOffersJob.run(t.services, {})))
    expect(await statusOf(t, id)).toBe('expired')
    expect(await eventsOf(applicant.accountId)).toEqual(['offer-expired'])
  })

  it('passes exactly at its time: a second earlier the offer is still open', async () => {
    const { id } = await anOffer()
    const dueAt = (await t.db.transaction().execute((tx) => offerDueAtOf(tx, id)))!
    t.clock.set(new Date(dueAt.getTime() - 1_000))
    await expireOffersJob.run(t.services, {})
    expect(await statusOf(t, id)).toBe('decided')
    t.clock.set(dueAt)
    await expireOffersJob.run(t.services, {})
    expect(await statusOf(t, id)).toBe('expired')
  })

  it('is extended for one applicant, who is notified and can confirm later than others', async () => {
    const [extended, other] = [await anOffer(), await anOffer()]
    const dueAt = days(70).toISOString()
    expect(
      (await staff.post(`/pendaftaran/${extended.id}/offer-due`, { dueAt: days(-1).toISOString(), reason })).statusCode,
    ).toBe(422)
    expect((await staff.post(`/pendaftaran/${extended.id}/offer-due`, { dueAt, reason })).statusCode).toBe(200)
    expect(await eventsOf(extended.applicant.accountId)).toEqual(['offer-extended'])
    const entry = await t.db
      .selectFrom('auditLog')
      .select(['reason', 'after'])
      .where('subjectId', '=', extended.id)
      .where('action', '=', 'registration.extendOffer')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ reason, after: { dueAt } })
    const late = await at(days(65), extended.applicant)
    await expireOffersJob.run(t.services, {})
    expect([await statusOf(t, extended.id), await statusOf(t, other.id)]).toEqual(['decided', 'expired'])
    expect((await step(late, extended.id, 'confirm')).json().data.status).toBe('confirmed')
  })

  it('is renewed for a decision announced after it', async () => {
    const { id, trackId } = await aRegistration(t, { status: 'verified' })
    await publish(t, trackId)
    const clerk = await at(days(65), staff)
    await step(clerk, id, 'accept', { programmeId: academic.programmes[0] })
    await announceResultsJob.run(t.services, { waveId: academic.wave, trackId })
    await expireOffersJob.run(t.services, {})
    expect(await statusOf(t, id)).toBe('decided')
    t.clock.set(days(69))
    await expireOffersJob.run(t.services, {})
    expect(await statusOf(t, id)).toBe('expired')
  })

  it('and an answer at once end the offer only once', async () => {
    const offers = [await anOffer(), await anOffer(), await anOffer()]
    for (const { id, applicant } of offers) {
      const late = await at(days(61), applicant)
      const [answer] = await Promise.all([
        step(late, id, 'decline', { reason }),
        expireOffersJob.run(t.services, {}),
        expireOffersJob.run(t.services, {}),
      ])
      expect(await statusOf(t, id)).toBe(answer.statusCode === 200 ? 'withdrawn' : 'expired')
      const ends = await t.db
        .selectFrom('registrationSteps')
        .select('step')
        .where('registrationId', '=', id)
        .where('step', 'in', ['withdrawn', 'expired'])
        .execute()
      expect(ends).toHaveLength(1)
      expect(await eventsOf(applicant.accountId)).toHaveLength(1)
      t.clock.set(now)
    }
  })
})

describe('the list of offers', () => {
  it('shows whether the applicant saw the result; a reminder is sent once', async () => {
    const { id, code, applicant } = await anOffer()
    const row = async () => (await staff.get(`/konfirmasi-kelulusan?q=${code}`)).json().data[0]
    expect(await row()).toMatchObject({ answer: 'open', seenAt: null, remindedAt: null })
    expect((await staff.post(`/pendaftaran/${id}/result-seen`, {})).json().data).toEqual({ seen: false })
    expect((await applicant.post(`/pendaftaran/${id}/result-seen`, {})).json().data).toEqual({ seen: true })
    expect((await applicant.post(`/pendaftaran/${id}/result-seen`, {})).json().data).toEqual({ seen: false })
    expect((await row()).seenAt).not.toBeNull()
    const preview = (await staff.post('/konfirmasi-kelulusan/remind/preview', { ids: [id] })).json().data
    expect(preview).toMatchObject({ allowed: [{ id }], sample: { body: expect.stringContaining(code) } })
    const sent = await Promise.all(
      [1, 2].map(() => staff.post('/konfirmasi-kelulusan/remind', { ids: [id] }).then((answer) => answer.json().data)),
    )
    expect(sent.map(({ reminded }) => reminded).sort()).toEqual([0, 1])
    expect(await eventsOf(applicant.accountId)).toEqual(['offer-reminder'])
    expect((await staff.post('/konfirmasi-kelulusan/remind/preview', { ids: [id] })).json().data.refused).toHaveLength(
      1,
    )
  })

  it('shows applicants their own offers, and nobody an unpublished acceptance', async () => {
    await withoutPublication()
    const { code, applicant, trackId } = await aRegistration(t, { status: 'decided' })
    const codes = async (actor: TestActor) =>
      (await actor.get('/konfirmasi-kelulusan?per_page=200')).json().data.map((row: { code: string }) => row.code)
    expect(await codes(staff)).not.toContain(code)
    expect(await codes(applicant)).toEqual([])
    await publish(t, trackId)
    expect(await codes(staff)).toContain(code)
    expect(await codes(applicant)).toEqual([code])
  })

  it('prints the acceptance letter only while the acceptance is valid', async () => {
    const { id, applicant } = await anOffer()
    const letter = await applicant.get(`/pendaftaran/${id}/acceptance-letter.pdf`)
    expect([letter.statusCode, letter.body.slice(0, 4)]).toEqual([200, '%PDF'])
    await step(applicant, id, 'decline', { reason })
    expect((await applicant.get(`/pendaftaran/${id}/acceptance-letter.pdf`)).statusCode).toBe(409)
  })
})

it('the list by deadline has the offers whose own, track or wave deadline has come', async () => {
  const own = await anOffer()
  await anOffer()
  await t.db
    .updateTable('registrations')
    .set({ offerDueAt: days(2) })
    .where('id', '=', own.id)
    .execute()
  const listed = async (filter: string): Promise<{ id: string; dueAt: string | null }[]> =>
    (await staff.get(`/konfirmasi-kelulusan?per_page=100${filter}`)).json().data
  const expectSameByDeadline = async () => {
    const offers = await listed('')
    const dueDays = new Set(offers.flatMap(({ dueAt }) => dueAt?.slice(0, 10) ?? []))
    expect(dueDays.size).toBeGreaterThan(1)
    for (const day of dueDays) {
      const end = universityCalendar().endOfDay(day)
      expect(await listed(`&dueUntil=${day}`)).toEqual(offers.filter(({ dueAt }) => dueAt && new Date(dueAt) <= end))
    }
  }
  await expectSameByDeadline()
  await t.db
    .updateTable('trackDetails')
    .set({ confirmationDueAt: days(90) })
    .where('trackId', '=', own.trackId)
    .execute()
  await expectSameByDeadline()
})
