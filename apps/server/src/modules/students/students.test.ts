import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration, payBills, statusOf } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { issueStudentNumberJob } from './issue-student-number.job.ts'

const now = new Date('2026-11-20T03:00:00Z')

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t?.close())

const pay = (id: string) => t.db.transaction().execute((tx) => payBills(tx, id, now))
const numbers = async () =>
  (await t.db.selectFrom('students').select('npm').orderBy('npm').execute()).map((student) => student.npm)

describe('student numbers', () => {
  it('issued twenty at once are unique and without gaps, even if some calls are refused', async () => {
    const confirmed = await Promise.all(Array.from({ length: 23 }, () => aRegistration(t, { status: 'confirmed' })))
    await Promise.all(confirmed.slice(0, 20).map(({ id }) => pay(id)))
    const answers = await Promise.all(confirmed.map(({ id }) => staff.post(`/npm-mahasiswa/${id}`, {})))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(20)
    expect(answers.filter((answer) => answer.json().code === 'not_unlocked')).toHaveLength(3)
    expect(await numbers()).toEqual(
      Array.from({ length: 20 }, (_, index) => `2655${String(index + 1).padStart(4, '0')}`),
    )
  })

  it('issued in bulk by two clerks at once have no gaps, and students on both lists get one', async () => {
    const colleague = await asStaff(t, 'Panitia PMB')
    const students = await Promise.all(Array.from({ length: 8 }, () => aRegistration(t, { status: 'confirmed' })))
    await Promise.all(students.map(({ id }) => pay(id)))
    const before = await numbers()
    const ids = students.map(({ id }) => id)
    // The lists share two students.
    const runs = await Promise.all([
      staff.post('/npm-mahasiswa/bulk', { ids: ids.slice(0, 5) }),
      colleague.post('/npm-mahasiswa/bulk', { ids: ids.slice(3).reverse() }),
    ])
    expect(runs.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const issued = runs.flatMap((run) => run.json().data.items).filter(({ done }: { done: boolean }) => done)
    expect(issued.map(({ id }: { id: string }) => id).sort()).toEqual(ids.toSorted())
    const last = Number(before.at(-1) ?? '26550000')
    expect((await numbers()).map(Number)).toEqual([
      ...before.map(Number),
      ...Array.from({ length: 8 }, (_, index) => last + index + 1),
    ])
  })

  it('issued three times at once for one registration result in one number', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    await pay(id)
    const answers = await Promise.all([1, 2, 3].map(() => staff.post(`/npm-mahasiswa/${id}`, {})))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409])
    expect(await statusOf(t, id)).toBe('enrolled')
    const detail = (await applicant.get(`/pendaftaran/${id}`)).json().data
    expect(detail.studentNumber).toBe(answers.find((answer) => answer.statusCode === 200)!.json().data.npm)
  })

  it('are issued automatically when enough is paid, unless the setting leaves it to staff', async () => {
    const { id } = await aRegistration(t, { status: 'confirmed' })
    const settledEvent = { registrationId: id, kind: 're_registration' as const }
    await issueStudentNumberJob.run(t.services, settledEvent)
    expect(await statusOf(t, id)).toBe('confirmed')
    await pay(id)
    await t.db
      .insertInto('settings')
      .values({ key: 'studentNumberIssue', value: JSON.stringify('by_staff') })
      .execute()
    await issueStudentNumberJob.run(t.services, settledEvent)
    expect(await statusOf(t, id)).toBe('confirmed')
    await t.db.deleteFrom('settings').where('key', '=', 'studentNumberIssue').execute()
    await Promise.all([1, 2].map(() => issueStudentNumberJob.run(t.services, settledEvent)))
    expect(await statusOf(t, id)).toBe('enrolled')
  })

  it('issued in bulk are those the preview announced', async () => {
    const paid = await aRegistration(t, { status: 'confirmed' })
    await pay(paid.id)
    const unpaid = await aRegistration(t, { status: 'confirmed' })
    const done = await aRegistration(t, { status: 'enrolled' })
    const ids = [paid.id, unpaid.id, done.id]
    const reasons = [null, 'not_unlocked', 'already_issued']
    const preview = (await staff.post('/npm-mahasiswa/bulk/preview', { ids })).json().data
    expect(preview.items.map((item: { reason: string }) => item.reason)).toEqual(reasons)
    const run = (await staff.post('/npm-mahasiswa/bulk', { ids })).json().data
    expect(run.items.map((item: { reason: string }) => item.reason)).toEqual(reasons)
    const list = (await staff.get('/npm-mahasiswa?per_page=2')).json()
    expect(list.data).toHaveLength(2)
    const all = (await staff.get('/npm-mahasiswa?per_page=200')).json().data
    const row = (id: string) => all.find((one: { registrationId: string }) => one.registrationId === id)
    expect(row(done.id)).toMatchObject({ status: 'enrolled', unlocked: true })
    expect(row(unpaid.id)).toMatchObject({ npm: null, unlocked: false })
    expect(list.meta.next).not.toBeNull()
  })

  it('cannot be issued by applicants', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    expect((await applicant.post(`/npm-mahasiswa/${id}`, {})).statusCode).toBe(403)
  })
})
