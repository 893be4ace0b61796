import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ComparedSchool } from '#domain/schools/endpoints.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aPlace, aSchoolType } from '#server-test/factories/applicants.ts'
import { schoolsOf } from '#server-test/factories/schools.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let place: Awaited<ReturnType<typeof aPlace>>
let type: string

const { aSchool, compareAll, isPair, anApplicantOf } = schoolsOf(() => ({ t, staff, place, type }))

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  place = await aPlace(t)
  type = await aSchoolType(t)
}, 120_000)

afterAll(() => t.close())

describe('names of the same school', () => {
  test.each([
    ['SMAN 1 Flamboyan', 'SMA NEGERI 1 FLAMBOYAN'],
    ['SMA N 01 Teratai', 'SMAN 1 TERATAI'],
    ['SMAN2 Anggrek', 'SMA Negeri 2 Anggrek'],
    ['SMKN I Cempaka', 'SMK Negeri 1 Cempaka'],
    ['SMA Negeri 3 Surabaya', 'SMAN 3'],
    ['SMA Bakti-Mulya 400', 'SMA BAKTI MULYA 400'],
    ['SMAS Dahlia Indah', 'SMA Swasta Dahlia Indah'],
    ['SMA Negeri 9 Kota Surabaya', 'SMAN 9 Kab. Surabaya'],
    ['SMA Kemuning Raya', 'SMA KEMUNING RAYAA'],
  ])('%s and %s', async (one, other) => {
    expect(await isPair(await aSchool(one), await aSchool(other))).toMatchObject({ dismissed: false })
  })

  test.each([
    ['another number', 'SMA Negeri 4 Wijaya', 'SMA Negeri 5 Wijaya'],
    ['another level', 'SMA Kusuma Bangsa', 'SMK Kusuma Bangsa'],
    ['state and private', 'SMA Negeri Tulip', 'SMAS Tulip'],
    ['another name', 'SMA Seruni', 'SMA Edelweis'],
    ['the city within a name', 'SMK Negeri 1 Surabaya Kuala', 'SMK Negeri 1 Kuala Surabaya'],
  ])('%s is a different school', async (_, one, other) => {
    expect(await isPair(await aSchool(one), await aSchool(other))).toBeUndefined()
  })

  test('the same name in another city is a different school', async () => {
    const { id: cityId } = await t.db
      .insertInto('cities')
      .values({ code: '35.99', name: 'Kabupaten Lain', provinceId: place.provinceId })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await isPair(await aSchool('SMA Bugenvil'), await aSchool('SMA Bugenvil', { cityId }))).toBeUndefined()
  })

  test('a corrected name removes the pair, a new one adds it', async () => {
    const [one, other] = [await aSchool('SMA Asoka'), await aSchool('SMA Asoka')]
    expect(await isPair(one, other)).toBeDefined()
    await t.db.updateTable('schools').set({ name: 'SMA Wibawa Mukti' }).where('id', '=', other.id).execute()
    expect(await isPair(one, other)).toBeUndefined()
    await t.db.updateTable('schools').set({ name: 'S.M.A. Asoka' }).where('id', '=', other.id).execute()
    await t.db.updateTable('schools').set({ name: 'SMA Wibawa Mukti' }).where('id', '=', one.id).execute()
    await t.db.updateTable('schools').set({ name: 'SMA Asoka' }).where('id', '=', one.id).execute()
    await compareAll()
  })

  test('a dismissed pair stays dismissed, even if compared again, and can be restored', async () => {
    const [one, other] = [await aSchool('SMA Kenari Emas'), await aSchool('SMA Kenari Emas Dua')]
    const pair = (await isPair(one, other))!
    const say = (dismissed: boolean) => staff.post(`/master/sma-nama/duplicates/${pair.id}/dismiss`, { dismissed })
    expect((await say(true)).statusCode).toBe(200)
    await sql`INSERT INTO school_waiting SELECT id FROM schools ON CONFLICT DO NOTHING`.execute(t.db)
    expect(await isPair(one, other)).toBeUndefined()
    expect(await isPair(one, other, '&dismissed=true')).toBeDefined()
    await say(false)
    expect(await isPair(one, other)).toBeDefined()
  })

  test('pairs are found by name; a filter finds those with a proposed school', async () => {
    const [one, other] = [await aSchool('SMA Melur Putih'), await aSchool('SMA Melur Putih', { verified: false })]
    expect(await isPair(one, other, '&q=melur')).toBeDefined()
    expect(await isPair(one, other, '&q=zzzz')).toBeUndefined()
    expect((await isPair(one, other, '&proposed=true'))!.a.id).toBe(one.id)
    expect(await isPair(one, other, '&proposed=false')).toBeUndefined()
  })
})

test('schools side by side show which rows use them', async () => {
  const [one, other] = [await aSchool('SMA Banding'), await aSchool('SMA Banding')]
  await anApplicantOf(other)
  const pair = (await isPair(one, other))!
  const { schools } = (await staff.get(`/master/sma-nama/duplicates/${pair.id}`)).json().data as {
    schools: ComparedSchool[]
  }
  expect(schools.map(({ id }) => id).sort()).toEqual([one.id, other.id].sort())
  expect(schools.find(({ id }) => id === other.id)!.references).toMatchObject([{ count: 1 }])
  const readSideBySide = (id: string, otherId: string) => staff.get(`/master/sma-nama/${id}/beside/${otherId}`)
  const compared = (await readSideBySide(other.id, one.id)).json().data as ComparedSchool[]
  expect(compared.map(({ id }) => id)).toEqual([other.id, one.id])
  expect((await readSideBySide(one.id, one.id)).statusCode).toBe(422)
  expect((await readSideBySide(one.id, crypto.randomUUID())).statusCode).toBe(404)
})
