import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asApplicant } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration, statusOf } from '#server-test/factories/admissions.ts'
import {
  days,
  now,
  read,
  registrationSteps,
  step,
  todoOf,
} from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { settleRegistrationFeeJob } from './settle-registration-fee.job.ts'

let t: TestApp
let academic: AcademicFixture

const { place, at } = registrationSteps(() => ({ t, academic }))

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
})

afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

describe('the intake', () => {
  it('shows open waves with tracks, dates, fees, requirements and places, and answers 304 to a known ETag', async () => {
    const answer = await t.app.inject({ url: '/api/intake' })
    expect(answer.statusCode).toBe(200)
    const [wave] = answer.json().data
    expect(wave).toMatchObject({ id: academic.wave, state: 'open' })
    const track = wave.tracks.find((one: any) => one.id === academic.tracks.regular)
    expect(track).toMatchObject({ state: 'open', fee: { minimum: 250_000, maximum: 250_000 }, maxChoices: 2 })
    expect(track.requirements.map((one: any) => one.name)).toContain('Kartu keluarga')
    expect(track.tests).toEqual([expect.objectContaining({ name: 'Tes potensi akademik' })])
    const free = wave.tracks.find((one: any) => one.id === academic.tracks.achievement)
    expect(free.fee).toEqual({ minimum: 0, maximum: 0 })
    expect(wave.classProgrammes[0].programmes[0]).toMatchObject({ name: 'Informatika', capacity: 40 })
    const again = await t.app.inject({
      url: '/api/intake',
      headers: { 'if-none-match': answer.headers.etag as string },
    })
    expect(again.statusCode).toBe(304)
  })

  it('offers the options of a new registration', async () => {
    const query = `waveId=${academic.wave}&trackId=${academic.tracks.regular}`
    const { data } = (await t.app.inject({ url: `/api/intake/options?${query}` })).json()
    expect(data.entryLevels[0].classProgrammes[0]).toMatchObject({ fee: 250_000 })
    expect(data.entryLevels[0].classProgrammes[0].programmes).toHaveLength(2)
    expect(data.entryLevels[0].classProgrammes[0].programmes[0].donation).toMatchObject({ required: false })
  })
})

describe('starting a registration', () => {
  it('assigns a code and document slots, shows the next steps, and uses up programmes picked before signing up', async () => {
    const applicant = await asApplicant(t, { profile: true })
    await t.db
      .insertInto('studyIntents')
      .values({ accountId: applicant.accountId, programmeIds: [academic.programmes[1]] })
      .execute()
    const answer = await applicant.post('/pendaftaran', place())
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(data.code).toMatch(/^26G1\d{5}$/)
    expect(data.choices.map((choice: any) => choice.id)).toEqual([academic.programmes[1]])
    expect(data).toMatchObject({ status: 'draft', result: 'waiting', documentsState: 'missing', cardReady: false })
    expect(todoOf(data, 'submit')).toMatchObject({ state: 'todo' })
    expect(todoOf(data, 'files')).toMatchObject({ state: 'todo', params: { missing: 2, rejected: 0 } })
    expect(todoOf(data, 'payment')).toMatchObject({ state: 'blocked', blockedBy: 'not_submitted' })
    expect(
      await t.db.selectFrom('studyIntents').selectAll().where('accountId', '=', applicant.accountId).execute(),
    ).toEqual([])
  })

  it('succeeds once per wave and track, even with three requests at once', async () => {
    const applicant = await asApplicant(t, { profile: true })
    const answers = await Promise.all([1, 2, 3].map(() => applicant.post('/pendaftaran', place())))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409, 409])
    expect(answers.find((answer) => answer.statusCode === 409)!.json().code).toBe('registration_exists')
  })

  it('is refused without a profile, after the window closed, or with options that are not offered', async () => {
    const stranger = await asApplicant(t)
    expect((await stranger.post('/pendaftaran', place())).json().code).toBe('profile_first')
    const applicant = await asApplicant(t, { profile: true })
    const answerAfterWindow = await (await at(days(31), applicant)).post('/pendaftaran', place())
    t.clock.set(now)
    expect(answerAfterWindow.statusCode).toBe(422)
    expect(answerAfterWindow.json().errors).toHaveProperty('trackId')
    const answerOtherClass = await applicant.post('/pendaftaran', { ...place(), classProgrammeId: academic.faculty })
    expect(answerOtherClass.json().errors).toHaveProperty('classProgrammeId')
    const three = { ...place(), choices: [academic.programmes[0], academic.programmes[0], academic.faculty] }
    const errors = (await applicant.post('/pendaftaran', three)).json().errors
    expect(errors.choices).toHaveLength(2)
    expect(errors).toHaveProperty('choices.2')
  })
})

describe('editing a draft', () => {
  it('changes choices; a request with an outdated version is refused', async () => {
    const { id, applicant } = await aRegistration(t)
    const { version } = await read(applicant, id)
    const changes = { version, choices: [academic.programmes[1], academic.programmes[0]], donationAmount: 500_000 }
    const saved = await applicant.put(`/pendaftaran/${id}`, changes)
    expect(saved.statusCode).toBe(200)
    expect(saved.json().data.choices.map((choice: any) => choice.id)).toEqual(changes.choices)
    expect(saved.json().data.donationAmount).toBe(500_000)
    const stale = await applicant.put(`/pendaftaran/${id}`, { ...changes, choices: [] })
    expect(stale.json().code).toBe('stale_version')
  })

  it('is refused after submission', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const { version } = await read(applicant, id)
    const answer = await applicant.put(`/pendaftaran/${id}`, { version, choices: [] })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().code).toBe('wrong_status')
  })
})

describe('submitting', () => {
  it('is refused with everything that is missing', async () => {
    const { id, applicant } = await aRegistration(t, { choices: [] })
    await t.db
      .updateTable('applicants')
      .set({ motherName: null, photoFileId: null })
      .where('accountId', '=', applicant.accountId)
      .execute()
    const rule = await t.db
      .insertInto('donations')
      .values({ waveId: academic.wave, required: true, minimumAmount: 1_000_000 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answer = await step(await at(days(31), applicant), id, 'submit')
    t.clock.set(now)
    await t.db.deleteFrom('donations').where('id', '=', rule.id).execute()
    expect(answer.statusCode).toBe(422)
    const { errors } = answer.json()
    expect(Object.keys(errors).sort()).toEqual(
      ['choices', 'donationAmount', 'profile.motherName', 'profile.photoFileId', 'window'].sort(),
    )
    expect(errors.donationAmount[0]).toContain('Rp\u00a01.000.000')
    expect(await statusOf(t, id)).toBe('draft')
  })

  it('issues the fee and locks the draft; a second click at once is refused', async () => {
    const { id, applicant } = await aRegistration(t)
    const answers = await Promise.all([step(applicant, id, 'submit'), step(applicant, id, 'submit')])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
    const detail = await read(applicant, id)
    expect(detail).toMatchObject({
      status: 'submitted',
      bills: { registrationFee: { total: 250_000, status: 'open' } },
    })
    expect(todoOf(detail, 'payment')).toMatchObject({ state: 'todo', actor: 'you', params: { amount: 250_000 } })
    const bills = await t.db.selectFrom('bills').select('id').where('registrationId', '=', id).execute()
    expect(bills).toHaveLength(1)
  })

  it('costs nothing on a free track, and the registration becomes paid', async () => {
    const { id, applicant } = await aRegistration(t, { trackId: academic.tracks.achievement })
    expect((await step(applicant, id, 'submit')).statusCode).toBe(200)
    await t.runJobs()
    expect(await statusOf(t, id)).toBe('paid')
  })

  it("does not exceed a track's quota when applicants submit at once", async () => {
    const drafts = await Promise.all([1, 2, 3].map(() => aRegistration(t, { trackId: academic.tracks.achievement })))
    const { count } = await t.db
      .selectFrom('registrations')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('trackId', '=', academic.tracks.achievement)
      .where('status', 'not in', ['draft', 'withdrawn', 'cancelled', 'expired'])
      .executeTakeFirstOrThrow()
    const quota = (value: number) =>
      t.db
        .updateTable('trackDetails')
        .set({ quota: value })
        .where('id', '=', academic.trackDetails.achievement)
        .execute()
    await quota(Number(count) + 1)
    const answers = await Promise.all(drafts.map(({ id, applicant }) => step(applicant, id, 'submit')))
    await quota(100)
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 422, 422])
    await t.runJobs()
  })

  it('leads to paid once the fee is settled, and to verified if the documents are already complete', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    await t.db.updateTable('documents').set({ status: 'approved' }).where('registrationId', '=', id).execute()
    const { id: billId } = await t.db
      .selectFrom('bills')
      .select('id')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    const event = { billId, registrationId: id, kind: 'registration_fee' as const }
    await Promise.all([
      settleRegistrationFeeJob.run(t.services, event),
      settleRegistrationFeeJob.run(t.services, event),
    ])
    expect(await statusOf(t, id)).toBe('verified')
  })
})
