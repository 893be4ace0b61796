import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CalendarEntry } from '#domain/admission-calendar/endpoints.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { takeSeat, testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)

let t: TestApp
let academic: AcademicFixture
let session: string
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
  session = await testSession(t.db, academic, now, { name: 'Tes CBT sesi 1' })
  await t.db
    .updateTable('trackDetails')
    .set({ paymentDueAt: days(20), resultsAt: days(30), confirmationDueAt: days(40) })
    .where('trackId', '=', academic.tracks.regular)
    .execute()
})
afterAll(() => t?.close())

const calendarOf = async (actor: TestActor, from = '2026-11-01', to = '2027-01-31') =>
  (await actor.get(`/calendar?from=${from}&to=${to}`)).json().data as CalendarEntry[]
const kindsOf = (entries: readonly CalendarEntry[]) => [...new Set(entries.map(({ kind }) => kind))].sort()

const applicant = (status = 'paid') => testTaker(t, academic, { status })
const billOf = ({ actor, id }: Awaited<ReturnType<typeof applicant>>, dueAt: Date) =>
  t.db
    .insertInto('bills')
    .values({
      registrationId: id,
      accountId: actor.accountId,
      kind: 'registration_fee',
      number: `INV-C-${id.slice(0, 8)}`,
      total: 250_000,
      dueAt,
      issuedAt: now,
    } as never)
    .execute()

describe('the calendar for applicants', () => {
  it("shows the applicant's own seat, bill and results, and nothing of other applicants", async () => {
    const [own, other] = [await applicant(), await applicant()]
    for (const person of [own, other]) {
      await takeSeat(person, session)
      await billOf(person, days(5))
    }
    const entries = await calendarOf(own.actor)
    expect(entries.find(({ kind }) => kind === 'seat')).toMatchObject({
      day: '2026-11-30',
      name: 'Tes CBT sesi 1',
      path: `/pendaftaran/${own.id}`,
      taken: null,
    })
    expect(entries.filter(({ kind }) => kind === 'bill')).toHaveLength(1)
    expect(entries.find(({ kind }) => kind === 'results')).toMatchObject({ at: days(30).toISOString() })
    expect(kindsOf(entries)).not.toContain('session')
    expect(JSON.stringify(entries)).not.toContain(other.id)
  })

  it('shows the confirmation deadline only after the acceptance is published', async () => {
    const { actor, id } = await applicant('decided')
    await t.db
      .updateTable('registrations')
      .set({ decision: 'accepted', acceptedProgrammeId: academic.programmes[0] } as never)
      .where('id', '=', id)
      .execute()
    expect(kindsOf(await calendarOf(actor))).not.toContain('confirmation')
    const publication = { waveId: academic.wave, trackId: academic.tracks.regular, publishAt: now }
    await t.db.insertInto('resultPublications').values(publication).execute()
    const entries = await calendarOf(actor)
    expect(entries.find(({ kind }) => kind === 'confirmation')).toMatchObject({ at: days(40).toISOString() })
    expect(kindsOf(entries)).not.toContain('results')
    await t.db.deleteFrom('resultPublications').execute()
  })

  it('shows the deadline for answering a seat offer', async () => {
    const full = await testSession(t.db, academic, now, { capacity: 1 })
    const [holder, waiting] = [await applicant(), await applicant()]
    await takeSeat(holder, full)
    await waiting.actor.post(`/pendaftaran/${waiting.id}/test-waiting`, { testSessionId: full })
    await holder.actor.delete(`/pendaftaran/${holder.id}/test-seat`)
    expect((await calendarOf(waiting.actor)).find(({ kind }) => kind === 'offer')).toMatchObject({
      at: days(1).toISOString(),
      path: `/pendaftaran/${waiting.id}`,
    })
  })
})

describe('the calendar file', () => {
  const fileOf = async (actor: TestActor) => {
    const answer = await actor.get('/calendar.ics')
    expect(answer.headers['content-type']).toContain('text/calendar')
    return answer.body.replaceAll('\r\n ', '').split('\r\n')
  }

  it('holds the coming test and bills of one applicant, with the id that the file of the seat has', async () => {
    const [own, other] = [await applicant(), await applicant()]
    for (const person of [own, other]) await takeSeat(person, session)
    await billOf(own, days(5))
    await billOf(other, days(7))
    const lines = await fileOf(own.actor)
    const seat = (await own.actor.get(`/pendaftaran/${own.id}/test-seat.ics`)).body.split('\r\n')
    for (const start of ['UID:test-', 'SEQUENCE:', 'DTSTART:'])
      expect(lines).toContain(seat.find((line) => line.startsWith(start)))
    const utc = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
    expect(lines).toContain(`DTEND:${utc(days(5))}`)
    expect(lines).not.toContain(`DTEND:${utc(days(7))}`)
    expect(lines.filter((line) => line.startsWith('SUMMARY:')).join()).toContain('INV-C-')
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(
      lines.filter((line) => line === 'END:VEVENT').length,
    )
  })

  it('has the same ids each time, nothing past, and no dates of intakes', async () => {
    const own = await applicant()
    await billOf(own, days(5))
    const uidsOf = (lines: string[]) => lines.filter((line) => line.startsWith('UID:')).sort()
    const first = uidsOf(await fileOf(own.actor))
    expect(uidsOf(await fileOf(own.actor))).toEqual(first)
    expect(new Set(first).size).toBe(first.length)
    expect(first.join()).not.toMatch(/opens|closes/)
    t.clock.set(days(6))
    expect(uidsOf(await fileOf(own.actor)).join()).not.toContain('bill')
    t.clock.set(now)
  })
})

describe('the calendar for staff', () => {
  it('shows an administrator sessions with seats taken, track deadlines and due bills', async () => {
    const admin = await asStaff(t)
    const entries = await calendarOf(admin)
    expect(entries.find(({ name }) => name === 'Tes CBT sesi 1')).toMatchObject({
      kind: 'session',
      capacity: 10,
      path: `/jadwal-test/${session}`,
    })
    expect(entries.find(({ kind }) => kind === 'payment')).toMatchObject({ at: days(20).toISOString() })
    expect(kindsOf(entries)).toEqual(expect.arrayContaining(['session', 'payment', 'results', 'confirmation', 'bills']))
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted())
  })

  it('shows staff without permissions only when waves open and close', async () => {
    const entries = await calendarOf(await asWithPermissions(t, []), '2026-01-01', '2026-12-31')
    for (const kind of kindsOf(entries)) expect(['opens', 'closes']).toContain(kind)
  })

  it("counts due bills of the reader's programmes only", async () => {
    await billOf(await applicant('submitted'), days(50))
    const count = (entries: CalendarEntry[]) =>
      entries.find(({ kind, at }) => kind === 'bills' && at === days(50).toISOString())?.count
    const slugs = ['pembayaran-mahasiswa-view']
    const within = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[0]!] })
    const outside = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]!] })
    expect(count(await calendarOf(within))).toBe(1)
    expect(count(await calendarOf(outside))).toBeUndefined()
  })

  it('needs a session, refuses reversed dates and answers for a few months at most', async () => {
    expect((await t.app.inject({ url: '/api/calendar?from=2026-11-01&to=2026-11-30' })).statusCode).toBe(401)
    const admin = await asStaff(t)
    expect((await admin.get('/calendar?from=2026-12-01&to=2026-11-30')).statusCode).toBe(422)
    const entries = await calendarOf(admin, '2026-07-01', '2027-06-30')
    expect(entries.every(({ day }) => day <= '2026-10-09')).toBe(true)
  })
})
