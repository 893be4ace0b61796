import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWholePlan } from '#domain/fees/instalment-plan.ts'
import type { StartingSection } from '#domain/opening/endpoints.ts'
import { createSchema } from '#entities/define/schema.ts'
import { getEntity } from '#entities/index.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { entityOf, startingDrafts } from './starting-rows.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t)
})
afterAll(() => t.close())

const path = '/settings/opening/starting-set'
const rowsOf = (sections: readonly StartingSection[]) => sections.flatMap(({ rows }) => rows)
const read = async () => (await admin.get(path)).json().data as StartingSection[]
const add = (keys: readonly string[], actor = admin) => actor.post(path, { keys })
const codes = async (table: 'tracks' | 'entryLevels') =>
  (await t.db.selectFrom(table).select('code').orderBy('code').execute()).map(({ code }) => code)
const audits = () =>
  t.db.selectFrom('auditLog').selectAll().where('action', '=', 'opening.starting-set').orderBy('id').execute()

test.each(Object.entries(entityOf))('the rows of %s are what the form of its entity accepts', (kind, slug) => {
  const entity = getEntity(slug)
  for (const { values, parent, terms } of startingDrafts[kind as keyof typeof entityOf]) {
    const input = { ...values, ...(parent && !entity.parent && { [parent.column]: crypto.randomUUID() }) }
    expect(createSchema(entity).safeParse(input).error?.issues ?? [], JSON.stringify(values)).toEqual([])
    if (terms) expect(isWholePlan(terms.map((term) => ({ ...term, amount: null })))).toBe(true)
  }
})

test('the preview marks existing rows: the lists of every new database, and nothing else', async () => {
  const existing = rowsOf(await read()).filter(({ exists }) => exists)
  expect([...new Set(existing.map(({ key }) => key.split(':')[0]))]).toEqual([
    'degreeLevels',
    'classProgrammes',
    'feeComponents',
  ])
})

test('a document without its track is refused and nothing is written', async () => {
  const answer = await add(['tests:TPA', 'trackFiles:REG:Kartu Keluarga'])
  expect(answer.statusCode).toBe(422)
  expect(answer.json().errors.keys).toEqual(['Kartu Keluarga belongs to REG. Choose both, or neither.'])
  expect(await t.db.selectFrom('tests').selectAll().execute()).toEqual([])
  expect((await add(['tracks:NOTHING'])).statusCode).toBe(404)
})

test('a role adds only what it may create elsewhere', async () => {
  const slugs = ['settings-opening-view', 'settings-opening-update', 'master-jalur-create']
  const clerk = await asWithPermissions(t, slugs)
  const sections = (await clerk.get(path)).json().data as StartingSection[]
  expect(sections.find(({ kind }) => kind === 'tracks')!.missingPermission).toBeNull()
  expect(sections.find(({ kind }) => kind === 'tests')!.missingPermission).toBe('master-list-test-create')
  expect((await add(['tracks:REG', 'tests:TPA'], clerk)).statusCode).toBe(403)
  expect(await codes('tracks')).toEqual([])
})

test('chosen rows are written with the rows they belong to, and each is recorded', async () => {
  const keys = ['tracks:REG', 'trackFiles:REG:Kartu Keluarga', 'entryLevels:BARU', 'installmentPlans:CICIL3']
  expect((await add(keys)).json().data.added).toBe(4)
  expect(await codes('tracks')).toEqual(['REG'])
  const file = await t.db
    .selectFrom('trackFiles as f')
    .innerJoin('tracks as t', 't.id', 'f.trackId')
    .select(['t.code', 'f.name', 'f.required', 'f.createdBy'])
    .executeTakeFirstOrThrow()
  expect(file).toEqual({ code: 'REG', name: 'Kartu Keluarga', required: true, createdBy: admin.accountId })
  const terms = await t.db.selectFrom('installmentTerms').select('shareBps').orderBy('sortOrder').execute()
  expect(terms.map(({ shareBps }) => shareBps)).toEqual([5_000, 2_500, 2_500])
  expect((await audits())[0]).toMatchObject({ after: { rows: expect.arrayContaining(keys) } })
  const entries = await t.db.selectFrom('auditLog').select('action').where('action', 'like', '%.create').execute()
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    'cicilan.create',
    'jalur-file.create',
    'jalur.create',
    'jenjang-pendaftaran.create',
  ])
})

test('rows of staff with the same code stay unchanged, and their documents can be added', async () => {
  await t.db.insertInto('tracks').values({ code: 'pres', name: 'Jalur Juara' }).execute()
  const sertifikat = 'trackFiles:PRES:Sertifikat prestasi'
  expect((await add(['tracks:PRES', sertifikat])).json().data.added).toBe(1)
  const track = await t.db.selectFrom('tracks').select('name').where('code', '=', 'pres').execute()
  expect(track).toEqual([{ name: 'Jalur Juara' }])
})

test('the whole set added by five people at once exists once, in both languages', async () => {
  const keys = rowsOf(await read()).map(({ key }) => key)
  const answers = await Promise.all(Array.from({ length: 5 }, () => add(keys)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200))
  expect(answers.filter((answer) => answer.json().data.added > 0)).toHaveLength(1)
  expect(rowsOf(await read()).filter(({ exists }) => !exists)).toEqual([])
  expect((await add(keys)).json().data.added).toBe(0)
  expect(await codes('entryLevels')).toHaveLength(8)
  const template = await t.db
    .selectFrom('messageTemplates')
    .selectAll()
    .where('event', '=', 'registration-submitted')
    .executeTakeFirstOrThrow()
  expect(template.bodyEn).toContain('{{amount}}')
  expect(template.bodyId).toContain('{{amount}}')
  const { privacyNotice } = (await t.app.inject('/api/auth/options')).json().data
  expect(privacyNotice.en).toContain('Law 27 of 2022')
  expect(privacyNotice.id).toContain('UU Nomor 27 Tahun 2022')
})
