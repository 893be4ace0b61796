import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { attendanceOf, phone, secondPhone } from '#server-test/factories/registrations/attendance.ts'
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

const { sessionWith, scanOf, send, resultsOf, listOf, seatOf } = attendanceOf(() => ({ t, academic, now, clerk }))

describe('the list of a session', () => {
  it('contains what a phone needs offline: names, codes, and hashes of the cards', async () => {
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
  it('records the arrival and the step "tested" of the registration', async () => {
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

  it('scanned on two phones counts once; the second phone gets time and device of the first scan', async () => {
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

  it('sent again, even at the same moment, is one scan with the same response', async () => {
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

  it('of an unknown person sent twice at once is one scan', async () => {
    const { session } = await sessionWith(0)
    const scan = scanOf({ card: 'https://example.test/' })
    const answers = await Promise.all([scan, scan].map((same) => send(session, [same])))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await listOf(session)).refused).toHaveLength(1)
  })

  it('with a wrong signature is unknown', async () => {
    const { session, people } = await sessionWith(1)
    const forged = `${people[0]!.code}-${'0'.repeat(20)}`
    expect((await resultsOf(session, [scanOf({ card: forged })]))[0]).toMatchObject({
      outcome: 'unknown_card',
      name: null,
    })
    expect((await seatOf(people[0]!)).status).toBe('booked')
  })

  it('is refused before the day of the session', async () => {
    const { session, people } = await sessionWith(1, { date: '2026-11-21' })
    expect((await send(session, [scanOf({ card: people[0]!.card })])).json().code).toBe('test_not_begun')
    expect((await listOf(session)).begun).toBe(false)
  })
})

describe('offline phones', () => {
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

  it('merge an arrival that outweighs an absence recorded meanwhile', async () => {
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
  ])('with a clock %s record the right time', async (_situation, wrongMinutes) => {
    const { session, people } = await sessionWith(1)
    const scan = scanOf({ card: people[0]!.card }, minutes(15 + wrongMinutes))
    t.clock.set(minutes(45))
    await send(session, [scan], phone, minutes(45 + wrongMinutes))
    expect((await seatOf(people[0]!)).arrivedAt).toEqual(minutes(15))
  })

  it('send overlapping and repeated scans, and each participant counts once', async () => {
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

  it('a cancelled arrival also clears the step of the registration', async () => {
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
