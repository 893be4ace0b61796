import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration, publish, statusOf } from '#server-test/factories/admissions.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
  staff = await asStaff(t)
  await testSession(t.db, academic, t.clock.now())
  await t.db.updateTable('programmeDetails').set({ passingGrade: 70 }).execute()
})
afterAll(() => t.close())

const basisOf = async (id: string, actor = staff) => (await actor.get(`/pendaftaran/${id}/decision-basis`)).json().data
const accept = (id: string) => staff.post(`/pendaftaran/${id}/accept`, { programmeId: academic.programmes[0] })
const score = (id: string, value: number) =>
  t.db.insertInto('testScores').values({ registrationId: id, testId: academic.test, score: value }).execute()
const ask = (id: string) => staff.post(`/pendaftaran/${id}/files`, { name: 'Surat pindah' })
const saveModes = async (values: Record<string, 'warn' | 'block'>) => {
  const { data } = (await staff.get('/settings/general')).json()
  const keys = ['acceptWithoutTest', 'acceptBelowGrade', 'acceptWithOpenDocuments', 'acceptWithOpenFee']
  const body = { ...Object.fromEntries(keys.map((key) => [key, data.values[key]])), ...values }
  const answer = await staff.put('/settings/general/decisions', { ...body, version: data.versions.decisions })
  expect(answer.statusCode, answer.body).toBe(200)
}
const owe = (id: string) =>
  pastTriggers(t, sql`UPDATE bills SET status = 'open', paid = 0, paid_at = NULL WHERE registration_id = ${id}`)

test('the decision basis shows tests, score, grade, places, documents, fee and problems of accepting', async () => {
  const { id } = await aRegistration(t, { status: 'verified' })
  const before = await basisOf(id)
  expect(before).toMatchObject({
    total: null,
    tests: [{ score: null }],
    openDocuments: [],
    fee: { status: 'paid' },
    published: false,
    programmes: [{ id: academic.programmes[0], position: 1, passingGrade: 70, capacity: expect.any(Number) }],
  })
  expect(before.programmes[0].placesLeft).toBeGreaterThan(0)
  expect(before.programmes[0].problems).toMatchObject([{ check: 'test_missing', mode: 'warn' }])
  await score(id, 69)
  await ask(id)
  const { total, openDocuments, programmes } = await basisOf(id)
  expect([total, openDocuments]).toEqual([69, ['Surat pindah']])
  expect(programmes[0].problems).toMatchObject([
    { check: 'score_below', mode: 'warn', sentence: 'Total 69,00 is below the passing grade 70,00' },
    { check: 'documents_open', mode: 'block', sentence: 'Documents not settled: Surat pindah' },
  ])
  const otherProgrammeId = academic.programmes[1]
  const { data } = (await staff.get(`/pendaftaran/${id}/decision-basis?programmeId=${otherProgrammeId}`)).json()
  expect(data.programmes.map((one: { id: string }) => one.id)).toContain(otherProgrammeId)
})

test('the decision basis needs permission to decide and the study programme in the role', async () => {
  const { id } = await aRegistration(t, { status: 'verified' })
  const url = `/pendaftaran/${id}/decision-basis`
  expect((await (await asWithPermissions(t, ['pendaftaran-view'])).get(url)).statusCode).toBe(403)
  const otherOfficer = await asWithPermissions(t, ['pendaftaran-view', 'pendaftaran-decide'], {
    programmeIds: [academic.programmes[1]],
  })
  expect((await otherOfficer.get(url)).statusCode).toBe(404)
})

test('problems the settings only warn about are recorded with the acceptance', async () => {
  const { id } = await aRegistration(t, { status: 'verified' })
  expect((await accept(id)).statusCode).toBe(200)
  const { after } = await t.db
    .selectFrom('auditLog')
    .select('after')
    .where('subjectId', '=', id)
    .where('action', '=', 'registration.accept')
    .executeTakeFirstOrThrow()
  expect(after).toMatchObject({ despite: ['test_missing'] })
})

test.each([
  ['a test without a score', { acceptWithoutTest: 'block' }, async () => {}, 'Tests without a score'],
  ['a score below the grade', { acceptBelowGrade: 'block' }, (id: string) => score(id, 12.5), '12,50 is below'],
  ['documents requested later', { acceptWithOpenDocuments: 'block' }, ask, 'Documents not settled: Surat pindah'],
  ['a fee owed again', { acceptWithOpenFee: 'block' }, owe, 'of the registration fee is not paid'],
] as const)('%s blocks or warns by the settings', async (_, block, make, sentence) => {
  const { id } = await aRegistration(t, { status: 'verified' })
  await make(id)
  await saveModes(block)
  const refused = await accept(id)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ code: 'decision_blocked', message: expect.stringContaining(sentence) })
  expect(await statusOf(t, id)).toBe('verified')
  const bulk = { action: 'accept', ids: [id] }
  const [preview] = (await staff.post('/pendaftaran/bulk/preview', bulk)).json().data.items
  expect(preview).toMatchObject({ done: false, reason: 'decision_blocked' })
  expect(preview.params.problems).toContain(sentence)
  await saveModes(Object.fromEntries(Object.keys(block).map((key) => [key, 'warn'])))
  const [warned] = (await staff.post('/pendaftaran/bulk/preview', bulk)).json().data.items
  expect(warned).toMatchObject({ done: true })
  expect(warned.warnings.join()).toContain(sentence)
  expect((await accept(id)).statusCode).toBe(200)
})

test('a score saved during an acceptance is part of the decision or refused', async () => {
  await saveModes({ acceptBelowGrade: 'block' })
  for (let round = 0; round < 4; round++) {
    const { id } = await aRegistration(t, { status: 'verified' })
    const [accepted, recorded] = await Promise.all([
      accept(id),
      staff.put(`/pendaftaran/${id}/test-scores`, { scores: [{ testId: academic.test, score: 1 }] }),
    ])
    expect([accepted.statusCode, recorded.statusCode].filter((code) => code === 200)).toHaveLength(1)
  }
  await saveModes({ acceptBelowGrade: 'warn' })
})

test('a bulk decision counts undecided registrations in the same wave and track', async () => {
  const { achievement } = academic.tracks
  const [one, two] = [
    await aRegistration(t, { status: 'verified', trackId: achievement }),
    await aRegistration(t, { status: 'paid', trackId: achievement }),
  ]
  const intakes = async (ids: string[]) =>
    (await staff.post('/pendaftaran/bulk/preview', { action: 'accept', ids })).json().data.intakes
  expect(await intakes([one.id])).toMatchObject([
    { waveId: academic.wave, trackId: achievement, undecided: 1, published: false },
  ])
  const found = (await staff.get(`/pendaftaran?waveId=${academic.wave}&trackId=${achievement}&result=undecided`)).json()
  expect(found.data.map(({ id }: { id: string }) => id).sort()).toEqual([one.id, two.id].sort())
  await publish(t, achievement)
  expect(await intakes([one.id])).toMatchObject([{ published: true }])
})

test('an unpublished decision counts as undecided for its applicant', async () => {
  const { id, applicant } = await aRegistration(t, { status: 'decided' })
  const { data } = (await applicant.get('/pendaftaran?result=undecided')).json()
  expect(data.map((row: { id: string }) => row.id)).toEqual([id])
})
