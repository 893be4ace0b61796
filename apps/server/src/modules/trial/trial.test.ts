import { setTimeout } from 'node:timers/promises'
import { sql, type Updateable } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPlace, aSchool } from '#server-test/factories/applicants.ts'
import { aTrialOf, nextOf, startTrial, trialPath, walk } from '#server-test/factories/installation/trials.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sampleOf } from '#testing/form.ts'

/**
 * Each situation gets its own trial, which creates and drops about 450 tables and indexes; the seed draws the moment at
 * which one is removed.
 */
vi.setConfig({ testTimeout: 240_000 })

let t: TestApp
let academic: AcademicFixture
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  await aPlace(t)
  await aSchool(t)
  admin = await asStaff(t)
})
afterAll(() => t.close())
afterEach(async () => {
  expect((await admin.delete(trialPath)).statusCode).toBe(200)
})

const schemas = async () =>
  (
    await sql<{ name: string }>`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'trial\\_%'`.execute(
      t.owner,
    )
  ).rows

type Changed = 'programmeDetails' | 'trackDetails' | 'feeComponents'
const change = <T extends Changed>(table: T, values: Updateable<Database[T]>) =>
  t.db
    // Kysely types no statement on a table chosen by a caller.
    .updateTable(table as 'feeComponents')
    .set(values as Updateable<Database['feeComponents']>)
    .execute()

describe('a trial', () => {
  test('goes from the profile to the student number; its mails are stored and none is sent', async () => {
    const { view, refusal } = await walk(admin, await startTrial(admin, aTrialOf(academic)))
    expect(refusal).toBeNull()
    expect(view.steps.map(({ state }) => state)).toEqual(Array(12).fill('done'))
    expect(view.studentNumber).toMatch(/^\d{6,}$/)
    expect(view.email).toMatch(/^trial-\d+@trial\.invalid$/)
    expect(view.messages.length).toBeGreaterThan(5)
    expect(await t.db.selectFrom('messages').selectAll().execute()).toEqual([])
    expect(view.clock).not.toBeNull()
  })

  test('skips what the settings do not need: a track without fee and test', async () => {
    const { view, refusal } = await walk(admin, await startTrial(admin, aTrialOf(academic, 'achievement')))
    expect(refusal).toBeNull()
    const state = Object.fromEntries(view.steps.map(({ step, state }) => [step, state]))
    expect(state).toMatchObject({ bill: 'unneeded', pay: 'unneeded', seat: 'unneeded', number: 'done' })
  })

  test('stops where the settings stop an applicant, with the same sentence, and continues once the setting is corrected', async () => {
    const started = await startTrial(admin, aTrialOf(academic))
    await change('programmeDetails', { open: false })
    const { view, refusal } = await walk(admin, started)
    expect(nextOf(view)).toBe('submit')
    expect(refusal!.sentences.length).toBeGreaterThan(0)
    await change('programmeDetails', { open: true })
    expect((await walk(admin, view, 'bill')).refusal).toBeNull()
  })

  test('continues without schools, which applicants name themselves', async () => {
    await t.db.updateTable('schools').set({ active: false }).execute()
    const { refusal } = await walk(admin, await startTrial(admin, aTrialOf(academic)), 'bill')
    expect(refusal).toBeNull()
    await t.db.updateTable('schools').set({ active: true }).execute()
  })

  test('without religions reports which answers an applicant could not give', async () => {
    await t.db.updateTable('religions').set({ active: false }).execute()
    const { view, refusal } = await walk(admin, await startTrial(admin, aTrialOf(academic)))
    expect(nextOf(view)).toBe('profile')
    expect(refusal!.sentences).toContain('Religion')
    await t.db.updateTable('religions').set({ active: true }).execute()
    expect((await walk(admin, view, 'bill')).refusal).toBeNull()
  })

  test("uses the administrator's language", async () => {
    await change('programmeDetails', { open: false })
    const started = await startTrial(admin, aTrialOf(academic))
    await walk(admin, started, 'submit')
    const say = async (language: string) =>
      (await admin.post(`${trialPath}/steps`, { step: 'submit' }, { 'accept-language': language })).json().meta.refusal
    expect(await say('id')).not.toEqual(await say('en'))
    await change('programmeDetails', { open: true })
  })

  test('works before the track opens: its clock is at the opening time', async () => {
    const before = await t.db.selectFrom('trackDetails').select(['id', 'opensAt']).execute()
    const opensAt = new Date(Date.now() + 5 * 86_400_000)
    await change('trackDetails', { opensAt })
    const started = await startTrial(admin, aTrialOf(academic))
    expect(new Date(started.clock!).getTime()).toBeGreaterThanOrEqual(opensAt.getTime() - 1000)
    expect((await walk(admin, started, 'bill')).refusal).toBeNull()
    for (const { id, opensAt } of before)
      await t.db.updateTable('trackDetails').set({ opensAt }).where('id', '=', id).execute()
  })

  test('works while registration is closed', async () => {
    await t.owner.deleteFrom('registrationOpening' as never).execute()
    const real = await asApplicant(t, { profile: true })
    const { programmeId, ...rest } = aTrialOf(academic)
    expect((await real.post('/pendaftaran', { ...rest, choices: [programmeId] })).json().code).toBe(
      'registration_closed',
    )
    const { view, refusal } = await walk(admin, await startTrial(admin, aTrialOf(academic)))
    expect([refusal, view.studentNumber !== null]).toEqual([null, true])
  })

  test('is stopped by a track that has closed', async () => {
    const before = await t.db.selectFrom('trackDetails').select(['id', 'closesAt']).execute()
    await change('trackDetails', { closesAt: new Date(Date.now() - 86_400_000) })
    const { view, refusal } = await walk(admin, await startTrial(admin, aTrialOf(academic)))
    expect([nextOf(view), refusal!.sentences.length]).toEqual(['submit', 1])
    for (const { id, closesAt } of before)
      await t.db.updateTable('trackDetails').set({ closesAt }).where('id', '=', id).execute()
  })

  test('ignores a step that is not the next one, and a repeated one', async () => {
    const started = await startTrial(admin, aTrialOf(academic))
    const early = await admin.post(`${trialPath}/steps`, { step: 'confirm' })
    expect([early.statusCode, early.json().data.steps]).toEqual([200, started.steps])
    const key = { 'idempotency-key': 'one-and-the-same-step' }
    const once = await admin.post(`${trialPath}/steps`, { step: 'profile' }, key)
    const twice = await admin.post(`${trialPath}/steps`, { step: 'profile' }, key)
    expect(nextOf(once.json().data)).toBe('submit')
    expect(twice.headers['idempotency-replayed']).toBe('true')
    expect(twice.json()).toEqual(once.json())
  })

  test('with a place the settings do not have is refused beside its field', async () => {
    const answer = await admin.post(trialPath, { ...aTrialOf(academic), trackId: academic.wave })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['trackId']])
    expect(await schemas()).toEqual([])
  })

  test('is created once by twenty starts at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post(trialPath, aTrialOf(academic))))
    const codes = answers.map(({ statusCode, json }) => (statusCode === 200 ? 'started' : json().code))
    expect(codes.filter((code) => code === 'started')).toHaveLength(1)
    expect(codes.filter((code) => code === 'trial_running')).toHaveLength(19)
    expect(await schemas()).toHaveLength(1)
  })

  test('removed while a step runs and while somebody views it is gone for both: 404, never 500', async () => {
    for (const delayMs of sampleOf('moments of a removal', [0, 20, 80, 250], 1)) {
      await startTrial(admin, aTrialOf(academic))
      const answers = Promise.all([
        admin.post(`${trialPath}/steps`, { step: 'profile' }),
        admin.post(`${trialPath}/see`),
        admin.get(trialPath),
      ])
      await setTimeout(delayMs)
      expect((await admin.delete(trialPath)).statusCode).toBe(200)
      for (const answer of await answers) {
        expect([200, 404], answer.body).toContain(answer.statusCode)
        if (answer.statusCode === 404) expect(answer.json().code).toBe('not_found')
      }
      expect(await schemas()).toHaveLength(0)
    }
  })

  test('two administrators run trials at the same time, each their own', async () => {
    const other = await asStaff(t)
    const [mine, theirs] = await Promise.all([
      startTrial(admin, aTrialOf(academic)),
      startTrial(other, aTrialOf(academic)),
    ])
    expect(mine.id).not.toBe(theirs.id)
    expect(await schemas()).toHaveLength(2)
    expect((await other.delete(trialPath)).statusCode).toBe(200)
    expect((await admin.get(trialPath)).json().data.id).toBe(mine.id)
  })

  test('needs the right to open registration; viewing needs the right to view', async () => {
    const viewer = await asWithPermissions(t, ['settings-opening-view'])
    expect((await viewer.get(trialPath)).json()).toEqual({ data: null })
    expect((await viewer.post(trialPath, aTrialOf(academic))).statusCode).toBe(403)
    const stranger = await asWithPermissions(t, [])
    expect((await stranger.get(trialPath)).statusCode).toBe(403)
  })

  test('stops at a step the administrator may not take as staff', async () => {
    const limited = await asWithPermissions(t, ['settings-opening-view', 'settings-opening-update'])
    const { view, refusal } = await walk(limited, await startTrial(limited, aTrialOf(academic)))
    expect([nextOf(view), refusal === null]).toEqual(['approve', false])
    expect((await limited.delete(trialPath)).statusCode).toBe(200)
  })

  test('is refused to a role limited to some study programmes', async () => {
    const rights = ['settings-opening-view', 'settings-opening-update']
    const limited = await asWithPermissions(t, rights, { programmeIds: [academic.programmes[0]!] })
    for (const answer of [
      await limited.get(trialPath),
      await limited.get(`${trialPath}/choices`),
      await limited.post(trialPath, aTrialOf(academic)),
    ])
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'settings_need_whole_view'])
  })

  test('is refused for a place that nobody offers, beside the field', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000'
    for (const field of ['trackId', 'programmeId']) {
      const answer = await admin.post(trialPath, { ...aTrialOf(academic), [field]: nowhere })
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]])
    }
    expect(await schemas()).toHaveLength(0)
  })

  test('is not refused if the same step was requested twice', async () => {
    await startTrial(admin, aTrialOf(academic))
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => admin.post(`${trialPath}/steps`, { step: 'profile' })),
    )
    expect(answers.map((answer) => answer.json().meta.refusal)).toEqual([null, null, null])
  })
})
