import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { aPdf } from '#server-test/factories/applicants.ts'
import { now, read, step, todoOf } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  staff = await asStaff(t, 'Panitia PMB')
  await t.db
    .insertInto('trackFiles')
    .values(
      ['Ijazah yang dilegalisir', 'Akta kelahiran asli'].map((name, sortOrder) => ({
        trackId: academic.tracks.regular,
        stage: 'enrolment' as const,
        name,
        acceptedTypes: ['pdf', 'jpg'],
        sortOrder,
      })),
    )
    .execute()
})
afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

type Slot = { id: string; name: string; stage: string; status: string; version: number }
const slotsOf = async (reader: TestActor, id: string): Promise<Slot[]> =>
  (await reader.get(`/pendaftaran/${id}/files`)).json().data
const toEnrol = async (reader: TestActor, id: string) =>
  (await slotsOf(reader, id)).filter(({ stage }) => stage === 'enrolment')
const pdf = () => ({ name: 'ijazah.pdf', type: 'application/pdf', bytes: aPdf() })
const stateOf = (id: string) =>
  t.db.selectFrom('registrations').select(['status', 'documentsState']).where('id', '=', id).executeTakeFirstOrThrow()

describe('enrolment documents', () => {
  test('are absent while registering, from the intake and from the slots', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'decided' })
    expect(await toEnrol(applicant, id)).toEqual([])
    expect((await applicant.get('/intake')).body).not.toContain('Akta kelahiran asli')
  })

  test('open with the confirmation, and the applicant is shown what to send', async () => {
    const { id, applicant, trackId } = await aRegistration(t, { status: 'decided' })
    await publish(t, trackId)
    const confirmed = await step(applicant, id, 'confirm', {})
    expect(confirmed.statusCode).toBe(200)
    expect((await toEnrol(applicant, id)).map(({ name, status }) => [name, status])).toEqual([
      ['Ijazah yang dilegalisir', 'empty'],
      ['Akta kelahiran asli', 'empty'],
    ])
    expect(todoOf(await read(applicant, id), 'enrolmentFiles')).toMatchObject({
      state: 'todo',
      path: `/pendaftaran/${id}/file`,
      params: { missing: 2 },
    })
  })

  test("do not change the registration's state when they are sent and approved", async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    for (const slot of await toEnrol(applicant, id))
      expect((await applicant.upload(`/pendaftaran/${id}/files/${slot.id}`, pdf())).statusCode).toBe(200)
    expect(await stateOf(id)).toEqual({ status: 'confirmed', documentsState: 'complete' })
    expect(todoOf(await read(applicant, id), 'enrolmentFiles')).toMatchObject({ state: 'waiting', actor: 'staff' })
    for (const { id: documentId, version } of await toEnrol(staff, id))
      expect((await staff.post(`/documents/${documentId}/approve`, { version })).statusCode).toBe(200)
    expect(todoOf(await read(applicant, id), 'enrolmentFiles')).toMatchObject({ state: 'done' })
    expect(await stateOf(id)).toEqual({ status: 'confirmed', documentsState: 'complete' })
  })

  test('include a document requested after the confirmation, which does not affect the decision', async () => {
    const { id } = await aRegistration(t, { status: 'confirmed' })
    const request = { name: 'Surat pernyataan', required: true }
    expect((await staff.post(`/pendaftaran/${id}/files`, request)).json().data.stage).toBe('enrolment')
    expect(await stateOf(id)).toEqual({ status: 'confirmed', documentsState: 'complete' })
  })

  test('close their empty slots when the confirmation is reverted, and keep sent files', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    const [first] = await toEnrol(applicant, id)
    await applicant.upload(`/pendaftaran/${id}/files/${first!.id}`, pdf())
    const reverted = await step(staff, id, 'revert-confirmation', { reason: 'Salah cicilan' })
    expect(reverted.json().data).toMatchObject({ status: 'decided' })
    expect((await toEnrol(applicant, id)).map(({ name }) => name)).toEqual([first!.name])
    expect((await step(applicant, id, 'confirm', {})).statusCode).toBe(200)
    expect((await toEnrol(applicant, id)).map(({ name, status }) => [name, status])).toEqual([
      ['Ijazah yang dilegalisir', 'uploaded'],
      ['Akta kelahiran asli', 'empty'],
    ])
  })
})
