import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let faculties: [string, string]
let admin: TestActor
let registrations: Awaited<ReturnType<typeof aRegistration>>[]

/** A decided and a paid registration in each of two faculties. Statements are kept from the first test to the last. */
beforeAll(async () => {
  t = await testApp()
  const academic = await academicOf(t)
  const { id: other } = await t.db
    .insertInto('faculties')
    .values({ code: 'F2', name: 'Fakultas Kedua' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db.updateTable('studyProgrammes').set({ facultyId: other }).where('id', '=', academic.programmes[1]).execute()
  faculties = [academic.faculty, other]
  admin = await asStaff(t)
  registrations = []
  for (const programme of academic.programmes)
    for (const status of ['decided', 'paid'] as const)
      registrations.push(await aRegistration(t, { status, choices: [programme] }))
})
afterAll(() => t?.close())

type Seen = { status: string; decision: string | null } | null

/** What the actor reads from the page of each registration; null for 404. */
const pagesOf = (actor: TestActor): Promise<Seen[]> =>
  Promise.all(
    registrations.map(async ({ id }) => {
      const answer = await actor.get(`/pendaftaran/${id}`)
      if (answer.statusCode === 404) return null
      expect(answer.statusCode, answer.body).toBe(200)
      const { status, decision } = answer.json().data
      return { status, decision: decision?.decision ?? null }
    }),
  )

const decided = { status: 'decided', decision: 'accepted' }
const hidden = { status: 'verified', decision: null }
const paid = { status: 'paid', decision: null }

test('actors of two faculties, of the whole university and applicants read their own, in turn and at once', async () => {
  const see = ['pendaftaran-view']
  const decide = [...see, 'pendaftaran-decide']
  const readers: [actor: TestActor, sees: Seen[]][] = [
    [await asWithPermissions(t, see), [hidden, paid, hidden, paid]],
    [await asWithPermissions(t, decide), [decided, paid, decided, paid]],
    [await asWithPermissions(t, see, { facultyIds: [faculties[0]] }), [hidden, paid, null, null]],
    [await asWithPermissions(t, see, { facultyIds: [faculties[1]] }), [null, null, hidden, paid]],
    [await asWithPermissions(t, decide, { facultyIds: [faculties[0]] }), [decided, paid, null, null]],
    [await asWithPermissions(t, decide, { facultyIds: [faculties[1]] }), [null, null, decided, paid]],
    [registrations[0]!.applicant, [hidden, null, null, null]],
    [registrations[3]!.applicant, [null, null, null, paid]],
  ]
  for (const order of [readers, readers.toReversed()])
    for (const [actor, sees] of order) expect(await pagesOf(actor)).toEqual(sees)
  const atOnce = [...readers, ...readers.toReversed(), ...readers]
  expect(await Promise.all(atOnce.map(([actor]) => pagesOf(actor)))).toEqual(atOnce.map(([, sees]) => sees))
})

test('a change of faculty, of permissions or of role is seen by the next request', async () => {
  const reader = await asWithPermissions(t, ['pendaftaran-view', 'pendaftaran-decide'])
  const { roleId } = await t.db
    .selectFrom('accounts')
    .select('roleId')
    .where('id', '=', reader.accountId)
    .executeTakeFirstOrThrow()
  const role = async () => (await admin.get(`/settings/roles/${roleId}`)).json().data
  const limitTo = async (facultyIds: string[]) => {
    const { name, description, requireTotp, sessionHours, active, version } = await role()
    const content = { name, description, requireTotp, sessionHours, active, version, facultyIds, programmeIds: [] }
    const answer = await admin.put(`/settings/roles/${roleId}`, content)
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const allow = async (held: string[]) => {
    const answer = await admin.put(`/settings/roles/permissions/${roleId}`, { version: (await role()).version, held })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  expect(await pagesOf(reader)).toEqual([decided, paid, decided, paid])
  await limitTo([faculties[0]])
  expect(await pagesOf(reader)).toEqual([decided, paid, null, null])
  await limitTo([faculties[1]])
  expect(await pagesOf(reader)).toEqual([null, null, decided, paid])
  await allow(['pendaftaran-view'])
  expect(await pagesOf(reader)).toEqual([null, null, hidden, paid])
  await limitTo([])
  expect(await pagesOf(reader)).toEqual([hidden, paid, hidden, paid])
  await allow([])
  expect((await reader.get(`/pendaftaran/${registrations[0]!.id}`)).statusCode).toBe(403)
  await t.db
    .updateTable('accounts')
    .set((eb) => ({
      roleId: eb.selectFrom('roles').select('id').where('name', '=', 'Mahasiswa'),
    }))
    .where('id', '=', reader.accountId)
    .execute()
  t.services.sessions.forget()
  expect(await pagesOf(reader)).toEqual([null, null, null, null])
})

test('a publication is seen by the next request', async () => {
  const [{ id, applicant }] = registrations as [(typeof registrations)[number]]
  const page = async () => (await applicant.get(`/pendaftaran/${id}`)).json().data
  const dashboard = async () => (await applicant.get('/dashboard')).json().data.registrations[0]
  expect([(await page()).result, (await dashboard()).result]).toEqual(['waiting', 'waiting'])
  await t.db
    .insertInto('resultPublications')
    .columns(['waveId', 'trackId', 'publishAt'])
    .expression((eb) =>
      eb
        .selectFrom('registrations')
        .select(['waveId', 'trackId', eb.val(new Date(t.clock.now().getTime() - 60_000)).as('publishAt')])
        .where('id', '=', id),
    )
    .execute()
  expect([(await page()).result, (await dashboard()).result]).toEqual(['accepted', 'accepted'])
})
