import { isOpen, type VirtualAccountStatus } from '#domain/payments/bills/virtual-account-status.ts'
import { lockStandingBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import type { VirtualAccount } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { raiseAlert } from '#server/modules/payments/money/alerts.ts'
import { bookPayment } from '#server/modules/payments/money/book-payment.ts'
import { storableAmount } from '#server/modules/payments/money/waiting/held-amounts.ts'
import { callUnlessPaused } from '#server/modules/payments/providers/breaker.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { BankFailure, type Inquiry, type PaymentProvider } from '#server/modules/payments/providers/provider.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { fitPayment } from './fit-report.ts'

const minute = 60_000
const hour = 60 * minute

/**
 * Time of the next question: for an open number at growing intervals, for an ended number once more a day later, then
 * never.
 */
export function nextAsk(status: VirtualAccountStatus, asks: number, now: Date): Date | null {
  if (isOpen(status)) return new Date(now.getTime() + Math.min(15 * minute * 2 ** asks, 12 * hour))
  return asks < 2 ? new Date(now.getTime() + 24 * hour) : null
}

/** Stores that the schedule asked the bank about the number, and when it asks again. */
export const noteAsked = ({ db, clock }: Services, { id }: VirtualAccount, askAt: Date | null) =>
  db
    .updateTable('virtualAccounts')
    .set((eb) => ({ askAt, askedAt: clock.now(), asks: eb('asks', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** `apart`: leaves the automatic schedule unchanged. */
type Asking = { apart?: boolean }

/**
 * Asks the bank about payments on a number and books missing ones; returns the number of payments found. A question
 * `apart` leaves the schedule of automatic ones as it is, so that nobody can put them off by asking often.
 */
export async function askBank(services: Services, account: VirtualAccount, { apart }: Asking = {}): Promise<number> {
  const provider = await findProvider(services, account.provider)
  const { inquire } = provider ?? {}
  if (!provider || !inquire) {
    if (!apart) await noteAsked(services, account, null)
    return 0
  }
  const { id, bank, number, providerReference: reference, amountType, status } = account
  const answer = await callUnlessPaused(services, provider.code, () =>
    inquire({ id, bank, number, reference, amountType, status }),
  )
  const found =
    'payments' in answer
      ? await bookFound(services, provider, account, answer.payments)
      : await compareSums(services, provider, account, answer)
  if (apart) {
    await services.db
      .updateTable('virtualAccounts')
      .set({ askedAt: services.clock.now() })
      .where('id', '=', id)
      .execute()
    return found
  }
  const { status: now } = await services.db
    .selectFrom('virtualAccounts')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await noteAsked(services, account, nextAsk(now, account.asks + 1, services.clock.now()))
  return found
}

type Payments = Extract<Inquiry, { payments: unknown }>['payments']

async function bookFound(services: Services, provider: PaymentProvider, account: VirtualAccount, payments: Payments) {
  const { code } = provider
  let found = 0
  for (const report of payments) {
    const payment = fitPayment(report, services.clock.now())
    const outcome = await inTransaction(services, systemActor, async (context) => {
      const booking = await bookPayment(context, provider, payment, { bankReportId: null })
      if (booking === 'contradicts')
        await raiseAlert(context, {
          kind: 'contradicts',
          provider: code,
          providerReference: payment.reference,
          virtualAccountId: account.id,
          amount: storableAmount(payment.amount) ?? undefined,
        })
      return booking
    })
    if (outcome === 'booked') found++
  }
  return found
}

type Sums = Extract<Inquiry, { received: unknown }>

/**
 * For banks whose list has no ids that identify a booked payment: sums without a booked counterpart raise an alert for
 * staff, and so do booked payments that went back to the payer.
 */
async function compareSums(
  services: Services,
  { code }: PaymentProvider,
  account: VirtualAccount,
  { received, givenBack = [] }: Sums,
) {
  await inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    await lockStandingBill(tx, account.billId)
    const booked = await tx
      .selectFrom('payments')
      .select(['id', 'amount', 'status', 'providerReference'])
      .where('virtualAccountId', '=', account.id)
      // Sums are paired with valid payments first, then with payments that the office reversed.
      .orderBy((eb) => eb('status', '=', 'reversed'))
      .orderBy('paidAt')
      .execute()
    const held = await heldOn(tx, account)
    for (const { reference, amount } of received) {
      const heldAt = held.indexOf(amount)
      // Staff decide, or have decided, about held money.
      if (heldAt >= 0) {
        held.splice(heldAt, 1)
        continue
      }
      const index = booked.findIndex((payment) => payment.amount === amount)
      const [known] = index >= 0 ? booked.splice(index, 1) : []
      if (known?.status === 'reversed')
        await raiseAlert(context, {
          kind: 'reported_after_reversal',
          provider: code,
          providerReference: known.providerReference,
          virtualAccountId: account.id,
          paymentId: known.id,
        })
      else if (!known)
        await raiseAlert(context, {
          kind: 'not_reported',
          provider: code,
          providerReference: reference,
          virtualAccountId: account.id,
          amount,
        })
    }
    for (const { amount } of givenBack) {
      const index = booked.findIndex((payment) => payment.amount === amount && payment.status !== 'reversed')
      const [known] = index >= 0 ? booked.splice(index, 1) : []
      if (known)
        await raiseAlert(context, {
          kind: 'reversed_by_bank',
          provider: code,
          providerReference: known.providerReference,
          virtualAccountId: account.id,
          paymentId: known.id,
        })
    }
  })
  return 0
}

/** Amounts above the maximum that were reported for a number and not booked. */
const heldOn = async (tx: Tx, { id }: VirtualAccount) =>
  (
    await tx
      .selectFrom('paymentAlerts')
      .select('amount')
      .where('virtualAccountId', '=', id)
      .where('kind', '=', 'above_maximum')
      .where('paymentId', 'is', null)
      .execute()
  ).map(({ amount }) => amount)

/** `askBank` for a reader waiting at the screen; 503 if the bank fails. */
export async function askForReader(services: Services, account: VirtualAccount): Promise<number> {
  try {
    return await askBank(services, account, { apart: true })
  } catch (error) {
    if (error instanceof BankFailure) throw new AppError(503, 'bank_silent')
    throw error
  }
}
