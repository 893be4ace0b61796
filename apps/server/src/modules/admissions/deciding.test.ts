import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { registrationStatuses } from '#domain/admissions/registration-status.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration, payBills, publish, statusOf } from '#server-test/factories/admissions.ts'
import {
  days,
  now,
  read,
  registrationSteps,
  step,
  todoOf,
} from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { expireRegistrationsJob } from './expire-registrations.job.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor

const { accept, at, withoutPublication } = registrationSteps(() => ({ t, academic }))

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  staff = await asStaff(t, 'Panitia PMB')
})

afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

describe('deciding', () => {
  it('succeeds once when clerks decide at once; the others get 409', async () => {
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

  it('gives the last place of a programme to one of five accepted at once', async () => {
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

  it('waits for another acceptance that has locked the places', async () => {
    const { id } = await aRegistration(t, { status: 'verified', choices: [academic.programmes[1]] })
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const holder = t.owner.transaction().execute(async (tx) => {
      await tx
        .selectFrom('programmeDetails')
        .select('id')
        .where('id', '=', academic.programmeDetails[1])
        .forNoKeyUpdate()
        .execute()
      hold()
      await isReleased
    })
    await isHeld
    // `inject` sends the request only once its promise is awaited.
    const answer = Promise.resolve(accept(staff, id, academic.programmes[1]))
    const waiting = async () =>
      (
        await sql<{ count: number }>`SELECT count(*)::int FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(t.owner)
      ).rows[0]!.count
    try {
      await expect.poll(waiting).toBe(1)
    } finally {
      release()
      await holder
    }
    expect((await answer).statusCode).toBe(200)
  })

  it("for another programme needs the applicant's consent, and a rejection needs a reason", async () => {
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

  it('can be reverted with a reason', async () => {
    const { id } = await aRegistration(t, { status: 'decided' })
    const answer = await step(staff, id, 'revert-decision', { reason: 'Salah pilih' })
    expect(answer.json().data).toMatchObject({ status: 'verified', decision: null, decidedAt: null })
  })

  it('made before verification returns the registration to paid when it is reverted', async () => {
    const { id } = await aRegistration(t, { status: 'paid' })
    expect((await step(staff, id, 'reject', { reason: 'Berkas palsu' })).statusCode).toBe(200)
    const answer = await step(staff, id, 'revert-decision', { reason: 'Salah pilih' })
    expect(answer.json().data).toMatchObject({ status: 'paid', decision: null, decidedAt: null, verifiedAt: null })
    expect((await accept(staff, id)).json().code).toBe('wrong_status')
  })

  it('verifies the registration when it is reverted after the documents were settled', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'paid' })
    expect((await step(staff, id, 'reject', { reason: 'Berkas palsu' })).statusCode).toBe(200)
    await t.db.updateTable('documents').set({ status: 'approved' }).where('registrationId', '=', id).execute()
    const answer = await step(staff, id, 'revert-decision', { reason: 'Salah pilih' })
    expect(answer.json().data).toMatchObject({ status: 'verified', decision: null })
    const { messages } = (await applicant.get('/dashboard')).json().data
    expect(messages.map(({ event }: { event: string }) => event)).toContain('registration-verified')
  })

  it('in bulk is previewed without a reason, but a rejection runs only with one', async () => {
    const { id } = await aRegistration(t, { status: 'verified' })
    const body = { action: 'reject', ids: [id] }
    expect((await staff.post('/pendaftaran/bulk/preview', body)).json().data).toMatchObject({ done: 1, refused: 0 })
    expect((await staff.post('/pendaftaran/bulk', body)).statusCode).toBe(422)
  })

  it('cannot leave a registration verified without verification: the database refuses it', async () => {
    const { id } = await aRegistration(t, { status: 'paid' })
    const write = t.db.updateTable('registrations').set({ status: 'verified' }).where('id', '=', id).execute()
    await expect(write).rejects.toThrow('registrations_verified')
  })

  it('can reject a paid registration, but accepts only after verification', async () => {
    const { id } = await aRegistration(t, { status: 'paid' })
    const answer = await accept(staff, id)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'wrong_status'])
    expect(await statusOf(t, id)).toBe('paid')
    expect((await step(staff, id, 'reject', { reason: 'Berkas palsu' })).json().data.status).toBe('decided')
  })

  it('is forbidden to applicants', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'verified' })
    expect((await accept(applicant, id)).statusCode).toBe(403)
  })
})

describe('a decision before its publication', () => {
  it('is hidden from the applicant, and visible everywhere afterwards', async () => {
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
    const published = await read(later, id)
    expect(published).toMatchObject({
      status: 'decided',
      result: 'accepted',
      acceptedProgramme: { id: academic.programmes[1] },
    })
    expect(todoOf(published, 'confirmation')).toMatchObject({ state: 'todo', actor: 'you' })
    const names = (await later.get(`/pendaftaran/${id}/timeline`)).json().data.map((entry: any) => entry.name)
    expect(names).toContain('registration.publish')
    expect(names).not.toContain('registration.accept')
    t.clock.set(now)
    await withoutPublication()
  })

  it('is announced once, even if the job runs again', async () => {
    await withoutPublication()
    const { id, applicant } = await aRegistration(t, { status: 'decided' })
    const body = {
      waveId: academic.wave,
      trackId: academic.tracks.regular,
      publishAt: days(1).toISOString(),
      version: 0,
    }
    const publication = await staff.put('/publications', body)
    expect(publication.statusCode).toBe(200)
    expect(publication.json().data.accepted).toBeGreaterThan(0)
    await t.runJobs()
    const channelsOfMessages = async () =>
      (
        await t.db
          .selectFrom('messages')
          .select('channel')
          .where('accountId', '=', applicant.accountId)
          .where('event', '=', 'registration-accepted')
          .execute()
      ).map((message) => message.channel)
    expect(await channelsOfMessages()).toEqual([])
    const later = await at(days(1.01), staff)
    await t.runJobs()
    expect((await channelsOfMessages()).sort()).toEqual(['email', 'inbox'])
    await t.services.db.transaction().execute(async (tx) => {
      const { announceResultsJob } = await import('./results/announce-results.job.ts')
      await t.services.jobs.enqueue(tx, announceResultsJob, { waveId: academic.wave, trackId: academic.tracks.regular })
    })
    await t.runJobs()
    expect(await channelsOfMessages()).toHaveLength(2)
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
  it('issues the re-registration bill with the chosen plan; reverting the confirmation cancels the bill', async () => {
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

  it('is refused after the deadline, without an acceptance, or with a plan of another wave', async () => {
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
  it('by withdrawal cancels open bills, frees the seat, and can be reverted to the former status', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    expect(
      (await applicant.post(`/pendaftaran/${id}/test-seat`, { testSessionId: academic.testSession })).statusCode,
    ).toBe(200)
    const countTakenSeats = async () =>
      (
        await t.db
          .selectFrom('testSessionSeats')
          .select('taken')
          .where('testSessionId', '=', academic.testSession)
          .executeTakeFirst()
      )?.taken ?? 0
    const before = await countTakenSeats()
    const withdrawn = await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect(withdrawn.json().data).toMatchObject({
      status: 'withdrawn',
      todo: [],
      bills: { registrationFee: null },
      seat: null,
    })
    expect(withdrawn.json().data.closedReason).toBe('Pindah kota')
    expect(await countTakenSeats()).toBe(before - 1)
    expect((await step(applicant, id, 'revert-withdrawal', { reason: 'berubah' })).statusCode).toBe(403)
    const reopened = await step(staff, id, 'revert-withdrawal', { reason: 'Atas permintaan' })
    expect(reopened.json().data).toMatchObject({ status: 'submitted', bills: { registrationFee: { status: 'open' } } })
  })

  it('by withdrawal cannot be undone beside a newer registration', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'withdrawn' })
    await aRegistration(t, { applicant })
    const answer = await step(staff, id, 'revert-withdrawal', { reason: 'Atas permintaan' })
    expect(answer.json().code).toBe('applicant_has_registration')
  })

  it('by expiry affects drafts after the window and unpaid registrations after the payment deadline, never paid ones', async () => {
    const draft = await aRegistration(t)
    const unpaid = await aRegistration(t, { status: 'submitted' })
    const paid = await aRegistration(t, { status: 'paid' })
    await expireRegistrationsJob.run(t.services, {})
    expect(await statusOf(t, draft.id)).toBe('draft')
    t.clock.set(days(31))
    await expireRegistrationsJob.run(t.services, {})
    expect(await statusOf(t, draft.id)).toBe('expired')
    expect(await statusOf(t, unpaid.id)).toBe('submitted')
    t.clock.set(days(34))
    await expireRegistrationsJob.run(t.services, {})
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

  it('every status can be reached by the test factory', async () => {
    for (const status of registrationStatuses) {
      const { id } = await aRegistration(t, { status })
      expect(await statusOf(t, id)).toBe(status)
    }
    await withoutPublication()
  })
})
