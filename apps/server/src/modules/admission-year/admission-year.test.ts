import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlannedSection, YearPlanInput, YearPreview } from '#domain/admission-year/endpoints.ts'
import { optionalSections, type YearSection } from '#domain/admission-year/sections.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t)
  await t.db
    .insertInto('donations')
    .values({ waveId: academic.wave, minimumAmount: 100_000, suggestedAmounts: [100_000, 500_000] })
    .execute()
  await t.db
    .insertInto('discounts')
    .values([
      { code: 'EARLY26', name: 'Bayar awal 2026', kind: 'percent', value: 10, validTo: dateIn(5) },
      { code: 'ALUMNI', name: 'Alumni', kind: 'percent', value: 5 },
    ])
    .execute()
})
afterAll(() => t.close())

const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

let year = 2030
let plan: YearPlanInput
/** Every test creates its own year. */
beforeEach(() => {
  year++
  plan = {
    sourceYear: '2026/2027',
    academicYear: `${year}/${year + 1}`,
    contents: [...optionalSections],
    prices: { tuition: { basisPoints: 500, roundTo: 50_000 } },
  }
})

const preview = async (extra: Partial<YearPlanInput> = {}, actor = clerk): Promise<YearPreview> => {
  const answer = await actor.post('/admission-years/preview', { ...plan, ...extra })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const write = (fingerprint: string, extra: Partial<YearPlanInput> & { id?: string } = {}, actor = clerk) =>
  actor.post('/admission-years', { ...plan, id: crypto.randomUUID(), ...extra, fingerprint })
const section = (previewed: YearPreview, key: YearSection): PlannedSection =>
  previewed.sections.find((one) => one.key === key)!
const newWaves = () =>
  t.db.selectFrom('waves').selectAll().where('academicYear', '=', plan.academicYear).orderBy('code').execute()
const rowsOf = async (
  table: 'tuitionFees' | 'trackDetails' | 'programmeDetails' | 'registrationFees' | 'testSessions',
) => {
  const waves = (await newWaves()).map(({ id }) => id)
  return waves.length > 0 ? t.db.selectFrom(table).selectAll().where('waveId', 'in', waves).execute() : []
}

describe('the preview', () => {
  test('shows the old value of every row beside the new one, and writes nothing', async () => {
    const previewed = await preview()
    expect(previewed.problems).toEqual([])
    expect(Object.fromEntries(previewed.sections.map(({ key, count }) => [key, count]))).toEqual({
      waves: 1,
      trackDetails: 2,
      programmeDetails: 2,
      registrationFees: 1,
      tuition: 4,
      donations: 1,
      installmentPlans: 1,
      discounts: 1,
      testSessions: 1,
    })
    const [wave] = section(previewed, 'waves').rows
    expect(wave!.to).toMatchObject({ code: `G1-${year % 100}`, semesterCode: `${year}1`, name: 'Gelombang 1' })
    expect(Date.parse(String(wave!.to.opensAt)) - Date.parse(String(wave!.from.opensAt))).toBe(364 * 86_400_000)
    expect(section(previewed, 'discounts').rows[0]!.to).toMatchObject({
      code: `EARLY${year % 100}`,
      name: `Bayar awal ${year}`,
    })
    expect(section(previewed, 'tuition').rows[0]).toMatchObject({
      from: { amount: 13_500_000 },
      to: { amount: 14_200_000 },
    })
    expect(section(previewed, 'installmentPlans').rows[0]!.lines).toHaveLength(3)
    expect(await newWaves()).toEqual([])
  })

  test('moves dates of tracks with their wave', async () => {
    const closesAt = '2031-12-31T16:59:00.000Z'
    const previewed = await preview({
      edits: {
        [academic.wave]: { opensAt: '2031-01-01T17:00:00Z', closesAt, resultsAt: null, confirmationDueAt: null },
      },
    })
    const [detail] = section(previewed, 'trackDetails').rows
    expect(detail!.to.opensAt).toBe('2031-01-01T17:00:00.000Z')
    expect(detail!.to.closesAt).toBe(closesAt)
    const weekday = (date: unknown) => new Date(String(date)).getUTCDay()
    const session = (await preview()).sections.find(({ key }) => key === 'testSessions')!.rows[0]!
    expect(weekday(session.to.date)).toBe(weekday(session.from.date))
  })

  test('lists all problems: existing codes, reversed dates, an invalid year', async () => {
    const previewed = await preview({
      academicYear: '2040/2042',
      edits: {
        [academic.wave]: { code: 'g1', closesAt: '2020-01-01T00:00:00Z' },
        [academic.plan]: { code: 'c3' },
        [academic.testSession]: { capacity: -1 },
      },
    })
    const fields = previewed.problems.map(({ section: sectionKey, field }) => `${sectionKey}.${field}`)
    expect(fields).toEqual(
      expect.arrayContaining([
        'year.academicYear',
        'waves.code',
        'waves.closesAt',
        'installmentPlans.code',
        'testSessions.capacity',
      ]),
    )
    expect(previewed.problems.every(({ message }) => message.length > 10)).toBe(true)
    const refused = await write(previewed.fingerprint, {
      academicYear: '2040/2042',
      edits: { [academic.wave]: { code: 'G1' } },
    })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors[`waves.${academic.wave}.code`]).toHaveLength(1)
  })

  test('refuses a year without waves, or with all of them skipped', async () => {
    expect((await preview({ sourceYear: '1999/2000' })).problems).toMatchObject([{ field: 'sourceYear' }])
    expect((await preview({ skip: [academic.wave] })).problems).toMatchObject([{ field: 'sourceYear' }])
  })

  test('leaves out and counts rows that refer to inactive rows', async () => {
    await t.db.updateTable('tracks').set({ active: false }).where('id', '=', academic.tracks.achievement).execute()
    const previewed = section(await preview(), 'trackDetails')
    await t.db.updateTable('tracks').set({ active: true }).where('id', '=', academic.tracks.achievement).execute()
    expect(previewed).toMatchObject({ count: 1, inactive: 1 })
  })
})

describe('writing the year', () => {
  test('creates every previewed row, with its history', async () => {
    const previewed = await preview()
    const answer = await write(previewed.fingerprint)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.counts).toMatchObject({ waves: 1, tuition: 4, testSessions: 1 })
    const [wave] = await newWaves()
    expect(wave!.code).toBe(section(previewed, 'waves').rows[0]!.to.code)
    expect((await rowsOf('tuitionFees')).map((row) => (row as { amount: number }).amount).sort()).toEqual([
      4_750_000, 4_750_000, 9_450_000, 9_450_000,
    ])
    const plans = await t.db.selectFrom('installmentPlans').select('id').where('waveId', '=', wave!.id).execute()
    const terms = await t.db.selectFrom('installmentTerms').selectAll().where('planId', '=', plans[0]!.id).execute()
    expect(terms.map(({ shareBps }) => shareBps)).toEqual([4_000, 3_000, 3_000])
    const [session] = await rowsOf('testSessions')
    expect(
      await t.db.selectFrom('testSessionTests').select('testId').where('testSessionId', '=', session!.id).execute(),
    ).toEqual([{ testId: academic.test }])
    const history = await clerk.get(`/master/periode/${wave!.id}/history`)
    expect(history.json().data).toMatchObject([{ action: 'create' }])
    const donation = await t.db.selectFrom('donations').selectAll().where('waveId', '=', wave!.id).executeTakeFirst()
    expect(donation!.suggestedAmounts!.map(Number)).toEqual([100_000, 500_000])
  })

  test('writes chosen sections only', async () => {
    const chosen = { contents: ['trackDetails' as const] }
    await write((await preview(chosen)).fingerprint, chosen)
    expect(await rowsOf('trackDetails')).toHaveLength(2)
    expect(await rowsOf('tuitionFees')).toEqual([])
  })

  test('happens once when one request is sent three times at once', async () => {
    const { fingerprint } = await preview()
    const id = crypto.randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => write(fingerprint, { id })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(new Set(answers.map((answer) => answer.json().data.createdAt)).size).toBe(1)
    expect(await newWaves()).toHaveLength(1)
    expect(await rowsOf('tuitionFees')).toHaveLength(4)
  })

  test('happens once when two requests with the same codes arrive at once; the second is refused', async () => {
    const { fingerprint } = await preview()
    const edits = { [academic.wave]: { code: `X${year}` } }
    const edited = await preview({ edits })
    const answers = await Promise.all([write(edited.fingerprint, { edits }), write(edited.fingerprint, { edits })])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422])
    expect(await newWaves()).toHaveLength(1)
    expect(fingerprint).not.toBe(edited.fingerprint)
  })

  test('is refused if the source changed since the preview', async () => {
    const { fingerprint } = await preview()
    await t.db
      .updateTable('registrationFees')
      .set({ amount: 275_000 })
      .where('id', '=', academic.registrationFee)
      .execute()
    const refused = await write(fingerprint)
    await t.db
      .updateTable('registrationFees')
      .set({ amount: 250_000 })
      .where('id', '=', academic.registrationFee)
      .execute()
    expect(refused.statusCode).toBe(409)
    expect(refused.json().code).toBe('preview_changed')
    expect(await newWaves()).toEqual([])
  })

  test('needs permission for every copied section, and a role for the whole university', async () => {
    const waves = await asWithPermissions(t, ['master-periode-create', 'master-jalur-detail-create'])
    const previewed = await preview({}, waves)
    expect(section(previewed, 'tuition')).toMatchObject({
      chosen: false,
      count: 0,
      missing: ['master-uang-kuliah-create'],
    })
    expect((await write(previewed.fingerprint, {}, waves)).statusCode).toBe(403)
    expect((await write(previewed.fingerprint, { contents: ['trackDetails'] }, waves)).statusCode).toBe(200)
    const limitedActor = await asWithPermissions(t, ['master-periode-create'], {
      programmeIds: [academic.programmes[0]],
    })
    expect((await limitedActor.post('/admission-years/preview', plan)).json().code).toBe('needs_every_programme')
  })
})

describe('undoing a year', () => {
  const make = async (): Promise<string> => (await write((await preview()).fingerprint)).json().data.id

  test('deletes all written rows, once', async () => {
    const id = await make()
    const undo = (await clerk.get(`/admission-years/${id}/undo`)).json().data
    expect(undo).toMatchObject({ changedSince: 0, gone: 0, usedBy: [] })
    const answer = await clerk.delete(`/admission-years/${id}`)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.undoneAt).not.toBeNull()
    expect(await newWaves()).toEqual([])
    expect((await clerk.delete(`/admission-years/${id}`)).json().code).toBe('year_already_undone')
    // The codes can be used again.
    expect((await write((await preview()).fingerprint)).statusCode).toBe(200)
  })

  test('is refused while rows refer to it, and names them', async () => {
    const id = await make()
    const [wave] = await newWaves()
    const { accountId } = await asApplicant(t, { profile: true })
    const { id: applicantId } = await t.db
      .selectFrom('applicants')
      .select('id')
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow()
    await t.db
      .insertInto('registrations')
      .values({
        accountId,
        applicantId,
        code: `R${year}`,
        waveId: wave!.id,
        trackId: academic.tracks.regular,
        entryLevelId: academic.entryLevel,
        classProgrammeId: academic.classProgramme,
      } as never)
      .execute()
    const undo = (await clerk.get(`/admission-years/${id}/undo`)).json().data
    expect(undo.usedBy).toEqual([{ what: 'registration', count: 1 }])
    const refused = await clerk.delete(`/admission-years/${id}`)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().message).toContain('1 registration')
    expect(await newWaves()).toHaveLength(1)
  })

  test('counts rows changed or deleted since', async () => {
    const id = await make()
    const [fee] = await rowsOf('registrationFees')
    await t.db.updateTable('registrationFees').set({ amount: 1, version: 2 }).where('id', '=', fee!.id).execute()
    const [session] = await rowsOf('testSessions')
    await t.db.deleteFrom('testSessions').where('id', '=', session!.id).execute()
    expect((await clerk.get(`/admission-years/${id}/undo`)).json().data).toMatchObject({ changedSince: 1, gone: 1 })
    expect((await clerk.delete(`/admission-years/${id}`)).statusCode).toBe(200)
  })

  test('answers 404 for an unknown year', async () => {
    expect((await clerk.delete(`/admission-years/${crypto.randomUUID()}`)).statusCode).toBe(404)
  })
})
