import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ScanKind } from '#domain/testing/attendance.ts'
import { cardCode } from '#server/modules/admissions/registrations/registration-card.ts'
import { asApplicant, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { registrationForTest, testSession } from '#server-test/factories/registrations/testing.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

// The session begins at 06:00 UTC, 13.00 in Jakarta.
const now = new Date('2026-11-20T05:50:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
  clerk = await asWithPermissions(t, ['jadwal-test-update'])
})
afterAll(() => t?.close())
beforeEach(() => t.clock.set(now))
afterEach(() => t.clock.set(now))

type Person = { actor: TestActor; id: string; code: string; card: string; seat: string }

/** A session of today and people with seats in it. */
async function sessionWith(count: number, values: Record<string, unknown> = {}) {
  const session = await testSession(t.db, academic, now, { date: '2026-11-20', ...values })
  const people: Person[] = []
  for (let index = 0; index < count; index++) people.push(await personIn(session))
  return { session, people }
}

async function personIn(session: string | null, status = 'paid'): Promise<Person> {
  const actor = await asApplicant(t)
  const id = await registrationForTest(t.db, academic, actor.accountId, { status })
  const { code } = await t.db.selectFrom('registrations').select('code').where('id', '=', id).executeTakeFirstOrThrow()
  const seat = session
    ? (await actor.post(`/pendaftaran/${id}/test-seat`, { testSessionId: session })).json().data.id
    : ''
  return { actor, id, code, card: cardCode(t.services, code), seat }
}

const phoneOf = (name: string) => ({ id: crypto.randomUUID(), name })
const [phone, secondPhone] = [phoneOf('HP pintu A'), phoneOf('HP pintu B')]
type Scan = { id: string; kind: ScanKind; at: string; card?: string; registrationId?: string; reason?: string }
const scanOf = (values: Partial<Scan> & ({ card: string } | { registrationId: string }), at = t.clock.now()): Scan => ({
  id: crypto.randomUUID(),
  kind: 'arrive',
  at: at.toISOString(),
  ...values,
})
const send = (session: string, scans: Scan[], device = phone, sentAt = t.clock.now(), by = clerk) =>
  by.post(`/jadwal-test/${session}/scans`, { device, sentAt: sentAt.toISOString(), scans })
const resultsOf = async (...args: Parameters<typeof send>) => (await send(...args)).json().data
const listOf = async (session: string, by = clerk) => (await by.get(`/jadwal-test/${session}/attendance`)).json().data
const seatOf = ({ id }: Person) =>
  t.db
    .selectFrom('testSeats')
    .select(['testSessionId', 'status', 'arrivedAt', 'leftAt', 'extra', 'forcedReason'])
    .where('registrationId', '=', id)
    .where('status', '<>', 'released')
    .executeTakeFirstOrThrow()
const takenIn = async (session: string) =>
  (
    await t.db
      .selectFrom('testSessionSeats')
      .select('taken')
      .where('testSessionId', '=', session)
      .executeTakeFirstOrThrow()
  ).taken

describe('the list of a session', () => {
  it('holds what a phone needs without network: names, codes, and fingerprints of the cards', async () => {
    const { session, people } = await sessionWith(2)
    const { participants, begun } = await listOf(session)
    expect(begun).toBe(true)
    const cardHash = crypto.createHash('sha256').update(people[0]!.card).digest('hex')
    expect(participants).toContainEqual(
      expect.objectContaining({ registrationId: people[0]!.id, code: people[0]!.code, status: 'booked', cardHash }),
    )
    expect(JSON.stringify(participants)).not.toContain(people[0]!.card.slice(-20))
  })

  it('needs the permission to update sessions and shows only the programmes of a limited role', async () => {
    const { session, people } = await sessionWith(1)
    expect((await people[0]!.actor.get(`/jadwal-test/${session}/attendance`)).statusCode).toBe(403)
    const other = await asWithPermissions(t, ['jadwal-test-update'], { programmeIds: [academic.programmes[1]] })
    expect((await listOf(session, other)).participants).toEqual([])
    expect((await resultsOf(session, [scanOf({ card: people[0]!.card })], phone, now, other))[0]).toMatchObject({
      outcome: 'unknown_card',
      name: null,
    })
    expect((await seatOf(people[0]!)).status).toBe('booked')
  })
})

describe('a scanned card', () => {
  it('records the arrival, which is the step "tested" of the registration', async () => {
    const { session, people } = await sessionWith(1)
    expect((await resultsOf(session, [scanOf({ card: people[0]!.card })]))[0]).toMatchObject({
      outcome: 'recorded',
      registrationId: people[0]!.id,
      first: null,
    })
    expect(await seatOf(people[0]!)).toMatchObject({ status: 'attended', arrivedAt: now })
    expect((await listOf(session)).participants[0]).toMatchObject({
      status: 'attended',
      arrivedAt: now.toISOString(),
      arrivedOn: 'HP pintu A',
    })
    const { testedAt } = await t.db
      .selectFrom('registrations')
      .select('testedAt')
      .where('id', '=', people[0]!.id)
      .executeTakeFirstOrThrow()
    expect(testedAt).toEqual(now)
  })

  it('on two phones is one attendance; the second phone learns since when and on which device', async () => {
    const { session, people } = await sessionWith(1)
    const lock = sql`SELECT FROM registrations WHERE id = ${people[0]!.id} FOR NO KEY UPDATE`
    const [first, second] = await raceBehind(t, lock, 2, () =>
      Promise.all([
        resultsOf(session, [scanOf({ card: people[0]!.card })], phone),
        resultsOf(session, [scanOf({ card: people[0]!.card })], secondPhone),
      ]),
    )
    const [recorded, repeated] = first[0].outcome === 'recorded' ? [first[0], second[0]] : [second[0], first[0]]
    expect(recorded).toMatchObject({ outcome: 'recorded', first: null })
    expect(repeated).toMatchObject({ outcome: 'repeated', first: { at: now.toISOString() } })
    expect(['HP pintu A', 'HP pintu B']).toContain(repeated.first.deviceName)
    expect((await listOf(session)).participants).toHaveLength(1)
  })

  it('sent twice, also at the same moment, is one scan with the same answer', async () => {
    const { session, people } = await sessionWith(1)
    const scan = scanOf({ card: people[0]!.card })
    const answers = await Promise.all([scan, scan, scan].map((same) => resultsOf(session, [same])))
    expect(answers.map(([answer]) => answer.outcome)).toEqual(['recorded', 'recorded', 'recorded'])
    t.clock.set(minutes(20))
    expect((await resultsOf(session, [scan]))[0]).toMatchObject({ outcome: 'recorded', first: null })
    expect((await seatOf(people[0]!)).arrivedAt).toEqual(now)
    const scans = await t.db.selectFrom('testScans').select('id').where('testSessionId', '=', session).execute()
    expect(scans).toHaveLength(1)
  })

  it('of an unknown person sent twice at the same moment is one scan', async () => {
    const { session } = await sessionWith(0)
    const scan = scanOf({ card: 'https://example.test/' })
    const answers = await Promise.all([scan, scan].map((same) => send(session, [same])))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await listOf(session)).refused).toHaveLength(1)
  })

  it('whose signature is wrong is nobody', async () => {
    const { session, people } = await sessionWith(1)
    const forged = `${people[0]!.code}-${'0'.repeat(20)}`
    expect((await resultsOf(session, [scanOf({ card: forged })]))[0]).toMatchObject({
      outcome: 'unknown_card',
      name: null,
    })
    expect((await seatOf(people[0]!)).status).toBe('booked')
  })

  it('before the day of the session is refused', async () => {
    const { session, people } = await sessionWith(1, { date: '2026-11-21' })
    expect((await send(session, [scanOf({ card: people[0]!.card })])).json().code).toBe('test_not_begun')
    expect((await listOf(session)).begun).toBe(false)
  })
})

describe('phones without network', () => {
  it('merge later in any order: the earliest arrival counts', async () => {
    const { session, people } = await sessionWith(1)
    const [early, late] = [
      scanOf({ card: people[0]!.card }, minutes(-10)),
      scanOf({ card: people[0]!.card }, minutes(5)),
    ]
    t.clock.set(minutes(60))
    await send(session, [late], secondPhone)
    expect((await seatOf(people[0]!)).arrivedAt).toEqual(minutes(5))
    expect((await resultsOf(session, [early], phone))[0]).toMatchObject({
      outcome: 'repeated',
      first: { at: minutes(5).toISOString(), deviceName: 'HP pintu B' },
    })
    expect((await seatOf(people[0]!)).arrivedAt).toEqual(minutes(-10))
    expect((await listOf(session)).participants[0].arrivedOn).toBe('HP pintu A')
  })

  it('an absence noted meanwhile does not outweigh an arrival that merges later', async () => {
    const { session, people } = await sessionWith(1)
    t.clock.set(minutes(60))
    await clerk.post(`/test-seats/${people[0]!.seat}/attendance`, { attended: false })
    expect((await seatOf(people[0]!)).status).toBe('absent')
    await send(session, [scanOf({ card: people[0]!.card }, minutes(3))], secondPhone)
    expect(await seatOf(people[0]!)).toMatchObject({ status: 'attended', arrivedAt: minutes(3) })
  })

  it.each([
    ['two hours slow', -120],
    ['two days fast', 2880],
  ])('with a clock %s tell the right time', async (_situation, wrongMinutes) => {
    const { session, people } = await sessionWith(1)
    const scan = scanOf({ card: people[0]!.card }, minutes(15 + wrongMinutes))
    t.clock.set(minutes(45))
    await send(session, [scan], phone, minutes(45 + wrongMinutes))
    expect((await seatOf(people[0]!)).arrivedAt).toEqual(minutes(15))
  })

  it('a hundred scans of one phone and a repeated half of them are a hundred attendances', async () => {
    const { session, people } = await sessionWith(20, { capacity: 20 })
    const scans = people.map(({ card }) => scanOf({ card }))
    const answers = await Promise.all([
      resultsOf(session, scans.slice(0, 10)),
      resultsOf(session, scans.slice(5)),
      resultsOf(
        session,
        people.map(({ card }) => scanOf({ card })),
        secondPhone,
      ),
    ])
    const outcomes = answers.flat().filter(({ outcome }) => outcome !== 'repeated')
    expect(new Set(outcomes.map(({ registrationId }) => registrationId)).size).toBe(20)
    const { participants } = await listOf(session)
    expect(participants.filter(({ status }: { status: string }) => status === 'attended')).toHaveLength(20)
  }, 30_000)
})

describe('late, left and corrected', () => {
  it('an arrival after the start is late, and leaving is recorded', async () => {
    const { session, people } = await sessionWith(1)
    t.clock.set(minutes(22))
    await send(session, [scanOf({ registrationId: people[0]!.id })])
    t.clock.set(minutes(80))
    await send(session, [scanOf({ registrationId: people[0]!.id, kind: 'leave' })])
    expect(await seatOf(people[0]!)).toMatchObject({ status: 'attended', arrivedAt: minutes(22), leftAt: minutes(80) })
  })

  it('a mark is taken back, and with it the step of the registration', async () => {
    const { session, people } = await sessionWith(1)
    await send(session, [scanOf({ registrationId: people[0]!.id })])
    t.clock.set(minutes(1))
    await send(session, [scanOf({ registrationId: people[0]!.id, kind: 'cancel' })])
    expect(await seatOf(people[0]!)).toMatchObject({ status: 'booked', arrivedAt: null })
    const { testedAt } = await t.db
      .selectFrom('registrations')
      .select('testedAt')
      .where('id', '=', people[0]!.id)
      .executeTakeFirstOrThrow()
    expect(testedAt).toBeNull()
  })

  it('the database refuses to change or delete a scan', async () => {
    const { session, people } = await sessionWith(1)
    await send(session, [scanOf({ card: people[0]!.card })])
    await expect(sql`UPDATE test_scans SET at = now() - interval '1 day'`.execute(t.db)).rejects.toThrow('append-only')
    await expect(sql`DELETE FROM test_scans`.execute(t.db)).rejects.toThrow('append-only')
  })
})

describe('a card of somebody who is not on the list', () => {
  it('names the session of the seat and waits for a decision', async () => {
    const { session } = await sessionWith(0)
    const elsewhere = await sessionWith(1, { name: 'Sesi sore' })
    const [person] = elsewhere.people
    expect((await resultsOf(session, [scanOf({ card: person!.card })]))[0]).toMatchObject({
      outcome: 'other_session',
      elsewhere: { name: 'Sesi sore', date: '2026-11-20', startTime: '13:00' },
    })
    expect((await listOf(session)).refused).toMatchObject([{ outcome: 'other_session', code: person!.code }])
    expect((await seatOf(person!)).status).toBe('booked')
  })

  it('is let in with a reason, which moves the seat and settles the refused scan', async () => {
    const { session } = await sessionWith(0)
    const elsewhere = await sessionWith(1)
    const [person] = elsewhere.people
    await send(session, [scanOf({ card: person!.card })])
    const reason = 'Salah datang, kursi tersedia'
    expect((await resultsOf(session, [scanOf({ card: person!.card, reason })]))[0]).toMatchObject({
      outcome: 'recorded',
    })
    expect(await seatOf(person!)).toMatchObject({
      testSessionId: session,
      status: 'attended',
      forcedReason: reason,
      extra: false,
    })
    expect([await takenIn(session), await takenIn(elsewhere.session)]).toEqual([1, 0])
    expect((await listOf(session)).refused).toEqual([])
  })

  it('is let in at one of two doors', async () => {
    const [one, two] = [await sessionWith(0), await sessionWith(0)]
    const person = await personIn(null)
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id IN (${one.session}, ${two.session})
      ORDER BY test_session_id FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all(
        [one, two].map(({ session }) => send(session, [scanOf({ card: person.card, reason: 'Salah jadwal' })])),
      ),
    )
    expect(answers.map((answer) => answer.json().data?.[0].outcome).sort()).toEqual(['not_eligible', 'recorded'])
    expect((await takenIn(one.session)) + (await takenIn(two.session))).toBe(1)
  })

  it('is let into a full session on an extra seat, which the counter does not count', async () => {
    const { session } = await sessionWith(1, { capacity: 1 })
    const person = await personIn(null)
    await send(session, [scanOf({ registrationId: person.id, reason: 'Kursi tambahan' })])
    expect(await seatOf(person)).toMatchObject({ testSessionId: session, status: 'attended', extra: true })
    expect(await takenIn(session)).toBe(1)
  })

  it('is not let in after the test, from another wave or before the submission', async () => {
    const { session } = await sessionWith(0)
    const tested = await sessionWith(1)
    await send(tested.session, [scanOf({ card: tested.people[0]!.card })])
    const draft = await personIn(null, 'draft')
    const reason = 'Diminta pengawas'
    const answers = await resultsOf(session, [
      scanOf({ card: tested.people[0]!.card, reason }),
      scanOf({ card: draft.card, reason }),
    ])
    expect(answers.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['not_eligible', 'not_eligible'])
    const foreign = await testSession(t.db, academic, now, { date: '2026-11-20', trackId: academic.tracks.achievement })
    expect((await resultsOf(foreign, [scanOf({ card: (await personIn(null)).card, reason })]))[0].outcome).toBe(
      'not_eligible',
    )
  })
})

describe('an excused absence', () => {
  const excuse = (seat: string, testSessionId: string, by = clerk) =>
    by.post(`/test-seats/${seat}/excuse`, { testSessionId, reason: 'Surat dokter' })

  it('gives a seat of a later session, tells the applicant, and keeps the reason', async () => {
    const { session, people } = await sessionWith(1)
    const later = await testSession(t.db, academic, now, {
      capacity: 1,
      bookingClosesAt: now,
      bookingOpensAt: minutes(-60),
    })
    expect((await excuse(people[0]!.seat, later)).json().code).toBe('test_not_absent')
    await clerk.post(`/test-seats/${people[0]!.seat}/attendance`, { attended: false })
    expect((await listOf(session)).alternatives.map(({ id }: { id: string }) => id)).toContain(later)
    expect((await excuse(people[0]!.seat, later)).statusCode).toBe(200)
    expect(await seatOf(people[0]!)).toMatchObject({ testSessionId: later, status: 'booked' })
    expect([await takenIn(session), await takenIn(later)]).toEqual([0, 1])
    const former = await t.db
      .selectFrom('testSeats')
      .selectAll()
      .where('id', '=', people[0]!.seat)
      .executeTakeFirstOrThrow()
    expect(former).toMatchObject({ status: 'released', excusedReason: 'Surat dokter' })
    const messages = await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', people[0]!.actor.accountId)
      .execute()
    expect(messages.map(({ event }) => event)).toContain('test-changed')
  })

  it('of somebody who has withdrawn gives no seat, and an absent person gets no score', async () => {
    const { people } = await sessionWith(1)
    const [absentee] = people
    await clerk.post(`/test-seats/${absentee!.seat}/attendance`, { attended: false })
    const scored = await clerk.put(`/pendaftaran/${absentee!.id}/test-scores`, {
      scores: [{ testId: academic.test, score: 88 }],
    })
    expect(Object.keys(scored.json().errors)).toEqual(['scores.0.score'])
    const reason = 'Diterima di tempat lain'
    expect((await absentee!.actor.post(`/pendaftaran/${absentee!.id}/withdraw`, { reason })).statusCode).toBe(200)
    const later = await testSession(t.db, academic, now)
    expect((await excuse(absentee!.seat, later)).json().code).toBe('wrong_status')
    expect(await takenIn(later)).toBe(0)
  })

  it('by two clerks at the same moment gives one seat', async () => {
    const { session, people } = await sessionWith(1)
    const later = [await testSession(t.db, academic, now), await testSession(t.db, academic, now)]
    await clerk.post(`/test-seats/${people[0]!.seat}/attendance`, { attended: false })
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id = ${session} FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all(later.map((testSessionId) => excuse(people[0]!.seat, testSessionId))),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('test_not_absent')
    expect((await takenIn(later[0]!)) + (await takenIn(later[1]!))).toBe(1)
  })

  it('into a full session, a past one or by others is refused and changes nothing', async () => {
    const { session, people } = await sessionWith(1)
    await clerk.post(`/test-seats/${people[0]!.seat}/attendance`, { attended: false })
    const full = await testSession(t.db, academic, now, { capacity: 0 })
    expect((await excuse(people[0]!.seat, full)).json().code).toBe('test_session_full')
    const past = await testSession(t.db, academic, now, { date: '2026-11-19' })
    expect((await excuse(people[0]!.seat, past)).json().code).toBe('test_booking_closed')
    expect((await excuse(people[0]!.seat, full, people[0]!.actor)).statusCode).toBe(403)
    expect(await seatOf(people[0]!)).toMatchObject({ testSessionId: session, status: 'absent' })
  })
})
