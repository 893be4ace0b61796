import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchoolProposal } from '#domain/schools/lists.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aPlace, aSchoolType } from '#server-test/factories/applicants.ts'
import { merging, schoolsOf } from '#server-test/factories/schools.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let place: Awaited<ReturnType<typeof aPlace>>
let type: string

const { aSchool, compareAll, merge, stored, schoolOf } = schoolsOf(() => ({ t, staff, place, type }))

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  place = await aPlace(t)
  type = await aSchoolType(t)
}, 120_000)

afterAll(() => t.close())

describe('proposals', () => {
  const propose = async (name: string, npsn?: string) => {
    const actor = await asApplicant(t, { profile: true, name: 'Pengusul' })
    const body = { name, schoolTypeId: type, status: 'swasta', cityId: place.cityId, ...(npsn && { npsn }) }
    const { id } = (await actor.post('/schools/propose', body)).json().data as { id: string }
    await actor.put('/auth/my-profile', { version: 1, schoolId: id })
    return { actor, id }
  }
  const proposals = async (): Promise<SchoolProposal[]> => {
    await compareAll()
    return (await staff.get('/master/sma-nama/proposals?per_page=100')).json().data
  }
  const verificationOf = (row: SchoolProposal, changes: object = {}) => ({
    version: row.version,
    npsn: row.npsn,
    name: row.name,
    schoolTypeId: row.schoolTypeId,
    status: row.status,
    cityId: row.cityId,
    districtId: row.districtId,
    address: row.address,
    ...changes,
  })

  test('are listed with proposer and similar schools', async () => {
    const existing = await aSchool('SMA Pelita Harapan Bunga')
    const { id } = await propose('SMA Pelita Harapan')
    const row = (await proposals()).find((one) => one.id === id)!
    expect(row).toMatchObject({ proposedBy: 'Pengusul', provisional: true, applicants: 1 })
    expect(row.matches).toMatchObject([{ id: existing.id }])
    const { proposals: count } = (await staff.get('/master/sma-nama/quality')).json().data
    expect(count).toBe((await proposals()).length)
  })

  test('are accepted with corrected data and a real number', async () => {
    const { id, actor } = await propose('SMA Benar Salah')
    const row = (await proposals()).find((one) => one.id === id)!
    const wrong = await staff.post(`/master/sma-nama/proposals/${id}/verify`, verificationOf(row, { npsn: '12' }))
    expect([wrong.statusCode, Object.keys(wrong.json().errors)]).toEqual([422, ['npsn']])
    const path = `/master/sma-nama/proposals/${id}/verify`
    const fixed = await staff.post(path, verificationOf(row, { npsn: '69999001', name: 'SMA Benar' }))
    expect(fixed.json().data, fixed.body).toMatchObject({ npsn: '69999001', name: 'SMA Benar', verified: true })
    expect((await staff.post(path, verificationOf(row))).json().code).toBe('school_verified')
    expect(await schoolOf(actor.accountId)).toBe(id)
    expect((await proposals()).some((one) => one.id === id)).toBe(false)
  })

  test('are merged into an existing school', async () => {
    const existing = await aSchool('SMA Tunas Melati')
    const { id, actor } = await propose('SMA Tunas Mlati')
    await merge({ keepId: existing.id, mergeIds: [id], versions: {} })
    expect(await schoolOf(actor.accountId)).toBe(existing.id)
  })

  test('are rejected with a reason, and their applicants are asked to choose again', async () => {
    const { id, actor } = await propose('Sekolah Main-main')
    const row = (await proposals()).find((one) => one.id === id)!
    const path = `/master/sma-nama/proposals/${id}/reject`
    expect((await staff.post(path, { version: row.version })).statusCode).toBe(422)
    const answer = await staff.post(path, { version: row.version, reason: 'Bukan nama sekolah' })
    expect(answer.json().data).toEqual({ asked: 1 })
    expect(await schoolOf(actor.accountId)).toBeNull()
    const inbox = (await actor.get('/messages')).body
    expect(inbox).toContain('Sekolah Main-main')
    expect(inbox).toContain('Bukan nama sekolah')
    const profile = (await actor.get('/auth/my-profile')).json().data
    expect(profile.missing ?? []).toContain('schoolId')
    expect((await staff.post(path, { version: row.version, reason: 'Lagi' })).statusCode).toBe(404)
  })

  test('cannot be rejected while another table uses them', async () => {
    const { id, actor } = await propose('SMA Ada Perjanjian')
    await t.db
      .insertInto('schoolAgreements')
      .values({ schoolId: id, number: 'MOU-77', title: 'Kerja sama', validTo: '2030-01-01' })
      .execute()
    const answer = await staff.post(`/master/sma-nama/proposals/${id}/reject`, { version: 1, reason: 'Salah' })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'in_use_by'])
    expect(await schoolOf(actor.accountId)).toBe(id)
  })

  test('are accepted together, except those that may be a known school', async () => {
    await aSchool('SMA Kembar Siam')
    const [plain, twin] = [await propose('SMA Unik Sekali'), await propose('SMA Kembar Siam.')]
    await compareAll()
    const ids = [plain.id, twin.id, plain.id]
    const path = '/master/sma-nama/proposals/verify'
    const preview = (await staff.post(path, { ids, preview: true })).json().data
    expect(preview.verified).toMatchObject([{ id: plain.id }])
    expect(preview.refused).toMatchObject([{ id: twin.id }])
    expect((await stored(plain.id))!.verified).toBe(false)
    await staff.post(path, { ids })
    expect([(await stored(plain.id))!.verified, (await stored(twin.id))!.verified]).toEqual([true, false])
  })
})

test("readers of the school list see proposals without applicants' names; only users who may change schools decide", async () => {
  const proposer = await asApplicant(t, { profile: true, name: 'Pengusul Rahasia' })
  const body = { name: 'SMA Rahasia', schoolTypeId: type, status: 'swasta', cityId: place.cityId }
  const { id: proposed } = (await proposer.post('/schools/propose', body)).json().data
  const reader = await asWithPermissions(t, ['master-sma-nama-view', 'master-sma-nama-create'])
  const one = await aSchool('SMA Tertutup')
  const paths = ['quality', 'duplicates', 'proposals?per_page=100', 'merges', `${proposed}/beside/${one.id}`]
  for (const path of paths) {
    const answer = await reader.get(`/master/sma-nama/${path}`)
    expect([answer.statusCode, answer.body.includes('Rahasia') && answer.body.includes('Pengusul')]).toEqual([
      200,
      false,
    ])
  }
  expect((await staff.get(`/master/sma-nama/${proposed}/beside/${one.id}`)).body).toContain('Pengusul Rahasia')
  expect((await reader.post('/master/sma-nama/merge', merging(one, [one]))).statusCode).toBe(403)
  expect((await reader.post(`/master/sma-nama/proposals/${one.id}/reject`, {})).statusCode).toBe(403)
  const otherActor = await asWithPermissions(t, ['pendaftaran-view'])
  for (const path of paths) expect((await otherActor.get(`/master/sma-nama/${path}`)).statusCode).toBe(403)
})
