import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextStep } from '#domain/admissions/what-to-do.ts'
import { expireRegistrationsJob } from '#server/modules/admissions/expire-registrations.job.ts'
import { announceResultsJob } from '#server/modules/admissions/results/announce-results.job.ts'
import { releaseUnusedSeatsJob } from '#server/modules/testing/seats/release-unused-seats.job.ts'
import { asApplicant, asStaff } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestTaker, takeSeat } from '#server-test/factories/registrations/testing.ts'
import { giveBack, join, leave, waitingListOf } from '#server-test/factories/registrations/waiting-list.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
})
afterAll(() => t?.close())

const { applicant, newSession, fullSession, keepLists, countTaken, seatsIn, placesIn, eventsOf } = waitingListOf(
  () => ({ t, academic, now }),
)
const schedule = async ({ actor, id }: TestTaker) => (await actor.get(`/pendaftaran/${id}/test-sessions`)).json().data

/** Adds an unpaid registration fee. */
const feeOf = ({ id, actor }: TestTaker, dueAt: Date) =>
  t.db
    .insertInto('bills')
    .values({
      registrationId: id,
      accountId: actor.accountId,
      kind: 'registration_fee',
      number: `INV-W-${id.slice(0, 8)}`,
      total: 250_000,
      dueAt,
      issuedAt: now,
    } as never)
    .execute()

describe('joining', () => {
  it('shows the position in a full session, and is refused while the session has seats', async () => {
    const { session, queue } = await fullSession(2)
    expect((await schedule(queue[0]!)).waiting).toMatchObject({
      status: 'waiting',
      position: 1,
      session: { id: session },
    })
    expect((await schedule(queue[1]!)).waiting).toMatchObject({ position: 2, offeredUntil: null })
    const free = await newSession()
    expect((await join(queue[0]!, free)).json().code).toBe('test_session_not_full')
    expect((await schedule(queue[0]!)).waiting.session.id).toBe(session)
  })

  it('twice keeps one place; joining another session gives up the first place', async () => {
    const { session, queue } = await fullSession(1)
    const other = await fullSession(0)
    expect((await join(queue[0]!, session)).statusCode).toBe(200)
    expect(await placesIn(session, 'waiting')).toHaveLength(1)
    expect((await join(queue[0]!, other.session)).json().data).toMatchObject({
      position: 1,
      session: { id: other.session },
    })
    expect(await placesIn(session, 'waiting')).toHaveLength(0)
  })

  it('is refused for a draft, which has to be submitted first, another applicant, another track and a session that begins too soon', async () => {
    const { session, queue } = await fullSession(1)
    expect((await join(await applicant('draft'), session)).json().code).toBe('test_waiting_submit_first')
    expect((await join(await applicant('confirmed'), session)).json().code).toBe('wrong_status')
    const stranger = await asApplicant(t)
    expect(
      (await stranger.post(`/pendaftaran/${queue[0]!.id}/test-waiting`, { testSessionId: session })).statusCode,
    ).toBe(404)
    expect((await stranger.delete(`/pendaftaran/${queue[0]!.id}/test-waiting`)).statusCode).toBe(404)
    const foreign = await newSession({ trackId: academic.tracks.achievement, capacity: 0 })
    expect((await join(await applicant(), foreign)).statusCode).toBe(404)
    // 13.00 in Jakarta is 06:00 UTC, three hours away; offers stop twelve hours before.
    const soon = await newSession({ capacity: 0, date: '2026-11-20' })
    expect((await join(await applicant(), soon)).json().code).toBe('test_waiting_closed')
  })
})

describe('a seat that becomes free', () => {
  it('is offered to the first in the queue for a day, with a notice, and counts as taken', async () => {
    const { session, holder, queue } = await fullSession(2)
    await giveBack(holder)
    const { actor, id } = queue[0]!
    const { todo } = (await actor.get(`/pendaftaran/${id}`)).json().data
    expect(nextStep(todo)).toMatchObject({ key: 'testOffer', dueAt: hours(24).toISOString() })
    expect((await schedule(queue[0]!)).waiting).toMatchObject({
      status: 'offered',
      offeredUntil: hours(24).toISOString(),
    })
    expect((await schedule(queue[1]!)).waiting).toMatchObject({ status: 'waiting' })
    expect(await countTaken(session)).toBe(1)
    expect((await takeSeat(await applicant(), session)).json().code).toBe('test_session_full')
    expect(await eventsOf(queue[0]!)).toEqual(['test-offered'])
    expect(await eventsOf(queue[1]!)).toEqual([])
  })

  it('is the next step on the dashboard, with the deadline and the page to answer', async () => {
    const { holder, queue } = await fullSession(1)
    const nextStepOf = async ({ actor, id }: TestTaker) =>
      (await actor.get('/dashboard'))
        .json()
        .data.registrations.find((registration: { id: string }) => registration.id === id).nextStep
    expect((await nextStepOf(queue[0]!)).key).not.toBe('testOffer')
    await giveBack(holder)
    expect(await nextStepOf(queue[0]!)).toMatchObject({
      key: 'testOffer',
      state: 'todo',
      dueAt: hours(24).toISOString(),
      path: `/pendaftaran/${queue[0]!.id}#test`,
    })
    await leave(queue[0]!)
    expect((await nextStepOf(queue[0]!)).key).not.toBe('testOffer')
  })

  it('is accepted in one step, and the former seat in another session is offered to its own list', async () => {
    const first = await fullSession(1)
    const second = await fullSession(0)
    await join(second.holder, first.session)
    await giveBack(first.holder)
    await leave(first.queue[0]!)
    const late = await applicant()
    await join(late, second.session)
    expect((await takeSeat(second.holder, first.session)).json().data.status).toBe('booked')
    expect(await seatsIn(first.session)).toEqual([second.holder.id])
    expect(await countTaken(first.session)).toBe(1)
    expect((await placesIn(second.session, 'offered')).map((place) => place.registrationId)).toEqual([late.id])
    expect(await countTaken(second.session)).toBe(1)
    expect((await schedule(second.holder)).waiting).toBeNull()
  })

  it('goes to the next at once if it is declined', async () => {
    const { session, holder, queue } = await fullSession(2)
    await giveBack(holder)
    expect((await leave(queue[0]!)).statusCode).toBe(200)
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect((await leave(queue[0]!)).statusCode).toBe(404)
    await leave(queue[1]!)
    expect(await countTaken(session)).toBe(0)
  })

  it('goes to the next if the offer expires', async () => {
    const { session, holder, queue } = await fullSession(2)
    await giveBack(holder)
    t.clock.set(hours(24))
    await keepLists()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect(await eventsOf(queue[0]!)).toEqual(['test-offered', 'test-offer-expired'])
    expect(await countTaken(session)).toBe(1)
    await keepLists()
    expect(await eventsOf(queue[1]!)).toEqual(['test-offered'])
    t.clock.set(now)
  })

  it('through an ended registration is offered by the job, and so is an offer to an ended registration', async () => {
    const { session, holder, queue } = await fullSession(2)
    const end = (id: string) =>
      t.db.updateTable('registrations').set({ status: 'withdrawn' }).where('id', '=', id).execute()
    await end(holder.id)
    await releaseUnusedSeatsJob.run(t.services, {})
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
    await end(queue[0]!.id)
    await keepLists()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect(await countTaken(session)).toBe(1)
  })

  it('through a withdrawal is offered right afterwards, and so is a seat offered to the withdrawn applicant', async () => {
    const { session, holder, queue } = await fullSession(3)
    const withdraw = ({ actor, id }: TestTaker) => actor.post(`/pendaftaran/${id}/withdraw`, { reason: 'Pindah kota' })
    expect((await withdraw(holder)).statusCode).toBe(200)
    await t.runJobs()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
    expect((await withdraw(queue[0]!)).statusCode).toBe(200)
    expect((await withdraw(queue[1]!)).statusCode).toBe(200)
    await t.runJobs()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[2]!.id])
    expect(await placesIn(session, 'waiting')).toEqual([])
    expect(await countTaken(session)).toBe(1)
  })

  it('through an expired unpaid registration is offered right afterwards', async () => {
    const { session, holder, queue } = await fullSession(1)
    await t.db.updateTable('registrations').set({ status: 'submitted' }).where('id', '=', holder.id).execute()
    await feeOf(holder, hours(-1))
    await expireRegistrationsJob.run(t.services, {})
    await t.runJobs()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
  })

  it('through a refusal is offered once the refusal is published; seats in past sessions stay', async () => {
    const { session, holder, queue } = await fullSession(2)
    const staff = await asStaff(t)
    const over = await newSession({ date: '2026-11-19', bookingOpensAt: null })
    const [waiting, present] = [queue[0]!, await applicant()]
    const values = { registrationId: present.id, testSessionId: over, status: 'booked' as const }
    await t.db.insertInto('testSeats').values(values).execute()
    for (const { id } of [holder, waiting, present])
      expect((await staff.post(`/pendaftaran/${id}/reject`, { reason: 'Kuota' })).statusCode).toBe(200)
    await t.runJobs()
    expect(await seatsIn(session)).toEqual([holder.id])
    const publication = { waveId: academic.wave, trackId: academic.tracks.regular, publishAt: now }
    await t.db.insertInto('resultPublications').values(publication).execute()
    await announceResultsJob.run(t.services, publication)
    await t.runJobs()
    expect(await seatsIn(session)).toEqual([])
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect(await placesIn(session, 'waiting')).toEqual([])
    expect(await seatsIn(over)).toEqual([present.id])
    await t.db.deleteFrom('resultPublications').execute()
  })

  it('through a raised capacity is offered by the job before anyone else can take it', async () => {
    const { session, queue } = await fullSession(2)
    await t.db.updateTable('testSessions').set({ capacity: 2 }).where('id', '=', session).execute()
    expect((await takeSeat(await applicant(), session)).json().code).toBe('test_session_full')
    await keepLists()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
    expect(await countTaken(session)).toBe(2)
  })

  it('skips applicants whose fee is due too soon, and an offer ends when the fee is due', async () => {
    const { session, holder } = await fullSession(0)
    const [tooLate, inTime] = [await applicant('submitted'), await applicant('submitted')]
    await feeOf(tooLate, new Date(now.getTime() + 10 * 60_000))
    await feeOf(inTime, hours(5))
    for (const person of [tooLate, inTime]) await join(person, session)
    await giveBack(holder)
    expect(await placesIn(session, 'offered')).toEqual([{ registrationId: inTime.id, offeredUntil: hours(5) }])
    expect((await schedule(tooLate)).waiting).toMatchObject({ status: 'waiting', position: 1 })
  })

  it('too near the session is not offered, and the list is closed with a message', async () => {
    const { session, holder, queue } = await fullSession(1, { date: '2026-11-21' })
    // The session begins at 06:00 UTC of the next day.
    t.clock.set(hours(15))
    await giveBack(holder)
    expect(await placesIn(session, 'offered')).toEqual([])
    await keepLists()
    expect(await placesIn(session, 'waiting')).toEqual([])
    expect(await eventsOf(queue[0]!)).toEqual(['test-waiting-closed'])
    t.clock.set(now)
  })

  it('follows the university’s settings for the length of offers and the time before the session', async () => {
    const admin = await asStaff(t, 'Administrator')
    const { data } = (await admin.get('/settings/general')).json()
    const { testReminderHours } = data.values
    const body = { testReminderHours, testOfferHours: 6, testOfferStopHours: 48, version: data.versions.tests }
    expect((await admin.put('/settings/general/tests', body)).statusCode).toBe(200)
    const { session, holder } = await fullSession(1)
    await giveBack(holder)
    expect((await placesIn(session, 'offered'))[0]!.offeredUntil).toEqual(hours(6))
    const near = await newSession({ capacity: 0, date: '2026-11-21' })
    expect((await join(await applicant(), near)).json().code).toBe('test_waiting_closed')
    await t.db
      .deleteFrom('settings')
      .where('key', 'in', ['testReminderHours', 'testOfferHours', 'testOfferStopHours'])
      .execute()
  })
})
