import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration, payBills, statusOf } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { issueStudentNumberJob } from './issue-student-number.job.ts'

const now = new Date('2026-11-20T03:00:00Z')
const reason = 'Diterbitkan untuk prodi yang keliru'

let t: TestApp
let staff: TestActor
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Panitia PMB')
  admin = await asStaff(t)
})
afterAll(() => t?.close())

async function aStudent() {
  const registration = await aRegistration(t, { status: 'confirmed' })
  await t.db.transaction().execute((tx) => payBills(tx, registration.id, now))
  const { npm } = (await staff.post(`/npm-mahasiswa/${registration.id}`, {})).json().data
  return { ...registration, npm: npm as string }
}

const withdraw = (id: string, npm: string) => staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason })

describe('a withdrawn student number', () => {
  it('leaves the applicant confirmed and notified of the reason, and another number can be issued', async () => {
    const { id, npm, applicant } = await aStudent()
    expect((await withdraw(id, npm)).statusCode).toBe(200)
    expect(await statusOf(t, id)).toBe('confirmed')
    const messages = (await applicant.get('/messages')).json().data
    expect(messages).toContainEqual(expect.objectContaining({ body: expect.stringContaining(reason) }))
    const issued = await staff.post(`/npm-mahasiswa/${id}`, {})
    expect(issued.json().data.npm).not.toBe(npm)
    const { history } = (await staff.get(`/npm-mahasiswa/${id}`)).json().data
    expect(history.map(({ event }: { event: string }) => event).sort()).toEqual(['issued', 'issued', 'withdrawn'])
    // Payments made by the test factory come from no bank.
    const found = await checkInvariants(t.services)
    expect(found.filter(({ check }) => check !== 'payment-source')).toEqual([])
  })

  it('withdraws the letters that contain it, in the register and in the history', async () => {
    const { id, npm } = await aStudent()
    const kindOf = async (code: string, body: string) =>
      (
        await admin.post('/surat', {
          code,
          nameEn: 'Statement',
          nameId: 'Keterangan',
          audience: 'registered',
          active: true,
          selfService: false,
          titleEn: 'Statement',
          titleId: 'Keterangan',
          bodyEn: body,
          bodyId: body,
          signatoryName: '',
          signatoryTitle: '',
          validDays: null,
          numberTemplate: `${code}-{SEQ:5}/{YYYY}`,
        })
      ).json().data.id as string
    const [naming, silent] = [await kindOf('npm', 'Nomor {{npm}}'), await kindOf('tanpa', 'Tentang {{name}}')]
    for (const kindId of [naming, silent]) {
      const issued = await admin.post(`/pendaftaran/${id}/surat`, { kindId, language: 'id' })
      expect(issued.statusCode, issued.body).toBe(200)
    }
    await withdraw(id, npm)
    const letters = await t.db.selectFrom('letters').selectAll().where('registrationId', '=', id).execute()
    const named = letters.find(({ letterKindId }) => letterKindId === naming)!
    expect(named).toMatchObject({ state: 'withdrawn', withdrawnBy: staff.accountId })
    expect(named.withdrawnReason).toContain(reason)
    expect(letters.find(({ letterKindId }) => letterKindId === silent)).toMatchObject({ state: 'valid' })
    const audit = await t.db.selectFrom('auditLog').select('action').where('subjectId', '=', named.id).execute()
    expect(audit.map(({ action }) => action)).toContain('letter.withdraw')
  })

  it('is not replaced automatically by the next payment', async () => {
    const { id, npm } = await aStudent()
    await withdraw(id, npm)
    await issueStudentNumberJob.run(t.services, { registrationId: id, kind: 're_registration' })
    expect(await statusOf(t, id)).toBe('confirmed')
  })

  it('is withdrawn once by twenty calls at once, and not after another was issued meanwhile', async () => {
    const { id, npm } = await aStudent()
    const answers = await Promise.all(Array.from({ length: 20 }, () => withdraw(id, npm)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const second = (await staff.post(`/npm-mahasiswa/${id}`, {})).json().data.npm
    const late = await withdraw(id, npm)
    expect(late.json()).toMatchObject({ code: 'number_changed' })
    expect((await staff.get(`/npm-mahasiswa/${id}`)).json().data.npm).toBe(second)
  })

  it('is refused by the database for any other student', async () => {
    const { id, npm } = await aStudent()
    const other = await aStudent()
    await withdraw(id, npm)
    const again = sql`UPDATE students SET npm = ${npm} WHERE registration_id = ${other.id}`.execute(t.db)
    await expect(again).rejects.toThrow('was withdrawn')
    await expect(sql`DELETE FROM withdrawn_student_numbers`.execute(t.owner)).rejects.toThrow()
  })

  it('is listed, and a counted number that was never issued is a gap', async () => {
    const { id, npm } = await aStudent()
    await withdraw(id, npm)
    await sql`UPDATE number_counters SET value = value + 2 WHERE kind = 'student'`.execute(t.db)
    await aStudent()
    const listed = (await staff.get(`/npm-mahasiswa/withdrawn?q=${npm}`)).json().data
    expect(listed).toEqual([expect.objectContaining({ npm, reason })])
    const gaps = (await staff.get('/npm-mahasiswa/gaps')).json().data
    expect(gaps).toHaveLength(1)
    expect(gaps[0].last - gaps[0].first).toBe(1)
  })

  it('stays assigned when a student leaves', async () => {
    const { id, npm } = await aStudent()
    expect((await staff.post(`/pendaftaran/${id}/cancel`, { reason: 'Pindah kampus' })).statusCode).toBe(200)
    const student = await t.db
      .selectFrom('students')
      .select('npm')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    expect(student.npm).toBe(npm)
    expect((await checkInvariants(t.services)).filter(({ check }) => check === 'registration-student')).toEqual([])
  })

  it('cannot be withdrawn by applicants or without a reason', async () => {
    const { id, npm, applicant } = await aStudent()
    expect((await applicant.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason })).statusCode).toBe(403)
    expect((await staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: ' ' })).statusCode).toBe(422)
  })
})
