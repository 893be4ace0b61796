import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Publication } from '#domain/admissions/schemas.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
/** Limited to the first of the wave's two study programmes. */
let limitedActor: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
  limitedActor = await asWithPermissions(t, ['pendaftaran-publish', 'pendaftaran-view'], {
    programmeIds: [academic.programmes[0]],
  })
})
afterAll(() => t.close())

const rowFor = async (actor: TestActor, trackId: string) =>
  ((await actor.get('/publications')).json().data as Publication[]).find((row) => row.trackId === trackId)!
const publish = (actor: TestActor, trackId: string, body: object = {}) =>
  actor.put('/publications', {
    waveId: academic.wave,
    trackId,
    publishAt: new Date(t.clock.now().getTime() + 3_600_000).toISOString(),
    version: 0,
    ...body,
  })

test('an actor limited to some study programmes cannot publish for others, and the list shows the refusal', async () => {
  const { regular } = academic.tracks
  await aRegistration(t, { status: 'decided' })
  await aRegistration(t, { status: 'verified', choices: [academic.programmes[1]] })
  const row = await rowFor(limitedActor, regular)
  expect(row).toMatchObject({ accepted: 1, undecided: 0, refusal: expect.stringContaining('study programmes') })
  const refused = await publish(limitedActor, regular)
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'published_by_whole'])
  const staff = await asStaff(t)
  expect(await rowFor(staff, regular)).toMatchObject({ accepted: 1, undecided: 1, refusal: null })
  expect((await publish(staff, regular)).statusCode).toBe(200)
  expect((await publish(limitedActor, regular, { publishAt: null, version: 1 })).json().code).toBe('published_by_whole')
})

test('a limited actor cannot publish while applicants of other programmes may still register', async () => {
  const { achievement } = academic.tracks
  expect((await rowFor(limitedActor, achievement)).refusal).not.toBeNull()
  expect((await publish(limitedActor, achievement)).json().code).toBe('published_by_whole')
})

test("a limited actor can publish a wave that offers only the actor's study programmes", async () => {
  const { achievement } = academic.tracks
  await t.db.deleteFrom('programmeDetails').where('programmeId', '=', academic.programmes[1]).execute()
  await aRegistration(t, { status: 'decided', trackId: achievement })
  expect(await rowFor(limitedActor, achievement)).toMatchObject({ accepted: 1, undecided: 0, refusal: null })
  const published = await publish(limitedActor, achievement)
  expect(published.statusCode, published.body).toBe(200)
  expect(published.json().data).toMatchObject({ accepted: 1, refusal: null, version: 1 })
})

test('publishing a wave and track without dates writes nothing', async () => {
  const staff = await asStaff(t)
  const { id } = await t.db
    .insertInto('tracks')
    .values({ code: 'TANPA', name: 'Tanpa kalender', kind: 'regular', hasTest: false, maxChoices: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await publish(staff, id)).statusCode).toBe(404)
  expect(await t.db.selectFrom('resultPublications').select('waveId').where('trackId', '=', id).execute()).toEqual([])
})
