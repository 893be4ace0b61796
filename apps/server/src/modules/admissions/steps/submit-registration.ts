import { missingForSubmission } from '#domain/admissions/submission.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { lockForIssue } from '#server/modules/payments/bills/change/lock-subject.ts'
import { collectWaiting } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { takeDiscounts } from '#server/modules/payments/bills/prices/discounts.ts'
import type { NewBillLine } from '#server/modules/payments/bills/prices/lines.ts'
import { registrationFeeFor } from '#server/modules/payments/bills/prices/prices.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { requireRegistrationOpen } from '#server/platform/registration-opening.ts'
import { sentences } from '#server/platform/text.ts'
import type { Context } from '#server/platform/use-case.ts'
import { type MovedRegistration, moveRegistration } from './move-registration.ts'
import { toFieldErrors } from './start-registration.ts'

const dayMs = 86_400_000

/**
 * Submits a draft: locks its choices and issues the registration fee; throws 422 with everything missing. The
 * registration's lock makes a second click wait, and the lock on the track's window keeps the quota.
 */
export async function submitRegistration(context: Context, id: string) {
  const { tx, services, actor } = context
  if (isApplicant(actor)) await requireRegistrationOpen(tx)
  const now = services.clock.now()
  await lockQuota(tx, id)
  const loaded = await getRegistration(tx, actor, id, now)
  if (loaded.status === 'draft') {
    const missing = missingForSubmission(loaded.facts, now)
    if (missing.length > 0)
      throw invalid(
        toFieldErrors(
          missing.map((item) => ({
            ...item,
            ...(item.params && {
              params: {
                ...item.params,
                ...('minimum' in item.params && { minimum: rupiah(Number(item.params.minimum)) }),
              },
            }),
          })),
        ),
      )
  }
  const moved = await moveRegistration(context, id, 'submit')
  const fee = await priceRegistrationFee(context, moved, loaded.facts.window.paymentDueAt)
  const total = fee.lines.reduce((sum, line) => sum + line.amount, 0)
  // Before the bill: taking its number blocks other transactions until this one ends.
  await notify(context, {
    accountId: moved.accountId,
    event: total > 0 ? 'registration-submitted' : 'registration-submitted-free',
    params: { code: moved.code, amount: rupiah(total), due: dateTime(fee.dueAt, fee.language) },
    link: `/pendaftaran/${id}`,
  })
  await issueRegistrationFee(context, moved, fee)
}

type RegistrationFee = { lines: NewBillLine[]; dueAt: Date; language: Language }

/**
 * The registration fee and its due date: `paymentDueAt`, or three days from now if that is missing or less than a day
 * away. Takes the discounts it uses.
 */
export async function priceRegistrationFee(
  { tx, services }: Omit<Context, 'actor'>,
  registration: MovedRegistration,
  paymentDueAt: Date | null,
): Promise<RegistrationFee> {
  const now = services.clock.now()
  const amount = await registrationFeeFor(tx, registration)
  const soonest = new Date(now.getTime() + dayMs)
  const { language } = await tx
    .selectFrom('accounts')
    .select('language')
    .where('id', '=', registration.accountId)
    .executeTakeFirstOrThrow()
  const { id: registrationId } = registration
  const priced = amount > 0 ? [{ description: sentences(language)('bills:kind.registration_fee'), amount }] : []
  await lockForIssue(tx, registrationId, registration.accountId)
  return {
    lines: await takeDiscounts(tx, now, { registrationId, kind: 'registration_fee', lines: priced }),
    dueAt: paymentDueAt && paymentDueAt > soonest ? paymentDueAt : new Date(soonest.getTime() + 2 * dayMs),
    language,
  }
}

/**
 * Issues the registration fee's bill. A bill of 0 is settled at once, and that event marks the registration as paid.
 * Waiting money from an earlier bill, for example after a withdrawal, is booked onto the new one.
 */
export async function issueRegistrationFee(
  context: Context,
  { id: registrationId, accountId }: MovedRegistration,
  { lines, dueAt }: RegistrationFee,
) {
  const bill = await issueBill(context, {
    registrationId,
    accountId,
    kind: 'registration_fee',
    lines,
    dueAt,
  })
  await collectWaiting(context, bill)
}

/** Locks the window of a track with a quota: its applicants submit one after the other. */
const lockQuota = (tx: Tx, id: string) =>
  tx
    .selectFrom('trackDetails as d')
    .innerJoin('registrations as r', (join) =>
      join
        .onRef('r.trackId', '=', 'd.trackId')
        .onRef('r.waveId', '=', 'd.waveId')
        .onRef('r.entryLevelId', '=', 'd.entryLevelId'),
    )
    .select('d.id')
    .where('r.id', '=', id)
    .where('r.status', '=', 'draft')
    .where('d.quota', 'is not', null)
    .forNoKeyUpdate('d')
    .execute()
