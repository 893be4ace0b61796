import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { universityCalendar } from '#domain/calendar.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import { aReportMail, reportMailInput, runsOf } from '#server-test/factories/report-mail.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { startReportMailsJob } from './start-report-mails.job.ts'

const report = 'pendaftaran-prodi'
const right = `laporan-${report}`

let t: TestApp
let rector: TestActor
let dean: TestActor
let clerk: TestActor
let programmes: readonly string[]
beforeAll(async () => {
  t = await testApp()
  programmes = (await academicOf(t)).programmes
  rector = await asStaff(t, 'Pimpinan', { name: 'Rektor Contoh', language: 'en' })
  dean = await asWithPermissions(t, [right], { programmeIds: [programmes[0]!] }, { name: 'Dekan Contoh' })
  clerk = await asWithPermissions(t, ['pendaftaran-view'], {}, { name: 'Petugas Loket' })
})
afterAll(() => t.close())
beforeEach(() => t.clock.reset())

const create = (actor: TestActor, recipients: readonly TestActor[], changes = {}) =>
  actor.post('/report-mails', reportMailInput(recipients, changes))

describe('scheduling a mail', () => {
  test("needs the report's permission and is refused for applicants", async () => {
    expect((await create(clerk, [rector])).statusCode).toBe(403)
    const applicant = await asApplicant(t)
    expect((await create(applicant, [rector])).statusCode).toBe(403)
    expect((await applicant.get(`/report-mails/recipients?report=${report}`)).statusCode).toBe(403)
  })

  test("returns the next due time in the university's time zone", async () => {
    const calendar = universityCalendar()
    t.clock.set(calendar.momentOf(`${calendar.dayOf(new Date())} 06:30:00`))
    const { nextDueAt } = await aReportMail(rector, [rector], { hour: 7 })
    expect(calendar.wallTime(new Date(nextDueAt)).slice(11)).toBe('07:00:00')
    expect(Date.parse(nextDueAt) - t.clock.now().getTime()).toBe(30 * 60_000)
  })

  test('reports each invalid value beside its field', async () => {
    const errorsOf = async (changes: object, recipients = [rector]) => {
      const answer = await create(rector, recipients, changes)
      expect(answer.statusCode, JSON.stringify(changes)).toBe(422)
      return Object.keys(answer.json().errors)
    }
    expect(await errorsOf({ rhythm: 'weekly' })).toEqual(['weekday'])
    expect(await errorsOf({ rhythm: 'monthly' })).toEqual(['monthDay'])
    expect(await errorsOf({ question: 'by=shoeSize' })).toEqual(['question'])
    expect(await errorsOf({ question: 'unknown=1' })).toEqual(['question'])
    expect(await errorsOf({ report: 'ukuran-almamater', question: '', lastDays: 7 })).toEqual(['lastDays'])
    expect(await errorsOf({}, [])).toEqual(['recipientIds'])
    expect(await errorsOf({}, [rector, clerk])).toEqual(['recipientIds'])
  })

  test("by a dean is refused for recipients outside the dean's scope", async () => {
    expect((await create(dean, [rector])).json().errors).toHaveProperty('recipientIds')
    expect((await create(dean, [dean])).statusCode).toBe(201)
  })
})

describe('recipients', () => {
  const found = async (actor: TestActor, q = '') =>
    (await actor.get(`/report-mails/recipients?report=${report}&q=${encodeURIComponent(q)}`)).json().data as {
      id: string
      name: string
      email: string
    }[]

  test('are staff who may open the report, beginning with the reader, with shortened addresses', async () => {
    const people = await found(rector)
    expect(people[0]!.id).toBe(rector.accountId)
    expect(people.map(({ name }) => name)).toContain('Dekan Contoh')
    expect(people.map(({ name }) => name)).not.toContain('Petugas Loket')
    for (const { email } of people) expect([rector.email, dean.email]).not.toContain(email)
  })

  test('are found by name and role, but not by address', async () => {
    expect((await found(rector, 'Dekan')).map(({ id }) => id)).toEqual([dean.accountId])
    expect((await found(rector, 'Pimpinan')).map(({ id }) => id)).toEqual([rector.accountId])
    expect(await found(rector, dean.email.split('@')[0])).toEqual([])
  })

  test("offered to a dean are those in the dean's programmes", async () => {
    expect((await found(dean)).map(({ id }) => id)).toEqual([dean.accountId])
  })

  test('who lost the permission are kept when the mail is changed, but nobody without it can be added', async () => {
    const guest = await asWithPermissions(t, [right], {}, { name: 'Tamu Rapat' })
    const { id } = await aReportMail(rector, [rector, guest])
    const { roleId } = await t.db
      .selectFrom('accounts')
      .select('roleId')
      .where('id', '=', guest.accountId)
      .executeTakeFirstOrThrow()
    await t.db.deleteFrom('rolePermissions').where('roleId', '=', roleId).execute()
    const change = (recipients: readonly TestActor[], version: number) => {
      const { report: _, question: __, columns: ___, ...body } = reportMailInput(recipients)
      return rector.put(`/report-mails/${id}`, { ...body, version })
    }
    const answer = await change([rector, guest], 1)
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await change([rector, guest, clerk], 2)).json().errors).toHaveProperty('recipientIds')
    expect((await change([rector], 2)).statusCode).toBe(200)
    expect((await change([rector, guest], 3)).json().errors).toHaveProperty('recipientIds')
  })
})

describe('a scheduled mail', () => {
  test('is visible and changeable only for its owner', async () => {
    const { id, version } = await aReportMail(dean, [dean])
    const { report: _, question: __, columns: ___, ...body } = reportMailInput([dean])
    const answers = [
      await rector.get(`/report-mails/${id}`),
      await rector.get(`/report-mails/${id}/runs`),
      await rector.put(`/report-mails/${id}`, { ...body, version }),
      await rector.put(`/report-mails/${id}/active`, { active: false, version }),
      await rector.post(`/report-mails/${id}/send`),
      await rector.delete(`/report-mails/${id}`),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
    const ids = (await rector.get('/report-mails')).json().data.map((row: { id: string }) => row.id)
    expect(ids).not.toContain(id)
  })

  test('changed twice in parallel is saved once', async () => {
    const { id } = await aReportMail(rector, [rector])
    const { report: _, question: __, columns: ___, ...body } = reportMailInput([rector], { name: 'Diganti' })
    const saved = await Promise.all([1, 2].map(() => rector.put(`/report-mails/${id}`, { ...body, version: 1 })))
    expect(saved.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  })

  test('that was due a moment ago is still sent if only its name is changed', async () => {
    const calendar = universityCalendar()
    const today = calendar.dayOf(new Date())
    t.clock.set(calendar.momentOf(`${today} 06:50:00`))
    const { id, version } = await aReportMail(rector, [rector])
    t.clock.set(calendar.momentOf(`${today} 07:02:00`))
    const { report: _, question: __, columns: ___, ...body } = reportMailInput([rector], { name: 'Nama baru' })
    expect((await rector.put(`/report-mails/${id}`, { ...body, version })).statusCode).toBe(200)
    await startReportMailsJob.run(t.services, {})
    expect(await runsOf(rector, id)).toHaveLength(1)
  })

  test("describes what it shows in its reader's language", async () => {
    const question = `programmeId=${programmes[0]}&by=wave&compare=no&from=2026-11-01`
    const query = new URLSearchParams({ report, question, columns: 'submitted,paid' })
    const read = async (language: string) =>
      (await rector.get(`/report-mails/words?${query}`, { 'accept-language': language })).json().data
    expect(await read('en')).toEqual({
      shows: [
        { label: 'Academic year', value: 'The current one at the moment of sending' },
        { label: 'Study programme', value: 'Informatika' },
        { label: 'From', value: '01 November 2026' },
        { label: 'Grouped by', value: 'Wave' },
        { label: 'Compare with the year before', value: 'Not at all' },
        { label: 'Columns', value: 'Submitted, Paid' },
      ],
      takesPeriod: true,
    })
    expect((await read('id')).shows[1]).toEqual({ label: 'Program studi', value: 'Informatika' })
    expect((await clerk.get(`/report-mails/words?${query}`)).statusCode).toBe(403)
    const { id } = await aReportMail(rector, [rector], { question, columns: ['submitted', 'paid'] })
    expect((await rector.get(`/report-mails/${id}`)).json().data.shows).toEqual((await read('en')).shows)
  })
})
