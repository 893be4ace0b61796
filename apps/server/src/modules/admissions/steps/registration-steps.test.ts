import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  acceptRegistration,
  rejectRegistration,
  revertDecision,
} from '#server/modules/admissions/results/decide-registration.ts'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { applicantActor, aRegistration, officerOf, publish, statusOf } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { closeRegistration } from './close-registration.ts'
import { confirmRegistration, revertConfirmation } from './confirm-registration.ts'
import { reopenRegistration } from './reopen-registration.ts'

let t: TestApp
const hour = 3_600_000
const run = <T>(actor: Actor, step: (context: Context) => Promise<T>) => inTransaction(t.services, actor, step)
const stepsOf = (id: string) =>
  t.db.selectFrom('registrationSteps').selectAll().where('registrationId', '=', id).orderBy('id').execute()
const namesOf = async (id: string) => (await stepsOf(id)).map(({ step, undoneAt }) => (undoneAt ? `${step}?` : step))

/** Resolves once a connection waits for another's lock. */
const untilLocked = (id: string) =>
  vi.waitFor(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(t.owner)
    if (rows.length === 0) throw new Error(`nobody waits for ${id}`)
  }, 10_000)

beforeAll(async () => {
  t = await testApp()
})

describe('the steps of a registration', () => {
  it('have a row for every move, with time and actor', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'enrolled' })
    const officer = await officerOf(t)
    expect((await stepsOf(id)).map(({ step, takenBy }) => [step, takenBy])).toEqual([
      ['started', applicant.accountId],
      ['submitted', applicant.accountId],
      ['paid', null],
      ['verified', null],
      ['accepted', officer.accountId],
      ['confirmed', applicant.accountId],
      ['enrolled', officer.accountId],
    ])
  })

  it('keep a reverted decision with the time of the reversal', async () => {
    const officer = await officerOf(t)
    const { id } = await aRegistration(t, { status: 'decided' })
    const { at: decidedAt } = (await stepsOf(id)).at(-1)!
    t.clock.set(new Date(decidedAt.getTime() + hour))
    await run(officer, (context) => revertDecision(context, id, 'keliru'))
    await run(officer, (context) => rejectRegistration(context, id, 'nilai kurang'))
    expect(await namesOf(id)).toEqual(['started', 'submitted', 'paid', 'verified', 'accepted?', 'not_accepted'])
    const accepted = (await stepsOf(id)).find(({ step }) => step === 'accepted')!
    expect(accepted.undoneAt).toEqual(t.clock.now())
    t.clock.reset()
  })

  it('are in the order they were taken, even by people who waited for each other', async () => {
    const { id } = await aRegistration(t, { status: 'verified' })
    const officer = await officerOf(t)
    t.clock.set(new Date('2027-01-01T08:00:00Z'))
    let waiting: Promise<unknown> | undefined
    await t.owner.transaction().execute(async (tx) => {
      await tx.selectFrom('registrations').select('id').where('id', '=', id).forUpdate().execute()
      waiting = run(officer, (context) => rejectRegistration(context, id, 'nilai kurang'))
      await untilLocked(id)
      t.clock.set(new Date('2027-01-01T09:00:00Z'))
    })
    await waiting
    expect((await stepsOf(id)).at(-1)).toMatchObject({ step: 'not_accepted', at: t.clock.now() })
    // As on a second server whose clock is slow.
    t.clock.set(new Date('2027-01-01T08:30:00Z'))
    await run(officer, (context) => revertDecision(context, id, 'keliru'))
    expect((await stepsOf(id)).at(-1)!.undoneAt).toEqual(new Date('2027-01-01T09:00:00Z'))
    t.clock.reset()
  })

  it('record the move to an accepted programme other than the first choice, and back', async () => {
    const officer = await officerOf(t)
    const { id, academic } = await aRegistration(t, { status: 'verified' })
    const [first, other] = academic.programmes
    await run(officer, (context) =>
      acceptRegistration(context, id, {
        programmeId: other!,
        consent: true,
      }),
    )
    await run(officer, (context) => revertDecision(context, id, 'keliru'))
    const moves = (await stepsOf(id)).filter(({ step }) => step === 'moved')
    expect(moves.map(({ fromProgrammeId }) => fromProgrammeId)).toEqual([first, other])
  })

  it('record confirmation and withdrawal as undone after a reversal', async () => {
    const officer = await officerOf(t)
    const { id, applicant, trackId } = await aRegistration(t, { status: 'decided' })
    await publish(t, trackId)
    const ownActor = applicantActor(applicant.accountId)
    await run(ownActor, (context) => confirmRegistration(context, id, null))
    await run(officer, (context) => revertConfirmation(context, id, 'salah tekan'))
    await run(ownActor, (context) => closeRegistration(context, id, { action: 'withdraw', reason: 'pindah kota' }))
    await run(officer, (context) => reopenRegistration(context, id, 'revertWithdrawal', { reason: 'kembali' }))
    expect(await statusOf(t, id)).toBe('decided')
    expect((await namesOf(id)).slice(4)).toEqual(['accepted', 'confirmed?', 'withdrawn?'])
  })

  it('record nothing when a move is refused', async () => {
    const officer = await officerOf(t)
    const { id } = await aRegistration(t, { status: 'submitted' })
    await expect(run(officer, (context) => revertDecision(context, id, 'keliru'))).rejects.toThrow()
    expect(await namesOf(id)).toEqual(['started', 'submitted'])
  })

  it('cannot be changed in the database except to be undone', async () => {
    const { id } = await aRegistration(t, { status: 'submitted' })
    for (const statement of [
      sql`UPDATE registration_steps SET at = at - interval '1 day' WHERE registration_id = ${id}`,
      sql`UPDATE registration_steps SET step = 'paid' WHERE registration_id = ${id}`,
      sql`DELETE FROM registration_steps WHERE registration_id = ${id}`,
      sql`TRUNCATE registration_steps`,
      sql`INSERT INTO registration_steps (registration_id, step, at) VALUES (${id}, 'submitted', now())`,
    ])
      await expect(statement.execute(t.db)).rejects.toThrow()
    await sql`UPDATE registration_steps SET undone_at = now() + interval '9 years' WHERE registration_id = ${id} AND step = 'started'`.execute(
      t.db,
    )
    await expect(
      sql`UPDATE registration_steps SET undone_at = NULL WHERE registration_id = ${id}`.execute(t.db),
    ).rejects.toThrow('taken back')
    await sql`SELECT fill_registration_steps()`.execute(t.db)
  })

  it('agree with the columns of every registration', async () => {
    const found = await checkInvariants(t.services)
    expect(found.filter(({ check }) => check === 'registration-steps')).toEqual([])
    expect((await t.db.selectFrom('registrationSteps').select('id').execute()).length).toBeGreaterThan(30)
  })
})
