import { isOwed } from '#domain/payments/bill-status.ts'
import type { Tx } from '#server/platform/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { lockBill } from '../book-payment.ts'
import type { Bill } from '../issue-bill.ts'
import type { Question } from './ask-approval.ts'

/** Locks the bill of a request; 409 when the bill is not owed any more. */
export async function lockOwedBill(tx: Tx, { billId }: Pick<Question, 'billId'>) {
  const bill = await lockBill(tx, billId!)
  if (!bill) throw notFound('bill')
  if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
  return bill
}

/** The part of an effect that says what the bill is like before the exception. */
export const billBefore = ({ number, total, paid }: Bill) => ({ bill: number, billTotal: total, billPaid: paid })
