import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aPlace, aSchoolType } from '#server-test/factories/applicants.ts'
import { merging, schoolsOf } from '#server-test/factories/schools.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let place: Awaited<ReturnType<typeof aPlace>>
let type: string

const { aSchool, isPair, merge, stored, schoolOf, anApplicantOf } = schoolsOf(() => ({ t, staff, place, type }))

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  place = await aPlace(t)
  type = await aSchoolType(t)
}, 120_000)

afterAll(() => t.close())

describe('undoing a merge', () => {
  test('restores the school, its number and the references that still point to the remaining school', async () => {
    const [keep, duplicate] = [await aSchool('SMA Kembali'), await aSchool('SMA Kembali Juga', { address: 'Jalan 1' })]
    const [stays, moves] = [await anApplicantOf(keep), await anApplicantOf(duplicate)]
    const otherSchool = await aSchool('SMA Seberang')
    const remaining = await anApplicantOf(duplicate)
    const { mergeId } = await merge(merging(keep, [duplicate], { fields: { name: duplicate.id, npsn: duplicate.id } }))
    await t.db
      .updateTable('applicants')
      .set({ schoolId: otherSchool.id })
      .where('accountId', '=', remaining.accountId)
      .execute()
    const answer = await staff.post(`/master/sma-nama/merges/${mergeId}/undo`)
    expect(answer.json().data, answer.body).toEqual({ moved: 1, left: 1, restored: true })
    expect(await stored(duplicate.id)).toMatchObject({ npsn: duplicate.npsn, name: duplicate.name, address: 'Jalan 1' })
    expect(await stored(keep.id)).toMatchObject({ npsn: keep.npsn, name: keep.name })
    expect(await schoolOf(stays.accountId)).toBe(keep.id)
    expect(await schoolOf(moves.accountId)).toBe(duplicate.id)
    expect(await schoolOf(remaining.accountId)).toBe(otherSchool.id)
    expect((await staff.post(`/master/sma-nama/merges/${mergeId}/undo`)).json().code).toBe('merge_undone')
    const listed = (await staff.get('/master/sma-nama/merges')).json().data
    expect(listed[0]).toMatchObject({ id: mergeId, schoolName: keep.name, merged: [{ npsn: duplicate.npsn }] })
    expect(listed[0].undoneAt).not.toBeNull()
  })

  test('keeps changes staff made after the merge', async () => {
    const [keep, duplicate] = [await aSchool('SMA Sunting'), await aSchool('SMA Sunting')]
    const { mergeId } = await merge(merging(keep, [duplicate], { fields: { npsn: duplicate.id } }))
    await t.db
      .updateTable('schools')
      .set({ name: 'SMA Sunting Baru', version: sql`version + 1` })
      .where('id', '=', keep.id)
      .execute()
    const answer = await staff.post(`/master/sma-nama/merges/${mergeId}/undo`)
    expect(answer.json().data.restored).toBe(false)
    expect(await stored(keep.id)).toMatchObject({ name: 'SMA Sunting Baru', npsn: keep.npsn })
  })

  test("restores the returning schools' dismissed pairs", async () => {
    const names = ['SMA Ingatan', 'SMA Ingatan', 'SMA Ingatan']
    const [keep, duplicate, other] = [await aSchool(names[0]!), await aSchool(names[1]!), await aSchool(names[2]!)]
    const pair = (await isPair(duplicate, other))!
    await staff.post(`/master/sma-nama/duplicates/${pair.id}/dismiss`, { dismissed: true })
    const { mergeId } = await merge(merging(keep, [duplicate]))
    expect(await isPair(duplicate, other, '&dismissed=true')).toBeUndefined()
    expect((await staff.post(`/master/sma-nama/merges/${mergeId}/undo`)).statusCode).toBe(200)
    expect(await isPair(duplicate, other)).toBeUndefined()
    expect(await isPair(duplicate, other, '&dismissed=true')).toBeDefined()
  })

  test('needs later merges undone first', async () => {
    const [a, b, c] = [await aSchool('SMA Rantai'), await aSchool('SMA Rantai'), await aSchool('SMA Rantai')]
    const first = await merge(merging(b, [c]))
    const second = await merge({ keepId: a.id, mergeIds: [b.id], versions: {} })
    const undo = (id: string | null) => staff.post(`/master/sma-nama/merges/${id}/undo`)
    expect((await undo(first.mergeId)).json().code).toBe('merge_kept_gone')
    const undone = await undo(second.mergeId)
    expect(undone.statusCode, undone.body).toBe(200)
    expect((await undo(first.mergeId)).statusCode).toBe(200)
    for (const { id } of [a, b, c]) expect(await stored(id)).toBeDefined()
  })
})
