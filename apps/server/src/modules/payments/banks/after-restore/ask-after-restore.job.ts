import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { askBank } from '#server/modules/payments/banks/ask-bank.ts'
import { fitPayment } from '#server/modules/payments/banks/fit-report.ts'
import { raiseAlert } from '#server/modules/payments/money/alerts.ts'
import { bookPayment } from '#server/modules/payments/money/book-payment.ts'
import { storableAmount } from '#server/modules/payments/money/waiting/held-amounts.ts'
import { callUnlessPaused } from '#server/modules/payments/providers/breaker.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { BankFailure, type PaymentProvider, type ReportedPayment } from '#server/modules/payments/providers/provider.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'

const minute = 60_000
const batch = 40
const atOnce = 4
/** Milliseconds for which other servers skip a claimed number. Afterwards a bank that did not answer is asked again. */
const leaseMs = 10 * minute
/** A run ends before the queue considers it failed; the next run asks the remaining questions. */
const longestRunMs = 10 * minute

/**
 * After a restore, asks the banks about every number that may have been paid since the backup, outside the usual
 * schedule.
 */
export const askAfterRestoreJob = defineJob({
  name: 'ask-after-restore',
  schedule: '*/5 * * * *',
  maxAttempts: 1,
  data: z.object({}),
  run: (services) => askAfterRestore(services),
})

type Question = Selectable<Database['restoreQuestions']>

/** Asks until no question is due or the time of a run is over; returns the number of payments found. */
export async function askAfterRestore(services: Services): Promise<number> {
  const began = performance.now()
  let found = 0
  while (performance.now() - began < longestRunMs) {
    const due = await claimQuestions(services)
    for (let start = 0; start < due.length; start += atOnce) {
      const counts = await Promise.all(due.slice(start, start + atOnce).map((question) => askOne(services, question)))
      found += counts.reduce((sum, count) => sum + count, 0)
    }
    if (due.length < batch) break
  }
  await noteAllAsked(services)
  return found
}

function claimQuestions({ db, clock }: Services): Promise<Question[]> {
  const now = clock.now()
  return db
    .updateTable('restoreQuestions')
    .set({ askAt: new Date(now.getTime() + leaseMs) })
    .where((eb) =>
      eb(
        'id',
        'in',
        eb
          .selectFrom('restoreQuestions')
          .select('id')
          .where('answer', 'is', null)
          .where('askAt', '<=', now)
          .where('restoreId', 'in', eb.selectFrom('restores').select('id').where('endedAt', 'is', null))
          .orderBy('askAt')
          .orderBy('number')
          .limit(batch)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returningAll()
    .execute()
}

async function askOne(services: Services, question: Question): Promise<number> {
  try {
    const provider = await findProvider(services, question.provider)
    const found = question.virtualAccountId
      ? await askAboutKnown(services, provider, question.virtualAccountId)
      : await askAboutUnknown(services, provider, question)
    await noteAnswer(services, question, found === null ? 'not_askable' : 'answered', found ?? 0)
    return found ?? 0
  } catch (error) {
    if (!(error instanceof BankFailure))
      services.log.error({ err: error, number: question.number }, 'a bank was not asked after the restore')
    else if (error.kind === 'refused') await noteAnswer(services, question, 'refused', 0)
    return 0
  }
}

async function askAboutKnown(services: Services, provider: PaymentProvider | undefined, id: string) {
  if (!provider?.inquire) return null
  const account = await services.db
    .selectFrom('virtualAccounts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return askBank(services, account, { apart: true })
}

/** Asks about a number of a gap. The books do not know its payer, so money on it waits and raises an alert. */
async function askAboutUnknown(
  services: Services,
  provider: PaymentProvider | undefined,
  { bank, number }: Question,
): Promise<number | null> {
  const { inquireNumber } = provider ?? {}
  if (!provider || !inquireNumber) return null
  const answer = await callUnlessPaused(services, provider.code, () => inquireNumber({ bank, number: number! }))
  if ('payments' in answer) {
    let found = 0
    for (const payment of answer.payments) if (await keepLost(services, provider, payment)) found++
    return found
  }
  for (const { reference, amount } of answer.received)
    await inTransaction(services, systemActor, (context) =>
      raiseAlert(context, {
        kind: 'not_reported',
        provider: provider.code,
        providerReference: reference,
        amount,
      }),
    )
  return answer.received.length
}

const keepLost = (services: Services, provider: PaymentProvider, report: ReportedPayment) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const payment = fitPayment(report, services.clock.now())
    const booking = await bookPayment(context, provider, payment, { bankReportId: null })
    if (booking === 'repeated' || booking === 'held') return false
    const { id: paymentId } = await tx
      .selectFrom('payments')
      .select('id')
      .where('provider', '=', provider.code)
      .where('providerReference', '=', payment.reference)
      .executeTakeFirstOrThrow()
    const kind = booking === 'contradicts' ? 'contradicts' : 'not_reported'
    const providerReference = payment.reference
    const amount = storableAmount(payment.amount) ?? undefined
    await raiseAlert(context, { kind, provider: provider.code, providerReference, paymentId, amount })
    return booking === 'booked'
  })

const noteAnswer = (
  { db, clock }: Services,
  { id }: Question,
  answer: NonNullable<Question['answer']>,
  paymentsFound: number,
) =>
  db
    .updateTable('restoreQuestions')
    .set({ answer, answeredAt: clock.now(), paymentsFound })
    .where('id', '=', id)
    .execute()

/** Records once when every bank has been asked about every number. */
const noteAllAsked = ({ db, clock }: Services) =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; asked: number; found: number }>`
      UPDATE restores r SET asked_at = ${clock.now()} WHERE asked_at IS NULL AND ended_at IS NULL
        AND NOT EXISTS (SELECT FROM restore_questions q WHERE q.restore_id = r.id AND q.answer IS NULL)
      RETURNING id, (SELECT count(*)::int FROM restore_questions q WHERE q.restore_id = r.id) AS asked,
        (SELECT coalesce(sum(payments_found), 0)::int FROM restore_questions q WHERE q.restore_id = r.id) AS found`.execute(
      tx,
    )
    for (const { id, ...counts } of rows)
      await recordAudit(tx, systemActor, { action: 'restore.asked', on: { restore: id }, after: counts })
  })
