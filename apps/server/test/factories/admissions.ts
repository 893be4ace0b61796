import { sql } from 'kysely'
import { defaultRoles } from '#domain/access/roles.ts'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { acceptRegistration, rejectRegistration } from '#server/modules/admissions/results/decide-registration.ts'
import { closeRegistration } from '#server/modules/admissions/steps/close-registration.ts'
import { confirmRegistration } from '#server/modules/admissions/steps/confirm-registration.ts'
import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { startRegistration } from '#server/modules/admissions/steps/start-registration.ts'
import { submitRegistration } from '#server/modules/admissions/steps/submit-registration.ts'
import { issueStudentNumber } from '#server/modules/students/issue-student-number.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { type AcademicFixture, academicFixture } from './academic.ts'

const universities = new WeakMap<TestApp, Promise<AcademicFixture>>()
const officers = new WeakMap<TestApp, Promise<TestActor>>()

/** The test database's small university, created once around the test's clock. */
export function academicOf(t: TestApp): Promise<AcademicFixture> {
  const university = universities.get(t) ?? academicFixture(t.db, t.clock.now())
  universities.set(t, university)
  return university
}

/** An actor with all administrator permissions, for use cases. */
export async function officerOf(t: TestApp): Promise<Actor> {
  const officer = officers.get(t) ?? asStaff(t)
  officers.set(t, officer)
  const { accountId } = await officer
  return { ...systemActor, accountId, permissions: permissionsOf('Administrator') }
}

const permissionsOf = (role: string) => new Set(defaultRoles.find(({ name }) => name === role)?.permissions ?? [])

export const applicantActor = (accountId: string): Actor => ({
  ...systemActor,
  accountId,
  scope: { kind: 'own' },
  permissions: permissionsOf('Mahasiswa'),
})

export type RegistrationOptions = {
  status?: RegistrationStatus
  /** Decision of a decided registration. */
  decision?: 'accepted' | 'not_accepted'
  /** Owner; by default a new applicant with a complete profile. */
  applicant?: TestActor
  trackId?: string
  choices?: string[]
  installmentPlanId?: string | null
}

const order: RegistrationStatus[] = ['draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled']

/**
 * A registration that reached its status by the real steps: fee paid, documents approved, result published, first
 * instalment paid. From `confirmed` on, publishes for the whole wave and track.
 */
export async function aRegistration(t: TestApp, options: RegistrationOptions = {}) {
  const { status = 'draft', decision = 'accepted', installmentPlanId = null } = options
  const academic = await academicOf(t)
  const applicant = options.applicant ?? (await asApplicant(t, { profile: true }))
  const applicantAsActor = applicantActor(applicant.accountId)
  const trackId = options.trackId ?? academic.tracks.regular
  const choices = options.choices ?? [academic.programmes[0]]
  const { services } = t
  const id = await startRegistration(services, applicantAsActor, {
    waveId: academic.wave,
    trackId,
    entryLevelId: academic.entryLevel,
    classProgrammeId: academic.classProgramme,
    choices,
  })
  const run = <T>(actor: Actor, step: (context: Context) => Promise<T>) => inTransaction(services, actor, step)
  const officer = await officerOf(t)
  const reason = 'made for a test'
  const goal = order.indexOf(status)
  if (status === 'withdrawn')
    await run(applicantAsActor, (context) => closeRegistration(context, id, { action: 'withdraw', reason }))
  if (status === 'cancelled')
    await run(officer, (context) => closeRegistration(context, id, { action: 'cancel', reason }))
  if (status === 'expired')
    await run(systemActor, (context) => closeRegistration(context, id, { action: 'expire', reason }))
  if (goal >= 1) await run(applicantAsActor, (context) => submitRegistration(context, id))
  if (goal >= 2)
    await run(systemActor, async (context) => {
      await payBills(context.tx, id, t.clock.now())
      await moveRegistration(context, id, 'settleFee')
    })
  if (goal >= 3)
    await run(systemActor, async (context) => {
      await context.tx.updateTable('documents').set({ status: 'approved' }).where('registrationId', '=', id).execute()
      await context.tx.updateTable('registrations').set({ documentsState: 'complete' }).where('id', '=', id).execute()
      await moveRegistration(context, id, 'verify')
    })
  if (goal >= 4)
    await run(officer, (context) =>
      decision === 'accepted'
        ? acceptRegistration(context, id, {
            programmeId: choices[0]!,
            consent: false,
          })
        : rejectRegistration(context, id, reason),
    )
  if (goal >= 5) {
    await publish(t, trackId)
    await run(applicantAsActor, (context) => confirmRegistration(context, id, installmentPlanId))
  }
  if (goal >= 6)
    await run(officer, async (context) => {
      await payBills(context.tx, id, t.clock.now())
      await issueStudentNumber(context, id)
    })
  const { code } = await t.db.selectFrom('registrations').select('code').where('id', '=', id).executeTakeFirstOrThrow()
  return { id, code, applicant, academic, trackId, choices }
}

/** Publishes a track's results, by default a minute ago. */
export async function publish(t: TestApp, trackId: string, publishAt = new Date(t.clock.now().getTime() - 60_000)) {
  const { wave } = await academicOf(t)
  await t.db
    .insertInto('resultPublications')
    .values({ waveId: wave, trackId, publishAt })
    .onConflict((conflict) => conflict.columns(['waveId', 'trackId', 'number']).doUpdateSet({ publishAt }))
    .execute()
}

/** Pays each open bill of a registration with one payment, without a bank and without events. */
export async function payBills(tx: Tx, registrationId: string, paidAt: Date) {
  await sql`WITH owed AS (
      SELECT id, account_id, total - paid AS rest FROM bills
      WHERE registration_id = ${registrationId} AND status IN ('open', 'partly_paid')
    ), paid AS (
      INSERT INTO payments (provider, provider_reference, bill_id, account_id, amount, status, paid_at, received_at)
      SELECT 'sandbox', 'LUNAS-' || id, id, account_id, rest, 'allocated', ${paidAt}, ${paidAt} FROM owed WHERE rest > 0
      RETURNING id, bill_id
    ), parts AS (
      SELECT o.id AS bill_id, i.id AS installment_id, coalesce(i.amount - i.paid, o.rest) AS amount
      FROM owed o LEFT JOIN installments i ON i.bill_id = o.id
    ), allocated AS (
      INSERT INTO allocations (payment_id, bill_id, installment_id, amount, created_at)
      SELECT p.id, p.bill_id, q.installment_id, q.amount, ${paidAt} FROM paid p JOIN parts q USING (bill_id) WHERE q.amount > 0
    ), filled AS (
      UPDATE installments i SET paid = amount, paid_at = ${paidAt} FROM owed o WHERE i.bill_id = o.id
    )
    UPDATE bills b SET status = 'paid', paid = total, paid_at = ${paidAt} FROM owed o WHERE b.id = o.id`.execute(tx)
}

export const statusOf = async (t: TestApp, id: string) =>
  (await t.db.selectFrom('registrations').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
