import { dateTime, rupiah } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'

type Received = { amount: number; allocated?: number; waiting?: number; reversed?: true; refund?: string }

/** One message per payment: complete, with a rest to pay, or (in part) waiting for the finance office; taken back; given back. */
export async function tellPayer(tx: Tx, services: Services, billId: string, what: Received) {
  const { amount, allocated = 0, waiting = 0, reversed, refund } = what
  const bill = await tx
    .selectFrom('bills as b')
    .innerJoin('accounts as a', 'a.id', 'b.accountId')
    .select(['b.number', 'b.total', 'b.paid', 'b.status', 'b.dueAt', 'b.accountId', 'b.registrationId', 'a.language'])
    .where('b.id', '=', billId)
    .executeTakeFirstOrThrow()
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
    params: {
      amount: rupiah(amount),
      waiting: rupiah(waiting),
      remaining: rupiah(remaining),
      number: refund ?? bill.number,
      due: bill.dueAt ? dateTime(bill.dueAt, bill.language) : '-',
    },
    link: `/pendaftaran/${bill.registrationId}/pembayaran`,
  })
}
