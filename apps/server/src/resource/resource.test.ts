import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnName, type Entity, isStored, permissionOf } from '#entities/define/entity.ts'
import { columnType } from '#entities/define/sql.ts'
import { entities } from '#entities/index.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { editableFields, entityPermissions, masterRows } from '#server-test/factories/master.ts'
import { importing } from '#server-test/factories/sheets/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sampleOf } from '#testing/form.ts'

/**
 * Every entity through the generic engine. The daily form exports each and imports the file again after deleting a row;
 * the seed draws those whose unchanged and invalid files are checked too.
 */
let t: TestApp
let staff: TestActor
let use: ReturnType<typeof importing>
let master: ReturnType<typeof masterRows>

beforeAll(async () => {
  t = await testApp()
  await academicFixture(t.db)
  staff = await asWithPermissions(t, entityPermissions)
  use = importing(t, staff)
  master = masterRows(t, staff)
})

afterAll(() => t.close())
/** Checking a file starts a thread, which takes longer than the test's other calls together. */
const withMoreSheets = sampleOf(
  'entities with more sheets',
  entities.map(({ slug }) => slug),
  6,
)
const readProblems = async (id: string) => (await staff.get(`/imports/${id}/problems`)).body

/** Expects that a sheet with cells no field accepts is refused with reasons and writes nothing. */
async function importNonsense(entity: Entity, header: string, parentQuery: string) {
  const nonsense = `${header}\r\n${header.split(/[;,]/).map(() => 'x'.repeat(3000))}\r\n`
  const wrongImport = await use.check(entity.slug, Buffer.from(nonsense.replaceAll(';', ',')), { query: parentQuery })
  expect(wrongImport.rows).toMatchObject({ total: 1, wrong: 1 })
  const problems = (await staff.get(`/imports/${wrongImport.id}/problems`)).json().data
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) expect(problem).toMatchObject({ row: 2, reason: expect.stringMatching(/\w/) })
}

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

  it('is searched and offered as an option', async () => {
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

  it('is filtered by its filters and paged by a cursor', async () => {
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

  it('is edited once per version; a second editor is refused', async () => {
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

  it('is deactivated, is no longer an option, and has a history', async () => {
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

  it('refuses a second row with a unique value', async () => {
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

  it('is exported and imported without a change, and an invalid sheet writes nothing', async () => {
    const row = await master.create(entity)
    const base = await master.baseOf(entity)
    const parentQuery = entity.parent ? `?parentId=${master.parents.get(entity.slug)}` : ''
    const template = await staff.get(`/master/${entity.slug}/template?format=csv`)
    expect(template.statusCode, template.body).toBe(200)
    const [, header] = template.body.split('\r\n')
    if (withMoreSheets.includes(entity.slug)) await importNonsense(entity, header!, parentQuery)

    const sheet = await staff.get(`${base}/export?format=csv`)
    expect([sheet.statusCode, sheet.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')])
    const { total } = (await staff.get(base)).json().meta
    if (withMoreSheets.includes(entity.slug)) {
      const sameImport = await use.check(entity.slug, sheet.rawPayload, { query: parentQuery })
      expect(sameImport.rows, await readProblems(sameImport.id)).toMatchObject({
        total,
        new: 0,
        changed: 0,
        unchanged: total,
        wrong: 0,
      })
    }

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

  it('cannot be deleted while other rows use it, and the refusal names them', async () => {
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

  it('can be deleted while nothing uses it', async () => {
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
