import { afterAll, beforeAll, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t.close())

it('a hidden refusal of a paid registration changes no count for readers who may not see decisions', async () => {
  const academic = await academicOf(t)
  const [programmeId] = academic.programmes
  const reader = await asWithPermissions(t, ['seleksi-view'])
  const { id: detailId } = await t.db
    .selectFrom('programmeDetails')
    .select('id')
    .where('programmeId', '=', programmeId!)
    .executeTakeFirstOrThrow()
  const applicantsFor = async (actor: TestActor) => {
    const board = (await actor.get(`/seleksi/quotas?programmeId=${programmeId}`)).json().data
    const { candidates } = (await actor.get(`/seleksi/quotas/${detailId}`)).json().data
    const candidate = candidates.find(({ trackId }: { trackId: string }) => trackId === academic.tracks.regular)
    return [board[0].applicants, candidate.applicants]
  }
  await aRegistration(t, { status: 'verified' })
  const { id } = await aRegistration(t, { status: 'paid' })
  expect(await applicantsFor(reader)).toEqual([1, 1])
  const refused = await staff.post(`/pendaftaran/${id}/reject`, { reason: 'Berkas palsu' })
  expect(refused.statusCode, refused.body).toBe(200)
  expect(await applicantsFor(reader)).toEqual([1, 1])
  expect(await applicantsFor(staff)).toEqual([2, 2])
})
