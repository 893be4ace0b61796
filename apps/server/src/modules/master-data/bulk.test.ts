import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { entityPermissions } from '#server-test/factories/master.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let fixture: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  fixture = await academicFixture(t.db)
  staff = await asWithPermissions(t, entityPermissions)
})
afterAll(() => t.close())

let number = 0
const faculty = async () => {
  const code = `BULK${++number}`
  const answer = await staff.post('/master/fakultas', { code, name: `Fakultas ${code}`, nameEn: null, dean: null })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id as string
}
const nowhere = '00000000-0000-4000-8000-000000000000'
const bulk = async (actor: TestActor, action: string, ids: string[]) => {
  const answer = await actor.post(`/master/fakultas/bulk/${action}`, { ids })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data as { allowed: { id: string }[]; refused: { id: string; reason: string }[] }
}
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe('bulk actions on master data', () => {
  test('the preview lists allowed rows and refused rows with reasons, and changes nothing', async () => {
    const [free, inactive] = [await faculty(), await faculty()]
    await bulk(staff, 'deactivate', [inactive])
    const seen = await bulk(staff, 'deactivate/preview', [free, inactive, nowhere])
    expect(idsOf(seen.allowed)).toEqual([free])
    expect(idsOf(seen.refused)).toEqual([inactive, nowhere])
    expect((await staff.get(`/master/fakultas/${free}`)).json().data.active).toBe(true)
  })

  test('rows in use stay and name the rows that use them; the others are deleted', async () => {
    const free = await faculty()
    const { allowed, refused } = await bulk(staff, 'delete', [free, fixture.faculty])
    expect(idsOf(allowed)).toEqual([free])
    expect(refused[0]!.reason).toMatch(/study programme/)
    expect((await staff.get(`/master/fakultas/${free}`)).statusCode).toBe(404)
    expect((await staff.get(`/master/fakultas/${fixture.faculty}`)).statusCode).toBe(200)
  })

  test('every row has a history entry and a new version', async () => {
    const id = await faculty()
    await bulk(staff, 'deactivate', [id])
    expect((await staff.get(`/master/fakultas/${id}`)).json().data).toMatchObject({ active: false, version: 2 })
    expect((await staff.get(`/master/fakultas/${id}/history`)).json().data[0].action).toBe('deactivate')
  })

  test('a repeated request changes nothing', async () => {
    const id = await faculty()
    await bulk(staff, 'deactivate', [id])
    const again = await bulk(staff, 'deactivate', [id])
    expect(idsOf(again.allowed)).toEqual([])
    expect((await staff.get(`/master/fakultas/${id}`)).json().data.version).toBe(2)
  })

  test('two clerks at the same moment: each row changes once', async () => {
    const ids = await Promise.all([faculty(), faculty(), faculty(), faculty()])
    const answers = await Promise.all([bulk(staff, 'delete', ids), bulk(staff, 'delete', ids.toReversed())])
    expect(answers.flatMap(({ allowed }) => idsOf(allowed)).toSorted()).toEqual(ids.toSorted())
  })

  test('deleting needs its own permission', async () => {
    const editor = await asWithPermissions(t, ['master-fakultas-view', 'master-fakultas-update'])
    const id = await faculty()
    expect((await editor.post('/master/fakultas/bulk/delete', { ids: [id] })).statusCode).toBe(403)
    expect(idsOf((await bulk(editor, 'deactivate', [id])).allowed)).toEqual([id])
  })
})
