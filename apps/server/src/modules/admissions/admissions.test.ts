import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { actionPaths } from '#domain/admissions/registration-actions.ts'
import { registrationStatuses } from '#domain/admissions/registration-status.ts'
import { startSession } from '#server/platform/access/authentication.ts'
import { actorWith, asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration, payBills, publish, statusOf } from '#server-test/factories/admissions.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'
import { expireRegistrations } from './expire-registrations.job.ts'
import { settleRegistrationFee } from './settle-registration-fee.job.ts'

const now = new Date('2026-11-20T03:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

const place = () => ({
  waveId: academic.wave,
  trackId: academic.tracks.regular,
  entryLevelId: academic.entryLevel,
  classProgrammeId: academic.classProgramme,
})
const step = (actor: TestActor, id: string, action: string, body: object = {}) =>
  actor.post(`/pendaftaran/${id}/${action}`, body)
const read = async (actor: TestActor, id: string) => (await actor.get(`/pendaftaran/${id}`)).json().data
const todoOf = (detail: any, key: string) => detail.todo.find((item: any) => item.key === key)
const accept = (actor: TestActor, id: string, programmeId: string = academic.programmes[0]) =>
  step(actor, id, 'accept', { programmeId })
/** The same person at another time, signed in anew. */
const at = async (time: Date, actor: TestActor) => {
  t.clock.set(time)
  const { token } = await startSession(t.db, actor.accountId, { now: time })
  return actorWith(t, { accountId: actor.accountId, email: actor.email, token })
}
/** A wave-wide publication would change what the other tests see. */
const withoutPublication = () => t.db.deleteFrom('resultPublications').execute()

describe('the intake', () => {
  it('shows open waves with tracks, dates, fees, requirements and places, and answers 304 to who has it', async () => {
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

  it('offers what a new registration can choose', async () => {
    const query = `waveId=${academic.wave}&trackId=${academic.tracks.regular}`
    const { data } = (await t.app.inject({ url: `/api/intake/options?${query}` })).json()
    expect(data.entryLevels[0].classProgrammes[0]).toMatchObject({ fee: 250_000 })
    expect(data.entryLevels[0].classProgrammes[0].programmes).toHaveLength(2)
    expect(data.entryLevels[0].classProgrammes[0].programmes[0].donation).toMatchObject({ required: false })
  })
})

describe('starting a registration', () => {
  it('gives a code and document slots, says what to do, and uses up the wish from before signing up', async () => {
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

  it('only once for a wave and track, also when asked twice at the same moment', async () => {
    const applicant = await asApplicant(t, { profile: true })
    const answers = await Promise.all([1, 2, 3].map(() => applicant.post('/pendaftaran', place())))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409, 409])
    expect(answers.find((answer) => answer.statusCode === 409)!.json().code).toBe('registration_exists')
  })

  it('refuses before the profile, outside the window, and what is not offered', async () => {
    const stranger = await asApplicant(t)
    expect((await stranger.post('/pendaftaran', place())).json().code).toBe('profile_first')
    const applicant = await asApplicant(t, { profile: true })
    const late = await (await at(days(31), applicant)).post('/pendaftaran', place())
    t.clock.set(now)
    expect(late.statusCode).toBe(422)
    expect(late.json().errors).toHaveProperty('trackId')
    const elsewhere = await applicant.post('/pendaftaran', { ...place(), classProgrammeId: academic.faculty })
    expect(elsewhere.json().errors).toHaveProperty('classProgrammeId')
    const three = { ...place(), choices: [academic.programmes[0], academic.programmes[0], academic.faculty] }
    const errors = (await applicant.post('/pendaftaran', three)).json().errors
    expect(errors.choices).toHaveLength(2)
    expect(errors).toHaveProperty('choices.2')
  })
})

describe('editing a draft', () => {
  it('changes choices once; the older version is refused and loses nothing', async () => {
    const { id, applicant } = await aRegistration(t)
    const { version } = await read(applicant, id)
    const wish = { version, choices: [academic.programmes[1], academic.programmes[0]], donationAmount: 500_000 }
    const saved = await applicant.put(`/pendaftaran/${id}`, wish)
    expect(saved.statusCode).toBe(200)
    expect(saved.json().data.choices.map((choice: any) => choice.id)).toEqual(wish.choices)
    expect(saved.json().data.donationAmount).toBe(500_000)
    const stale = await applicant.put(`/pendaftaran/${id}`, { ...wish, choices: [] })
    expect(stale.json().code).toBe('stale_version')
  })

  it('is over after the submission', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const { version } = await read(applicant, id)
    const answer = await applicant.put(`/pendaftaran/${id}`, { version, choices: [] })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().code).toBe('wrong_status')
  })
})

describe('submitting', () => {
  it('lists everything that is missing at once', async () => {
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
    expect(errors.donationAmount[0]).toContain('Rp 1.000.000')
    expect(await statusOf(t, id)).toBe('draft')
  })

  it('locks, asks for the fee and tells so; a second click at the same moment changes nothing', async () => {
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

  it('costs nothing on a free track: the event makes it paid', async () => {
    const { id, applicant } = await aRegistration(t, { trackId: academic.tracks.achievement })
    expect((await step(applicant, id, 'submit')).statusCode).toBe(200)
    await t.runJobs()
    expect(await statusOf(t, id)).toBe('paid')
  })

  it('keeps the quota of a track when the last two submit at once', async () => {
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

  it('a settled fee makes it paid, and verified when the documents were complete before', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    await t.db.updateTable('documents').set({ status: 'approved' }).where('registrationId', '=', id).execute()
    const { id: billId } = await t.db
      .selectFrom('bills')
      .select('id')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    const event = { billId, registrationId: id, kind: 'registration_fee' as const }
    await Promise.all([settleRegistrationFee.run(t.services, event), settleRegistrationFee.run(t.services, event)])
    expect(await statusOf(t, id)).toBe('verified')
  })
})

describe('deciding', () => {
  it('two clerks at the same moment: one wins, the other sees how things stand', async () => {
    const { id } = await aRegistration(t, { status: 'verified' })
    const answers = await Promise.all([
      accept(staff, id),
      step(staff, id, 'reject', { reason: 'Nilai belum cukup' }),
      accept(staff, id),
    ])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409])
    for (const answer of answers.filter(({ statusCode }) => statusCode === 409))
      expect(answer.json().code).toBe('wrong_status')
    const entries = await t.db
      .selectFrom('auditLog')
      .select('action')
      .where('subjectId', '=', id)
      .where('action', 'in', ['registration.accept', 'registration.reject'])
      .execute()
    expect(entries).toHaveLength(1)
  })

  it('the last place of a programme goes to one of five', async () => {
    const five = await Promise.all(
      [1, 2, 3, 4, 5].map(() => aRegistration(t, { status: 'verified', choices: [academic.programmes[1]] })),
    )
    const capacity = (value: number) =>
      t.db
        .updateTable('programmeDetails')
        .set({ capacity: value })
        .where('id', '=', academic.programmeDetails[1])
        .execute()
    await capacity(1)
    const answers = await Promise.all(five.map(({ id }) => accept(staff, id, academic.programmes[1])))
    await capacity(40)
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409, 409, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('programme_full')
    const statuses = await Promise.all(five.map(({ id }) => statusOf(t, id)))
    expect(statuses.filter((status) => status === 'decided')).toHaveLength(1)
  })

  it('another programme needs the consent of the applicant; a refusal needs a reason', async () => {
    const { id } = await aRegistration(t, { status: 'verified' })
    const refused = await accept(staff, id, academic.programmes[1])
    expect(refused.statusCode).toBe(422)
    expect((await step(staff, id, 'reject')).statusCode).toBe(422)
    const agreed = await step(staff, id, 'accept', { programmeId: academic.programmes[1], consent: true })
    expect(agreed.json().data.decision).toMatchObject({
      decision: 'accepted',
      programme: { id: academic.programmes[1] },
    })
  })

  it('can be taken back with a reason', async () => {
    const { id } = await aRegistration(t, { status: 'decided' })
    const answer = await step(staff, id, 'revert-decision', { reason: 'Salah pilih' })
    expect(answer.json().data).toMatchObject({ status: 'verified', decision: null, decidedAt: null })
  })

  it('is not for applicants', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'verified' })
    expect((await accept(applicant, id)).statusCode).toBe(403)
  })
})

describe('a decision before its publication', () => {
  it('is nowhere to be seen by the applicant, and everywhere after', async () => {
    await withoutPublication()
    await publish(t, academic.tracks.regular, days(1))
    const { id, applicant } = await aRegistration(t, {
      status: 'verified',
      choices: [academic.programmes[0], academic.programmes[1]],
    })
    const before = {
      detail: await read(applicant, id),
      list: (await applicant.get('/pendaftaran')).json(),
      timeline: (await applicant.get(`/pendaftaran/${id}/timeline`)).json(),
      dashboard: (await applicant.get('/dashboard')).json(),
    }
    expect((await accept(staff, id, academic.programmes[1])).statusCode).toBe(200)
    const after = {
      detail: await read(applicant, id),
      list: (await applicant.get('/pendaftaran')).json(),
      timeline: (await applicant.get(`/pendaftaran/${id}/timeline`)).json(),
      dashboard: (await applicant.get('/dashboard')).json(),
    }
    expect(after).toEqual(before)
    expect(after.detail).toMatchObject({
      status: 'verified',
      result: 'waiting',
      decision: null,
      acceptedProgramme: null,
    })
    for (const query of ['status=decided', 'result=accepted', 'result=not_accepted', `programmeId=${academic.faculty}`])
      expect((await applicant.get(`/pendaftaran?${query}`)).json().data).toEqual([])
    expect((await applicant.get('/pendaftaran?status=verified&result=waiting')).json().data).toHaveLength(1)
    const refused = await step(applicant, id, 'confirm', { installmentPlanId: null })
    expect(refused.json()).toMatchObject({ code: 'wrong_status' })
    const { json: other } = await aRegistration(t, { status: 'verified' }).then((one) =>
      step(one.applicant, one.id, 'confirm', { installmentPlanId: null }),
    )
    expect(refused.json().message).toBe(other().message)
    expect((await read(staff, id)).decision).toMatchObject({ decision: 'accepted', published: false })

    const later = await at(days(2), applicant)
    const shown = await read(later, id)
    expect(shown).toMatchObject({
      status: 'decided',
      result: 'accepted',
      acceptedProgramme: { id: academic.programmes[1] },
    })
    expect(todoOf(shown, 'confirmation')).toMatchObject({ state: 'todo', actor: 'you' })
    const names = (await later.get(`/pendaftaran/${id}/timeline`)).json().data.map((entry: any) => entry.name)
    expect(names).toContain('registration.publish')
    expect(names).not.toContain('registration.accept')
    t.clock.set(now)
    await withoutPublication()
  })

  it('is announced once when its time has come, however often the job runs', async () => {
    await withoutPublication()
    const { id, applicant } = await aRegistration(t, { status: 'decided' })
    const body = {
      waveId: academic.wave,
      trackId: academic.tracks.regular,
      publishAt: days(1).toISOString(),
      version: 0,
    }
    const set = await staff.put('/publications', body)
    expect(set.statusCode).toBe(200)
    expect(set.json().data.accepted).toBeGreaterThan(0)
    await t.runJobs()
    const told = async () =>
      (
        await t.db
          .selectFrom('messages')
          .select('channel')
          .where('accountId', '=', applicant.accountId)
          .where('event', '=', 'registration-accepted')
          .execute()
      ).map((message) => message.channel)
    expect(await told()).toEqual([])
    const later = await at(days(1.01), staff)
    await t.runJobs()
    expect((await told()).sort()).toEqual(['email', 'inbox'])
    await t.services.db.transaction().execute(async (tx) => {
      const { announceResults } = await import('./results/announce-results.job.ts')
      await t.services.jobs.enqueue(tx, announceResults, { waveId: academic.wave, trackId: academic.tracks.regular })
    })
    await t.runJobs()
    expect(await told()).toHaveLength(2)
    expect((await later.put('/publications', { ...body, publishAt: null, version: 1 })).json().code).toBe(
      'already_published',
    )
    expect((await later.put('/publications', body)).statusCode).toBe(422)
    expect(await statusOf(t, id)).toBe('decided')
    t.clock.set(now)
    await withoutPublication()
  })
})

describe('confirming', () => {
  it('issues the re-registration bill by the chosen plan; reverting it cancels the bill', async () => {
    const { id, applicant, trackId } = await aRegistration(t, { status: 'decided' })
    await publish(t, trackId)
    const answer = await step(applicant, id, 'confirm', { installmentPlanId: academic.plan })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      status: 'confirmed',
      bills: { reRegistration: { total: 13_500_000, next: { amount: 5_400_000 } } },
    })
    expect((await step(applicant, id, 'revert-confirmation', { reason: 'ingin mengubah' })).statusCode).toBe(403)
    const reverted = await step(staff, id, 'revert-confirmation', { reason: 'Salah cicilan' })
    expect(reverted.json().data).toMatchObject({ status: 'decided', bills: { reRegistration: null } })
    expect((await step(applicant, id, 'confirm', {})).statusCode).toBe(200)
    await t.db.transaction().execute((tx) => payBills(tx, id, now))
    const refused = await step(staff, id, 'revert-confirmation', { reason: 'Terlambat' })
    expect(refused.json().code).toBe('money_paid')
    expect(await statusOf(t, id)).toBe('confirmed')
    await withoutPublication()
  })

  it('is refused after the deadline, for the not accepted, and with a plan of another wave', async () => {
    const { id, applicant, trackId } = await aRegistration(t, { status: 'decided' })
    const other = await aRegistration(t, { status: 'decided', decision: 'not_accepted' })
    await publish(t, trackId)
    expect((await step(applicant, id, 'confirm', { installmentPlanId: academic.wave })).statusCode).toBe(422)
    expect((await step(other.applicant, other.id, 'confirm', {})).json().code).toBe('not_accepted')
    const refusal = await read(other.applicant, other.id)
    expect(refusal).toMatchObject({ result: 'not_accepted', resultReason: 'made for a test' })
    expect((await step(await at(days(61), applicant), id, 'confirm', {})).json().code).toBe('confirmation_closed')
    t.clock.set(now)
    expect(await statusOf(t, id)).toBe('decided')
    await withoutPublication()
  })
})

describe('ending', () => {
  it('a withdrawal cancels what is owed and frees the seat; it can be opened again where it was', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    expect(
      (await applicant.post(`/pendaftaran/${id}/test-seat`, { testSessionId: academic.testSession })).statusCode,
    ).toBe(200)
    const taken = async () => (await t.db.selectFrom('testSessionSeats').select('taken').executeTakeFirst())?.taken ?? 0
    const before = await taken()
    const withdrawn = await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect(withdrawn.json().data).toMatchObject({
      status: 'withdrawn',
      todo: [],
      bills: { registrationFee: null },
      seat: null,
    })
    expect(withdrawn.json().data.closedReason).toBe('Pindah kota')
    expect(await taken()).toBe(before - 1)
    expect((await step(applicant, id, 'revert-withdrawal', { reason: 'berubah' })).statusCode).toBe(403)
    const back = await step(staff, id, 'revert-withdrawal', { reason: 'Atas permintaan' })
    expect(back.json().data).toMatchObject({ status: 'submitted', bills: { registrationFee: { status: 'open' } } })
  })

  it('a withdrawal is not opened again beside a newer registration', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'withdrawn' })
    await aRegistration(t, { applicant })
    const answer = await step(staff, id, 'revert-withdrawal', { reason: 'Atas permintaan' })
    expect(answer.json().code).toBe('registration_exists')
  })

  it('drafts expire after the window, unpaid ones after the time to pay, paid ones never', async () => {
    const draft = await aRegistration(t)
    const unpaid = await aRegistration(t, { status: 'submitted' })
    const paid = await aRegistration(t, { status: 'paid' })
    await expireRegistrations.run(t.services, {})
    expect(await statusOf(t, draft.id)).toBe('draft')
    t.clock.set(days(31))
    await expireRegistrations.run(t.services, {})
    expect(await statusOf(t, draft.id)).toBe('expired')
    expect(await statusOf(t, unpaid.id)).toBe('submitted')
    t.clock.set(days(34))
    await expireRegistrations.run(t.services, {})
    t.clock.set(now)
    expect(await statusOf(t, unpaid.id)).toBe('expired')
    expect(await statusOf(t, paid.id)).toBe('paid')
    const bill = await t.db
      .selectFrom('bills')
      .select('status')
      .where('registrationId', '=', unpaid.id)
      .executeTakeFirst()
    expect(bill?.status).toBe('cancelled')
  })

  it('every status can be reached', async () => {
    for (const status of registrationStatuses) {
      const { id } = await aRegistration(t, { status })
      expect(await statusOf(t, id)).toBe(status)
    }
    await withoutPublication()
  })
})

describe('who sees what', () => {
  it("somebody else's registration does not exist, on any route", async () => {
    const { id } = await aRegistration(t, { status: 'verified' })
    const stranger = await asApplicant(t, { profile: true })
    const limited = await asWithPermissions(
      t,
      [
        ...['view', 'edit', 'verify', 'decide', 'confirm', 'note'].map((one) => `pendaftaran-${one}`),
        'konfirmasi-kelulusan-view',
        'npm-mahasiswa-update',
      ],
      { programmeIds: [academic.programmes[1]] },
    )
    const bodies: Record<string, object> = {
      accept: { programmeId: academic.programmes[0] },
      confirm: { installmentPlanId: null },
      submit: {},
      verify: {},
    }
    for (const actor of [stranger, limited]) {
      const answers = [
        await actor.get(`/pendaftaran/${id}`),
        await actor.get(`/pendaftaran/${id}/timeline`),
        await actor.get(`/pendaftaran/${id}/card.pdf`),
        await actor.put(`/pendaftaran/${id}`, { version: 1 }),
        ...(await Promise.all(
          Object.entries(actionPaths).map(([action, path]) =>
            step(actor, id, path, bodies[action] ?? { reason: 'tidak ada' }),
          ),
        )),
      ]
      const codes = answers.map((answer) => answer.statusCode)
      if (actor === limited) {
        expect(new Set(codes)).toEqual(new Set([404]))
        expect((await actor.get(`/pendaftaran/${id}/notes`)).statusCode).toBe(404)
        expect((await actor.post(`/npm-mahasiswa/${id}`, {})).statusCode).toBe(404)
        const bulk = await actor.post('/pendaftaran/bulk', { action: 'reject', ids: [id], reason: 'tidak ada' })
        expect(bulk.json().data).toMatchObject({ done: 0, items: [{ reason: 'not_found', code: null }] })
      } else expect(new Set(codes)).toEqual(new Set([404, 403]))
      expect((await actor.get('/pendaftaran')).json().data.map((row: any) => row.id)).not.toContain(id)
    }
    expect(await statusOf(t, id)).toBe('verified')
  })

  it('staff of a programme see its registrations and only those', async () => {
    const mine = await aRegistration(t, { choices: [academic.programmes[1]] })
    const officer = await asWithPermissions(t, ['pendaftaran-view'], { programmeIds: [academic.programmes[1]] })
    const { data, meta } = (await officer.get('/pendaftaran?per_page=200')).json()
    expect(data.map((row: any) => row.id)).toContain(mine.id)
    expect(new Set(data.map((row: any) => row.programme))).toEqual(new Set(['Sistem Informasi']))
    expect(meta).toMatchObject({ total: data.length, total_is_estimate: false })
    expect(data[0].phone).toMatch(/\*\*\*\*/)
  })

  it('notes are among staff', async () => {
    const { id, applicant } = await aRegistration(t)
    expect((await staff.post(`/pendaftaran/${id}/notes`, { body: 'Menunggu rapor asli' })).statusCode).toBe(201)
    expect((await staff.get(`/pendaftaran/${id}/notes`)).json().data).toHaveLength(1)
    expect((await applicant.get(`/pendaftaran/${id}/notes`)).statusCode).toBe(403)
    const own = (await applicant.get(`/pendaftaran/${id}/timeline`)).json().data
    expect(own.map((entry: any) => entry.name)).not.toContain('registration.note')
    expect(own.every((entry: any) => entry.actorName === null)).toBe(true)
  })
})

describe('the list', () => {
  it('goes on after a cursor without gaps or repeats, in every order', async () => {
    for (const sort of ['newest', 'oldest', 'name', 'code']) {
      const whole = (await staff.get(`/pendaftaran?sort=${sort}&per_page=200`)).json().data.map((row: any) => row.id)
      const seen: string[] = []
      for (let next: string | null = ''; next !== null; ) {
        const page: any = (
          await staff.get(`/pendaftaran?sort=${sort}&per_page=7${next ? `&after=${next}` : ''}`)
        ).json()
        seen.push(...page.data.map((row: any) => row.id))
        next = page.meta.next
      }
      expect(seen).toEqual(whole)
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  it('finds by name, code and phone as people write it; one letter finds everybody', async () => {
    const applicant = await asApplicant(t, { profile: true })
    await t.db
      .updateTable('applicants')
      .set({ fullName: 'Zuraida Qomariyah', phone: '+6281377700099' })
      .where('accountId', '=', applicant.accountId)
      .execute()
    const { id, code } = await aRegistration(t, { applicant })
    for (const q of ['qomari', 'ZURAIDA', code, '0813 7770 0099', '081377700099'])
      expect(
        (await staff.get(`/pendaftaran?q=${encodeURIComponent(q)}`)).json().data.map((row: any) => row.id),
      ).toEqual([id])
    expect((await staff.get('/pendaftaran?q=z')).json().meta.total).toBeGreaterThan(1)
    expect((await staff.get('/pendaftaran?q=100%25')).json().data).toEqual([])
  })
})

describe('many at once', () => {
  it('the preview says what will happen, and the run does that', async () => {
    const ready = await aRegistration(t, { status: 'verified' })
    const early = await aRegistration(t, { status: 'paid' })
    const body = { action: 'accept', ids: [ready.id, early.id, academic.wave] }
    const preview = (await staff.post('/pendaftaran/bulk/preview', body)).json().data
    expect(preview).toMatchObject({ done: 1, refused: 2 })
    expect(preview.items.map((item: any) => item.reason)).toEqual([null, 'wrong_status', 'not_found'])
    const run = (await staff.post('/pendaftaran/bulk', body)).json().data
    expect(run.items.map((item: any) => item.reason)).toEqual([null, 'wrong_status', 'not_found'])
    expect(await statusOf(t, ready.id)).toBe('decided')
    expect((await ready.applicant.post('/pendaftaran/bulk', body)).statusCode).toBe(403)
  })

  it('gives the second choice when the first is full', async () => {
    const { id } = await aRegistration(t, {
      status: 'verified',
      choices: [academic.programmes[0], academic.programmes[1]],
    })
    const detail = t.db.updateTable('programmeDetails').where('id', '=', academic.programmeDetails[0])
    await detail.set({ capacity: 0 }).execute()
    const body = { action: 'accept', ids: [id] }
    expect((await staff.post('/pendaftaran/bulk/preview', body)).json().data.done).toBe(1)
    expect((await staff.post('/pendaftaran/bulk', body)).json().data.done).toBe(1)
    await detail.set({ capacity: 40 }).execute()
    expect((await read(staff, id)).decision.programme.id).toBe(academic.programmes[1])
  })
})

describe('the registration card', () => {
  it('is there once the fee is settled; its code proves it and tells no name', async () => {
    const early = await aRegistration(t, { status: 'submitted' })
    expect((await early.applicant.get(`/pendaftaran/${early.id}/card.pdf`)).json().code).toBe('fee_not_settled')
    const { id, code, applicant } = await aRegistration(t, { status: 'paid' })
    const photo = await t.db
      .selectFrom('files as f')
      .innerJoin('applicants as a', 'a.photoFileId', 'f.id')
      .select('f.storageKey')
      .where('a.accountId', '=', applicant.accountId)
      .executeTakeFirstOrThrow()
    await t.services.files.put(photo.storageKey, await aPicture('webp'), 'image/webp')
    for (const size of ['a4', 'a6']) {
      const card = await applicant.get(`/pendaftaran/${id}/card.pdf?size=${size}&language=id`)
      expect(card.statusCode).toBe(200)
      expect(card.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    }
    const { cardCode } = await import('./registrations/registration-card.ts')
    const genuine = await t.app.inject({ url: `/api/verifikasi/${cardCode(t.services, code)}` })
    expect(genuine.json().data).toMatchObject({ code, valid: true })
    expect(genuine.json().data.initials).toMatch(/^([\p{L}\d]\. ?)+$/u)
    const guessed = await t.app.inject({ url: `/api/verifikasi/${code}-00000000000000000000` })
    expect(guessed.statusCode).toBe(404)
    await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect((await t.app.inject({ url: `/api/verifikasi/${cardCode(t.services, code)}` })).json().data.valid).toBe(false)
  })
})

describe('the registration card for a share of the fee', () => {
  const share = (cardShare: number) =>
    t.db
      .insertInto('settings')
      .values({ key: 'cardShare', value: JSON.stringify(cardShare) })
      .onConflict((oc) => oc.column('key').doUpdateSet({ value: JSON.stringify(cardShare) }))
      .execute()
  const paying = async (id: string, paid: number) => {
    const status = paid > 0 ? 'partly_paid' : 'open'
    await pastTriggers(t, sql`UPDATE bills SET paid = ${paid}, status = ${status} WHERE registration_id = ${id}`)
    return t.db.selectFrom('bills').select('total').where('registrationId', '=', id).executeTakeFirstOrThrow()
  }
  afterEach(async () => {
    await t.db.deleteFrom('settings').where('key', '=', 'cardShare').execute()
  })

  it('is there once that share is paid, and says before what is missing', async () => {
    const { id, code, applicant } = await aRegistration(t, { status: 'submitted' })
    const { total } = await paying(id, 0)
    const half = Math.ceil(total / 2)
    const { cardCode } = await import('./registrations/registration-card.ts')
    const state = async () => {
      const detail = await read(applicant, id)
      const { statusCode } = await applicant.get(`/pendaftaran/${id}/card.pdf`)
      const { valid } = (await t.app.inject({ url: `/api/verifikasi/${cardCode(t.services, code)}` })).json().data
      expect([statusCode === 200, valid]).toEqual([detail.cardReady, detail.cardReady])
      return [detail.cardReady, detail.untilCard]
    }
    expect(await state()).toEqual([false, total])
    await share(50)
    await paying(id, half - 1)
    expect(await state()).toEqual([false, 1])
    const [bill] = (await applicant.get(`/pendaftaran/${id}/bills`)).json().data.bills
    expect(bill.unlock).toEqual({ what: 'card', missing: 1 })
    await paying(id, half)
    expect(await state()).toEqual([true, 0])
    await paying(id, 0)
    expect(await state()).toEqual([false, half])
    await share(0)
    expect(await state()).toEqual([true, 0])
  })

  it('is not there for a draft, nor after the end', async () => {
    await share(0)
    const draft = await aRegistration(t)
    expect((await read(draft.applicant, draft.id)).cardReady).toBe(false)
    const ended = await aRegistration(t, { status: 'submitted' })
    await step(ended.applicant, ended.id, 'withdraw', { reason: 'Pindah kota' })
    expect((await read(ended.applicant, ended.id)).cardReady).toBe(false)
  })

  it('stays when the money of a settled fee is taken back', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'paid' })
    await paying(id, 0)
    expect((await read(applicant, id)).cardReady).toBe(true)
  })
})

describe('the start page', () => {
  it('shows applicants their registrations with the next step, and staff their counts', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const own = (await applicant.get('/dashboard')).json().data
    expect(own).toMatchObject({ kind: 'applicant', hasProfile: true, missingProfileFields: [] })
    expect(own.registrations[0]).toMatchObject({ id, status: 'submitted', nextStep: { key: 'payment', state: 'todo' } })
    expect(own.messages[0]).toMatchObject({ event: 'registration-submitted' })
    const office = (await staff.get('/dashboard')).json().data
    expect(office.kind).toBe('staff')
    expect(office.newToday).toBeGreaterThan(0)
    expect(office.openWaves).toHaveLength(1)
    const teller = await asWithPermissions(t, [])
    expect((await teller.get('/dashboard')).json().data).toMatchObject({ kind: 'staff', byStatus: [], newToday: 0 })
  })
})
