import { isOwed } from '#domain/payments/bill-status.ts'
import type { Tx } from '#server/platform/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { lockBill } from '../book-payment.ts'
import type { ApprovalRequest } from './ask-approval.ts'

/** The bill of a request, locked; refused when it is not owed any more. */
export async function owedBill(tx: Tx, request: Pick<ApprovalRequest, 'billId'>) {
  const bill = await lockBill(tx, request.billId!)
  if (!bill) throw notFound('bill')
  if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
  return bill
}
