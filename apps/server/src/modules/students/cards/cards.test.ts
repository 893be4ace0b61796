import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration, payBills } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { studentCardAddress } from './student-card-code.ts'

const now = new Date('2026-11-20T03:00:00Z')

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t?.close())

async function aStudent() {
  const registration = await aRegistration(t, { status: 'confirmed' })
  await t.db.transaction().execute((tx) => payBills(tx, registration.id, now))
  const { npm } = (await staff.post(`/npm-mahasiswa/${registration.id}`, {})).json().data
  return { ...registration, npm: npm as string }
}

const print = (ids: string[], reason: string | null = null, layout = 'card') =>
  staff.post('/npm-mahasiswa/cards', { ids, layout, reason })

const checked = async (npm: string, copy: number) => {
  const path = new URL(studentCardAddress(t.services, npm, copy)).pathname
  return t.app.inject(`/api${path}`)
}

describe('a student card', () => {
  it('is printed once; printing again needs a reason and replaces the first copy', async () => {
    const { id, npm } = await aStudent()
    const first = await print([id])
    expect(first.json().data).toMatchObject({ printed: 1 })
    expect((await checked(npm, 1)).json().data).toMatchObject({ state: 'valid' })
    const unexplained = await print([id])
    expect(unexplained.statusCode).toBe(422)
    expect(unexplained.json().errors.reason).toBeDefined()
    expect((await print([id], 'Kartu hilang')).statusCode).toBe(200)
    expect((await checked(npm, 1)).json().data).toMatchObject({ state: 'replaced' })
    expect((await checked(npm, 2)).json().data).toMatchObject({ state: 'valid' })
  })

  it('is printed once when ten clerks print it at once; nine get 422', async () => {
    const { id } = await aStudent()
    const answers = await Promise.all(Array.from({ length: 10 }, () => print([id])))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(9).fill(422)])
  })

  it('is a PDF of single cards or of sheets with ten, and can be downloaded again', async () => {
    const students = [await aStudent(), await aStudent()]
    const { id } = (
      await print(
        students.map((student) => student.id),
        null,
        'sheet',
      )
    ).json().data
    const file = await staff.get(`/npm-mahasiswa/cards/${id}/cards.pdf`)
    expect(file.headers['content-type']).toBe('application/pdf')
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const prints = await t.db
      .selectFrom('auditLog')
      .select('action')
      .where('subjectId', '=', id)
      .orderBy('id')
      .execute()
    expect(prints.map(({ action }) => action)).toEqual(['student-card.print', 'student-card.download'])
  })

  it('is no longer printed once its number is withdrawn', async () => {
    const { id, npm } = await aStudent()
    const { data } = (await print([id])).json()
    await staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: 'Diterbitkan untuk prodi yang keliru' })
    expect((await staff.get(`/npm-mahasiswa/cards/${data.id}/cards.pdf`)).statusCode).toBe(404)
  })

  it('becomes invalid when its number is withdrawn, and a forged code gets 404', async () => {
    const { id, npm } = await aStudent()
    await print([id])
    await staff.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: 'Diterbitkan untuk prodi yang keliru' })
    expect((await checked(npm, 1)).json().data).toMatchObject({ state: 'withdrawn' })
    expect((await checked(npm, 0)).json().data).toMatchObject({ state: 'withdrawn' })
    expect((await t.app.inject(`/api/verifikasi/${npm}~1~00000000000000000000`)).statusCode).toBe(404)
  })

  it('shows only initials and programme on the public page', async () => {
    const { npm } = await aStudent()
    const { data } = (await checked(npm, 0)).json()
    expect(Object.keys(data).sort()).toEqual(['initials', 'kind', 'programme', 'state'])
    expect(data.initials).toMatch(/^\S\.( \S\.)*$/)
  })

  it('is not printed without a number or photo; the preview names the reason', async () => {
    const student = await aStudent()
    const without = await aStudent()
    const confirmed = await aRegistration(t, { status: 'confirmed' })
    await t.db
      .updateTable('applicants')
      .set({ photoFileId: null })
      .where('accountId', '=', (await accountOf(without.id)).accountId)
      .execute()
    const ids = [student.id, without.id, confirmed.id]
    const preview = (await staff.post('/npm-mahasiswa/cards/preview', { ids })).json().data
    expect(preview.map(({ refusal }: { refusal: string }) => refusal)).toEqual([null, 'no_photo', 'no_number'])
    expect((await print(ids)).json().data.printed).toBe(1)
  })

  it('is shown to its student only', async () => {
    const { id, npm, applicant } = await aStudent()
    const stranger = await aRegistration(t, { status: 'confirmed' })
    const own = (await applicant.get(`/pendaftaran/${id}/student-card`)).json().data
    expect(own).toMatchObject({ npm, photo: expect.stringMatching(/^data:image\/jpeg;base64,/) })
    expect((await stranger.applicant.get(`/pendaftaran/${id}/student-card`)).statusCode).toBe(404)
    expect((await stranger.applicant.get(`/pendaftaran/${stranger.id}/student-card`)).statusCode).toBe(409)
  })
})

const accountOf = (id: string) =>
  t.db.selectFrom('registrations').select('accountId').where('id', '=', id).executeTakeFirstOrThrow()
