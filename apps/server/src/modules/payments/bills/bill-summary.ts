import { type BillKind, type BillStatus, isOwed } from '#domain/payments/bills/bill-status.ts'
import type { Db } from '#server/platform/database/database.ts'
import { findTakenBack, type TakenBack } from './taken-back.ts'

export type BillBrief = {
  id: string
  number: string
  kind: BillKind
  status: BillStatus
  total: number
  paid: number
  dueAt: Date | null
  takenBack: TakenBack | null
  /** Next amount to pay and its due date: the first unpaid instalment, or the whole rest; null when nothing is owed. */
  next: { installmentId: string | null; position: number | null; amount: number; dueAt: Date | null } | null
}

export type RegistrationBills = {
  registrationFee: BillBrief | null
  reRegistration: BillBrief | null
}

/** The valid bill of each kind for each registration; nulls for registrations without bills. */
export async function billSummary(db: Db, registrationIds: readonly string[]): Promise<Map<string, RegistrationBills>> {
  const summary = new Map<string, RegistrationBills>(
    registrationIds.map((id) => [id, { registrationFee: null, reRegistration: null }]),
  )
  if (registrationIds.length === 0) return summary
  const bills = await db
    .selectFrom('bills')
    .select(['id', 'number', 'registrationId', 'kind', 'status', 'total', 'paid', 'dueAt'])
    .where('registrationId', 'in', [...registrationIds])
    .where('status', '<>', 'cancelled')
    .execute()
  const owedIds = bills.filter((bill) => isOwed(bill.status)).map((bill) => bill.id)
  const unpaid = owedIds.length
    ? await db
        .selectFrom('installments')
        .select(['id', 'billId', 'position', 'amount', 'paid', 'dueAt'])
        .where('billId', 'in', owedIds)
        .whereRef('paid', '<', 'amount')
        .orderBy('position')
        .execute()
    : []
  const takenBack = await findTakenBack(db, owedIds)
  for (const { registrationId, ...bill } of bills) {
    const part = unpaid.find((installment) => installment.billId === bill.id)
    const next = !isOwed(bill.status)
      ? null
      : part
        ? { installmentId: part.id, position: part.position, amount: part.amount - part.paid, dueAt: part.dueAt }
        : { installmentId: null, position: null, amount: bill.total - bill.paid, dueAt: bill.dueAt }
    const entry = summary.get(registrationId)!
    entry[bill.kind === 'registration_fee' ? 'registrationFee' : 'reRegistration'] = {
      ...bill,
      takenBack: takenBack.get(bill.id) ?? null,
      next,
    }
  }
  return summary
}
