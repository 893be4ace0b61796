import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { Bill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { lockBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'

type Which = { billId: string }

/** Locks the bill of a request; 409 when the bill is no longer owed. */
export const lockOwedBill = async (tx: Tx, { billId }: Which) => requireOwed(await lockBill(tx, billId))

/** The bill of a request, for its effect; 409 when the bill is no longer owed. */
export const getOwedBill = async (db: Db, { billId }: Which) =>
  requireOwed(await db.selectFrom('bills').selectAll().where('id', '=', billId).executeTakeFirst())

function requireOwed(bill: Bill | undefined): Bill {
  if (!bill) throw notFound('bill')
  if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
  return bill
}

/** The part of an effect that describes the bill before the exception. */
export const billBefore = ({ number, total, paid }: Bill) => ({ bill: number, billTotal: total, billPaid: paid })
