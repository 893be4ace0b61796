import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let officer: TestActor
let id: string
let applicant: TestActor
beforeAll(async () => {
  t = await testApp()
  officer = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())
beforeEach(async () => {
  ;({ id, applicant } = await aRegistration(t, { status: 'paid' }))
})

const path = () => `/pendaftaran/${id}/profile`
const profile = async (actor = officer) => (await actor.get(path())).json().data
const change = async (actor: TestActor, body: object) =>
  actor.put(path(), { version: (await profile()).version, reason: 'Sesuai akta kelahiran', ...body })
const reads = async (actor: TestActor) =>
  (
    await t.db
      .selectFrom('auditLog')
      .select(['action', 'after'])
      .where('actorId', '=', actor.accountId)
      .where('action', 'like', 'profile.read%')
      .execute()
  ).map(({ action }) => action)

describe('reading', () => {
  test('staff see the whole profile, the NIK in full only with permission, and reads are recorded', async () => {
    const ownProfile = (await applicant.get('/auth/my-profile')).json().data
    expect(await profile()).toMatchObject({
      ...{ nik: ownProfile.nik, nikMasked: false, birthDate: ownProfile.birthDate, motherName: ownProfile.motherName },
      ...{ address: ownProfile.address, phone: ownProfile.phone, names: ownProfile.names },
    })
    const reader = await asWithPermissions(t, ['pendaftaran-view', 'pendaftaran-profile-view'])
    expect(await profile(reader)).toMatchObject({ nik: `••••${ownProfile.nik.slice(-4)}`, nikMasked: true })
    expect(JSON.stringify(await profile(reader))).not.toContain(ownProfile.nik)
    expect(await reads(reader)).toEqual(['profile.read'])
    expect(await reads(officer)).toContain('profile.read-identity')
    t.clock.set(new Date(t.clock.now().getTime() + 16 * 60_000))
    await profile(reader)
    expect(await reads(reader)).toHaveLength(2)
    t.clock.reset()
  })

  test('is refused without permission, for other study programmes, and to applicants', async () => {
    const [, other] = (await academicOf(t)).programmes
    const otherOfficer = await asWithPermissions(t, ['pendaftaran-profile-view', 'pendaftaran-profile-update'], {
      programmeIds: [other],
    })
    expect((await (await asStaff(t, 'Keuangan')).get(path())).statusCode).toBe(403)
    expect((await applicant.get(path())).statusCode).toBe(403)
    expect((await otherOfficer.get(path())).statusCode).toBe(404)
    expect((await otherOfficer.get(`${path()}/history`)).statusCode).toBe(404)
    expect((await otherOfficer.put(path(), { version: 1, reason: 'Coba', motherName: 'X' })).statusCode).toBe(404)
  })
})

describe('correcting a profile', () => {
  test('needs a reason, is visible to the applicant, and appears in the history with names', async () => {
    expect((await change(officer, { motherName: 'Siti', reason: '' })).json().errors).toHaveProperty('reason')
    const religions = (await officer.get('/auth/my-profile/options')).json().data.religions
    const before = await profile()
    const religion = religions.find((one: { id: string }) => one.id !== before.religionId)
    const answer = await change(officer, { motherName: 'Siti Aminah', religionId: religion.id })
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await applicant.get('/auth/my-profile')).json().data.motherName).toBe('Siti Aminah')
    const [entry] = (await officer.get(`${path()}/history`)).json().data
    expect(entry).toMatchObject({ action: 'profile.update', role: 'Panitia PMB', reason: 'Sesuai akta kelahiran' })
    expect(entry.changes).toContainEqual({
      field: 'religionId',
      before: before.names.religion,
      after: religion.name,
    })
  })

  test("follows the rules of the applicant's form and names every invalid field", async () => {
    const answer = await change(officer, { nik: '12', postalCode: '1', birthDate: '1900-01-01' })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors).sort()).toEqual(['birthDate', 'nik', 'postalCode'])
    expect((await change(officer, { guardianConsent: true })).statusCode).toBe(422)
  })

  test('needs permission to update, and for the NIK also permission to see it', async () => {
    const slugs = ['pendaftaran-view', 'pendaftaran-profile-view', 'pendaftaran-profile-update']
    const clerk = await asWithPermissions(t, slugs)
    expect((await change(clerk, { nik: '3174014101060001' })).statusCode).toBe(403)
    expect((await change(clerk, { fatherName: 'Budi' })).json().data).toMatchObject({ nikMasked: true })
    expect((await change(await asWithPermissions(t, slugs.slice(0, 2)), { fatherName: 'B' })).statusCode).toBe(403)
  })

  test('is saved once when applicant and staff save at once; the others get 409', async () => {
    const { version } = await profile()
    const answers = await Promise.all([
      officer.put(path(), { version, reason: 'Sesuai akta', motherName: 'Satu' }),
      (await asStaff(t)).put(path(), { version, reason: 'Sesuai akta', motherName: 'Dua' }),
      applicant.put('/auth/my-profile', { version, motherName: 'Tiga' }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    expect((await profile()).version).toBe(version + 1)
  })
})
