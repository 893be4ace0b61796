import { type RawBuilder, sql } from 'kysely'
import { type BillKind, type BillStatus, isOwed } from '#domain/payments/bills/bill-status.ts'
import type { Db } from '#server/platform/database/database.ts'
import { nextPayment } from './remaining.ts'
import { type TakenBack, takenBackOf } from './taken-back.ts'

type Installment = { id: string; position: number; amount: number; paid: number; dueAt: Date | null }

export type BillBrief = {
  id: string
  number: string
  kind: BillKind
  status: BillStatus
  total: number
  paid: number
  dueAt: Date | null
  promisedUntil: Date | null
  takenBack: TakenBack | null
  firstInstallment: Pick<Installment, 'amount' | 'paid'> | null
  /** Next amount to pay and its due date: the first unpaid instalment, or the whole rest; null when nothing is owed. */
  next: { installmentId: string | null; position: number | null; amount: number; dueAt: Date | null } | null
}

export type RegistrationBills = {
  registrationFee: BillBrief | null
  reRegistration: BillBrief | null
}

/** JSON has no dates, so the times in such a row are strings. */
type AsJson<T> = { [K in keyof T]: T[K] extends Date | null ? string | null : T[K] }
type BillRow = AsJson<Omit<BillBrief, 'next' | 'firstInstallment'>> & { installments: AsJson<Installment>[] | null }

/** The valid bills of a registration, for `toBills`; `registrationId` names a column. */
export const billsOf = (registrationId: RawBuilder<unknown>) => sql<BillRow[] | null>`(
  SELECT json_agg(json_build_object('id', b.id, 'number', b.number, 'kind', b.kind, 'status', b.status,
    'total', b.total, 'paid', b.paid, 'dueAt', b.due_at, 'promisedUntil', b.promised_until,
    'takenBack', CASE WHEN b.status IN ('open', 'partly_paid') THEN ${takenBackOf(sql`b.id`)} END,
    'installments', (SELECT json_agg(json_build_object('id', i.id, 'position', i.position, 'amount', i.amount,
        'paid', i.paid, 'dueAt', i.due_at) ORDER BY i.position)
      FROM installments i WHERE i.bill_id = b.id)))
  FROM bills b WHERE b.registration_id = ${registrationId} AND b.status <> 'cancelled')`

const toDate = (time: string | null) => (time === null ? null : new Date(time))

function toBill({ installments, ...row }: BillRow): BillBrief {
  const bill = { ...row, dueAt: toDate(row.dueAt), promisedUntil: toDate(row.promisedUntil) }
  const first = installments?.[0]
  const next = nextPayment(row, installments ?? [])
  return {
    ...bill,
    firstInstallment: first ? { amount: first.amount, paid: first.paid } : null,
    next: isOwed(bill.status) ? { ...next, dueAt: toDate(next.dueAt) } : null,
  }
}

/** Picks the bill of each kind from the value of `billsOf`. */
export function toBills(rows: BillRow[] | null): RegistrationBills {
  const bills = (rows ?? []).map(toBill)
  const ofKind = (kind: BillKind) => bills.find((bill) => bill.kind === kind) ?? null
  return { registrationFee: ofKind('registration_fee'), reRegistration: ofKind('re_registration') }
}

/** The valid bill of each kind for each registration; nulls for registrations without bills. */
export async function billSummary(db: Db, registrationIds: readonly string[]): Promise<Map<string, RegistrationBills>> {
  if (registrationIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; bills: BillRow[] | null }>`
    SELECT r.id, ${billsOf(sql`r.id`)} AS bills FROM unnest(${[...registrationIds]}::uuid[]) AS r(id)`.execute(db)
  return new Map(rows.map(({ id, bills }) => [id, toBills(bills)]))
}
