import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CellChange, TuitionCell, TuitionGrid } from '#domain/fees/endpoints.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let other: TestActor
let programme: string
/** A second wave, without tuition. */
let nextWave: string

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  programme = academic.programmes[0]
  clerk = await asStaff(t)
  other = await asStaff(t)
})
afterAll(() => t.close())

let waves = 0
beforeEach(async () => {
  const { id } = await t.db
    .insertInto('waves')
    .values({
      code: `N${++waves}`,
      academicYear: '2027/2028',
      name: 'Gelombang 1',
      semesterCode: '20271',
      opensAt: new Date('2027-01-01T00:00:00Z'),
      closesAt: new Date('2027-03-01T00:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  nextWave = id
})

const path = (programmeId = programme) => `/master/prodi/${programmeId}/uang-kuliah/grid`
const read = async (query: string, actor = clerk): Promise<TuitionGrid> =>
  (await actor.get(`${path()}?${query}`)).json().data
const { development, semester } = { development: 'development', semester: 'semester' } as const
const cell = (
  component: 'development' | 'semester',
  amount: number | null,
  base: TuitionCell | null = null,
): CellChange => ({
  classProgrammeId: academic.classProgramme,
  feeComponentId: academic.feeComponents[component],
  base: base && { id: base.id, version: base.version },
  amount,
  installmentsAllowed: true,
})
const save = (cells: CellChange[], actor = clerk, trackId: string | null = null, waveId = nextWave) =>
  actor.put(path(), { waveId, trackId, cells })
const amountIn = (grid: TuitionGrid, component: 'development' | 'semester') =>
  grid.cells.find(({ feeComponentId }) => feeComponentId === academic.feeComponents[component])

describe('the tuition grid', () => {
  test('opens with the newest wave that has amounts', async () => {
    const grid = await read('')
    expect(grid.waveId).toBe(academic.wave)
    expect(grid.cells.map(({ amount }) => amount).sort()).toEqual([4_500_000, 9_000_000])
    expect(grid.classProgrammes[0]).toMatchObject({ id: academic.classProgramme, offered: true })
  })

  test('saves new, changed and emptied cells together, each with its audit entry', async () => {
    const first = await save([cell(development, 5_000_000), cell(semester, 4_000_000)])
    expect(first.statusCode, first.body).toBe(200)
    expect(first.json().meta).toEqual({ created: 2, changed: 0, removed: 0 })
    const grid: TuitionGrid = first.json().data
    const second = await save([
      cell(development, 5_500_000, amountIn(grid, development)),
      cell(semester, null, amountIn(grid, semester)),
    ])
    expect(second.json().meta).toEqual({ created: 0, changed: 1, removed: 1 })
    const after = await read(`waveId=${nextWave}`)
    expect(after.cells).toMatchObject([{ amount: 5_500_000, version: 2 }])
    const audit = await t.db
      .selectFrom('auditLog')
      .select('action')
      .where('subjectType', '=', 'uang-kuliah')
      .where('actorId', '=', clerk.accountId)
      .orderBy('id', 'desc')
      .limit(4)
      .execute()
    expect(audit.map(({ action }) => action)).toEqual([
      'uang-kuliah.delete',
      'uang-kuliah.update',
      'uang-kuliah.create',
      'uang-kuliah.create',
    ])
  })

  test('names every cell that changed since it was read, and saves nothing', async () => {
    const grid: TuitionGrid = (await save([cell(development, 5_000_000), cell(semester, 4_000_000)])).json().data
    await save(
      [cell(development, 6_000_000, amountIn(grid, development)), cell(semester, null, amountIn(grid, semester))],
      other,
    )
    const staleSave = await save([
      cell(development, 7_000_000, amountIn(grid, development)),
      cell(semester, 4_100_000, amountIn(grid, semester)),
    ])
    expect(staleSave.statusCode).toBe(409)
    expect(staleSave.json().code).toBe('stale_version')
    const { errors } = staleSave.json()
    expect(Object.keys(errors)).toHaveLength(2)
    expect(errors[`cells.${academic.feeComponents.development}.${academic.classProgramme}`][0]).toContain(
      'Rp\u00a06.000.000',
    )
    expect((await read(`waveId=${nextWave}`)).cells).toMatchObject([{ amount: 6_000_000 }])
  })

  test('lets one of several clerks save the same empty cells at once; the others get 409', async () => {
    const answers = await Promise.all(
      [clerk, other, clerk, other].map((actor, index) =>
        save([cell(development, 1_000_000 + index), cell(semester, 2_000_000 + index)], actor),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409])
    const { cells } = await read(`waveId=${nextWave}`)
    expect(cells).toHaveLength(2)
    const [low, high] = cells.map(({ amount }) => amount).sort((a, b) => a - b)
    expect(high! - low!).toBe(1_000_000)
  })

  test('refuses a cell sent twice or with an unknown component, and names its position', async () => {
    expect((await save([cell(development, 1), cell(development, 2)])).statusCode).toBe(422)
    const unknown = crypto.randomUUID()
    const refused = await save([{ ...cell(development, 1), feeComponentId: unknown }, cell(semester, 2)])
    expect(refused.statusCode).toBe(422)
    expect(Object.keys(refused.json().errors)).toEqual([`cells.${unknown}.${academic.classProgramme}`])
    expect((await read(`waveId=${nextWave}`)).cells).toEqual([])
  })

  test('of a track has its own amounts, beside those for all tracks', async () => {
    await save([cell(development, 5_000_000)])
    const { regular } = academic.tracks
    expect((await save([cell(development, 4_000_000)], clerk, regular)).statusCode).toBe(200)
    const grid = await read(`waveId=${nextWave}&trackId=${regular}`)
    expect(grid.cells).toMatchObject([{ amount: 4_000_000 }])
    expect(grid.everyTrack).toMatchObject([{ amount: 5_000_000 }])
  })

  test('makes an inactive amount active when it is entered again', async () => {
    const grid: TuitionGrid = (await save([cell(development, 5_000_000)])).json().data
    const { id } = amountIn(grid, development)!
    await t.db.updateTable('tuitionFees').set({ active: false, version: 2 }).where('id', '=', id).execute()
    const hidden = amountIn(await read(`waveId=${nextWave}`), development)!
    expect(hidden.active).toBe(false)
    await save([cell(development, 5_000_000, hidden)])
    expect(amountIn(await read(`waveId=${nextWave}`), development)).toMatchObject({ id, active: true, version: 3 })
  })

  test('needs permission to add amounts, and is 404 for a role limited to other programmes', async () => {
    const editor = await asWithPermissions(t, ['master-prodi-view', 'master-uang-kuliah-edit'])
    expect((await save([cell(development, 1_000)], editor)).statusCode).toBe(403)
    const otherClerk = await asWithPermissions(
      t,
      ['master-prodi-view', 'master-uang-kuliah-edit', 'master-uang-kuliah-create'],
      {
        programmeIds: [academic.programmes[1]],
      },
    )
    expect((await otherClerk.get(path())).statusCode).toBe(404)
    expect((await save([cell(development, 1_000)], otherClerk)).statusCode).toBe(404)
    const reader = await asWithPermissions(t, ['master-prodi-view'])
    expect((await reader.get(path())).statusCode).toBe(200)
    expect((await save([cell(development, 1_000)], reader)).statusCode).toBe(403)
  })
})

describe('copying the tuition of all programmes', () => {
  const copyRequest = (extra = {}) => ({
    fromWaveId: academic.wave,
    toWaveId: nextWave,
    adjustment: { basisPoints: 500, roundTo: 50_000 },
    existing: 'keep',
    ...extra,
  })
  const preview = async (extra = {}, actor = clerk) =>
    (await actor.post('/master/uang-kuliah/copy/preview', copyRequest(extra))).json().data
  const copy = (fingerprint: string, extra = {}, actor = clerk) =>
    actor.post('/master/uang-kuliah/copy', { ...copyRequest(extra), fingerprint })

  test('previews sums per programme, writes them as previewed, and writes nothing twice', async () => {
    const previewed = await preview()
    expect(previewed).toMatchObject({ added: 4, replaced: 0, kept: 0, unchanged: 0 })
    expect(previewed.programmes[0].classes[0]).toMatchObject({ from: 13_500_000, now: 0, willBe: 14_200_000 })
    expect((await read(`waveId=${nextWave}`)).cells).toEqual([])
    expect((await copy(previewed.fingerprint)).statusCode).toBe(200)
    expect((await read(`waveId=${nextWave}`)).cells.map(({ amount }) => amount).sort()).toEqual([4_750_000, 9_450_000])
    expect((await copy(previewed.fingerprint)).json().code).toBe('preview_changed')
    expect(await preview()).toMatchObject({ added: 0, unchanged: 4 })
  })

  test('at the same moment by several clerks writes once', async () => {
    const { fingerprint } = await preview()
    const answers = await Promise.all([clerk, other, clerk].map((actor) => copy(fingerprint, {}, actor)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    const { count } = await t.db
      .selectFrom('tuitionFees')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('waveId', '=', nextWave)
      .executeTakeFirstOrThrow()
    expect(count).toBe(4)
  })

  test('keeps an existing amount of the new wave, or replaces it on request', async () => {
    await save([cell(development, 1_000_000)])
    const preserved = await preview()
    expect(preserved).toMatchObject({ added: 3, kept: 1 })
    const replacing = await preview({ existing: 'replace' })
    expect(replacing).toMatchObject({ added: 3, replaced: 1 })
    const adder = await asWithPermissions(t, ['master-uang-kuliah-create'])
    expect((await copy(replacing.fingerprint, { existing: 'replace' }, adder)).statusCode).toBe(403)
    expect((await copy(replacing.fingerprint, { existing: 'replace' })).statusCode).toBe(200)
    expect(amountIn(await read(`waveId=${nextWave}`), development)).toMatchObject({ amount: 9_450_000, version: 2 })
  })

  test('covers only the programmes of a limited role', async () => {
    const limitedClerk = await asWithPermissions(t, ['master-uang-kuliah-create'], {
      programmeIds: [academic.programmes[1]],
    })
    const previewed = await preview({}, limitedClerk)
    expect(previewed.programmes.map(({ id }: { id: string }) => id)).toEqual([academic.programmes[1]])
    expect((await copy(previewed.fingerprint, {}, limitedClerk)).statusCode).toBe(200)
    expect((await read(`waveId=${nextWave}`)).cells).toEqual([])
  })

  test('from a wave to itself is refused', async () => {
    const refused = await clerk.post('/master/uang-kuliah/copy/preview', copyRequest({ toWaveId: academic.wave }))
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors.toWaveId).toHaveLength(1)
  })
})

describe('the quote as an applicant', () => {
  const quote = (trackId = academic.tracks.regular) =>
    clerk.get(
      `/master/prodi/${programme}/uang-kuliah/quote?waveId=${academic.wave}&trackId=${trackId}&classProgrammeId=${academic.classProgramme}`,
    )

  test('has the sum, the plans with dates, and the registration fee from the functions that issue bills', async () => {
    const { data } = (await quote()).json()
    expect(data).toMatchObject({ total: 13_500_000, upfront: 0, registrationFees: [{ amount: 250_000 }] })
    expect(data.plans).toHaveLength(1)
    expect(data.plans[0].installments.map(({ amount }: { amount: number }) => amount)).toEqual([
      5_400_000, 4_050_000, 4_050_000,
    ])
    expect((await quote(academic.tracks.achievement)).json().data.registrationFees).toMatchObject([{ amount: 0 }])
  })

  test('leaves out an incomplete plan and names it to staff', async () => {
    const { id } = await t.db
      .insertInto('installmentPlans')
      .values({ code: 'SETENGAH', name: 'Belum selesai' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await t.db
      .insertInto('installmentTerms')
      .values({ planId: id, sortOrder: 1, shareBps: 5_000, dueDays: 7 })
      .execute()
    const { data } = (await quote()).json()
    expect(data.plans.map(({ name }: { name: string }) => name)).toEqual(['Tiga kali'])
    expect(data.plansLeftOut).toEqual([{ id, name: 'Belum selesai' }])
  })
})
