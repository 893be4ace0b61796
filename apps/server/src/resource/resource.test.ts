import fs from 'node:fs'
import path from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnName, type Entity, isStored, permissionOf } from '#entities/define/entity.ts'
import { columnType } from '#entities/define/sql.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { entities, entityPermissions, findEntityOfTable, getEntity } from '#entities/index.ts'
import { seedRegions } from '#seeds/regions.ts'
import { pageQuery } from '#server/list/page.ts'
import { selectionFor } from '#server/list/serve-list.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { sentences } from '#server/platform/text.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { masterRows } from '#server-test/factories/master.ts'
import { importing } from '#server-test/factories/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sourceOf } from './list-source.ts'

let t: TestApp
let staff: TestActor
let fixture: AcademicFixture
let use: ReturnType<typeof importing>
let master: ReturnType<typeof masterRows>

beforeAll(async () => {
  t = await testApp()
  fixture = await academicFixture(t.db)
  staff = await asWithPermissions(
    t,
    entityPermissions.map(({ slug }) => slug),
  )
  use = importing(t, staff)
  master = masterRows(t, staff)
})
afterAll(() => t.close())

const readProblems = async (id: string) => (await staff.get(`/imports/${id}/problems`)).body

const editableFields = (entity: Entity, row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(entity.fields)
      .filter((key) => key !== entity.parent?.field)
      .map((key) => [key, row[key]]),
  )

describe.each(entities.map((entity) => [entity.slug, entity] as const))('%s', (_slug, entity) => {
  it('is created, read and listed', async () => {
    const row = await master.create(entity)
    const answer = await staff.get(`/master/${entity.slug}/${row.id}`)
    expect(answer.json().data).toEqual(row)
    const list = await staff.get(`${await master.baseOf(entity)}?sort=-createdAt&active=true`)
    expect(list.statusCode, list.body).toBe(200)
    expect(list.json().data.map(({ id }: { id: string }) => id)).toContain(row.id)
    expect(list.json().meta.total).toBeGreaterThan(0)
  })

  it('is searched and offered as a choice', async () => {
    const row = await master.create(entity)
    const key = Object.entries(entity.fields).find(
      ([, field]) => field.kind === 'code' || (field.kind === 'text' && field.searchable !== false),
    )?.[0]
    if (key) {
      const searchAnswer = await staff.get(`${await master.baseOf(entity)}?q=${encodeURIComponent(String(row[key]))}`)
      expect(searchAnswer.json().data.map(({ id }: { id: string }) => id)).toContain(row.id)
      const option = await staff.get(`/master/${entity.slug}/options?q=${encodeURIComponent(String(row[key]))}`)
      expect(option.json().data.map(({ id }: { id: string }) => id)).toContain(row.id)
    }
    const optionsOfId = await staff.get(`/master/${entity.slug}/options?ids=${row.id}`)
    expect(optionsOfId.json().data).toHaveLength(1)
    expect((await staff.get(`${await master.baseOf(entity)}?q=a`)).statusCode).toBe(422)
    expect((await staff.get(`${await master.baseOf(entity)}?sort=id;drop`)).statusCode).toBe(422)
  })

  it('is filtered by its filters and paged from a cursor', async () => {
    const row = await master.create(entity)
    for (const [key, field] of Object.entries(entity.fields).filter(([, field]) => field.filter)) {
      const url = `${await master.baseOf(entity)}?sort=-createdAt&${key}=${encodeURIComponent(String(row[key]))}`
      const list = await staff.get(url)
      expect(list.statusCode, list.body).toBe(200)
      expect(list.json().data.length, `${key} (${field.kind})`).toBeGreaterThan(0)
      for (const listedRow of list.json().data) expect(listedRow[key]).toEqual(row[key])
    }
    const firstPage = await staff.get(`${await master.baseOf(entity)}?per_page=1`)
    const { next, total } = firstPage.json().meta
    if (total < 2) return expect(next).toBeNull()
    const secondPage = await staff.get(`${await master.baseOf(entity)}?per_page=1&after=${next}`)
    expect(secondPage.json().data).toHaveLength(1)
    expect(secondPage.json().data[0].id).not.toBe(firstPage.json().data[0].id)
  })

  it('is edited once per version; the second editor is refused', async () => {
    const row = await master.create(entity)
    const url = `${await master.baseOf(entity)}/${row.id}`
    const body = { ...editableFields(entity, row), version: row.version }
    const editAnswer = await staff.put(url, body)
    expect(editAnswer.statusCode, editAnswer.body).toBe(200)
    expect(editAnswer.json().data.version).toBe(2)
    const stale = await staff.put(url, body)
    expect([stale.statusCode, stale.json().code]).toEqual([409, 'stale_version'])
    expect((await staff.get(`/master/${entity.slug}/${row.id}`)).json().data.version).toBe(2)
  })

  it('is deactivated, leaves the choices, and tells its history', async () => {
    const row = await master.create(entity)
    const url = `${await master.baseOf(entity)}/${row.id}`
    const deactivation = await staff.put(`${url}/active`, { active: false, version: 1 })
    expect(deactivation.statusCode, deactivation.body).toBe(200)
    expect(deactivation.json().data).toMatchObject({ active: false, version: 2 })
    const choices = await staff.get(`/master/${entity.slug}/options?per_page=100`)
    expect(choices.json().data.map(({ id }: { id: string }) => id)).not.toContain(row.id)
    const history = await staff.get(`/master/${entity.slug}/${row.id}/history`)
    expect(history.json().data.map(({ action }: { action: string }) => action)).toEqual(['deactivate', 'create'])
    expect(history.json().data[0].changes).toMatchObject([{ field: 'active', before: true, after: false }])
  })

  it('refuses a second row with what must be unique', async () => {
    const unique = Object.entries(entity.fields).find(([, field]) => field.unique)?.[0]
    const together = entity.uniqueTogether?.[0]
    if (!unique && !together) return
    const row = await master.create(entity)
    const input = { ...(await master.inputFor(entity)) }
    for (const key of unique ? [unique] : together!.filter((key) => key !== entity.parent?.field)) input[key] = row[key]
    if (unique) input[unique] = String(row[unique]).toUpperCase()
    const secondCreation = await staff.post(await master.baseOf(entity), input)
    expect(secondCreation.statusCode, secondCreation.body).toBe(422)
    expect(Object.keys(secondCreation.json().errors)).toHaveLength(1)
  })

  it('is changed and deleted in bulk, after a preview', async () => {
    const ids = [(await master.create(entity)).id, (await master.create(entity)).id]
    const call = async (action: string) => {
      const answer = await staff.post(`/master/${entity.slug}/bulk/${action}`, { ids })
      expect(answer.statusCode, answer.body).toBe(200)
      const { allowed, refused: refusal } = answer.json().data as Record<
        'allowed' | 'refused',
        { id: string; title: string }[]
      >
      for (const { title } of [...allowed, ...refusal]) expect(title).toBeTruthy()
      return [allowed.length, refusal.length]
    }
    expect(await call('deactivate/preview')).toEqual([2, 0])
    expect(await call('deactivate')).toEqual([2, 0])
    expect(await call('deactivate')).toEqual([0, 2])
    expect((await staff.get(`/master/${entity.slug}/${ids[0]}`)).json().data).toMatchObject({
      active: false,
      version: 2,
    })
    expect(await call('activate')).toEqual([2, 0])
    expect(await call('delete/preview')).toEqual([2, 0])
    expect(await call('delete')).toEqual([2, 0])
    expect((await staff.get(`/master/${entity.slug}/${ids[0]}`)).statusCode).toBe(404)
  })

  it('is exported and imported without a change, and a wrong sheet writes nothing', async () => {
    const row = await master.create(entity)
    const base = await master.baseOf(entity)
    const parentQuery = entity.parent ? `?parentId=${master.parents.get(entity.slug)}` : ''
    const template = await staff.get(`/master/${entity.slug}/template?format=csv`)
    expect(template.statusCode, template.body).toBe(200)
    const [, header] = template.body.split('\r\n')
    const nonsense = `${header}\r\n${header!.split(/[;,]/).map(() => 'x'.repeat(3000))}\r\n`
    const wrongImport = await use.check(entity.slug, Buffer.from(nonsense.replaceAll(';', ',')), { query: parentQuery })
    expect(wrongImport.rows).toMatchObject({ total: 1, wrong: 1 })
    const problems = (await staff.get(`/imports/${wrongImport.id}/problems`)).json().data
    expect(problems.length).toBeGreaterThan(0)
    for (const problem of problems) expect(problem).toMatchObject({ row: 2, reason: expect.stringMatching(/\w/) })

    const sheet = await staff.get(`${base}/export?format=csv`)
    expect([sheet.statusCode, sheet.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')])
    const sameImport = await use.check(entity.slug, sheet.rawPayload, { query: parentQuery })
    const { total } = (await staff.get(base)).json().meta
    expect(sameImport.rows, await readProblems(sameImport.id)).toMatchObject({
      total,
      new: 0,
      changed: 0,
      unchanged: total,
      wrong: 0,
    })

    expect((await staff.delete(`${base}/${row.id}`)).statusCode).toBe(200)
    const reimport = await use.check(entity.slug, sheet.rawPayload, { query: parentQuery })
    expect(reimport.rows, await readProblems(reimport.id)).toMatchObject({ total, new: 1, changed: 0, wrong: 0 })
    expect((await use.run(reimport.id)).data.status).toBe('done')
    const restoredRow = (await staff.get(`${base}?sort=-createdAt`)).json().data[0]
    const restoredFields = (await staff.get(`/master/${entity.slug}/${restoredRow.id}`)).json().data
    expect(restoredFields).toEqual({
      ...row,
      id: restoredFields.id,
      createdAt: restoredFields.createdAt,
      updatedAt: restoredFields.updatedAt,
    })
  })

  it('is not deleted while other rows use it, and the refusal names them', async () => {
    const referenceKeyOf = (other: Entity) =>
      Object.entries(other.fields).find(([, field]) => 'to' in field && field.to === entity.slug)?.[0]
    const user = entities.find((other) => other !== entity && referenceKeyOf(other))
    if (!user) return
    const row = await master.create(entity)
    const key = referenceKeyOf(user)!
    const field = user.fields[key]!
    const isParentReference = user.parent?.field === key
    const path = isParentReference ? `/master/${entity.slug}/${row.id}/${user.parent!.path}` : await master.baseOf(user)
    const input = await master.inputFor(user)
    if (key === 'cityId' && 'districtId' in user.fields) input.districtId = null
    const userAnswer = await staff.post(
      path,
      isParentReference ? input : { ...input, [key]: field.kind === 'reference' ? row.id : [row.id] },
    )
    expect(userAnswer.statusCode, userAnswer.body).toBe(201)
    const refusal = await staff.delete(`${await master.baseOf(entity)}/${row.id}`)
    expect([refusal.statusCode, refusal.json().code]).toEqual([409, 'in_use_by'])
    expect(refusal.json().message).toContain(`1 ${user.label.one.en.toLowerCase()}`)
    const preview = await staff.post(`/master/${entity.slug}/bulk/delete/preview`, { ids: [row.id] })
    expect(preview.json().data.refused[0].reason).toContain(`1 ${user.label.one.en.toLowerCase()}`)
  })

  it('is deleted while nothing uses it', async () => {
    const row = await master.create(entity)
    const url = `${await master.baseOf(entity)}/${row.id}`
    expect((await staff.delete(url)).statusCode).toBe(200)
    expect((await staff.get(`/master/${entity.slug}/${row.id}`)).statusCode).toBe(404)
    expect((await staff.delete(url)).statusCode).toBe(404)
  })

  it('is refused to accounts without the permission', async () => {
    const row = await master.create(entity)
    const base = await master.baseOf(entity)
    const nobody = await asWithPermissions(t, ['dashboard-nothing'].slice(1))
    const reader = await asWithPermissions(t, [permissionOf(entity, 'view')])
    expect((await nobody.get(base)).statusCode).toBe(403)
    expect((await nobody.get(`/master/${entity.slug}/${row.id}`)).statusCode).toBe(403)
    expect((await reader.get(base)).statusCode).toBe(200)
    expect((await reader.post(base, {})).statusCode).toBe(403)
    expect((await reader.put(`${base}/${row.id}`, {})).statusCode).toBe(403)
    expect((await reader.put(`${base}/${row.id}/active`, { active: false, version: 1 })).statusCode).toBe(403)
    expect((await reader.delete(`${base}/${row.id}`)).statusCode).toBe(403)
    expect((await t.app.inject(`/api${base}`)).statusCode).toBe(401)
  })

  it('matches its table', async () => {
    const { rows } = await sql<{ name: string; type: string; nullable: boolean }>`
      SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS nullable FROM pg_attribute
      WHERE attrelid = ${entity.table}::regclass AND attnum > 0 AND NOT attisdropped`.execute(t.db)
    const shortType = (type: string) =>
      type
        .replace('character varying', 'varchar')
        .replace('timestamp with time zone', 'timestamptz')
        .replace('time without time zone', 'time')
        .replace(',', ', ')
    const inDatabase = rows.map(
      ({ name, type, nullable }) => `${name} ${shortType(type)}${nullable ? '' : ' NOT NULL'}`,
    )
    const declaredColumns = [
      'id uuid NOT NULL',
      ...Object.entries(entity.fields)
        .filter(([, field]) => isStored(field))
        .map(([key, field]) => `${columnName(key)} ${columnType(field)}${field.optional ? '' : ' NOT NULL'}`),
      ...Object.entries(entity.moduleColumns ?? {}).map((column) => column.join(' ')),
      'active boolean NOT NULL',
      'version integer NOT NULL',
      'created_at timestamptz NOT NULL',
      'updated_at timestamptz NOT NULL',
      'created_by uuid',
      'updated_by uuid',
    ]
    expect(inDatabase.toSorted()).toEqual(declaredColumns.toSorted())
  })
})

describe('master data', () => {
  it('names the rows that still use a row on its deletion', async () => {
    const refusal = await staff.delete(`/master/fakultas/${fixture.faculty}`)
    expect([refusal.statusCode, refusal.json().code]).toEqual([409, 'in_use_by'])
    expect(refusal.json().message).toMatch(/used by \d+ study programmes/)
    const indonesian = await t.app.inject({
      method: 'DELETE',
      url: `/api/master/list-test/${fixture.test}`,
      headers: { authorization: `Bearer ${staff.token}`, 'accept-language': 'id' },
    })
    expect(indonesian.json().message).toMatch(/oleh \d+ jadwal tes/)
  })

  it('has words for everything that can use it', async () => {
    const { rows } = await sql<{ table: string }>`
      SELECT DISTINCT c.conrelid::regclass::text AS "table" FROM pg_constraint c
      WHERE c.contype = 'f' AND c.confdeltype IN ('a', 'r')
        AND c.confrelid = ANY(${entities.map(({ table }) => table)}::regclass[])`.execute(t.db)
    for (const { table } of rows.filter((row) => !findEntityOfTable(row.table)))
      for (const language of ['en', 'id'] as const)
        expect(sentences(language)(`resource:usedBy.${table}`), table).not.toContain('usedBy')
  })

  it('joins the names of references in the same statement', async () => {
    const list = await staff.get(`/master/prodi/${fixture.programmes[0]}/uang-kuliah`)
    expect(list.json().data[0].titles).toMatchObject({ feeComponentId: expect.any(String), trackId: null })
    const session = await staff.get(`/master/jadwal-test/${fixture.testSession}`)
    expect(session.json().data.titles.testIds).toEqual(['Tes potensi akademik'])
  })

  it('refuses a row with all its problems at once: values, rules, taken values and missing references', async () => {
    const wrongAnswer = await staff.post('/master/periode', {
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
    expect([wrongAnswer.statusCode, Object.keys(wrongAnswer.json().errors).toSorted()]).toEqual([
      422,
      ['academicYear', 'closesAt', 'code', 'confirmationDueAt', 'name', 'semesterCode', 'unknown'],
    ])
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const valid = { name: 'Ganda', nameEn: null, accreditation: null, npmCode: '9', pddiktiId: null, description: null }
    const withMissingReferences = { ...valid, code: 'if', facultyId: nowhere, degreeLevelId: nowhere }
    const creation = await staff.post('/master/prodi', withMissingReferences)
    expect(Object.keys(creation.json().errors).toSorted()).toEqual(['code', 'degreeLevelId', 'facultyId'])
    const edit = await staff.put(`/master/prodi/${fixture.programmes[1]}`, { ...withMissingReferences, version: 1 })
    expect(Object.keys(edit.json().errors).toSorted()).toEqual(['code', 'degreeLevelId', 'facultyId'])
    const ownValues = {
      ...valid,
      code: 'si',
      facultyId: fixture.faculty,
      degreeLevelId: fixture.degreeLevel,
      version: 1,
    }
    expect((await staff.put(`/master/prodi/${fixture.programmes[1]}`, ownValues)).statusCode).toBe(200)
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

  it('shows and changes only what belongs to the study programmes a role is limited to', async () => {
    const [ownProgramme, otherProgramme] = fixture.programmes
    const limitedStaff = await asWithPermissions(
      t,
      entityPermissions.map(({ slug }) => slug),
      { programmeIds: [ownProgramme!] },
    )
    const programmeList = (await limitedStaff.get('/master/prodi')).json()
    expect(programmeList.data.map(({ id }: { id: string }) => id)).toEqual([ownProgramme])
    expect(programmeList.meta.total).toBe(1)
    expect((await limitedStaff.get(`/master/prodi/${otherProgramme}`)).statusCode).toBe(404)
    expect((await limitedStaff.get(`/master/prodi/${otherProgramme}/history`)).statusCode).toBe(404)
    expect(
      (await limitedStaff.get(`/master/prodi/options?ids=${ownProgramme},${otherProgramme}`)).json().data,
    ).toHaveLength(1)
    const { version: _, ...row } = (await staff.get(`/master/prodi/${otherProgramme}`)).json().data
    const change = { ...editableFields(getEntity('prodi'), row), version: 1 }
    expect((await limitedStaff.put(`/master/prodi/${otherProgramme}`, change)).statusCode).toBe(404)
    expect((await limitedStaff.delete(`/master/prodi/${otherProgramme}`)).statusCode).toBe(404)
    const fees = await limitedStaff.get(`/master/prodi/${otherProgramme}/uang-kuliah`)
    expect(fees.json().data).toEqual([])
    const donation = { waveId: fixture.wave, trackId: null, required: false, minimumAmount: 0, suggestedAmounts: null }
    const refusal = await limitedStaff.post('/master/sumbangan', { ...donation, programmeId: otherProgramme })
    expect([refusal.statusCode, Object.keys(refusal.json().errors)]).toEqual([422, ['programmeId']])
    const forAll = await limitedStaff.post('/master/sumbangan', { ...donation, programmeId: null })
    expect([forAll.statusCode, Object.keys(forAll.json().errors)]).toEqual([422, ['programmeId']])
    const creation = await limitedStaff.post('/master/sumbangan', { ...donation, programmeId: ownProgramme })
    expect(creation.statusCode, creation.body).toBe(201)
    const move = await limitedStaff.put(`/master/sumbangan/${creation.json().data.id}`, {
      ...donation,
      programmeId: otherProgramme,
      version: 1,
    })
    expect(Object.keys(move.json().errors)).toEqual(['programmeId'])
  })

  it('finds a nested row only below its own parent', async () => {
    const [first, second] = fixture.programmes
    const details = await staff.get(`/master/prodi/${first}/detail`)
    const { id } = details.json().data[0]
    expect((await staff.delete(`/master/prodi/${second}/detail/${id}`)).statusCode).toBe(404)
  })

  it('refuses an end before its beginning, two alternatives at once, and shares above 100 %', async () => {
    const terms = `/master/cicilan/${fixture.plan}/termin`
    const bothAnswer = await staff.post(terms, { sortOrder: 8, shareBps: 1, amount: 5, dueDays: 1 })
    expect(Object.keys(bothAnswer.json().errors)).toEqual(['shareBps', 'amount'])
    const beyondWhole = await staff.post(terms, { sortOrder: 8, shareBps: 1, dueDays: 1 })
    expect(Object.keys(beyondWhole.json().errors)).toEqual(['shareBps'])
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

  it('refuses two registration fees that are equally specific, also where fields are empty', async () => {
    const secondFee = await staff.post('/master/biaya-pendaftaran', { waveId: fixture.wave, amount: 1 })
    expect(secondFee.json().errors.waveId).toHaveLength(1)
  })

  it('shows sensitive values in full only to those who may edit', async () => {
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

  it('has an engine that stays small', () => {
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

describe('the whole country', () => {
  let country: TestApp
  let reader: TestActor
  beforeAll(async () => {
    country = await testApp()
    await sql`DELETE FROM villages; DELETE FROM districts; DELETE FROM cities; DELETE FROM provinces`.execute(
      country.owner,
    )
    await seedRegions(country.owner)
    await sql`
      INSERT INTO schools (npsn, name, school_type_id, status, city_id)
      SELECT '2' || lpad(n::text, 7, '0'), 'SMA Negeri ' || md5(n::text), (SELECT id FROM school_types LIMIT 1), 'negeri',
        (SELECT id FROM cities OFFSET n % 500 LIMIT 1) FROM generate_series(1, 26780) n`.execute(country.db)
    // Vacuum also empties the pending list of the trigram index, which counts as its cost.
    for (const table of ['schools', 'villages', 'districts'])
      await sql`VACUUM (ANALYZE) ${sql.table(table)}`.execute(country.owner)
    reader = await asWithPermissions(country, [
      'master-sma-nama-view',
      'master-kelurahan-view',
      'master-kecamatan-view',
    ])
  }, 120_000)
  afterAll(() => country.close())

  const planOf = async (query: RawBuilder<unknown>) =>
    (await sql<Record<string, string>>`EXPLAIN ${query}`.execute(country.db)).rows
      .map((row) => Object.values(row)[0])
      .join('\n')
  const pageOfCountry = async (entity: Entity, query: Record<string, unknown>) => {
    const list = endpointsOf(entity)[entity.parent ? 'all' : 'list']
    const { page, per_page, after, sort, ...filters } = list.query.parse(query)
    const listReader = {
      services: country.services,
      actor: systemActor,
      now: new Date(),
      language: 'en',
      params: {},
    } as const
    const selection = await selectionFor(sourceOf(country.db, entity), listReader, filters, sort)
    return sql`${pageQuery({ page, per_page, after, sort }, selection)}`
  }
  const anyOf = async (table: string) =>
    (await sql<{ id: string }>`SELECT id FROM ${sql.table(table)} OFFSET 3 LIMIT 1`.execute(country.db)).rows[0]!.id

  it('has 38 provinces, 514 cities, 7,285 districts and 83,762 villages, and is seeded once', async () => {
    await seedRegions(country.db)
    const { rows } = await sql<Record<string, number>>`SELECT (SELECT count(*)::int FROM provinces) AS a,
      (SELECT count(*)::int FROM cities) AS b, (SELECT count(*)::int FROM districts) AS c, (SELECT count(*)::int FROM villages) AS d,
      (SELECT count(*)::int FROM cities WHERE kind = 'kota') AS e`.execute(country.db)
    expect(rows[0]).toEqual({ a: 38, b: 514, c: 7285, d: 83762, e: 98 })
  })

  const queries: [string, Record<string, unknown>][] = [
    ...['kelurahan', 'kecamatan', 'sma-nama'].flatMap((slug): [string, Record<string, unknown>][] => [
      [slug, {}],
      [slug, { page: 250 }],
      [slug, { q: 'ka' }],
      [slug, { q: 'karang' }],
      [slug, { q: '35.78' }],
      [slug, { sort: '-name' }],
      [slug, { active: 'false' }],
      [slug, { q: 'ka', active: 'true' }],
    ]),
    ['kelurahan', { districtId: 'districts' }],
    ['kecamatan', { cityId: 'cities' }],
    ['sma-nama', { cityId: 'cities' }],
    ['sma-nama', { schoolTypeId: 'school_types' }],
    ['sma-nama', { status: 'swasta' }],
    ['sma-nama', { verified: 'false' }],
    ['sma-nama', { verified: 'true', q: 'sm' }],
  ]
  it.each(queries)('finds a page of %s %j without reading the whole table', async (slug, query) => {
    const entity = getEntity(slug)
    const filledQuery = { ...query }
    for (const key of ['districtId', 'cityId', 'schoolTypeId'])
      if (key in filledQuery) filledQuery[key] = await anyOf(String(filledQuery[key]))
    const plan = await planOf(await pageOfCountry(entity, filledQuery))
    expect(plan).not.toMatch(new RegExp(`Seq Scan on ${entity.table}`))
    const startMs = performance.now()
    const answer = await reader.get(`/master/${slug}?${new URLSearchParams(filledQuery as Record<string, string>)}`)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(performance.now() - startMs).toBeLessThan(500)
  })

  it('goes on behind a row deep in the list without counting its way there', async () => {
    const entity = getEntity('kelurahan')
    const deep = (await reader.get('/master/kelurahan?page=3000')).json()
    const plan = await planOf(await pageOfCountry(entity, { sort: 'code', after: deep.meta.next }))
    expect(plan).toMatch(/Index Only Scan using villages_by_code.*\n *Index Cond: \(ROW/)
    const next = (await reader.get(`/master/kelurahan?after=${deep.meta.next}`)).json()
    expect(next.data[0].code > deep.data.at(-1).code).toBe(true)
    expect(deep.data[0].titles.districtId).toEqual(expect.any(String))
  })

  it('estimates a total above ten thousand', async () => {
    const { meta, data } = (await reader.get('/master/sma-nama')).json()
    expect(data).toHaveLength(25)
    expect(meta.total_is_estimate).toBe(true)
    expect(meta.total).toBeGreaterThan(15_000)
    const next = await reader.get(`/master/sma-nama?after=${meta.next}`)
    expect(next.json().data[0].name > data.at(-1).name).toBe(true)
  })
})
