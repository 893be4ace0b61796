import type { BillStatus } from '#domain/payments/bills/bill-status.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

type Received = { amount: number; allocated?: number; waiting?: number; reversed?: { reason: string }; refund?: string }

/** As it is after what is told. */
type PaidBill = {
  number: string
  accountId: string
  registrationId: string
  total: number
  paid: number
  status: BillStatus
  dueAt: Date | null
}

/** One message per payment: complete, with a rest to pay, or (in part) waiting for the finance office; taken back; given back. */
export async function tellPayer(tx: Tx, services: Services, bill: PaidBill, what: Received) {
  const { amount, allocated = 0, waiting = 0, reversed, refund } = what
  const remaining = bill.total - bill.paid
  const event = reversed
    ? 'payment-reversed'
    : refund
      ? 'refund-approved'
      : waiting > 0
        ? 'payment-waiting'
        : allocated > 0 && bill.status === 'partly_paid'
          ? 'payment-partial'
          : 'payment-received'
  await notify(tx, services, {
    accountId: bill.accountId,
    event,
    params: (language) => ({
      amount: rupiah(amount),
      waiting: rupiah(waiting),
      remaining: rupiah(remaining),
      number: refund ?? bill.number,
      reason: reversed?.reason ?? '',
      due: bill.dueAt ? dateTime(bill.dueAt, language) : '-',
    }),
    link: `/pendaftaran/${bill.registrationId}/pembayaran`,
  })
}

/** The same about a bill as it stands in the database. */
export async function tellPayerOf(tx: Tx, services: Services, billId: string, what: Received) {
  const bill = await tx.selectFrom('bills').selectAll().where('id', '=', billId).executeTakeFirstOrThrow()
  await tellPayer(tx, services, bill, what)
}
