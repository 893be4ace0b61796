import { missingProfileFields } from '#domain/applicants/profile.ts'
import { type TrialStep, type TrialStepState, trialSteps } from '#domain/trial/trial.ts'
import { profileOf } from '#server/modules/applicants/profile.ts'
import { numberUnlock } from '#server/modules/payments/bills/unlock.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import type { OpenTrial } from './trial-host.ts'

/** How far a trial has come, read from its tables: steps taken by hand as the applicant count too. */
export async function readState({ id, services: { db, clock } }: OpenTrial) {
  const now = clock.now()
  const [profile, registration] = await Promise.all([
    profileOf(db, id, now),
    db
      .selectFrom('registrations as r')
      .innerJoin('tracks as t', 't.id', 'r.trackId')
      .leftJoin('students as s', 's.registrationId', 'r.id')
      .select(['r.id', 'r.code', 'r.status', 'r.verifiedAt', 'r.decidedAt', 'r.confirmedAt', 't.hasTest', 's.npm'])
      .select(isPublished(now).as('published'))
      .where('r.accountId', '=', id)
      .where('r.status', 'not in', ['withdrawn', 'cancelled', 'expired'])
      .orderBy('r.createdAt', 'desc')
      .executeTakeFirst(),
  ])
  const registrationId = registration?.id ?? id
  const [bills, documents, seat, unlock] = await Promise.all([
    db
      .selectFrom('bills as b')
      .select(['b.kind', 'b.total', 'b.paidAt'])
      .select(({ exists, selectFrom }) =>
        exists(selectFrom('virtualAccounts as v').select('v.id').whereRef('v.billId', '=', 'b.id')).as('hasNumber'),
      )
      .where('b.registrationId', '=', registrationId)
      .where('b.status', '<>', 'cancelled')
      .execute(),
    db
      .selectFrom('documents')
      .select(['required', 'status'])
      .where('registrationId', '=', registrationId)
      .where('stage', '=', 'registration')
      .execute(),
    db
      .selectFrom('testSeats')
      .select('id')
      .where('registrationId', '=', registrationId)
      .where('status', 'in', ['booked', 'attended'])
      .executeTakeFirst(),
    numberUnlock(db, registrationId, now),
  ])
  const fee = bills.find(({ kind }) => kind === 'registration_fee')
  const tuition = bills.find(({ kind }) => kind === 're_registration')
  const required = documents.filter((document) => document.required)
  const submitted = registration !== undefined && registration.status !== 'draft'
  const isFree = (bill: typeof fee) => bill !== undefined && bill.total === 0

  /** Whether a step is done; null if the settings do not need it. */
  const results: Record<TrialStep, boolean | null> = {
    profile: submitted || (profile !== null && missingProfileFields(profile).length === 0),
    submit: submitted,
    bill: isFree(fee) ? null : Boolean(fee?.hasNumber || fee?.paidAt),
    pay: isFree(fee) ? null : Boolean(fee?.paidAt),
    upload:
      submitted && required.length === 0
        ? null
        : submitted && required.every(({ status }) => status !== 'empty' && status !== 'rejected'),
    approve: Boolean(registration?.verifiedAt),
    seat: registration?.hasTest === false ? null : seat !== undefined || Boolean(registration?.decidedAt),
    decide: Boolean(registration?.decidedAt),
    publish: Boolean(registration?.decidedAt && registration.published),
    confirm: Boolean(registration?.confirmedAt),
    payAgain: isFree(tuition) ? null : unlock !== null && unlock.missing === 0,
    number: Boolean(registration?.npm),
  }
  const next = trialSteps.find((step) => results[step] === false)
  const stateOf = (step: TrialStep): TrialStepState =>
    results[step] === null ? 'unneeded' : results[step] ? 'done' : step === next ? 'next' : 'later'
  return {
    registrationId: registration?.id ?? null,
    registrationCode: registration?.code ?? null,
    studentNumber: registration?.npm ?? null,
    status: registration?.status ?? null,
    next: next ?? null,
    steps: trialSteps.map((step) => ({ step, state: stateOf(step) })),
  }
}
