import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { aPdf, aPicture, aPlace, aSchool, aSchoolType } from '#server-test/factories/applicants.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { querySchools } from './schools.ts'

let t: TestApp
let place: Awaited<ReturnType<typeof aPlace>>
beforeAll(async () => {
  t = await testApp()
  place = await aPlace(t)
  await aSchool(t)
})
afterAll(() => t.close())

const profileUrl = '/auth/my-profile'
const save = (actor: TestActor, body: object) => actor.put(profileUrl, body)
const saveAndRead = async (actor: TestActor, body: object) => {
  const answer = await save(actor, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const auditOf = (accountId: string) =>
  t.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('actorId', '=', accountId)
    .orderBy('id')
    .execute()

describe('profile', () => {
  test('does not exist before the first save, which may contain only the identity', async () => {
    const actor = await asApplicant(t)
    expect((await actor.get(profileUrl)).json()).toEqual({ data: null })
    const profile = await saveAndRead(actor, {
      version: 0,
      fullName: 'Bintang',
      birthDate: '2007-02-03',
      gender: 'male',
    })
    expect(profile).toMatchObject({ fullName: 'Bintang', phone: '+6281200000000', version: 1, isMinor: false })
    expect(profile.missing).toContain('motherName')
    expect(profile.completeness).toBeLessThan(100)
    expect((await auditOf(actor.accountId)).map(({ action }) => action)).toEqual(['profile.create'])
  })

  test('a later save keeps omitted fields and puts only changed ones in the audit log', async () => {
    const actor = await asApplicant(t)
    await saveAndRead(actor, { version: 0, fullName: 'Citra', birthPlace: 'Malang' })
    const profile = await saveAndRead(actor, { version: 1, birthPlace: 'Malang', motherName: 'Dewi' })
    expect(profile).toMatchObject({ fullName: 'Citra', birthPlace: 'Malang', motherName: 'Dewi', version: 2 })
    expect((await auditOf(actor.accountId)).at(-1)).toMatchObject({
      action: 'profile.update',
      before: { motherName: null },
      after: { motherName: 'Dewi' },
    })
  })

  test('an edit of an outdated version is refused and changes nothing', async () => {
    const actor = await asApplicant(t)
    await saveAndRead(actor, { version: 0, fullName: 'Dian' })
    await saveAndRead(actor, { version: 1, fullName: 'Dian Ayu' })
    const stale = await save(actor, { version: 1, fullName: 'Dian Lama', motherName: 'Rina' })
    expect(stale.statusCode).toBe(409)
    expect(stale.json().code).toBe('stale_version')
    expect((await actor.get(profileUrl)).json().data).toMatchObject({ fullName: 'Dian Ayu', motherName: null })
  })

  test('two first saves at once make one profile; the second gets 409', async () => {
    const actor = await asApplicant(t)
    const answers = await Promise.all([
      save(actor, { version: 0, fullName: 'Eka Satu' }),
      save(actor, { version: 0, fullName: 'Eka Dua' }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  test('every invalid field is refused with its own error', async () => {
    const actor = await asApplicant(t)
    const answer = await save(actor, {
      version: 0,
      nik: '12345',
      nisn: '1',
      postalCode: '6022',
      phone: '12',
      rt: 'abc',
      birthDate: '2035-01-01',
    })
    expect(answer.statusCode).toBe(422)
    const { errors } = answer.json()
    expect(Object.keys(errors).sort()).toEqual(['birthDate', 'nik', 'nisn', 'phone', 'postalCode', 'rt'])
    expect(errors.nik).toEqual(['The NIK has 16 digits, as on the identity card or family card.'])
    expect((await actor.get(profileUrl)).json().data).toBeNull()
  })

  test('numbers are stored without separators: phone in E.164, NIK without spaces, RT with three digits', async () => {
    const actor = await asApplicant(t)
    const profile = await saveAndRead(actor, {
      version: 0,
      phone: '0812-3456-7890',
      nik: '3578 0143 0507 0001',
      rt: '4',
      motherName: '',
    })
    expect(profile).toMatchObject({ phone: '+6281234567890', nik: '3578014305070001', rt: '004', motherName: null })
  })

  test('a NIK that contradicts other answers is saved with a warning', async () => {
    const actor = await asApplicant(t)
    const profile = await saveAndRead(actor, {
      version: 0,
      nik: '3578015705070002',
      birthDate: '2007-05-17',
      gender: 'male',
    })
    expect(profile.nikWarnings).toEqual(['nik_gender'])
    expect((await saveAndRead(actor, { version: 1, gender: 'female' })).nikWarnings).toEqual([])
  })

  test('a NIK that another applicant has is refused with the error at the field', async () => {
    const [one, other] = [await asApplicant(t), await asApplicant(t)]
    await saveAndRead(one, { version: 0, nik: '3578011705070077' })
    const answer = await save(other, { version: 0, nik: '3578011705070077' })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual(['nik'])
  })

  test('a region outside its parent region is refused', async () => {
    const otherCity = await t.db
      .selectFrom('provinces')
      .select('id')
      .where('id', '<>', place.provinceId)
      .executeTakeFirst()
    const provinceId =
      otherCity?.id ??
      (
        await t.db
          .insertInto('provinces')
          .values({ code: '99', name: 'Lain' })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const actor = await asApplicant(t)
    const answer = await save(actor, { version: 0, ...place, provinceId })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual(['cityId'])
    await saveAndRead(actor, { version: 0, ...place })
    const moved = await save(actor, { version: 1, provinceId })
    expect(Object.keys(moved.json().errors)).toEqual(['cityId'])
  })

  test('a minor needs a guardian who consents; the consent is stored with its time', async () => {
    const actor = await asApplicant(t)
    const born = `${t.clock.now().getFullYear() - 16}-01-01`
    const before = await saveAndRead(actor, { version: 0, birthDate: born })
    expect(before.isMinor).toBe(true)
    expect(before.missing).toEqual(expect.arrayContaining(['guardianName', 'guardianConsent']))
    const unnamed = await save(actor, { version: 1, guardianConsent: true })
    expect(unnamed.statusCode).toBe(422)
    expect(Object.keys(unnamed.json().errors)).toEqual(['guardianName'])
    const after = await saveAndRead(actor, {
      version: 1,
      guardianName: 'Hasan',
      guardianPhone: '081234567891',
      guardianConsent: true,
    })
    expect(after.guardianConsent).toBe(true)
    expect(after.missing).not.toContain('guardianConsent')
    const account = await t.db
      .selectFrom('accounts')
      .select(['guardianName', 'guardianConsentAt'])
      .where('id', '=', actor.accountId)
      .executeTakeFirstOrThrow()
    expect(account.guardianName).toBe('Hasan')
    expect(account.guardianConsentAt).not.toBeNull()
  })

  test('a major that belongs to another school type is refused', async () => {
    const { schoolMajorId, ...school } = await aSchool(t)
    const schoolTypeId = await aSchoolType(t, 'PAKET-UJI')
    const actor = await asApplicant(t)
    const answer = await save(actor, { version: 0, ...school, schoolTypeId, schoolMajorId })
    expect(Object.keys(answer.json().errors)).toEqual(['schoolMajorId'])
  })

  test('the test factory makes a complete profile', async () => {
    const actor = await asApplicant(t, { profile: true })
    const { data } = (await actor.get(profileUrl)).json()
    expect(data.missing).toEqual([])
    expect(data.completeness).toBe(100)
    expect(data.nikWarnings).toEqual([])
  })

  test('unknown fields are refused, and staff have no profile', async () => {
    expect((await save(await asApplicant(t), { version: 0, accountId: 'x' })).statusCode).toBe(422)
    expect((await save(await asStaff(t), { version: 0, fullName: 'Petugas' })).statusCode).toBe(403)
  })
})

describe('photo', () => {
  test('is stored re-encoded and opens only with a signed address', async () => {
    const actor = await asApplicant(t)
    await saveAndRead(actor, { version: 0, fullName: 'Fitri' })
    const answer = await actor.upload(`${profileUrl}/photo`, {
      name: 'saya.png',
      type: 'image/png',
      bytes: await aPicture('png'),
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const { photoUrl, photoThumbnailUrl, version } = answer.json().data
    expect(version).toBe(1)
    const picture = await t.app.inject({ url: photoUrl })
    expect(picture.headers['content-type']).toBe('image/jpeg')
    expect((await t.app.inject({ url: photoThumbnailUrl })).headers['content-type']).toBe('image/webp')
    expect((await t.app.inject({ url: photoUrl.replace(/key=.*/, 'key=x.y') })).statusCode).toBe(403)
  })

  test('is refused if too small, not a picture, or sent before the profile exists', async () => {
    const actor = await asApplicant(t)
    const send = (bytes: Buffer) => actor.upload(`${profileUrl}/photo`, { name: 'a.jpg', type: 'image/jpeg', bytes })
    expect((await send(await aPicture())).json().code).toBe('profile_first')
    await saveAndRead(actor, { version: 0, fullName: 'Gita' })
    expect((await send(await aPicture('jpeg', { width: 200, height: 200 }))).statusCode).toBe(422)
    expect((await send(aPdf())).statusCode).toBe(422)
  })
})

describe('schools', () => {
  const findSchools = async (actor: TestActor, q: string) =>
    (await actor.get(`/schools/search?q=${encodeURIComponent(q)}`))
      .json()
      .data.map(({ name }: { name: string }) => name)

  test('are found by name, abbreviation, number, city or NPSN, and despite a typing mistake', async () => {
    const actor = await asApplicant(t)
    await aSchool(t, { name: 'SMA NEGERI 11 KENANGA', cityId: place.cityId })
    await aSchool(t, { name: 'SMAN 1 KENANGA', cityId: place.cityId })
    expect(await findSchools(actor, 'sman 1 kenanga')).toEqual(['SMAN 1 KENANGA'])
    expect(await findSchools(actor, 'SMA Negeri 1 Kenanga')).toEqual(['SMAN 1 KENANGA'])
    expect(await findSchools(actor, 'sman11 kenanga')).toEqual(['SMA NEGERI 11 KENANGA'])
    expect(await findSchools(actor, 'kenanga surabaya')).toHaveLength(2)
    expect(await findSchools(actor, 'kenangga')).toContain('SMAN 1 KENANGA')
    const { npsn } = await t.db
      .selectFrom('schools')
      .select('npsn')
      .where('name', '=', 'SMAN 1 KENANGA')
      .executeTakeFirstOrThrow()
    expect(await findSchools(actor, npsn)).toEqual(['SMAN 1 KENANGA'])
    expect(await findSchools(actor, "'; --")).toEqual([])
  })

  test('a missing school is added unverified with a provisional NPSN; proposing it again returns it', async () => {
    const actor = await asApplicant(t)
    const schoolTypeId = await aSchoolType(t)
    const proposal = { name: 'SMA Melati Baru', schoolTypeId, status: 'swasta', cityId: place.cityId }
    const first = (await actor.post('/schools/propose', proposal)).json().data
    expect(first).toMatchObject({ name: 'SMA Melati Baru', verified: false, existed: false })
    expect(first.npsn).toMatch(/^NP\d{6}$/)
    const again = (await actor.post('/schools/propose', { ...proposal, name: 'sma  melati baru' })).json().data
    expect(again).toMatchObject({ id: first.id, existed: true })
    expect(await findSchools(actor, 'melati baru')).toEqual(['SMA Melati Baru'])
    expect((await actor.post('/schools/propose', { ...proposal, name: 'SMA Lain', npsn: '12' })).statusCode).toBe(422)
  })

  test('schools proposed at once get a provisional number each, and none fails', async () => {
    const actor = await asApplicant(t)
    const schoolTypeId = await aSchoolType(t)
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        actor.post('/schools/propose', {
          name: `SMK Serentak ${index}`,
          schoolTypeId,
          status: 'swasta',
          cityId: place.cityId,
        }),
      ),
    )
    expect(new Set(answers.map((answer) => answer.json().data.npsn)).size).toBe(4)
  })

  test('a search in tens of thousands of schools uses the trigram index', async () => {
    const schoolTypeId = await aSchoolType(t)
    await sql`
      INSERT INTO schools (npsn, name, school_type_id, city_id)
      SELECT '8' || lpad(n::text, 7, '0'), 'SMA Swasta ' || md5(n::text), ${schoolTypeId}, ${place.cityId}
      FROM generate_series(1, 30000) AS n`.execute(t.db)
    await sql`ANALYZE school_search`.execute(t.db)
    const plan = await querySchools(t.db, 'sman 1 kenanga').explain('text')
    expect(JSON.stringify(plan)).toContain('school_search_words')
    const actor = await asApplicant(t)
    expect(await findSchools(actor, 'sman 1 kenanga')).toEqual(['SMAN 1 KENANGA'])
  })
})

describe('regions', () => {
  test('are listed level by level; villages only for a given district', async () => {
    const actor = await asApplicant(t)
    const names = async (url: string) => (await actor.get(url)).json().data.map(({ id }: { id: string }) => id)
    expect(await names('/regions/provinces')).toContain(place.provinceId)
    expect(await names(`/regions/cities?parentId=${place.provinceId}`)).toContain(place.cityId)
    expect(await names(`/regions/villages?parentId=${place.districtId}`)).toContain(place.villageId)
    expect(await names('/regions/villages')).toEqual([])
    expect((await actor.get('/regions/planets')).statusCode).toBe(404)
  })
})

describe('driving licence and questionnaire', () => {
  test('"I do not drive" is an answer; a licence needs class, number and a future date', async () => {
    const actor = await asApplicant(t)
    const url = '/account/driving-licence'
    expect((await actor.get(url)).json().data).toBeNull()
    expect((await actor.put(url, { version: 0, drives: false })).json().data).toMatchObject({
      drives: false,
      version: 1,
    })
    const refused = await actor.put(url, { version: 1, drives: true, number: '12', expiresOn: '2020-01-01' })
    expect(Object.keys(refused.json().errors).sort()).toEqual(['class', 'expiresOn', 'number'])
    const answer = await actor.put(url, {
      version: 1,
      drives: true,
      class: 'C',
      number: '1234 5678 901234',
      expiresOn: '2090-01-01',
    })
    expect(answer.json().data).toMatchObject({ number: '12345678901234', status: 'uploaded', version: 2 })
    const scan = await actor.upload(`${url}/scan`, { name: 'sim.jpg', type: 'image/jpeg', bytes: await aPicture() })
    expect(scan.json().data.fileUrl).toContain('/getImage?')
    expect((await actor.put(url, { version: 1, drives: false })).statusCode).toBe(409)
  })

  test('the questionnaire saves lists of answers; "other" needs a text', async () => {
    const actor = await asApplicant(t)
    const url = '/account/questionnaire'
    const answers = { version: 0, reasons: ['cost', 'other'], criteria: ['tuition'], sources: ['instagram'] }
    expect((await actor.put(url, answers)).statusCode).toBe(422)
    expect((await actor.put(url, { ...answers, other: 'Dekat pasar' })).json().data).toMatchObject({
      other: 'Dekat pasar',
      version: 1,
    })
    expect((await actor.put(url, { ...answers, other: 'x' })).statusCode).toBe(409)
    expect((await actor.put(url, { ...answers, version: 1, reasons: ['nonsense'] })).statusCode).toBe(422)
    expect((await actor.get(url)).json().data.reasons).toEqual(['cost', 'other'])
  })
})

describe('data sheet', () => {
  test("is a PDF of the actor's profile in the requested language", async () => {
    const actor = await asApplicant(t, { profile: true })
    const answer = await actor.get('/account/data-sheet.pdf?language=id')
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await (await asApplicant(t)).get('/account/data-sheet.pdf')).statusCode).toBe(404)
  })
})
