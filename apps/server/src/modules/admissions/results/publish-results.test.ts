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

test('a publication offers nothing to an applicant who withdrew before it', async () => {
  const staff = await asStaff(t)
  const reader = await asWithPermissions(t, ['pendaftaran-view', 'laporan-hasil-kelulusan'])
  const { regular: trackId } = academic.tracks
  await t.db.deleteFrom('resultPublications').where('trackId', '=', trackId).execute()
  const { id, applicant } = await aRegistration(t, { status: 'decided' })
  const { id: declinedId, applicant: declining } = await aRegistration(t, { status: 'decided' })
  const withdrawn = await applicant.post(`/pendaftaran/${id}/withdraw`, { reason: 'Pindah kota' })
  expect(withdrawn.statusCode, withdrawn.body).toBe(200)
  t.clock.set(new Date(t.clock.now().getTime() + 60_000))
  const waiting = (await rowFor(staff, trackId)).waiting
  const published = await publish(staff, trackId, { publishAt: t.clock.now().toISOString(), waiting })
  expect(published.statusCode, published.body).toBe(200)
  t.clock.set(new Date(t.clock.now().getTime() + 60_000))
  const declined = await declining.post(`/pendaftaran/${declinedId}/decline`, { reason: 'Pindah kota' })
  expect(declined.statusCode, declined.body).toBe(200)

  const toldAt = async () =>
    (await t.db.selectFrom('registrations').select('resultToldAt').where('id', '=', id).executeTakeFirstOrThrow())
      .resultToldAt
  const seenBy = async (actor: TestActor, of = id) => (await actor.get(`/pendaftaran/${of}`)).json().data
  expect(await seenBy(applicant)).toMatchObject({ status: 'withdrawn', result: 'waiting' })
  expect(await seenBy(declining, declinedId)).toMatchObject({ status: 'withdrawn', result: 'accepted' })
  expect((await seenBy(reader)).decision).toBeNull()
  expect((await seenBy(staff)).decision).toMatchObject({ decision: 'accepted', published: false, publishAt: null })
  const offers = (await staff.get('/konfirmasi-kelulusan?answer=declined')).json().data as { id: string }[]
  expect(offers.map((offer) => offer.id)).toEqual([declinedId])
  for (const actor of [staff, reader]) {
    const { values } = (await actor.get(`/reports/hasil-kelulusan/figures?compare=no&trackId=${trackId}`)).json().data
      .total
    expect(values).toMatchObject({ declined: 1, published: values.decided - (actor === staff ? 1 : 0) })
  }

  await t.runJobs()
  expect(await toldAt()).toBeNull()
  // Back again, the applicant has the published result and is told.
  const reopened = await staff.post(`/pendaftaran/${id}/revert-withdrawal`, { reason: 'Atas permintaan' })
  expect(reopened.statusCode, reopened.body).toBe(200)
  expect(await seenBy(applicant)).toMatchObject({ status: 'decided', result: 'accepted' })
  await t.runJobs()
  expect(await toldAt()).not.toBeNull()
})
