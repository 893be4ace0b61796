import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { now, read, todoOf } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const fileRights = ['berkas-mahasiswa-view', 'berkas-mahasiswa-update']

let t: TestApp
let clerk: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  await academicOf(t)
  clerk = await asWithPermissions(t, [...fileRights, 'pendaftaran-profile-identity'])
})
afterAll(() => t?.close())

type Data = Record<string, unknown> & { version: number }
const own = async (actor: TestActor, id: string): Promise<Data> =>
  (await actor.get(`/account/enrolment-data/${id}`)).json().data

/** Request body as the form sends it: stored values and answers. */
function bodyOf(
  { registrationId, code, name, isTransfer, identityHidden, savedAt, ...known }: Data,
  answers: object = {},
) {
  return {
    ...known,
    residence: '1',
    transport: '13',
    financing: '1',
    kpsRecipient: known.kpsRecipient ?? false,
    ...answers,
  }
}
const save = (actor: TestActor, id: string, body: object) => actor.put(`/account/enrolment-data/${id}`, body)

describe('the enrolment data', () => {
  test('are requested once the place is confirmed, prefilled from the profile', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    expect(todoOf(await read(applicant, id), 'enrolmentData')).toMatchObject({ state: 'todo' })
    const known = await own(applicant, id)
    const profile = (await applicant.get('/auth/my-profile')).json().data
    expect([known.motherName, known.version, known.savedAt]).toEqual([profile.motherName, 0, null])
    const saved = await save(
      applicant,
      id,
      bodyOf(known, { motherName: 'Ibu Kartini', motherNik: '3578 0141 0190 0001' }),
    )
    expect(saved.statusCode).toBe(200)
    expect(saved.json().data).toMatchObject({ motherNik: '3578014101900001', version: 1 })
    expect((await applicant.get('/auth/my-profile')).json().data.motherName).toBe('Ibu Kartini')
    expect(todoOf(await read(applicant, id), 'enrolmentData')).toMatchObject({ state: 'done' })
  })

  test('get 404 before the confirmation and for other accounts', async () => {
    const decided = await aRegistration(t, { status: 'decided' })
    expect((await decided.applicant.get(`/account/enrolment-data/${decided.id}`)).statusCode).toBe(404)
    const { id } = await aRegistration(t, { status: 'confirmed' })
    expect((await decided.applicant.get(`/account/enrolment-data/${id}`)).statusCode).toBe(404)
    expect((await clerk.get(`/account/enrolment-data/${id}`)).statusCode).toBe(404)
    expect((await decided.applicant.get(`/berkas-mahasiswa/${id}/enrolment-data`)).statusCode).toBe(403)
  })

  test("require the register's fields, a card number from card holders, and valid numbers", async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    const known = await own(applicant, id)
    const refused = await save(
      applicant,
      id,
      bodyOf(known, {
        residence: null,
        kpsRecipient: true,
        fatherNik: '12',
        taxNumber: '1',
        motherBirthDate: '2999-01-01',
      }),
    )
    expect(refused.statusCode).toBe(422)
    expect(Object.keys(refused.json().errors).sort()).toEqual([
      'fatherNik',
      'kpsNumber',
      'motherBirthDate',
      'residence',
      'taxNumber',
    ])
    const saved = await save(
      applicant,
      id,
      bodyOf(known, { kpsRecipient: false, kpsNumber: 'KPS-1', recognisedCredits: 20 }),
    )
    expect(saved.json().data).toMatchObject({ kpsNumber: null, recognisedCredits: null })
  })

  test('saved twice at once are refused once, even at the first save', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    for (const round of [0, 1]) {
      const known = await own(applicant, id)
      expect(known.version).toBe(round)
      const answers = await Promise.all(
        ['1', '2'].map((financing) => save(applicant, id, bodyOf(known, { financing }))),
      )
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    }
  })

  test('are corrected by staff with a reason; the audit log records reads and changes, with masked numbers', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    await save(applicant, id, bodyOf(await own(applicant, id), { fatherNik: '3578014101900001' }))
    const read = await clerk.get(`/berkas-mahasiswa/${id}/enrolment-data`)
    const body = bodyOf(read.json().data, { fatherNik: '3578014101900002' })
    const path = `/berkas-mahasiswa/${id}/enrolment-data`
    expect((await clerk.put(path, body)).statusCode).toBe(422)
    expect((await clerk.put(path, { ...body, reason: 'Sesuai Kartu Keluarga' })).statusCode).toBe(200)
    const entries = await t.db
      .selectFrom('auditLog')
      .select(['action', 'before', 'after', 'reason'])
      .where('subjectId', '=', id)
      .where('actorId', '=', clerk.accountId)
      .where('action', 'like', 'enrolment-data.%')
      .orderBy('id')
      .execute()
    expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
      ['enrolment-data.read', null],
      ['enrolment-data.save', 'Sesuai Kartu Keluarga'],
    ])
    expect(JSON.stringify(entries)).not.toContain('3578014101900002')
    expect(Object.keys(entries[1]!.after as object)).toEqual(['fatherNik'])
  })

  test("can be corrected in one field while the student's other answers are still missing", async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    const path = `/berkas-mahasiswa/${id}/enrolment-data`
    const { registrationId, code, name, isTransfer, identityHidden, savedAt, ...known } = await own(applicant, id)
    expect(known.kpsRecipient).toBeNull()
    const reason = 'Sesuai Kartu Keluarga'
    const corrected = await clerk.put(path, { ...known, fatherName: 'Bapak Sesuai KK', reason })
    expect(corrected.json().data).toMatchObject({ fatherName: 'Bapak Sesuai KK', residence: null, kpsRecipient: null })
    expect(todoOf(await read(applicant, id), 'enrolmentData')).toMatchObject({ state: 'todo' })
    expect((await save(applicant, id, { ...known, version: 1, kpsRecipient: null })).statusCode).toBe(422)
    await save(applicant, id, bodyOf(await own(applicant, id)))
    expect(todoOf(await read(applicant, id), 'enrolmentData')).toMatchObject({ state: 'done' })
    const cleared = await clerk.put(path, { ...bodyOf(await own(applicant, id)), residence: null, reason })
    expect(Object.keys(cleared.json().errors)).toEqual(['residence'])
    const phone = await clerk.put(path, { ...bodyOf(await own(applicant, id)), homePhone: 'abc', reason })
    expect(Object.keys(phone.json().errors)).toEqual(['homePhone'])
  })

  test('hide identity numbers from staff without permission, whose corrections keep them unchanged', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'confirmed' })
    const numbers = { motherNik: '3578014101900001', fatherNik: '3578014101900002', taxNumber: '3578014101900003' }
    await save(applicant, id, bodyOf(await own(applicant, id), numbers))
    const limited = await asWithPermissions(t, fileRights)
    const path = `/berkas-mahasiswa/${id}/enrolment-data`
    const known: Data = (await limited.get(path)).json().data
    expect(known).toMatchObject({ identityHidden: true, motherNik: null, fatherNik: null, taxNumber: null })
    const reason = 'Sesuai Kartu Keluarga'
    expect((await limited.put(path, { ...bodyOf(known, numbers), reason })).statusCode).toBe(403)
    const corrected = await limited.put(path, { ...bodyOf(known, { residence: '3' }), reason })
    expect(corrected.json().data).toMatchObject({ identityHidden: true, residence: '3', motherNik: null })
    expect(await own(applicant, id)).toMatchObject({ identityHidden: false, residence: '3', ...numbers })
  })
})
