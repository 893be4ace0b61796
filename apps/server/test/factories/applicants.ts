import sharp from 'sharp'
import type { TestApp } from '#server-test/test-app.ts'

// Far from the numbers tests use themselves.
let count = 5_000

/** A picture with content, large enough for a portrait or scan. */
export const aPicture = (format: 'jpeg' | 'png' | 'webp' = 'jpeg', { width = 600, height = 800 } = {}) =>
  sharp({ create: { width, height, channels: 3, background: { r: 70, g: 120, b: 190 } } })
    .toFormat(format)
    .toBuffer()

/** The smallest PDF a reader opens. */
export const aPdf = () =>
  Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  )

/** A village with district, city and province; inserted if the database has none. */
export async function aPlace(t: TestApp) {
  const { db } = t
  const village = await db
    .selectFrom('villages as v')
    .innerJoin('districts as d', 'd.id', 'v.districtId')
    .innerJoin('cities as c', 'c.id', 'd.cityId')
    .select(['v.id as villageId', 'd.id as districtId', 'c.id as cityId', 'c.provinceId'])
    .where('c.code', '=', '35.78')
    .orderBy('v.code')
    .executeTakeFirst()
  if (village) return village
  const { id: provinceId } = await db
    .insertInto('provinces')
    .values({ code: '35', name: 'Jawa Timur' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: cityId } = await db
    .insertInto('cities')
    .values({ code: '35.78', name: 'Kota Surabaya', kind: 'kota', provinceId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: districtId } = await db
    .insertInto('districts')
    .values({ code: '35.78.01', name: 'Karangpilang', cityId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: villageId } = await db
    .insertInto('villages')
    .values({ code: '35.78.01.1001', name: 'Karangpilang', districtId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { provinceId, cityId, districtId, villageId }
}

export async function aSchool(
  t: TestApp,
  { name = 'SMA Negeri Contoh 7', cityId }: { name?: string; cityId?: string } = {},
) {
  const { db } = t
  const existingSchool = await db
    .selectFrom('schools as s')
    .select(['s.id as schoolId', 's.schoolTypeId'])
    .where('s.name', '=', name)
    .executeTakeFirst()
  const school =
    existingSchool ??
    (await db
      .insertInto('schools')
      .values({
        npsn: `3${String(++count).padStart(7, '0')}`,
        name,
        schoolTypeId: await aSchoolType(t),
        cityId: cityId ?? (await aPlace(t)).cityId,
      })
      .returning(['id as schoolId', 'schoolTypeId'])
      .executeTakeFirstOrThrow())
  const major =
    (await db
      .selectFrom('schoolMajors')
      .select('id')
      .where('schoolTypeId', '=', school.schoolTypeId)
      .orderBy('name')
      .executeTakeFirst()) ??
    (await db
      .insertInto('schoolMajors')
      .values({ schoolTypeId: school.schoolTypeId, name: 'MIPA' })
      .returning('id')
      .executeTakeFirstOrThrow())
  return { ...school, schoolMajorId: major.id }
}

export async function aSchoolType(t: TestApp, code = 'SMA') {
  const existingType = await t.db.selectFrom('schoolTypes').select('id').where('code', '=', code).executeTakeFirst()
  if (existingType) return existingType.id
  const newType = await t.db
    .insertInto('schoolTypes')
    .values({ code, name: code })
    .returning('id')
    .executeTakeFirstOrThrow()
  return newType.id
}

async function aReligion({ db }: TestApp) {
  const existingReligion = await db.selectFrom('religions').select('id').orderBy('code').executeTakeFirst()
  return (
    existingReligion ??
    (await db.insertInto('religions').values({ code: '1', name: 'Islam' }).returning('id').executeTakeFirstOrThrow())
  ).id
}

/** Stores a picture owned by the account. */
export async function aStoredPicture(t: TestApp, accountId: string, purpose = 'photo') {
  const bytes = await aPicture()
  const key = `test/${purpose}-${++count}-${process.pid}.jpg`
  await t.services.files.put(key, bytes, 'image/jpeg')
  const { id } = await t.db
    .insertInto('files')
    .values({
      ownerAccountId: accountId,
      purpose,
      name: `${purpose}.jpg`,
      mime: 'image/jpeg',
      bytes: bytes.length,
      width: 600,
      height: 800,
      sha256: Buffer.alloc(32, count),
      storageKey: key,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A complete profile of a nineteen-year-old whose NIK matches birth date and gender. */
export async function aProfile(t: TestApp, accountId: string, changes: Record<string, unknown> = {}) {
  const number = ++count
  const birthYear = t.clock.now().getFullYear() - 19
  const { id } = await t.db
    .insertInto('applicants')
    .values({
      accountId,
      fullName: `Sari Wulandari ${number}`,
      birthPlace: 'Surabaya',
      birthDate: `${birthYear}-05-17`,
      gender: 'female',
      nik: `3578015705${String(birthYear).slice(2)}${String(number).padStart(4, '0')}`,
      religionId: await aReligion(t),
      phone: `+62812${String(number).padStart(8, '0')}`,
      motherName: 'Siti Aminah',
      ...(await aPlace(t)),
      address: 'Jalan Mawar 12',
      postalCode: '60221',
      lastEducation: 'sma',
      ...(await aSchool(t)),
      graduationYear: birthYear + 18,
      photoFileId: await aStoredPicture(t, accountId),
      clothesSize: 'M',
      ...changes,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
