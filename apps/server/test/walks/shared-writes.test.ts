import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { opensLimitedWrites } from '#domain/access/whole-view.ts'
import { entities } from '#entities/index.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { someSending } from '#server-test/factories/campaigns.ts'
import { codeOf } from '#server-test/readers.ts'
import { bodySchemaOf, type Route, routesOf } from '#server-test/routes.ts'
import { sampleFrom } from '#server-test/sample.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/**
 * Makes every write as a role limited to one study programme that holds every permission, on rows that apply to all
 * programmes, and afterwards checks every table.
 */
let t: TestApp
let limited: TestActor
let routes: Route[]
const writesNothing = /\/preview$/
const endsSession = /^\/api\/(logout|account\/(sessions|password|totp)|auth\/see-as)/
const nobody = '0192f0c1-0000-7000-8000-000000000001'

beforeAll(async () => {
  t = await testApp()
  const academic = await academicFixture(t.db)
  await someSending(t, await asStaff(t))
  const slugs = (await t.db.selectFrom('permissions').select('slug').execute()).map(({ slug }) => slug)
  limited = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[0]!] })
  routes = routesOf(t.app).filter(
    ({ method, path, operation }) => method !== 'get' && operation.security && !endsSession.test(path),
  )
}, 300_000)
afterAll(() => t.close())

/** Tables of the rows a path names, by the segment before the parameter. */
const tableOf: Record<string, string> = {
  ...Object.fromEntries(entities.map(({ slug, table }) => [slug, table])),
  ...Object.fromEntries(entities.flatMap(({ parent, table }) => (parent ? [[parent.path, table]] : []))),
  url: 'menus',
  roles: 'roles',
  accounts: 'accounts',
  templates: 'campaign_templates',
  campaigns: 'campaigns',
  'jadwal-test': 'test_sessions',
  surat: 'letter_kinds',
  waves: 'waves',
}

async function findIds() {
  const ids = new Map<string, string>()
  for (const [segment, table] of Object.entries(tableOf)) {
    const { rows } = await sql<{ id: string }>`SELECT id::text FROM ${sql.table(table)} ORDER BY id LIMIT 1`.execute(
      t.db,
    )
    if (rows[0]) ids.set(segment, rows[0].id)
  }
  return ids
}

const pathOf = ({ path }: Route, ids: ReadonlyMap<string, string>) =>
  path
    .replace('{slug}', 'pendaftaran-view')
    .replace(/([\w-]+)\/\{\w+\}/g, (_, segment: string) => `${segment}/${ids.get(segment) ?? nobody}`)

const send = (route: Route, url: string) => {
  if (route.method === 'get' || route.method === 'delete') return limited[route.method](url)
  const schema = bodySchemaOf(route)
  return limited[route.method](url, schema ? sampleFrom(schema, { version: 1 }) : {})
}

/** Tables whose rows the walk may change. */
const ownTables = new Set([
  // Changed by any call.
  ...['audit_log', 'idempotency_keys', 'sessions', 'sign_in_attempts'],
  // The actor's own: views, chat duty, links and test messages to its own address, and narrower roles.
  ...['saved_views', 'chat_agents', 'one_time_tokens', 'messages', 'role_permissions', 'role_menus', 'roles'],
  // Those of such messages; recipients of campaigns stay watched.
  'handovers',
  // Files that the actor began to send.
  'unfinished_uploads',
  // The wish of a person, which any office notes.
  'opt_outs',
  // Rows of programmes and faculties; `row-scope.test.ts` checks those of others.
  ...entities.filter(({ scope }) => scope).map(({ table }) => table),
])

async function readTables() {
  const { rows } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`.execute(t.owner)
  const tables = new Map<string, string>()
  for (const { name } of rows) {
    if (ownTables.has(name)) continue
    const content = await sql<{
      sum: string
    }>`SELECT coalesce(md5(string_agg(x::text, '|' ORDER BY x::text)), '') AS sum
      FROM ${sql.table(name)} x`.execute(t.owner)
    tables.set(name, content.rows[0]!.sum)
  }
  return tables
}

/** Permissions the browser receives. */
const toldTo = async (actor: TestActor): Promise<ReadonlySet<string>> =>
  new Set((await actor.get('/auth/permissions')).json().data.map(({ slug }: { slug: string }) => slug))

test('no write by a limited role changes a row that applies to all study programmes', async () => {
  const ids = await findIds()
  const before = await readTables()
  const open: string[] = []
  const toldSlugs = await toldTo(limited)
  for (const route of routes) {
    const answer = await send(route, pathOf(route, ids))
    const isOpen = !route.permission || [route.permission, ...route.alsoFor].some(opensLimitedWrites)
    if (answer.statusCode >= 500 || answer.statusCode === 401)
      open.push(`${route.method} ${route.path} answers ${answer.statusCode}`)
    const [status, code] = codeOf(answer)
    const isRefused = status === 403 && /needs?_(whole_view|every_programme)$/.test(String(code))
    const isRefusedAsShared = isRefused || code === 'selection_by_whole'
    if (route.isShared && !isRefusedAsShared)
      open.push(`${route.method} ${route.path} is shared and answers ${status} ${code}`)
    const isTold = [route.permission, ...route.alsoFor].some((slug) => slug && toldSlugs.has(slug))
    if (isOpen && isRefused && isTold && !route.isShared)
      open.push(`${route.method} ${route.path} (${route.permission}) answers ${code} and is not declared as shared`)
    if (isOpen || writesNothing.test(route.path)) continue
    if (status !== 403 || !/^(shared|settings)_need|needs_every_programme/.test(String(code)))
      open.push(`${route.method} ${route.path} (${route.permission}) answers ${status} ${code}`)
  }
  expect(open).toEqual([])
  const after = await readTables()
  expect([...before.keys()].filter((name) => before.get(name) !== after.get(name))).toEqual([])
}, 300_000)

test.each([
  ['POST', '/settings/url'],
  ['DELETE', '/settings/url/{id}'],
  ['PUT', '/settings/url/order'],
  ['PUT', '/settings/general/look'],
  ['POST', '/settings/permissions'],
  ['POST', '/settings/whatsapp'],
] as const)('%s %s says that it applies to all study programmes', async (method, path) => {
  const url = path.replace('{id}', (await findIds()).get('url')!)
  const answer = await limited[method.toLowerCase() as 'post' | 'put' | 'delete'](url, {})
  expect(codeOf(answer)).toEqual([403, 'settings_need_whole_view'])
  expect(answer.json().message).toContain('study programmes')
})

test('pages get no permission to change menus, general settings, permissions and WhatsApp', async () => {
  const slugs = [...(await toldTo(limited))]
  for (const area of ['url', 'general', 'permissions', 'whatsapp'])
    expect(slugs.filter((slug) => slug.startsWith(`settings-${area}-`))).toEqual([`settings-${area}-view`])
  expect(slugs).toEqual(expect.arrayContaining(['pendaftaran-edit', 'settings-roles-update', 'master-prodi-update']))
})

test('the session check says whether the role is limited', async () => {
  const answerTo = async (actor: TestActor) =>
    (await actor.post('/verify_token', { api_token: actor.token })).json() as { limited?: true }
  expect((await answerTo(limited)).limited).toBe(true)
  expect(await answerTo(await asStaff(t))).not.toHaveProperty('limited')
})
