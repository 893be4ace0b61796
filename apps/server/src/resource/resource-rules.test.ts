import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entities, findEntityOfTable, getEntity } from '#entities/index.ts'
import { sentences } from '#server/platform/text.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { editableFields, entityPermissions, masterRows } from '#server-test/factories/master.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let fixture: AcademicFixture
let master: ReturnType<typeof masterRows>

beforeAll(async () => {
  t = await testApp()
  fixture = await academicFixture(t.db)
  staff = await asWithPermissions(t, entityPermissions)
  master = masterRows(t, staff)
})

afterAll(() => t.close())

describe('master data', () => {
  it('names the rows that still use a row to be deleted', async () => {
    const refused = await staff.delete(`/master/fakultas/${fixture.faculty}`)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'in_use_by'])
    expect(refused.json().message).toMatch(/used by \d+ study programmes/)
    const indonesian = await t.app.inject({
      method: 'DELETE',
      url: `/api/master/list-test/${fixture.test}`,
      headers: { authorization: `Bearer ${staff.token}`, 'accept-language': 'id' },
    })
    expect(indonesian.json().message).toMatch(/oleh \d+ jadwal tes/)
  })

  it('has a noun for every table that can use it', async () => {
    const { rows } = await sql<{ table: string }>`
      SELECT DISTINCT c.conrelid::regclass::text AS "table" FROM pg_constraint c
      WHERE c.contype = 'f' AND c.confdeltype IN ('a', 'r')
        AND c.confrelid = ANY(${entities.map(({ table }) => table)}::regclass[])`.execute(t.db)
    for (const { table } of rows.filter((row) => !findEntityOfTable(row.table)))
      for (const language of ['en', 'id'] as const)
        for (const count of [1, 2])
          expect(sentences(language)(`resource:usedBy.${table}`, { count }), table).not.toContain('usedBy')
  })

  it('joins the titles of references in the same statement', async () => {
    const list = await staff.get(`/master/prodi/${fixture.programmes[0]}/uang-kuliah`)
    expect(list.json().data[0].titles).toMatchObject({ feeComponentId: expect.any(String), trackId: null })
    const session = await staff.get(`/master/jadwal-test/${fixture.testSession}`)
    expect(session.json().data.titles.testIds).toEqual(['Tes potensi akademik'])
  })

  it('reports all problems of a row at once: values, rules, taken values and missing references', async () => {
    const wrong = await staff.post('/master/periode', {
      code: 'g1',
      academicYear: 'x',
      name: '',
      semesterCode: '1',
      opensAt: '2027-05-01T00:00:00Z',
      closesAt: '2027-04-01T00:00:00Z',
      resultsAt: '2027-07-01T00:00:00Z',
      confirmationDueAt: '2027-06-01T00:00:00Z',
      unknown: 1,
    })
    expect([wrong.statusCode, Object.keys(wrong.json().errors).toSorted()]).toEqual([
      422,
      ['academicYear', 'closesAt', 'code', 'confirmationDueAt', 'name', 'semesterCode', 'unknown'],
    ])
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const texts = { nameEn: null, description: null, descriptionEn: null }
    const valid = { name: 'Ganda', ...texts, accreditation: null, npmCode: '9', pddiktiId: null }
    const lost = { ...valid, code: 'if', facultyId: nowhere, degreeLevelId: nowhere }
    const creation = await staff.post('/master/prodi', lost)
    expect(Object.keys(creation.json().errors).toSorted()).toEqual(['code', 'degreeLevelId', 'facultyId'])
    const edited = await staff.put(`/master/prodi/${fixture.programmes[1]}`, { ...lost, version: 1 })
    expect(Object.keys(edited.json().errors).toSorted()).toEqual(['code', 'degreeLevelId', 'facultyId'])
    const own = { ...valid, code: 'si', facultyId: fixture.faculty, degreeLevelId: fixture.degreeLevel, version: 1 }
    expect((await staff.put(`/master/prodi/${fixture.programmes[1]}`, own)).statusCode).toBe(200)
  })

  it('refuses a district of another city', async () => {
    const city = await master.create(getEntity('kota'))
    const school = { npsn: '77777777', name: 'SMA Uji', schoolTypeId: fixture.schoolType, address: null }
    const answer = await staff.post('/master/sma-nama', { ...school, cityId: city.id, districtId: fixture.district })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['districtId']])
  })

  it('names the last editor of a row', async () => {
    const { id } = await master.create(getEntity('fakultas'))
    expect((await staff.get(`/master/fakultas/${id}`)).json().data.titles.updatedBy).toBe('Sari Wulandari')
  })

  it('shows and changes only rows of the study programmes a role is limited to', async () => {
    const [own, other] = fixture.programmes
    const limited = await asWithPermissions(t, entityPermissions, { programmeIds: [own!] })
    const listed = (await limited.get('/master/prodi')).json()
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([own])
    expect(listed.meta.total).toBe(1)
    expect((await limited.get(`/master/prodi/${other}`)).statusCode).toBe(404)
    expect((await limited.get(`/master/prodi/${other}/history`)).statusCode).toBe(404)
    expect((await limited.get(`/master/prodi/options?ids=${own},${other}`)).json().data).toHaveLength(1)
    const { version: _, ...row } = (await staff.get(`/master/prodi/${other}`)).json().data
    const change = { ...editableFields(getEntity('prodi'), row), version: 1 }
    expect((await limited.put(`/master/prodi/${other}`, change)).statusCode).toBe(404)
    expect((await limited.delete(`/master/prodi/${other}`)).statusCode).toBe(404)
    const fees = await limited.get(`/master/prodi/${other}/uang-kuliah`)
    expect(fees.json().data).toEqual([])
    const donation = { waveId: fixture.wave, trackId: null, required: false, minimumAmount: 0, suggestedAmounts: null }
    const refused = await limited.post('/master/sumbangan', { ...donation, programmeId: other })
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['programmeId']])
    const forAll = await limited.post('/master/sumbangan', { ...donation, programmeId: null })
    expect([forAll.statusCode, Object.keys(forAll.json().errors)]).toEqual([422, ['programmeId']])
    const creation = await limited.post('/master/sumbangan', { ...donation, programmeId: own })
    expect(creation.statusCode, creation.body).toBe(201)
    const moved = await limited.put(`/master/sumbangan/${creation.json().data.id}`, {
      ...donation,
      programmeId: other,
      version: 1,
    })
    expect(Object.keys(moved.json().errors)).toEqual(['programmeId'])
  })

  it('finds a nested row only below its parent', async () => {
    const [first, second] = fixture.programmes
    const details = await staff.get(`/master/prodi/${first}/detail`)
    const { id } = details.json().data[0]
    expect((await staff.delete(`/master/prodi/${second}/detail/${id}`)).statusCode).toBe(404)
  })

  it('refuses an end before its beginning, both or none of two alternatives, and shares above 100 %', async () => {
    const terms = `/master/cicilan/${fixture.plan}/termin`
    const both = await staff.post(terms, { sortOrder: 8, shareBps: 1, amount: 5, dueDays: 1 })
    expect(Object.keys(both.json().errors)).toEqual(['shareBps', 'amount'])
    const beyond = await staff.post(terms, { sortOrder: 8, shareBps: 1, dueDays: 1 })
    expect(Object.keys(beyond.json().errors)).toEqual(['shareBps'])
    const wave = await staff.post('/master/periode', {
      code: 'X',
      name: 'X',
      academicYear: '2027/2028',
      semesterCode: '20271',
      opensAt: '2027-02-01T00:00:00Z',
      closesAt: '2027-01-01T00:00:00Z',
    })
    expect(Object.keys(wave.json().errors)).toEqual(['closesAt'])
  })

  it('refuses two registration fees that are equally specific, even with empty fields', async () => {
    const again = await staff.post('/master/biaya-pendaftaran', { waveId: fixture.wave, amount: 1 })
    expect(again.json().errors.waveId).toHaveLength(1)
  })

  it('shows sensitive values in full only to users who may edit', async () => {
    const row = await master.create(getEntity('afiliator'))
    expect(row.phone).toBe('+6281234567890')
    const reader = await asWithPermissions(t, ['master-afiliator-view'])
    for (const path of ['/master/afiliator', '/master/afiliator/export?format=csv']) {
      expect((await staff.get(path)).body).toContain('+6281234567890')
      expect((await reader.get(path)).body).toContain('••••7890')
      expect((await reader.get(path)).body).not.toContain('81234567890')
    }
    expect((await reader.get(`/master/afiliator/${row.id}`)).json().data.phone).toBe('••••7890')
  })

  it('refuses unknown fields', async () => {
    const answer = await staff.post('/master/fakultas', { code: 'ZZ', name: 'Z', evil: 1 })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['evil']])
  })

  it('is declared as data only', () => {
    expect(JSON.parse(JSON.stringify(entities))).toEqual(entities)
  })

  it('has a small engine', () => {
    const lines = fs
      .readdirSync(import.meta.dirname)
      .filter((name) => !name.endsWith('.test.ts'))
      .reduce(
        (sum, name) => sum + fs.readFileSync(path.join(import.meta.dirname, name), 'utf8').split('\n').length - 1,
        0,
      )
    expect(lines).toBeLessThanOrEqual(600)
  })
})
