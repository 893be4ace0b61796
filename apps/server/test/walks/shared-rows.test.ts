import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionOf } from '#entities/define/entity.ts'
import { entities } from '#entities/index.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { providerInput } from '#server-test/factories/providers.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let limited: TestActor
let roleId: string
const id = '0192f0c1-0000-7000-8000-000000000001'

beforeAll(async () => {
  t = await testApp()
  const academic = await academicFixture(t.db)
  const slugs = (await t.db.selectFrom('permissions').select('slug').execute()).map(({ slug }) => slug)
  limited = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[0]!] })
  roleId = (
    await t.db.selectFrom('accounts').select('roleId').where('id', '=', limited.accountId).executeTakeFirstOrThrow()
  ).roleId!
})
afterAll(() => t.close())

const shared = entities.filter(({ scope }) => !scope)

test.each(shared.map((entity) => [entity.slug, entity] as const))(
  'a role limited to a study programme that holds every permission reads %s and writes nothing of it',
  async (_, entity) => {
    const { slug, parent } = entity
    const path = parent ? `/master/${parent.slug}/${id}/${parent.path}` : `/master/${slug}`
    expect(permissionOf(entity, 'update')).toEqual(expect.any(String))
    if (!parent) expect((await limited.get(path)).statusCode).toBe(200)
    const refused = [403, 'shared_needs_whole_view']
    expect(codeOf(await limited.post(path, {}))).toEqual(refused)
    expect(codeOf(await limited.put(`${path}/${id}`, { version: 1 }))).toEqual(refused)
    expect(codeOf(await limited.delete(`${path}/${id}`))).toEqual(refused)
    for (const action of ['activate', 'deactivate', 'delete'])
      expect(codeOf(await limited.post(`/master/${slug}/bulk/${action}`, { ids: [id] }))).toEqual(refused)
  },
)

test('a limited role does not save instalments', async () => {
  const answer = await limited.put(`/master/cicilan/${id}/terms`, { base: [], terms: [] })
  expect(codeOf(answer)).toEqual([403, 'shared_needs_whole_view'])
})

test('a limited role neither reads nor changes bank connections and approval limits', async () => {
  for (const answer of [
    await limited.get('/settings/providers'),
    await limited.get('/settings/providers/requests'),
    await limited.get(`/settings/providers/${id}`),
    await limited.post('/settings/providers', providerInput('midtrans')),
    await limited.post(`/settings/providers/${id}/check`),
    await limited.get('/settings/approval-limits'),
    await limited.put('/settings/approval-limits', { limits: [{ roleId, kind: 'waiver', most: null }] }),
  ])
    expect(codeOf(answer)).toEqual([403, 'settings_need_whole_view'])
})

test('pages get only the permissions that have an effect for a limited role', async () => {
  const slugs = (await limited.get('/auth/permissions')).json().data.map(({ slug }: { slug: string }) => slug)
  for (const slug of [
    'master-diskon-update',
    'master-voucher-create',
    'settings-approval-limits',
    'settings-providers-view',
  ])
    expect(slugs).not.toContain(slug)
  expect(slugs).toEqual(
    expect.arrayContaining(['master-diskon-view', 'master-uang-kuliah-edit', 'master-prodi-update']),
  )
})
