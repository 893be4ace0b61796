import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { anAffiliate } from '#server-test/factories/affiliates.ts'
import {
  aPublishedEvent,
  eventInput,
  registerAt,
  sendScans,
  sessionInput,
  visitorInput,
} from '#server-test/factories/events.ts'
import { anOpenSurvey, aResponse, sendResponses } from '#server-test/factories/surveys.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { forgetGuestsJob } from './visitors/forget-guests.job.ts'
import { remindVisitorsJob } from './visitors/remind-visitors.job.ts'

const now = new Date('2026-11-20T03:00:00Z')
/** The session begins at 09.00 in Jakarta. */
const start = new Date('2026-12-05T02:00:00Z')

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Marketing')
})
afterEach(() => t.clock.set(now))
afterAll(() => t?.close())

const open = (url: string) => t.app.inject({ url: `/api${url}` })
const send = (method: 'POST' | 'PUT', url: string, payload?: object) =>
  t.app.inject({ method, url: `/api${url}`, ...(payload && { payload }) })
const registered = async (slug: string, sessionId: string, change: Record<string, unknown> = {}) => {
  const answer = await registerAt(t, slug, visitorInput(sessionId, change))
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data as { code: string; state: string; sentAgain: boolean }
}
const visitorOf = (code: string) =>
  t.db.selectFrom('eventVisitors').selectAll().where('code', '=', code).executeTakeFirstOrThrow()
const messagesTo = async (to: string) =>
  (
    await t.db
      .selectFrom('messages')
      .select(['event'])
      .where('toAddress', '=', to)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  ).map(({ event }) => event)
const takenIn = async (session: string) =>
  (await t.db.selectFrom('eventSessions').select('taken').where('id', '=', session).executeTakeFirstOrThrow()).taken
/** Visitors may see a page that is a few seconds old. */
const later = (seconds = 60) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1000))

describe('the public page', () => {
  test('exists once the event is published, and is listed only if the event is public', async () => {
    const draft = eventInput()
    await staff.post('/event-afiliator', draft)
    expect((await open(`/acara/${draft.slug}`)).statusCode).toBe(404)
    const hidden = await aPublishedEvent(t, staff, { public: false })
    const listed = await aPublishedEvent(t, staff)
    later()
    expect((await open(`/acara/${hidden.slug}`)).json().data).toMatchObject({ slug: hidden.slug, state: 'open' })
    const slugs = (await open('/acara')).json().data.map(({ slug }: { slug: string }) => slug)
    expect(slugs).toContain(listed.slug)
    expect(slugs).not.toContain(hidden.slug)
    const page = await t.app.inject({ url: `/acara/${listed.slug}` })
    expect(page.body).toContain(`<meta property="og:title" content="${listed.input.nameId} · `)
  })

  test('does not show the link of an online event; the ticket does', async () => {
    const event = await aPublishedEvent(t, staff, { place: '', link: 'https://meet.example.test/rahasia' })
    later()
    expect((await open(`/acara/${event.slug}`)).body).not.toContain('rahasia')
    const { code } = await registered(event.slug, event.sessions[0]!)
    expect((await open(`/tiket/${code}`)).json().data.link).toBe('https://meet.example.test/rahasia')
  })
})

test('an event whose sessions have all begun accepts no registration', async () => {
  const event = await aPublishedEvent(t, staff)
  const stateAt = async (at: Date) => {
    t.clock.set(at)
    return (await open(`/acara/${event.slug}`)).json().data.state
  }
  expect(await stateAt(new Date(start.getTime() - 60_000))).toBe('open')
  expect(await stateAt(new Date(start.getTime() + 60_000))).toBe('closed')
  expect(await stateAt(new Date(start.getTime() + 3 * 3_600_000))).toBe('over')
})

describe('a registration', () => {
  test('creates a ticket, a message and a lead with the consent text', async () => {
    const affiliate = await anAffiliate(t)
    const event = await aPublishedEvent(t, staff, { affiliateIds: [affiliate.id] })
    const { code, state } = await registered(event.slug, event.sessions[0]!, {
      email: 'Dewi@Example.com',
      ref: affiliate.code.toLowerCase(),
    })
    expect(state).toBe('registered')
    const visitor = await visitorOf(code)
    expect(visitor).toMatchObject({ email: 'dewi@example.com', affiliateId: affiliate.id, state: 'registered' })
    const origin = await t.db
      .selectFrom('leadOrigins')
      .selectAll()
      .where('leadId', '=', visitor.leadId!)
      .executeTakeFirstOrThrow()
    expect(origin).toMatchObject({ kind: 'event', eventId: event.id, affiliateId: affiliate.id })
    expect(origin.consentText).toContain('Saya setuju')
    expect(await messagesTo('dewi@example.com')).toEqual(['event-ticket'])
    expect((await open(`/tiket/${code.toLowerCase()}`)).json().data).toMatchObject({ name: 'Dewi Lestari', code })
    const calendar = await open(`/tiket/${code}/calendar.ics`)
    expect(calendar.body).toContain('DTSTART:20261205T020000Z')
  })

  test('names every problem at once and requires consent', async () => {
    const event = await aPublishedEvent(t, staff)
    const answer = await registerAt(
      t,
      event.slug,
      visitorInput(event.sessions[0]!, { phone: '123', consent: false, name: 'D' }),
    )
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors).sort()).toEqual(['consent', 'name', 'phone'])
  })

  test('sent again by the same device returns the same ticket', async () => {
    const event = await aPublishedEvent(t, staff)
    const visitor = visitorInput(event.sessions[0]!)
    const answers = await Promise.all([1, 2, 3].map(() => registerAt(t, event.slug, visitor)))
    const codes = answers.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json().data.code)
    const again = (await registerAt(t, event.slug, visitor)).json().data
    expect(new Set([...codes.filter(Boolean), again.code]).size).toBe(1)
    expect(await takenIn(event.sessions[0]!)).toBe(1)
    // Helpers at check-in can read visitor ids.
    expect(codeOf(await registerAt(t, event.slug, { ...visitor, name: 'Orang Lain' }))).toEqual([
      409,
      'event_visitor_of_other',
    ])
  })

  test('of the same person from another device shows nothing and mails the ticket to the first address', async () => {
    const event = await aPublishedEvent(t, staff)
    const phone = '081300000777'
    await registered(event.slug, event.sessions[0]!, { phone, email: 'pertama@example.com' })
    later()
    const answer = await registered(event.slug, event.sessions[0]!, {
      phone,
      name: ' dewi  LESTARI',
      email: 'lain@example.com',
    })
    expect(answer).toEqual({ code: null, state: null, sentAgain: true })
    expect(await messagesTo('pertama@example.com')).toEqual(['event-ticket', 'event-ticket'])
    expect(await messagesTo('lain@example.com')).toEqual([])
    // A stranger must not be able to send a mail per minute.
    await registered(event.slug, event.sessions[0]!, { phone })
    expect(await messagesTo('pertama@example.com')).toHaveLength(2)
    expect(await takenIn(event.sessions[0]!)).toBe(1)
    // A sister with the same phone is another person.
    expect((await registered(event.slug, event.sessions[0]!, { phone, name: 'Rina Lestari' })).code).not.toBeNull()
  })

  test('mails an address at most six tickets a day, whichever visitors type it, with an unchanged answer', async () => {
    const event = await aPublishedEvent(t, staff, { sessions: [sessionInput(), sessionInput()] })
    const email = 'orang.lain@example.com'
    const register = () =>
      registerAt(t, event.slug, visitorInput(event.sessions[0]!, { email: 'Orang.Lain@example.com' }))
    const answers = await Promise.all(Array.from({ length: 30 }, register))
    const states = answers.map((answer) => [answer.statusCode, answer.json().data.state, answer.json().data.sentAgain])
    expect(new Set(states.map(String))).toEqual(new Set(['200,registered,false']))
    expect(await messagesTo(email)).toHaveLength(6)
    // Changing a ticket's session does not bypass the limit.
    const { code } = answers[0]!.json().data
    for (const session of [event.sessions[1]!, event.sessions[0]!])
      expect((await send('PUT', `/tiket/${code}/session`, { sessionId: session })).statusCode).toBe(200)
    expect(await messagesTo(email)).toHaveLength(6)
    t.clock.set(new Date(now.getTime() + 86_400_000))
    expect((await register()).statusCode).toBe(200)
    expect(await messagesTo(email)).toHaveLength(7)
    // The first account's session has expired by then.
    const laterStaff = await asStaff(t, 'Marketing')
    await laterStaff.post(`/event-afiliator/${event.id}/cancel`, { reason: 'Aula banjir' })
    expect(await messagesTo(email)).toHaveLength(7 + 6)
  })

  test('is refused outside its dates, for a draft, and after the event is cancelled', async () => {
    const event = await aPublishedEvent(t, staff, { opensOn: '2026-11-25', closesOn: '2026-11-30' })
    const refused = async () => codeOf(await registerAt(t, event.slug, visitorInput(event.sessions[0]!)))
    expect(await refused()).toEqual([409, 'event_not_open_yet'])
    t.clock.set(new Date('2026-11-30T16:59:00Z'))
    await registered(event.slug, event.sessions[0]!)
    t.clock.set(new Date('2026-11-30T17:00:00Z'))
    expect(await refused()).toEqual([409, 'event_registration_closed'])
    t.clock.set(new Date('2026-11-26T03:00:00Z'))
    // The first account's session has expired by then.
    const laterStaff = await asStaff(t, 'Marketing')
    await laterStaff.post(`/event-afiliator/${event.id}/cancel`, { reason: 'Aula banjir' })
    expect(await refused()).toEqual([409, 'event_registration_closed'])
  })

  test('a whole school registers from one address', async () => {
    const event = await aPublishedEvent(t, staff)
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => registerAt(t, event.slug, visitorInput(event.sessions[0]!))),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await takenIn(event.sessions[0]!)).toBe(40)
  })
})

describe('the last place', () => {
  test('is taken once by people registering at the same moment; the others wait', async () => {
    const event = await aPublishedEvent(t, staff, { sessions: [sessionInput({ capacity: 1 })] })
    const lock = sql`SELECT FROM event_sessions WHERE id = ${event.sessions[0]} FOR NO KEY UPDATE`
    const answers = await raceBehind(t, lock, 3, () =>
      Promise.all([1, 2, 3].map(() => registerAt(t, event.slug, visitorInput(event.sessions[0]!)))),
    )
    const states = answers.map((answer) => answer.json().data.state).sort()
    expect(states).toEqual(['registered', 'waiting', 'waiting'])
    expect(await takenIn(event.sessions[0]!)).toBe(1)
  })

  test('goes to the person waiting longest when it is given back, with a message', async () => {
    const event = await aPublishedEvent(t, staff, { sessions: [sessionInput({ capacity: 1 })] })
    const first = await registered(event.slug, event.sessions[0]!)
    later()
    const second = await registered(event.slug, event.sessions[0]!, { email: 'kedua@example.com' })
    later()
    const third = await registered(event.slug, event.sessions[0]!, { email: 'ketiga@example.com' })
    expect((await open(`/tiket/${third.code}`)).json().data.position).toBe(2)
    expect((await send('POST', `/tiket/${first.code}/cancel`)).json().data.state).toBe('cancelled')
    await send('POST', `/tiket/${first.code}/cancel`)
    expect((await visitorOf(second.code)).state).toBe('registered')
    expect(await messagesTo('kedua@example.com')).toEqual(['event-waiting', 'event-place-free'])
    expect(await messagesTo('ketiga@example.com')).toEqual(['event-waiting'])
    expect(await takenIn(event.sessions[0]!)).toBe(1)
  })

  test('more places are passed on at once; fewer places than taken are refused', async () => {
    const event = await aPublishedEvent(t, staff, { sessions: [sessionInput({ capacity: 1 })] })
    await registered(event.slug, event.sessions[0]!)
    const waiting = await registered(event.slug, event.sessions[0]!)
    const change = (capacity: number, version: number) =>
      staff.put(`/event-afiliator/${event.id}`, {
        ...event.input,
        sessions: [sessionInput({ id: event.sessions[0], capacity })],
        version,
      })
    expect((await change(2, 2)).statusCode).toBe(200)
    expect((await visitorOf(waiting.code)).state).toBe('registered')
    expect((await change(1, 3)).json().errors).toHaveProperty('sessions.0.capacity')
    await expect(
      sql`UPDATE event_sessions SET capacity = 1 WHERE id = ${event.sessions[0]}`.execute(t.db),
    ).rejects.toThrow('event_sessions_capacity')
  })

  test('changing to a full session leaves the ticket unchanged', async () => {
    const event = await aPublishedEvent(t, staff, {
      sessions: [sessionInput({ capacity: 1 }), sessionInput({ date: '2026-12-06', capacity: 1 })],
    })
    const [one, two] = event.sessions as [string, string]
    const first = await registered(event.slug, one)
    const second = await registered(event.slug, two)
    const waiting = await registered(event.slug, one)
    expect(codeOf(await send('PUT', `/tiket/${first.code}/session`, { sessionId: two }))).toEqual([
      409,
      'event_session_full',
    ])
    expect(await visitorOf(first.code)).toMatchObject({ sessionId: one, state: 'registered' })
    await send('POST', `/tiket/${second.code}/cancel`)
    const moved = await send('PUT', `/tiket/${first.code}/session`, { sessionId: two })
    expect(moved.json().data).toMatchObject({ sessionId: two, state: 'registered' })
    expect((await visitorOf(waiting.code)).state).toBe('registered')
    expect([await takenIn(one), await takenIn(two)]).toEqual([1, 1])
  })

  test('two visitors swapping sessions at the same moment do not deadlock', async () => {
    const event = await aPublishedEvent(t, staff, {
      sessions: [sessionInput(), sessionInput({ date: '2026-12-06' })],
    })
    const [one, two] = event.sessions as [string, string]
    const tickets = await Promise.all(
      [one, two, one, two, one, two].map(async (session) => ({
        ...(await registered(event.slug, session)),
        to: session === one ? two : one,
      })),
    )
    const answers = await Promise.all(
      tickets.map(({ code, to }) => send('PUT', `/tiket/${code}/session`, { sessionId: to })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(tickets.map(() => 200))
    expect([await takenIn(one), await takenIn(two)]).toEqual([3, 3])
  })
})

describe('messages', () => {
  test('a reminder goes out once, a day before, even with two workers', async () => {
    const event = await aPublishedEvent(t, staff)
    const early = Array.from({ length: 3 }, (_, index) => `ingat-${index}@example.com`)
    for (const email of early) await registered(event.slug, event.sessions[0]!, { email })
    t.clock.set(new Date(start.getTime() - 25 * 3_600_000))
    expect(await remindVisitorsJob.run(t.services, {} as never)).toBe(0)
    t.clock.set(new Date(start.getTime() - 23 * 3_600_000))
    await registered(event.slug, event.sessions[0]!, { email: 'baru@example.com' })
    await Promise.all([1, 2].map(() => remindVisitorsJob.run(t.services, {} as never)))
    await remindVisitorsJob.run(t.services, {} as never)
    for (const email of early) expect(await messagesTo(email)).toEqual(['event-ticket', 'event-reminder'])
    expect(await messagesTo('baru@example.com')).toEqual(['event-ticket'])
  })

  test('a moved session notifies its visitors; a changed description does not', async () => {
    const event = await aPublishedEvent(t, staff)
    await registered(event.slug, event.sessions[0]!, { email: 'pindah@example.com' })
    const save = (change: object, version: number) =>
      staff.put(`/event-afiliator/${event.id}`, {
        ...event.input,
        sessions: [sessionInput({ id: event.sessions[0] })],
        ...change,
        version,
      })
    later()
    await save({ descriptionId: 'Lebih panjang.' }, 2)
    expect(await messagesTo('pindah@example.com')).toEqual(['event-ticket'])
    await save({ sessions: [sessionInput({ id: event.sessions[0], startTime: '10:00', endTime: '12:00' })] }, 3)
    await save(
      {
        sessions: [sessionInput({ id: event.sessions[0], startTime: '10:00', endTime: '12:00' })],
        place: 'Kampus Dua',
      },
      4,
    )
    expect(await messagesTo('pindah@example.com')).toEqual(['event-ticket', 'event-moved', 'event-moved'])
    expect(codeOf(await save({}, 4))).toEqual([409, 'stale_version'])
  })

  test('a cancelled event notifies its visitors once', async () => {
    const event = await aPublishedEvent(t, staff)
    await registered(event.slug, event.sessions[0]!, { email: 'batal@example.com' })
    for (const _ of [1, 2]) await staff.post(`/event-afiliator/${event.id}/cancel`, { reason: 'Aula banjir' })
    const messages = await t.db
      .selectFrom('messages')
      .select('body')
      .where('toAddress', '=', 'batal@example.com')
      .where('event', '=', 'event-cancelled')
      .execute()
    expect(messages).toHaveLength(1)
    expect(messages[0]!.body).toContain('Aula banjir')
  })
})

describe('an affiliate', () => {
  async function affiliateWith(role = 'Afiliator') {
    const actor = await asStaff(t, role)
    const affiliate = await anAffiliate(t, { accountId: actor.accountId })
    return { actor, affiliate }
  }

  test('sees the events they take part in and their own visitors, masked', async () => {
    const { actor, affiliate } = await affiliateWith()
    const own = await aPublishedEvent(t, staff, {
      affiliateIds: [affiliate.id],
      costs: [{ label: 'Konsumsi', planned: 1_000_000, actual: 900_000 }],
    })
    const other = await aPublishedEvent(t, staff)
    await registered(own.slug, own.sessions[0]!, { name: 'Putri Ayu', ref: affiliate.code, email: 'putri@example.com' })
    await registered(own.slug, own.sessions[0]!, { name: 'Bukan Miliknya' })
    const list = (await actor.get('/event-afiliator')).json().data
    expect(list.map(({ id }: { id: string }) => id)).toEqual([own.id])
    expect(list[0]).toMatchObject({ registered: 1 })
    expect(list[0].planned).toBeNull()
    expect((await actor.get(`/event-afiliator/${other.id}`)).statusCode).toBe(404)
    expect((await actor.get(`/event-afiliator/${other.id}/visitors`)).statusCode).toBe(404)
    const view = (await actor.get(`/event-afiliator/${own.id}`)).json().data
    expect(view).toMatchObject({ costs: [], may: { update: false, checkIn: true, seesAll: false } })
    const visitors = await actor.get(`/event-afiliator/${own.id}/visitors`)
    expect(visitors.json().data).toHaveLength(1)
    expect(visitors.json().data[0]).toMatchObject({ name: 'P**** A**', phone: null, email: null, wish: null })
    expect(visitors.body).not.toMatch(/Putri|putri@|Bukan|\+62813\d{8}/)
    const file = await actor.get(`/event-afiliator/${own.id}/visitors/export?format=csv`)
    expect(file.body).toContain('P**** A**')
    expect(file.body).not.toMatch(/Putri|putri@|Bukan/)
    // Searching by a masked name would reveal it letter by letter.
    expect((await actor.get(`/event-afiliator/${own.id}/visitors?q=Putri`)).json().data).toEqual([])
    const door = await actor.get(`/event-afiliator/${own.id}/check-in`)
    expect(door.body).not.toMatch(/Putri|putri@|Bukan|\+62813/)
    const figures = (await actor.get(`/event-afiliator/${own.id}/figures`)).json().data
    expect(figures.cost).toBeNull()
    expect(figures.shares).toEqual([{ affiliate: affiliate.name, registered: 1, attended: 0, enrolled: 0 }])
    const staffList = (await staff.get(`/event-afiliator/${own.id}/visitors`)).json().data
    expect(staffList.map(({ name }: { name: string }) => name).sort()).toEqual(['Bukan Miliknya', 'Putri Ayu'])
  })

  test('changes nothing, and an account without an affiliate sees no event', async () => {
    const { actor, affiliate } = await affiliateWith()
    const own = await aPublishedEvent(t, staff, { affiliateIds: [affiliate.id] })
    expect((await actor.put(`/event-afiliator/${own.id}`, { ...own.input, version: 2 })).statusCode).toBe(403)
    expect((await actor.post(`/event-afiliator/${own.id}/cancel`, { reason: 'iseng' })).statusCode).toBe(403)
    const stranger = await asStaff(t, 'Afiliator')
    expect((await stranger.get('/event-afiliator')).json().data).toEqual([])
    expect((await stranger.get(`/event-afiliator/${own.id}/check-in`)).statusCode).toBe(404)
  })

  test('a reader without further permissions sees every event with masked people and checks nobody in', async () => {
    const reader = await asWithPermissions(t, ['event-afiliator-view'])
    const event = await aPublishedEvent(t, staff)
    await registered(event.slug, event.sessions[0]!, { name: 'Putri Ayu' })
    expect((await reader.get(`/event-afiliator/${event.id}/visitors`)).json().data[0].name).toBe('P**** A**')
    expect((await reader.get(`/event-afiliator/${event.id}/check-in`)).statusCode).toBe(403)
  })
})

test('a role limited to some programmes reads masked people and checks nobody in', async () => {
  const { programmes } = await academicFixture(t.db)
  const dean = await asWithPermissions(t, ['event-afiliator-view', 'event-afiliator-update'], {
    programmeIds: [programmes[0]],
  })
  const event = await aPublishedEvent(t, staff)
  await registered(event.slug, event.sessions[0]!, { name: 'Putri Ayu', email: 'putri@example.com' })
  for (const path of ['visitors', 'visitors/export?format=csv', 'visitors?q=Putri', 'check-in', 'figures', ''])
    expect
      .soft((await dean.get(`/event-afiliator/${event.id}/${path}`)).body, path)
      .not.toMatch(/Putri|putri@|\+62813\d{8}/)
  expect((await dean.get(`/event-afiliator/${event.id}/check-in`)).statusCode).toBe(403)
})

describe('figures', () => {
  test('follow people from invitation to enrolment, with the cost of each', async () => {
    const event = await aPublishedEvent(t, staff, {
      costs: [
        { label: 'Konsumsi', planned: 1_000_000, actual: 900_000 },
        { label: 'Transport', planned: 500_000, actual: null },
      ],
    })
    const { code } = await registered(event.slug, event.sessions[0]!, { phone: '081399990001' })
    await registered(event.slug, event.sessions[0]!)
    const cancelled = await registered(event.slug, event.sessions[0]!)
    await send('POST', `/tiket/${cancelled.code}/cancel`)
    await asStaff(t, 'Mahasiswa', { phone: '+6281399990001' })
    const visitor = await visitorOf(code)
    await t.db
      .insertInto('eventCheckIns')
      .values({
        sessionId: event.sessions[0]!,
        visitorId: visitor.id,
        at: now,
        deviceId: crypto.randomUUID(),
        deviceName: 'HP A',
      })
      .execute()
    const { funnel, cost } = (await staff.get(`/event-afiliator/${event.id}/figures`)).json().data
    expect(
      Object.fromEntries(funnel.map(({ step, people }: { step: string; people: number }) => [step, people])),
    ).toEqual({
      invited: 500,
      registered: 2,
      attended: 1,
      lead: 2,
      account: 1,
      registration: 0,
      paid: 0,
      enrolled: 0,
    })
    expect(cost).toEqual({
      planned: 1_500_000,
      actual: 900_000,
      perVisitor: 900_000,
      perLead: 450_000,
      perEnrolled: null,
    })
  })
})

describe('personal data', () => {
  test('is erased from visits and messages when the lead is deleted; the counts stay', async () => {
    const event = await aPublishedEvent(t, staff)
    const { code } = await registered(event.slug, event.sessions[0]!, {
      name: 'Hapus Saya',
      email: 'hapus@example.com',
      wish: 'Beasiswa',
    })
    const { leadId } = await visitorOf(code)
    await t.owner.deleteFrom('leads').where('id', '=', leadId!).execute()
    const visitor = await visitorOf(code)
    expect(visitor).toMatchObject({ name: '-', phone: null, email: null, wish: null, schoolName: null, leadId: null })
    const left = await t.db.selectFrom('messages').select('body').where('body', 'like', '%Hapus Saya%').execute()
    expect(left).toEqual([])
    expect(await messagesTo('hapus@example.com')).toEqual([])
    expect((await open(`/tiket/${code}`)).statusCode).toBe(404)
    expect(await takenIn(event.sessions[0]!)).toBe(1)
  })
})

test('is erased some weeks later for visitors who are not leads, including those who agreed without a phone', async () => {
  t.clock.set(now)
  const session = sessionInput({ date: '2026-11-20', startTime: '14:00', endTime: '15:00' })
  const event = await aPublishedEvent(t, staff, { sessions: [session] })
  const people = [true, false].map((consent) => ({
    ...{ id: crypto.randomUUID(), name: 'Tamu Tanpa Nomor', phone: '', school: 'SMA Melati', grade: 'XII' },
    ...{ consent, language: 'id' },
  }))
  const known = await registered(event.slug, event.sessions[0]!, { name: 'Tamu Bernomor' })
  const at = now.toISOString()
  const scans = people.map((walkIn) => ({ id: crypto.randomUUID(), kind: 'arrive', at, walkIn }))
  await sendScans(staff, event.id, event.sessions[0]!, scans, undefined, now)
  t.clock.set(new Date('2026-12-25T00:00:00Z'))
  await forgetGuestsJob.run(t.services, {})
  const names = await t.db.selectFrom('eventVisitors').select('name').where('eventId', '=', event.id).execute()
  expect(names.map(({ name }) => name).sort()).toEqual(['-', '-', 'Tamu Bernomor'])
  expect((await visitorOf(known.code)).erasedAt).toBeNull()
})

describe('a deleted lead', () => {
  /** Tables with a row that contains the pattern. */
  async function tablesWith(pattern: string) {
    const { rows } = await sql<{ name: string }>`SELECT format('%I.%I', table_schema, table_name) AS name
      FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`.execute(
      t.owner,
    )
    const found: string[] = []
    for (const { name } of rows) {
      const { rows: hits } = await sql`SELECT FROM ${sql.raw(name)} x WHERE x::text ~* ${pattern} LIMIT 1`.execute(
        t.owner,
      )
      if (hits.length > 0) found.push(name)
    }
    return found
  }

  test('leaves no name, phone or address in any table', async () => {
    const admin = await asStaff(t)
    const session = sessionInput({ date: '2026-11-20', startTime: '14:00', endTime: '15:00' })
    const event = await aPublishedEvent(t, staff, { sessions: [session] })
    const person = { name: 'Zulaikha Terhapus', phone: '081399887766' }
    const visitor = visitorInput(event.sessions[0]!, {
      ...person,
      email: 'zulaikha@example.com',
      wish: 'Zulaikha ingin',
    })
    const { code } = (await registerAt(t, event.slug, visitor)).json().data
    const { leadId } = await visitorOf(code)
    const survey = await anOpenSurvey(t, admin)
    await sendResponses(t, survey.slug, [
      aResponse(t, { plan: 'work', contact: { ...person, email: 'zulaikha@example.com', consent: true } }),
    ])
    const key = () => ({ 'idempotency-key': crypto.randomUUID() })
    const lead = `/marketing/prospek/${leadId}`
    await staff.post(`${lead}/notes`, { text: 'Zulaikha minta ditelepon' }, key())
    await staff.post(`${lead}/calls`, { result: 'wants_link', nextContactOn: null, text: 'Zulaikha' }, key())
    const scans = [
      { id: crypto.randomUUID(), kind: 'arrive', at: t.clock.now().toISOString(), visitorId: visitor.id },
      { id: crypto.randomUUID(), kind: 'arrive', at: t.clock.now().toISOString(), raw: 'zulaikha@example.com' },
      {
        id: crypto.randomUUID(),
        kind: 'arrive',
        at: t.clock.now().toISOString(),
        walkIn: {
          id: crypto.randomUUID(),
          ...person,
          school: '',
          grade: null,
          consent: true,
          language: 'id',
        },
      },
    ]
    const device = { id: crypto.randomUUID(), name: 'HP' }
    const body = { sessionId: event.sessions[0], device, sentAt: t.clock.now().toISOString(), scans }
    const scanned = await staff.post(`/event-afiliator/${event.id}/scans`, body, key())
    expect(scanned.statusCode, scanned.body).toBe(200)
    for (const list of ['/marketing/prospek', `/event-afiliator/${event.id}/visitors`])
      expect((await staff.get(`${list}/export?format=csv&q=Zulaikha`)).statusCode).toBe(200)
    expect((await staff.post(`${lead}/deletion`, { cause: 'asked' }, key())).statusCode).toBe(200)
    expect(await tablesWith('zulaikha|81399887766')).toEqual([])
  })
})

describe('materials', () => {
  test('are visible to visitors once published, and staff materials never', async () => {
    const event = await aPublishedEvent(t, staff)
    const { code } = await registered(event.slug, event.sessions[0]!)
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
    const add = async (audience: string) => {
      const answer = await staff.upload(`/event-afiliator/${event.id}/materials?title=Brosur&audience=${audience}`, {
        name: 'brosur.pdf',
        type: 'application/pdf',
        bytes: pdf,
      })
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json().data.id as string
    }
    const [forVisitors, forStaff] = [await add('visitors'), await add('staff')]
    const asVisitor = (id: string) => open(`/tiket/${code}/materials/${id}`)
    expect((await asVisitor(forVisitors)).statusCode).toBe(404)
    expect(
      (await staff.put(`/event-afiliator/${event.id}/materials/${forVisitors}`, { published: true })).statusCode,
    ).toBe(200)
    expect((await asVisitor(forVisitors)).rawPayload).toEqual(pdf)
    expect(codeOf(await staff.put(`/event-afiliator/${event.id}/materials/${forStaff}`, { published: true }))).toEqual([
      409,
      'wrong_status',
    ])
    expect((await asVisitor(forStaff)).statusCode).toBe(404)
    await staff.delete(`/event-afiliator/${event.id}/materials/${forVisitors}`)
    expect((await asVisitor(forVisitors)).statusCode).toBe(404)
  })
})

test('a place given back during a registration goes to the person registering', async () => {
  const event = await aPublishedEvent(t, staff, { sessions: [sessionInput({ capacity: 1 })] })
  const session = event.sessions[0]!
  const { code } = await registered(event.slug, session)
  // A cancellation that found nobody waiting and is not committed yet.
  const cancelling = sql`WITH cancelled AS (UPDATE event_visitors SET state = 'cancelled', cancelled_at = now()
    WHERE code = ${code}) UPDATE event_sessions SET taken = taken - 1 WHERE id = ${session}`
  const answer = await raceBehind(t, cancelling, 1, () => registerAt(t, event.slug, visitorInput(session)))
  expect(answer.json().data.state).toBe('registered')
})

test('names of any characters and length register', async () => {
  const event = await aPublishedEvent(t, staff)
  for (const name of ['ﷺ'.repeat(60), `${'a'.repeat(118)}🎓`, '🎓🎓', '<b>=1+1</b>', 'مرحبا بالعالم'])
    expect
      .soft((await registerAt(t, event.slug, visitorInput(event.sessions[0]!, { name }))).statusCode, name)
      .toBe(200)
})

test('an event in the year 0 is refused', async () => {
  for (const change of [
    { sessions: [sessionInput({ date: '0000-01-01' }), sessionInput()] },
    { sessions: [sessionInput({ date: '9999-12-31' })] },
    { opensOn: '0000-01-01' },
    { opensOn: '0001-01-01' },
    { closesOn: '9999-12-31' },
    { sessions: [sessionInput({ capacity: 2 ** 31 })] },
    { costs: [{ label: 'Sewa', planned: -1, actual: null }] },
  ])
    expect.soft((await staff.post('/event-afiliator', eventInput(change))).statusCode, JSON.stringify(change)).toBe(422)
  later()
  expect((await open('/acara')).statusCode).toBe(200)
})
