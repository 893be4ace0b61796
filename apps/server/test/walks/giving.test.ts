import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole } from '#testing/form.ts'
import { fc } from '#testing/properties.ts'

let t: TestApp
let academic: AcademicFixture
/** Two faculties with two study programmes each. */
let faculties: string[]
let programmes: string[]
/** Start of the first run. */
let startedAt: Date
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  // An administrator besides the drawn accounts, so that `last_administrator` refuses no call.
  await asStaff(t)
  const otherRole = await t.db
    .insertInto('faculties')
    .values({ code: 'FEB', name: 'Fakultas Ekonomi' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const added = await t.db
    .insertInto('studyProgrammes')
    .values(
      ['MN', 'AK'].map((code) => ({
        code,
        name: code,
        facultyId: otherRole.id,
        degreeLevelId: academic.degreeLevel,
        npmCode: code,
      })),
    )
    .returning('id')
    .execute()
  faculties = [academic.faculty, otherRole.id]
  programmes = [...academic.programmes, ...added.map(({ id }) => id)]
  startedAt = await databaseTime()
})

async function databaseTime(): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(t.db)
  return rows[0]!.now
}
afterAll(() => t.close())

const powers = [
  ...['view', 'create', 'update', 'delete', 'menus', 'permissions'].map((verb) => `settings-roles-${verb}`),
  ...['view', 'create', 'update', 'impersonate'].map((verb) => `settings-accounts-${verb}`),
  ...['view', 'create', 'delete'].map((verb) => `settings-permissions-${verb}`),
  'settings-approval-limits',
]
const slugs = [...powers, 'persetujuan-update', 'master-fakultas-view', 'pendaftaran-view']
const limitChoices = [5_000_000, 10_000_000, null]

/** Rights of an account, one word each: permissions, current and future study programmes, and approval limits. */
type Held = ReadonlySet<string>
type Known = { held: Held; print: string }

type Row = {
  id: string
  role: string
  permissions: string[]
  facultyIds: string[]
  programmeIds: string[]
  most: (number | null)[]
  print: string
}

/**
 * Rights of accounts from before the test and since a time, and a text that changes with every change to the account or
 * its role.
 */
async function readRightsOfAll(since: Date): Promise<Map<string, Known>> {
  const { rows } = await sql<Row>`
    SELECT a.id, r.name AS role,
      ARRAY(SELECT permission FROM role_permissions p WHERE p.role_id = r.id ORDER BY 1) AS permissions,
      ARRAY(SELECT faculty_id::text FROM role_scopes s WHERE s.role_id = r.id AND faculty_id IS NOT NULL) AS faculty_ids,
      ARRAY(SELECT programme_id::text FROM role_scopes s WHERE s.role_id = r.id AND programme_id IS NOT NULL) AS programme_ids,
      ARRAY(SELECT l.most::float8 FROM approval_limits l WHERE l.role_id = r.id AND l.kind = 'refund') AS most,
      concat_ws(' ', a.name, a.language, a.active, a.require_totp, a.role_id, a.totp_secret IS NULL, r.name, r.active,
        r.description, r.session_hours, r.require_totp,
        (SELECT count(*) FROM one_time_tokens o WHERE o.account_id = a.id AND o.used_at IS NULL),
        (SELECT count(*) FROM sessions s WHERE s.account_id = a.id AND s.revoked_at IS NULL AND s.impersonator_id IS NULL),
        (SELECT string_agg(menu_id::text, ',' ORDER BY menu_id) FROM role_menus m WHERE m.role_id = r.id),
        (SELECT string_agg(permission, ',' ORDER BY permission) FROM role_permissions p WHERE p.role_id = r.id),
        (SELECT string_agg(s::text, ',' ORDER BY s.faculty_id, s.programme_id)
          FROM (SELECT faculty_id, programme_id FROM role_scopes WHERE role_id = r.id) s),
        (SELECT string_agg(l::text, ',' ORDER BY l.kind) FROM approval_limits l WHERE l.role_id = r.id)) AS print
    FROM accounts a JOIN roles r ON r.id = a.role_id
    WHERE a.created_at >= ${since} OR a.created_at < ${startedAt}`.execute(t.db)
  return new Map(rows.map((row) => [row.id, { held: heldBy(row), print: row.print }]))
}

function heldBy({ role, permissions, facultyIds, programmeIds, most }: Row): Held {
  const all = [...programmes, ...faculties.map((id) => `new in ${id}`), 'elsewhere']
  const ofFaculty = (id: string) => {
    const firstProgramme = faculties.indexOf(id) * 2
    return [...programmes.slice(firstProgramme, firstProgramme + 2), `new in ${id}`]
  }
  const limited = facultyIds.length + programmeIds.length > 0
  const rows = role === applicantRole ? [] : limited ? [...facultyIds.flatMap(ofFaculty), ...programmeIds] : all
  const mayDecide = permissions.includes('persetujuan-update')
    ? most.flatMap((limit) => limitChoices.filter((sum) => limit === null || (sum !== null && sum <= limit)))
    : []
  return new Set([
    ...permissions.map((slug) => `may ${slug}`),
    ...rows.map((row) => `sees ${row}`),
    ...mayDecide.map((sum) => `decides ${sum}`),
  ])
}

const missingFrom = (rights: Held, subtracted: Held) => [...rights].filter((word) => !subtracted.has(word))
/**
 * Whether an actor with these rights may give the right. Actors who may set every role's approval limits may give any
 * limit; a custom permission may always be given, because no route requires it.
 */
const mayGive = (word: string, actorRights: Held) =>
  actorRights.has(word) ||
  (word.startsWith('decides') && actorRights.has('may settings-approval-limits')) ||
  word.startsWith('may uji-')

type Step = {
  by: number
  on: number
  other: number
  slugs: string[]
  facultyIds: string[]
  programmeIds: string[]
  most: number | null
  flag: boolean
}
type World = { people: TestActor[]; roles: string[]; custom: string[] }

let number = 0
const roleNow = async (id: string) =>
  t.db.selectFrom('roles').select(['id', 'name', 'version', 'active']).where('id', '=', id).executeTakeFirst()
const content = ({ facultyIds, programmeIds, flag }: Step) => ({
  name: `Peran beri ${++number}`,
  description: null,
  requireTotp: false,
  sessionHours: flag ? 12 : 8,
  active: true,
  facultyIds,
  programmeIds,
})

/** A custom permission no role holds, so that anyone who may delete permissions may delete it. */
async function addCustomPermission(): Promise<string> {
  const { slug } = await t.db
    .insertInto('permissions')
    .values({ slug: `uji-${++number}`, nameEn: 'x', nameId: 'x', groupName: 'students', builtIn: false })
    .returning('slug')
    .executeTakeFirstOrThrow()
  return slug
}

/** Every call that gives or takes rights, or changes an account. */
const calls: Record<
  string,
  (actor: TestActor, step: Step, world: World) => Promise<{ statusCode: number; body: string } | undefined>
> = {
  async createRole(actor, step, { roles }) {
    const answer = await actor.post('/settings/roles', {
      ...content(step),
      ...(step.flag && { copyOf: roles[step.other] }),
    })
    if (answer.statusCode === 201) roles.push(answer.json().data.id)
    return answer
  },
  async updateRole(actor, step, { roles }) {
    const role = await roleNow(roles[step.on]!)
    return role && actor.put(`/settings/roles/${role.id}`, { ...content(step), version: role.version })
  },
  async removeRole(actor, { on, other }, { roles }) {
    return actor.delete(`/settings/roles/${roles[on]}?moveTo=${roles[other]}`)
  },
  async setPermissions(actor, { on, slugs: held }, { roles }) {
    const role = await roleNow(roles[on]!)
    return role && actor.put(`/settings/roles/permissions/${role.id}`, { version: role.version, held })
  },
  async addPermissions(actor, { on, slugs: more }, { roles }) {
    const role = await roleNow(roles[on]!)
    if (!role) return undefined
    const stored = await t.db.selectFrom('rolePermissions').select('permission').where('roleId', '=', role.id).execute()
    const held = [...new Set([...stored.map(({ permission }) => permission), ...more])]
    return actor.put(`/settings/roles/permissions/${role.id}`, { version: role.version, held })
  },
  async setMenus(actor, { on, flag }, { roles }) {
    const role = await roleNow(roles[on]!)
    const menus = await t.db
      .selectFrom('menus')
      .select('id')
      .limit(flag ? 2 : 0)
      .execute()
    const menuIds = menus.map(({ id }) => id)
    return role && actor.put(`/settings/roles/menus/${role.id}`, { version: role.version, chosen: menuIds })
  },
  async invite(actor, { on }, { roles }) {
    const email = `${crypto.randomUUID().slice(0, 12)}@contoh.test`
    return actor.post('/settings/accounts', { name: 'Undangan', email, roleId: roles[on], language: 'id' })
  },
  async giveRole(actor, { on, other }, { people, roles }) {
    const id = people[on]!.accountId
    const { version } = await t.db
      .selectFrom('accounts')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const body = { version, name: 'Nama baru', language: 'id', requireTotp: false, roleId: roles[other] }
    return actor.put(`/settings/accounts/${id}`, body)
  },
  act: (actor, { on, other, flag }, { people }) => {
    const action = ['password-reset', 'unlock', 'totp-reset', flag ? 'deactivate' : 'reactivate'][other % 4]!
    const body = action === 'totp-reset' ? { reason: 'alasan contoh' } : undefined
    return actor.post(`/settings/accounts/${people[on]!.accountId}/${action}`, body)
  },
  endSessions: (actor, { on }, { people }) => actor.delete(`/settings/accounts/${people[on]!.accountId}/sessions`),
  bulk: (actor, { flag }, { people }) =>
    actor.post('/settings/accounts/bulk', {
      action: flag ? 'end-sessions' : 'reactivate',
      ids: people.map(({ accountId }) => accountId),
    }),
  seeAs: (actor, { on }, { people }) => actor.post(`/settings/accounts/${people[on]!.accountId}/see-as`),
  async makePermission(actor, _, { custom }) {
    const slug = `uji-${++number}`
    const answer = await actor.post('/settings/permissions', { slug, name: { en: 'x', id: 'x' }, group: 'students' })
    if (answer.statusCode === 201) custom.push(slug)
    return answer
  },
  async removePermission(actor, { on }, { custom }) {
    return custom.length > 0 ? actor.delete(`/settings/permissions/${custom[on % custom.length]}`) : undefined
  },
  async setSums(actor, { on, most }, { roles }) {
    const { data } = (await actor.get('/settings/approval-limits')).json()
    if (!data) return undefined
    const others = data.limits.filter((limit: { roleId: string }) => limit.roleId !== roles[on])
    return actor.put('/settings/approval-limits', { limits: [...others, { roleId: roles[on], kind: 'refund', most }] })
  },
}

const subset = (choices: () => readonly string[]) =>
  fc
    .array(fc.nat(30), { maxLength: 6 })
    .map((picks) => [...new Set(picks.map((n) => choices()[n % choices().length]!))])
const drawnScope = fc.oneof(
  // Half of the roles see all programmes, because only such roles may set approval limits.
  { weight: 1, arbitrary: fc.constant({ facultyIds: [] as string[], programmeIds: [] as string[] }) },
  {
    weight: 1,
    arbitrary: fc.record({
      facultyIds: fc.array(fc.nat(1), { maxLength: 1 }).map((picks) => picks.map((n) => faculties[n]!)),
      programmeIds: fc
        .array(fc.nat(3), { maxLength: 2 })
        .map((picks) => [...new Set(picks)].map((n) => programmes[n]!)),
    }),
  },
)
const drawnRole = fc.record({
  slugs: fc.oneof(
    fc.constant(slugs),
    fc.subarray(slugs, { minLength: 3 }),
    subset(() => slugs).map((chosenSlugs) => [...new Set([...powers, ...chosenSlugs])]),
  ),
  scope: drawnScope,
  most: fc.constantFrom(undefined, ...limitChoices),
})
const drawnStep = fc
  .record({
    call: fc.constantFrom(...Object.keys(calls)),
    by: fc.nat(3),
    on: fc.nat(4),
    other: fc.nat(4),
    slugs: fc.oneof(
      subset(() => slugs),
      fc.constant(slugs),
    ),
    scope: drawnScope,
    most: fc.constantFrom(...limitChoices),
    flag: fc.boolean(),
  })
  .map(({ scope, ...step }) => ({ ...step, ...scope }))

test('no order of calls gives an account more rights than the giver holds, or changes an account with more rights', async () => {
  const successesByCall = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnRole, { minLength: 5, maxLength: 5 }),
      fc.array(drawnStep, { minLength: 6, maxLength: 16 }),
      async (drawnRoles, steps) => {
        // Accounts from earlier runs hold no role of this run. The whole form checks them too.
        const since = isWhole ? new Date(0) : await databaseTime()
        const world: World = { people: [], roles: [], custom: [await addCustomPermission()] }
        for (const { slugs: held, scope, most } of drawnRoles) {
          const person = await asWithPermissions(t, held, scope)
          const { roleId } = await t.db
            .selectFrom('accounts')
            .select('roleId')
            .where('id', '=', person.accountId)
            .executeTakeFirstOrThrow()
          if (most !== undefined)
            await t.db.insertInto('approvalLimits').values({ roleId, kind: 'refund', most }).execute()
          world.people.push(person)
          world.roles.push(roleId)
        }
        let rightsBefore = await readRightsOfAll(since)
        for (const { call, ...step } of steps) {
          const actor = world.people[step.by]!
          const actorRights = rightsBefore.get(actor.accountId)!.held
          const answer = await calls[call]!(actor, step, world)
          if (!answer) continue
          const callText = `${call} ${JSON.stringify(step)} → ${answer.statusCode} ${answer.body.slice(0, 200)}`
          expect(answer.statusCode, callText).toBeLessThan(500)
          if (answer.statusCode < 300) successesByCall.set(call, (successesByCall.get(call) ?? 0) + 1)
          const rightsAfter = await readRightsOfAll(since)
          for (const [id, { held, print }] of rightsAfter) {
            const known = rightsBefore.get(id)
            const gainedWords = missingFrom(held, known?.held ?? new Set()).filter(
              (word) => !mayGive(word, actorRights),
            )
            expect(gainedWords, `${callText} gives ${id}`).toEqual([])
            if (!known || known.print === print) continue
            expect(
              missingFrom(known.held, actorRights).filter((word) => !mayGive(word, actorRights)),
              `${callText} touches ${id}`,
            ).toEqual([])
          }
          if (call === 'seeAs' && answer.statusCode === 200) {
            const seenRights = rightsBefore.get(world.people[step.on]!.accountId)!.held
            expect(
              missingFrom(seenRights, actorRights).filter((word) => !mayGive(word, actorRights)),
              callText,
            ).toEqual([])
          }
          rightsBefore = rightsAfter
        }
      },
    ),
    { numRuns: 60, endOnFailure: true },
  )
  // A server that refuses every call would pass the assertions above.
  expect(Object.keys(calls).filter((call) => !successesByCall.has(call))).toEqual([])
}, 300_000)
