import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { anAffiliate } from '#server-test/factories/affiliates.ts'
import {
  aPublishedEvent,
  doorPhone,
  qrTextOf,
  registerAt,
  sendScans,
  sessionInput,
  visitorInput,
} from '#server-test/factories/events.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Ten minutes before the session begins. */
const now = new Date('2026-12-05T01:50:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
/** Within the same night, because staff sessions last twelve hours. */
const registering = new Date('2026-12-04T16:00:00Z')

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(registering)
  staff = await asStaff(t, 'Marketing')
})
afterEach(() => t.clock.set(now))
afterAll(() => t?.close())

async function eventWith(count: number, change: Record<string, unknown> = {}) {
  t.clock.set(registering)
  const event = await aPublishedEvent(t, staff, change)
  const people: { id: string; code: string; qr: string }[] = []
  for (let index = 0; index < count; index++) {
    const visitor = visitorInput(event.sessions[0]!, { name: `Pengunjung ${index}` })
    const { code } = (await registerAt(t, event.slug, visitor)).json().data
    people.push({ id: visitor.id, code, qr: qrTextOf(t, event.id, code) })
  }
  t.clock.set(now)
  return { ...event, session: event.sessions[0]!, people }
}

const scanOf = (values: object, at = t.clock.now()) => ({
  id: crypto.randomUUID(),
  kind: 'arrive',
  at: at.toISOString(),
  ...values,
})
type Event = { id: string; session: string }
const send = (
  event: Event,
  scans: readonly object[],
  device = doorPhone('HP pintu A'),
  sentAt = t.clock.now(),
  by = staff,
) => sendScans(by, event.id, event.session, scans, device, sentAt)
const resultsOf = async (...args: Parameters<typeof send>) => {
  const answer = await send(...args)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const checkInsOf = (event: Event) =>
  t.db
    .selectFrom('eventCheckIns')
    .select(['visitorId', 'at', 'deviceName'])
    .where('sessionId', '=', event.session)
    .where('undoneAt', 'is', null)
    .execute()

describe('a ticket', () => {
  test('is checked in once; a second phone sees when and on which device', async () => {
    const event = await eventWith(1)
    expect((await resultsOf(event, [scanOf({ raw: event.people[0]!.qr })]))[0]).toMatchObject({
      outcome: 'recorded',
      visitorId: event.people[0]!.id,
      name: 'Pengunjung 0',
    })
    t.clock.set(minutes(5))
    expect(
      (await resultsOf(event, [scanOf({ raw: event.people[0]!.code })], doorPhone('HP pintu B')))[0],
    ).toMatchObject({
      outcome: 'repeated',
      first: { at: now.toISOString(), deviceName: 'HP pintu A' },
    })
    expect(await checkInsOf(event)).toEqual([{ visitorId: event.people[0]!.id, at: now, deviceName: 'HP pintu A' }])
  })

  test('with a wrong tag, of another event, or unreadable belongs to nobody, and what was read is stored', async () => {
    const event = await eventWith(1)
    const other = await eventWith(1)
    const [one] = event.people
    const forged = one!.qr.replace(/t=.{4}/, 't=AAAA')
    const scans = [forged, qrTextOf(t, other.id, one!.code), other.people[0]!.qr, 'https://example.test/'].map((raw) =>
      scanOf({ raw }),
    )
    const results = await resultsOf(event, scans)
    expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(scans.map(() => 'unknown_ticket'))
    expect(await checkInsOf(event)).toEqual([])
    const storedScan = await t.db
      .selectFrom('eventScans')
      .select('raw')
      .where('sessionId', '=', event.session)
      .execute()
    expect(storedScan.map(({ raw }) => raw)).toContain(forged)
  })

  test('of another session is refused until staff let the visitor in', async () => {
    const event = await eventWith(1, {
      sessions: [sessionInput(), sessionInput({ startTime: '13:00', endTime: '15:00' })],
    })
    const second = { id: event.id, session: event.sessions[1]! }
    const [refused] = await resultsOf(second, [scanOf({ raw: event.people[0]!.qr })])
    expect(refused).toMatchObject({ outcome: 'other_session', elsewhere: event.session })
    expect(await checkInsOf(second)).toEqual([])
    const [letIn] = await resultsOf(second, [scanOf({ visitorId: event.people[0]!.id, force: true })])
    expect(letIn.outcome).toBe('recorded')
    expect(await checkInsOf(second)).toHaveLength(1)
  })

  test('that was cancelled is refused', async () => {
    const event = await eventWith(1)
    await staff.post(`/event-afiliator/${event.id}/visitors/${event.people[0]!.id}/cancel`)
    expect((await resultsOf(event, [scanOf({ raw: event.people[0]!.qr })]))[0].outcome).toBe('cancelled')
    const letIn = scanOf({ visitorId: event.people[0]!.id, force: true })
    expect((await resultsOf(event, [letIn]))[0].outcome).toBe('recorded')
    const { state, extra } = await t.db
      .selectFrom('eventVisitors')
      .select(['state', 'extra'])
      .where('id', '=', event.people[0]!.id)
      .executeTakeFirstOrThrow()
    expect({ state, extra }).toEqual({ state: 'registered', extra: true })
  })

  test('is refused before check-in opens', async () => {
    const event = await eventWith(1)
    t.clock.set(minutes(-25 * 60))
    expect(codeOf(await send(event, [scanOf({ raw: event.people[0]!.qr })]))).toEqual([409, 'event_door_closed'])
  })
})

describe('offline phones', () => {
  test('can send scans later in any order: the earliest arrival counts', async () => {
    const event = await eventWith(1)
    const [early, late] = [-4, 5].map((minute) => scanOf({ raw: event.people[0]!.qr }, minutes(minute)))
    t.clock.set(minutes(60))
    await send(event, [late!], doorPhone('HP pintu B'))
    await send(event, [early!], doorPhone('HP pintu A'))
    expect(await checkInsOf(event)).toMatchObject([{ at: minutes(-4), deviceName: 'HP pintu A' }])
  })

  test('with a clock two hours slow record the correct time and the difference', async () => {
    const event = await eventWith(1)
    const scan = scanOf({ raw: event.people[0]!.qr }, minutes(15 - 120))
    t.clock.set(minutes(45))
    await send(event, [scan], undefined, minutes(45 - 120))
    expect(await checkInsOf(event)).toMatchObject([{ at: minutes(15) }])
    const storedScan = await t.db
      .selectFrom('eventScans')
      .select('clockOffsetMs')
      .where('id', '=', scan.id)
      .executeTakeFirstOrThrow()
    expect(Number(storedScan.clockOffsetMs)).toBe(120 * 60_000)
  })

  test('keep an undone check-in in the records, and a new one counts', async () => {
    const event = await eventWith(1)
    const visitorId = event.people[0]!.id
    await send(event, [scanOf({ visitorId })])
    await send(event, [scanOf({ visitorId, kind: 'cancel' }, minutes(0))])
    expect(await checkInsOf(event)).toEqual([])
    t.clock.set(minutes(3))
    await send(event, [scanOf({ visitorId })])
    expect(await checkInsOf(event)).toMatchObject([{ at: minutes(3) }])
    const all = await t.db.selectFrom('eventCheckIns').select('id').where('visitorId', '=', visitorId).execute()
    expect(all).toHaveLength(2)
  })

  test('20 devices scanning everybody, shuffled and replayed twice, give one check-in each', async () => {
    const event = await eventWith(60, { sessions: [sessionInput({ capacity: 100 })] })
    const shuffled = <T>(items: readonly T[]) => items.toSorted(() => Math.random() - 0.5)
    const devices = Array.from({ length: 20 }, (_, index) => doorPhone(`HP ${index}`))
    const batches = devices.flatMap((device) => {
      const scans = shuffled(event.people).map(({ qr }, index) => scanOf({ raw: qr }, minutes((index % 9) + 1)))
      return [scans.slice(0, 30), scans.slice(30)].map((part) => ({ device, part }))
    })
    t.clock.set(minutes(30))
    for (const _replay of [1, 2, 3])
      await Promise.all(
        devices.map(async (device) => {
          for (const { part } of shuffled(batches.filter((batch) => batch.device === device)))
            await resultsOf(event, shuffled(part), device)
        }),
      )
    const checkIns = await checkInsOf(event)
    expect(checkIns).toHaveLength(60)
    expect(new Set(checkIns.map(({ visitorId }) => visitorId)).size).toBe(60)
    const { count } = await t.db
      .selectFrom('eventScans')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('sessionId', '=', event.session)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1200)
    const first = Math.min(...batches.flatMap(({ part }) => part.map(({ at }) => Date.parse(at))))
    expect(Math.min(...checkIns.map(({ at }) => at.getTime()))).toBe(first)
  }, 120_000)
})

describe('a person without a ticket', () => {
  const walkIn = (change: object = {}) => ({
    id: crypto.randomUUID(),
    name: 'Tamu Baru',
    phone: '',
    school: '',
    grade: null,
    consent: false,
    language: 'id',
    ...change,
  })

  test('is registered and checked in at once, and only once if sent twice', async () => {
    const event = await eventWith(0)
    const scan = scanOf({ walkIn: walkIn() })
    const answers = await Promise.all([1, 2].map(() => send(event, [scan])))
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0)
    expect((await resultsOf(event, [scan]))[0]).toMatchObject({ outcome: 'recorded', name: 'Tamu Baru' })
    expect(await checkInsOf(event)).toHaveLength(1)
    const visitors = await t.db.selectFrom('eventVisitors').selectAll().where('eventId', '=', event.id).execute()
    expect(visitors).toMatchObject([{ walkIn: true, state: 'registered', leadId: null, phone: null }])
  })

  test('becomes a lead with consent; a phone number without consent is refused', async () => {
    const event = await eventWith(0)
    const refused = await send(event, [scanOf({ walkIn: walkIn({ phone: '081377770001' }) })])
    expect(refused.json().errors).toHaveProperty('consent')
    await resultsOf(event, [scanOf({ walkIn: walkIn({ phone: '081377770001', consent: true }) })])
    const [visitor] = await t.db.selectFrom('eventVisitors').selectAll().where('eventId', '=', event.id).execute()
    expect(visitor!.leadId).not.toBeNull()
  })

  test('is let into a full session, beyond its capacity', async () => {
    const event = await eventWith(1, { sessions: [sessionInput({ capacity: 1 })] })
    await resultsOf(event, [scanOf({ walkIn: walkIn() })])
    const [visitor] = await t.db
      .selectFrom('eventVisitors')
      .selectAll()
      .where('walkIn', '=', true)
      .where('eventId', '=', event.id)
      .execute()
    expect(visitor).toMatchObject({ extra: true, state: 'registered' })
  })

  test('who registered before is the same visitor', async () => {
    const event = await eventWith(0)
    t.clock.set(registering)
    const known = visitorInput(event.session, { name: 'Rina Wati', phone: '081377770009' })
    await registerAt(t, event.slug, known)
    t.clock.set(now)
    const [result] = await resultsOf(event, [
      scanOf({ walkIn: walkIn({ name: 'rina wati', phone: '081377770009', consent: true }) }),
    ])
    expect(result).toMatchObject({ outcome: 'recorded', visitorId: known.id })
  })

  test('gets the first answer again after the visitor was cancelled, and is not registered again', async () => {
    const event = await eventWith(1)
    t.clock.set(registering)
    const known = visitorInput(event.session, { name: 'Rini Wati', phone: '081377770019' })
    await registerAt(t, event.slug, known)
    t.clock.set(now)
    const scan = scanOf({ walkIn: walkIn({ name: 'rini wati', phone: '081377770019', consent: true }) })
    await resultsOf(event, [scan])
    await resultsOf(event, [scanOf({ visitorId: known.id, kind: 'cancel' })])
    await staff.post(`/event-afiliator/${event.id}/visitors/${known.id}/cancel`)
    const results = await resultsOf(event, [scan, scanOf({ raw: event.people[0]!.qr })])
    expect(results).toMatchObject([
      { outcome: 'recorded', visitorId: known.id, name: 'Rini Wati' },
      { outcome: 'recorded', visitorId: event.people[0]!.id },
    ])
    const visitors = await t.db.selectFrom('eventVisitors').select('id').where('eventId', '=', event.id).execute()
    expect(visitors).toHaveLength(2)
  })
})

test('an affiliate checks people in only at their own events, and reads masked names', async () => {
  t.clock.set(registering)
  const helper = await asStaff(t, 'Afiliator')
  const affiliate = await anAffiliate(t, { accountId: helper.accountId })
  const own = await eventWith(1, { affiliateIds: [affiliate.id] })
  const other = await eventWith(1)
  const [result] = await resultsOf(own, [scanOf({ raw: own.people[0]!.qr })], doorPhone('HP afiliator'), now, helper)
  expect(result).toMatchObject({ outcome: 'recorded', name: 'P********* 0' })
  expect(
    (await send(other, [scanOf({ raw: other.people[0]!.qr })], doorPhone('HP afiliator'), now, helper)).statusCode,
  ).toBe(404)
})

test('a scan with a clock years off is recorded', async () => {
  const event = await eventWith(2)
  const send = (at: string, sentAt: string, index: number) =>
    staff.post(`/event-afiliator/${event.id}/scans`, {
      sessionId: event.session,
      device: doorPhone('HP pintu'),
      sentAt,
      scans: [{ id: crypto.randomUUID(), kind: 'arrive', at, raw: event.people[index]!.qr }],
    })
  const first = await send('1900-01-01T00:00:00Z', '2199-12-31T00:00:00Z', 0)
  expect.soft(first.statusCode, first.body).toBe(200)
  const second = await send('2199-12-31T00:00:00Z', '1900-01-01T00:00:00Z', 1)
  expect.soft(second.statusCode, second.body).toBe(200)
})

test('a scan from before check-in opened, by a clock set meanwhile, counts from the opening', async () => {
  const event = await eventWith(1)
  await resultsOf(event, [scanOf({ raw: event.people[0]!.qr }, minutes(-48 * 60))])
  expect(await checkInsOf(event)).toMatchObject([{ at: minutes(10 - 24 * 60) }])
})

test.each([
  ['earlier than the opening', -3 * 24 * 60],
  ['later than now', 60],
])(
  'a guest checked in again after an undo stays in, by a clock set meanwhile that made the scans %s',
  async (_when, by) => {
    const event = await eventWith(1)
    const device = doorPhone('HP pintu')
    const visitorId = event.people[0]!.id
    const kinds = ['arrive', 'cancel', 'arrive']
    const scans = kinds.map((kind, index) => scanOf({ visitorId, kind }, minutes(by + index)))
    await resultsOf(event, scans, device)
    expect(await checkInsOf(event)).toHaveLength(1)
    await resultsOf(event, [scanOf({ visitorId, kind: 'cancel' }, minutes(by + 3))], device)
    expect(await checkInsOf(event)).toEqual([])
  },
)

test('a scan of one session sent again for another is refused', async () => {
  const event = await eventWith(1, {
    sessions: [sessionInput(), sessionInput({ startTime: '13:00', endTime: '15:00' })],
  })
  const scan = scanOf({ raw: event.people[0]!.qr })
  await resultsOf(event, [scan])
  const second = { id: event.id, session: event.sessions[1]! }
  expect(codeOf(await send(second, [scan]))).toEqual([409, 'scan_of_other_session'])
  expect(await checkInsOf(second)).toEqual([])
})

test('undoing the check-in of a cancelled visitor does not bring the ticket back', async () => {
  const event = await eventWith(1)
  const [person] = event.people
  await staff.post(`/event-afiliator/${event.id}/visitors/${person!.id}/cancel`)
  await resultsOf(event, [scanOf({ visitorId: person!.id, kind: 'cancel', force: true })])
  const { state } = await t.db
    .selectFrom('eventVisitors')
    .select('state')
    .where('id', '=', person!.id)
    .executeTakeFirstOrThrow()
  expect(state).toBe('cancelled')
})

test('a walk-in name of any characters is registered, with the scans around it', async () => {
  const event = await eventWith(1)
  const walkIn = (name: string, phone = '') => ({
    id: crypto.randomUUID(),
    name,
    phone,
    school: '',
    grade: null,
    consent: phone !== '',
    language: 'id',
  })
  const scans = [walkIn('ﷺ'.repeat(60)), walkIn('🎓🎓', '081270001234')].map((one) => scanOf({ walkIn: one }))
  const results = await resultsOf(event, [...scans, scanOf({ visitorId: event.people[0]!.id })])
  expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['recorded', 'recorded', 'recorded'])
})

test('a checked-in visitor keeps the place: the ticket can be neither cancelled nor moved', async () => {
  const event = await eventWith(1, {
    sessions: [sessionInput(), sessionInput({ startTime: '13:00', endTime: '15:00' })],
  })
  const [person] = event.people
  await resultsOf(event, [scanOf({ raw: person!.qr })])
  const call = (method: 'POST' | 'PUT', path: string, payload?: object) =>
    t.app.inject({ method, url: `/api/tiket/${person!.code}/${path}`, ...(payload && { payload }) })
  expect((await t.app.inject({ url: `/api/tiket/${person!.code}` })).json().data.changeable).toBe(false)
  expect((await call('POST', 'cancel')).statusCode).toBe(409)
  expect((await call('PUT', 'session', { sessionId: event.sessions[1] })).statusCode).toBe(409)
  expect(await checkInsOf(event)).toHaveLength(1)
  await resultsOf(event, [scanOf({ visitorId: person!.id, kind: 'cancel' })])
  expect((await call('POST', 'cancel')).statusCode).toBe(200)
})

test('a session with a scan cannot be removed', async () => {
  const sessions = [sessionInput(), sessionInput({ startTime: '13:00', endTime: '15:00' })]
  const event = await eventWith(1, { sessions })
  const second = { id: event.id, session: event.sessions[1]! }
  await resultsOf(second, [scanOf({ visitorId: event.people[0]!.id, force: true })])
  const first = { ...sessions[0]!, id: event.session }
  const answer = await staff.put(`/event-afiliator/${event.id}`, { ...event.input, sessions: [first], version: 2 })
  expect([answer.statusCode, Object.keys(answer.json().errors ?? {})], answer.body).toEqual([422, ['sessions']])
})

test('cancelling, moving, checking in and registering at once leave correct counters', async () => {
  const sessions = [sessionInput({ capacity: 4 }), sessionInput({ startTime: '13:00', endTime: '15:00', capacity: 2 })]
  const event = await eventWith(6, { sessions, closesOn: '2026-12-06' })
  const [first, second] = event.sessions as [string, string]
  const call = (method: 'POST' | 'PUT', path: string, payload?: object) =>
    t.app.inject({ method, url: `/api/tiket/${path}`, ...(payload && { payload }) })
  const lock = sql`SELECT FROM event_sessions WHERE event_id = ${event.id} ORDER BY id FOR UPDATE`
  const answers = await raceBehind(t, lock, 5, () =>
    Promise.all([
      ...event.people.flatMap(({ id, code, qr }, index) => [
        call('POST', `${code}/cancel`),
        call('PUT', `${code}/session`, { sessionId: second }),
        call('PUT', `${code}/session`, { sessionId: first }),
        send(event, [
          scanOf({ raw: qr }),
          scanOf({ visitorId: id, kind: 'cancel' }),
          scanOf({ visitorId: id, force: true }),
        ]),
        staff.post(`/event-afiliator/${event.id}/visitors/${id}/cancel`),
        registerAt(t, event.slug, visitorInput(index % 2 ? first : second)),
      ]),
    ]),
  )
  expect(answers.filter(({ statusCode }) => statusCode >= 500).map(({ body }) => body)).toEqual([])
  const { rows } = await sql`SELECT s.id, s.taken, s.capacity, (SELECT count(*)::int FROM event_visitors v
      WHERE v.session_id = s.id AND v.state = 'registered' AND NOT v.extra) AS counted,
    (SELECT count(*)::int FROM event_visitors v WHERE v.session_id = s.id AND v.state = 'waiting') AS waiting
    FROM event_sessions s WHERE s.event_id = ${event.id}`.execute(t.db)
  for (const { taken, counted, waiting, capacity } of rows as Record<string, number>[]) {
    expect.soft(taken).toBe(counted)
    expect.soft(waiting! > 0 && taken! < capacity!).toBe(false)
  }
})
