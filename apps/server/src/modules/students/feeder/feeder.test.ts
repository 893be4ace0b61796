import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { feederFieldRules, feederFields } from '#domain/students/feeder/fields.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import { aFeederStudent, feederProgrammeId } from '#server-test/factories/feeder.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
let clerk: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set('2026-11-20T03:00:00Z')
  admin = await asStaff(t)
  clerk = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())

type Field = { field: string; value: string | null; problem: string | null }
const student = async (id: string, actor = admin) => (await actor.get(`/mahasiswa-feeder/${id}`)).json().data
const problemsOf = async (id: string) =>
  Object.fromEntries(
    ((await student(id)).fields as Field[])
      .filter(({ problem }) => problem)
      .map(({ field, problem }) => [field, problem]),
  )
const readValue = async (id: string, name: string) =>
  ((await student(id)).fields as Field[]).find(({ field }) => field === name)!.value
const setProfile = (accountId: string, values: object) =>
  t.db.updateTable('applicants').set(values).where('accountId', '=', accountId).execute()

describe('readiness for Neo Feeder', () => {
  it("a complete student has no problem, and values follow the ministry's codes", async () => {
    const { id, npm } = await aFeederStudent(t)
    expect(await problemsOf(id)).toEqual({})
    expect(await student(id)).toMatchObject({ state: 'ready', target: 'demo' })
    const { fields } = await student(id)
    expect(Object.fromEntries((fields as Field[]).map(({ field, value }) => [field, value]))).toMatchObject({
      ...{
        nim: npm,
        jenis_kelamin: 'P',
        id_agama: '1',
        kewarganegaraan: 'ID',
        id_wilayah: '056001',
        penerima_kps: '0',
      },
      ...{ tanggal_daftar: '2026-11-20', id_periode_masuk: '20261', id_prodi: feederProgrammeId, id_jenis_daftar: '1' },
      ...{ id_jalur_daftar: '12', id_pembiayaan: '1', id_kebutuhan_khusus_mahasiswa: '0' },
    })
  })

  it('each kind of problem is found, field by field', async () => {
    const { id, accountId, nik } = await aFeederStudent(t)
    await setProfile(accountId, {
      ...{ nisn: null, birthPlace: 'Kecamatan Tanjung Harapan Selatan', gender: 'male', citizenship: 'id' },
      address: 'x'.repeat(81),
    })
    await t.db
      .updateTable('enrolmentData')
      .set({ motherNik: nik, taxNumber: '3578015705070001', recognisedCredits: 12 })
      .where('registrationId', '=', id)
      .execute()
    expect(await problemsOf(id)).toEqual({
      ...{ nisn: 'missing', tempat_lahir: 'wrong_length', kewarganegaraan: 'not_a_code', nik: 'contradicts' },
      ...{ jalan: 'wrong_length', nik_ibu: 'contradicts', sks_diakui: 'contradicts' },
    })
    expect(await readValue(id, 'npwp')).toBeNull()
  })

  it('a district without a Neo Feeder code is a problem for its students until staff enter the code', async () => {
    const { id, districtCode } = await aFeederStudent(t)
    await t.db.updateTable('feederRegions').set({ regionCode: null }).where('regionCode', '=', districtCode).execute()
    expect(await problemsOf(id)).toEqual({ id_wilayah: 'unmapped' })
    await t.db.insertInto('feederRegions').values({ code: '990001', name: 'Lain', regionCode: '99.01.01' }).execute()
    const map = (code: string) => clerk.post('/mahasiswa-feeder/regions', { districtCode, code })
    expect((await map('990001')).json().errors).toHaveProperty('code')
    expect((await map('12345')).statusCode).toBe(422)
    expect((await map('990777')).statusCode).toBe(200)
    expect(await readValue(id, 'id_wilayah')).toBe('990777')
    // A later code replaces a wrong one.
    expect((await map('056001')).statusCode).toBe(200)
    expect(await readValue(id, 'id_wilayah')).toBe('056001')
    expect(await problemsOf(id)).toEqual({})
  })

  it('a code entered twenty times at once is stored once, and every call succeeds', async () => {
    const { code: districtCode } = await t.db
      .selectFrom('districts')
      .select('code')
      .orderBy('code', 'desc')
      .executeTakeFirstOrThrow()
    const usual = await t.db
      .selectFrom('feederRegions')
      .select('id')
      .where('regionCode', '=', districtCode)
      .executeTakeFirst()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => admin.post('/mahasiswa-feeder/regions', { districtCode, code: '999001' })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => answer.json().data.id)).size).toBe(1)
    await t.db.deleteFrom('feederRegions').where('code', '=', '999001').execute()
    if (usual)
      await t.db.updateTable('feederRegions').set({ regionCode: districtCode }).where('id', '=', usual.id).execute()
  })

  it('transfers need ids of the previous university, special needs a code, and a contradicting NIK a check', async () => {
    const { id, accountId } = await aFeederStudent(t)
    const { entryLevel } = await academicOf(t)
    const setKind = (pddiktiRegistrationKind: '1' | '2') =>
      t.db.updateTable('entryLevels').set({ pddiktiRegistrationKind }).where('id', '=', entryLevel).execute()
    await setKind('2')
    await setProfile(accountId, { gender: 'male', specialNeeds: 'Kursi roda' })
    expect(await problemsOf(id)).toEqual({
      ...{ id_perguruan_tinggi_asal: 'missing', id_prodi_asal: 'missing', nik: 'contradicts' },
      id_kebutuhan_khusus_mahasiswa: 'missing',
    })
    const body = {
      previousUniversityId: '11111111-2222-4333-8444-555555555555',
      previousProgrammeId: '66666666-7777-4888-8999-aaaaaaaaaaaa',
      ...{ specialNeedsCode: 8, nikChecked: true, version: 0 },
    }
    expect((await clerk.put(`/mahasiswa-feeder/${id}`, body)).statusCode).toBe(200)
    expect(await problemsOf(id)).toEqual({})
    expect((await clerk.put(`/mahasiswa-feeder/${id}`, body)).json().code).toBe('stale_version')
    // The check counts only for the NIK that was checked.
    await setProfile(accountId, { nik: '3578015705071234' })
    expect(await problemsOf(id)).toEqual({ nik: 'contradicts' })
    await setKind('1')
  })

  it("the report has the same counts as the list and the student's page", async () => {
    const { data } = (await admin.get('/reports/mahasiswa-feeder/figures?year=all')).json()
    const { rows } = await t.db
      .selectFrom('students')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .execute()
      .then((found) => ({ rows: Number(found[0]!.count) }))
    const count = async (state: string) =>
      (await admin.get(`/mahasiswa-feeder?state=${state}`)).json().meta.total as number
    const { feederStudents, feederReady, feederIncomplete, feederProblems, feederFields: checked } = data.total.values
    expect(feederStudents).toBe(rows)
    expect(feederReady).toBe(await count('ready'))
    expect(feederIncomplete).toBe(await count('incomplete'))
    expect(checked).toBe(rows * feederFields.length)
    const ids = (await t.db.selectFrom('students').select('registrationId').execute()).map((row) => row.registrationId)
    const perStudent = await Promise.all(ids.map(async (id) => Object.keys(await problemsOf(id)).length))
    expect(feederProblems).toBe(perStudent.reduce((sum, found) => sum + found, 0))
  })

  it('without permission for identity numbers, identifying values are masked, in the report too', async () => {
    const { id, nik, accountId } = await aFeederStudent(t)
    await setProfile(accountId, { gender: 'male' })
    const reader = await asWithPermissions(t, ['mahasiswa-feeder-view', 'laporan-mahasiswa-feeder'])
    const page = (await reader.get(`/mahasiswa-feeder/${id}`)).body
    const report = (await reader.get('/reports/mahasiswa-feeder/rows?figure=feederProblems&year=all')).body
    for (const text of [page, report]) {
      expect(text).toMatch(/contradicts/i)
      expect(text).not.toContain(nik)
    }
    expect((await reader.get('/mahasiswa-feeder/sheet?format=csv')).statusCode).toBe(403)
  })

  it('reading a student is recorded once in fifteen minutes, however often the page polls', async () => {
    const { id } = await aFeederStudent(t)
    for (let read = 0; read < 3; read++) await student(id)
    const entries = await t.db
      .selectFrom('auditLog')
      .select('id')
      .where('action', '=', 'feeder.read')
      .where('subjectId', '=', id)
      .execute()
    expect(entries).toHaveLength(1)
  })

  it('a role limited to one study programme neither sees nor sends students of another', async () => {
    const { id } = await aFeederStudent(t)
    const { programmes } = await academicOf(t)
    const dean = await asWithPermissions(t, ['mahasiswa-feeder-view', 'mahasiswa-feeder-update'], {
      programmeIds: [programmes[1]],
    })
    expect((await dean.get('/mahasiswa-feeder')).json().data).toEqual([])
    expect((await dean.get(`/mahasiswa-feeder/${id}`)).statusCode).toBe(404)
    expect((await dean.post('/mahasiswa-feeder/send', { ids: [id] })).json().data.items).toMatchObject([
      { reason: 'not_found', name: null },
    ])
  })
})

describe("the ministry's columns", () => {
  it("are exported completely and in the ministry's order, and the export is registered", async () => {
    const { npm, nik } = await aFeederStudent(t)
    const file = await clerk.get('/mahasiswa-feeder/sheet?format=csv&ready=true')
    expect(file.statusCode).toBe(200)
    const lines: string[][] = parse(file.body, {
      bom: true,
      delimiter: file.body.includes(';') ? ';' : ',',
      relaxColumnCount: true,
    })
    const head = lines.findIndex((line) => line[0] === 'nim')
    expect(lines[head]).toEqual(feederFields)
    const row = lines.find((line) => line[0] === npm)!
    expect(row[feederFields.indexOf('nik')]).toContain(nik)
    const register = (await admin.get('/exports')).json().data
    expect(register.map(({ list }: { list: string }) => list)).toContain('mahasiswa-feeder-sheet')
  })

  it('contain only ready students when the file is limited to them', async () => {
    const { npm, accountId } = await aFeederStudent(t, { nisn: null })
    expect((await clerk.get('/mahasiswa-feeder/sheet?format=csv&ready=true')).body).not.toContain(npm)
    expect((await clerk.get('/mahasiswa-feeder/sheet?format=csv')).body).toContain(npm)
    await setProfile(accountId, { nisn: '0071234567' })
    expect((await clerk.get('/mahasiswa-feeder/sheet?format=csv&ready=true')).body).toContain(npm)
  })
})

describe('the connection', () => {
  const save = async (changes: object) => {
    const { version } = (await admin.get('/settings/feeder')).json().data
    const body = { target: 'sandbox', address: 'https://feeder.example.ac.id:3003', username: 'operator', version }
    return admin.put('/settings/feeder', { ...body, ...changes })
  }

  it('uses the built-in register of a demo until settings are saved', async () => {
    expect((await admin.get('/settings/feeder')).json().data).toMatchObject({ target: 'demo', version: 0 })
    const { id } = await aFeederStudent(t)
    await clerk.post('/mahasiswa-feeder/send', { ids: [id] })
    await t.runJobs()
    expect(await student(id)).toMatchObject({ state: 'sent' })
    expect((await clerk.get('/mahasiswa-feeder/log')).json().data).toMatchObject([{ outcome: 'sent', target: 'demo' }])
    expect((await admin.post('/settings/feeder/check', {})).json().data).toMatchObject({ problem: null })
  })

  it('accepts no address without https, except on this machine', async () => {
    for (const address of ['http://feeder.example.ac.id:3003', 'ftp://feeder.example.ac.id'])
      expect((await save({ address, password: 'rahasia' })).json().errors, address).toHaveProperty('address')
    expect((await save({ address: 'http://127.0.0.1:3003', password: 'rahasia' })).statusCode).toBe(200)
  })

  it('seals address and password, shows no password, and does not reuse it for another address', async () => {
    expect((await save({ password: 'sangat-rahasia' })).statusCode).toBe(200)
    const stored = JSON.stringify(await t.db.selectFrom('feederConnection').selectAll().execute())
    for (const secret of ['sangat-rahasia', 'feeder.example.ac.id']) expect(stored).not.toContain(secret)
    expect((await admin.get('/settings/feeder')).body).not.toContain('sangat-rahasia')
    expect((await save({})).statusCode).toBe(200)
    expect((await save({ address: 'https://elsewhere.example' })).json().errors).toHaveProperty('password')
    const audit = JSON.stringify(
      await t.db.selectFrom('auditLog').selectAll().where('action', 'like', 'feeder.%').execute(),
    )
    expect(audit).not.toContain('sangat-rahasia')
  })

  it('refuses an outdated form, and readers limited to some programmes', async () => {
    expect((await save({ version: 0 })).json().code).toBe('stale_version')
    const { programmes } = await academicOf(t)
    const dean = await asWithPermissions(t, ['settings-feeder-view'], { programmeIds: [programmes[0]] })
    expect((await dean.get('/settings/feeder')).statusCode).toBe(403)
  })
})

/** Folder with the ministry's reference lists, which are not part of the product. */
const listsFolder = path.resolve(import.meta.dirname, '../../../../../../../shared/data')

const codesFile = path.join(listsFolder, 'pddikti_reference_codes.json')
describe.skipIf(!fs.existsSync(codesFile))("the ministry's codes (skipped where ../shared/data is absent)", () => {
  const codes = fs.existsSync(codesFile) ? JSON.parse(fs.readFileSync(codesFile, 'utf8')) : {}

  it.each([
    ['id_agama', 'agama', ['98']],
    ['id_jenis_tinggal', 'jenis_tinggal', []],
    ['id_alat_transportasi', 'alat_transportasi', []],
    ['id_pekerjaan_ayah', 'pekerjaan', []],
    ['id_penghasilan_ibu', 'penghasilan', []],
    ['id_pembiayaan', 'pembiayaan', []],
    ['jenis_kelamin', 'jenis_kelamin', []],
  ] as const)('%s accepts the codes of %s', (field, list, left) => {
    const known = Object.keys(codes[list].values).filter((code) => !(left as readonly string[]).includes(code))
    expect([...feederFieldRules[field].codes!].toSorted()).toEqual(known.toSorted())
  })

  it('id_jalur_daftar accepts the current codes', () => {
    expect([...feederFieldRules.id_jalur_daftar.codes!].toSorted()).toEqual(
      Object.keys(codes.jalur_daftar.current).toSorted(),
    )
  })
})

const regionsFile = path.join(listsFolder, 'feeder_wilayah_to_kemendagri.csv')
describe.skipIf(!fs.existsSync(regionsFile))('the list of regions (skipped where ../shared/data is absent)', () => {
  it('is accepted by the import, except for one line whose code is used twice', async () => {
    const upload = await admin.upload('/master/wilayah-feeder/imports', {
      ...{ name: 'wilayah.csv', type: 'text/csv', bytes: fs.readFileSync(regionsFile) },
    })
    expect(upload.statusCode, upload.body).toBe(201)
    await t.runJobs()
    const { data } = (await admin.get(`/imports/${upload.json().data.id}`)).json()
    expect(data).toMatchObject({ rows: { total: 7467, wrong: 1 } })
  }, 120_000)
})
