import type { BillStatus } from '#domain/payments/bills/bill-status.ts'
import { rupiah } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Context } from '#server/platform/use-case.ts'
import { billColumns } from './change/standing-bill.ts'
import { owedTexts } from './owed-texts.ts'

type Received = { amount: number; allocated?: number; waiting?: number; reversed?: { reason: string }; refund?: string }

/** The bill after the payment was booked. */
type PaidBill = {
  id: string
  number: string
  accountId: string
  registrationId: string
  total: number
  paid: number
  status: BillStatus
  dueAt: Date | null
}

/**
 * Sends one message per payment: bill settled, partly paid, waiting (in part) for the finance office, reversed, or
 * refunded.
 */
export async function tellPayer(context: Omit<Context, 'actor'>, bill: PaidBill, received: Received) {
  const { amount, allocated = 0, waiting = 0, reversed, refund } = received
  const textsOf = await owedTexts(context.tx, [bill])
  const event = reversed
    ? 'payment-reversed'
    : refund
      ? 'refund-approved'
      : waiting > 0
        ? 'payment-waiting'
        : allocated > 0 && bill.status === 'partly_paid'
          ? 'payment-partial'
          : 'payment-received'
  await notify(context, {
    accountId: bill.accountId,
    event,
    params: (language) => ({
      ...textsOf(bill, language),
      amount: rupiah(amount),
      waiting: rupiah(waiting),
      number: refund ?? bill.number,
      reason: reversed?.reason ?? '',
    }),
    link: `/pendaftaran/${bill.registrationId}/pembayaran`,
  })
}

/** `tellPayer` with the bill read from the database. */
export async function tellPayerOf(context: Omit<Context, 'actor'>, billId: string, received: Received) {
  const { tx } = context
  const bill = await tx.selectFrom('bills').select(billColumns).where('id', '=', billId).executeTakeFirstOrThrow()
  await tellPayer(context, bill, received)
}
