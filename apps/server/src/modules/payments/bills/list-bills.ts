import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { type BillKind, type BillStatus, isOverdue, isOwed } from '#domain/payments/bills/bill-status.ts'
import { promiseState } from '#domain/payments/bills/promise.ts'
import { isOpen } from '#domain/payments/bills/virtual-account-status.ts'
import type { PayWay } from '#domain/payments/providers/pay-ways.ts'
import { bankName, isDemoBank } from '#server/modules/payments/providers/index.ts'
import { demoBankAddress } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import { allocatedOf } from './allocated.ts'
import type { VirtualAccount } from './numbers/virtual-accounts.ts'
import { nextPayment, remainingOn } from './remaining.ts'
import { findSeenPayments } from './seen-payments.ts'
import { findTakenBack } from './taken-back.ts'
import { missingForShare, unlockOfNumber } from './unlock-rule.ts'

/**
 * All details of a registration's bills, oldest first. The number of queries does not grow with the number of bills.
 */
export async function listBills(
  services: Services,
  db: Db,
  actor: Actor,
  registration: Registration,
  { withUnpaidCancelled = false } = {},
) {
  const { id: registrationId } = registration
  const now = services.clock.now()
  const bills = await db
    .selectFrom('bills')
    .selectAll()
    .where('registrationId', '=', registrationId)
    .orderBy('issuedAt')
    .orderBy('id')
    .execute()
  if (bills.length === 0) return []
  const ids = bills.map((bill) => bill.id)
  const [lines, installments, accounts, payments, settings] = await Promise.all([
    db
      .selectFrom('billLines as l')
      .leftJoin('feeComponents as c', 'c.id', 'l.feeComponentId')
      .select(['l.billId', 'l.description', 'l.amount'])
      .select((eb) => [
        // A component that was renamed since explains the line still, but no longer names it.
        eb.case().when('c.name', '=', eb.ref('l.description')).then(eb.ref('c.nameEn')).end().as('nameEn'),
        eb.case().when('l.discountId', 'is', null).then(eb.ref('c.description')).end().as('explanation'),
        eb.case().when('l.discountId', 'is', null).then(eb.ref('c.descriptionEn')).end().as('explanationEn'),
      ])
      .where('l.billId', 'in', ids)
      .orderBy('l.sortOrder')
      .execute(),
    db.selectFrom('installments').selectAll().where('billId', 'in', ids).orderBy('position').execute(),
    db.selectFrom('virtualAccounts').selectAll().where('billId', 'in', ids).orderBy('createdAt').execute(),
    db
      .selectFrom('payments as p')
      .leftJoin('virtualAccounts as v', 'v.id', 'p.virtualAccountId')
      .selectAll('p')
      .select('v.bank')
      .where('p.billId', 'in', ids)
      .orderBy('p.receivedAt')
      .execute(),
    getSettings(db),
  ])
  const seen = await findSeenPayments(
    db,
    actor,
    payments.map(({ id }) => id),
  )
  const owed = bills.filter(({ status }) => isOwed(status))
  const takenBack = await findTakenBack(
    db,
    owed.map(({ id }) => id),
  )
  return bills
    .map((bill) => {
      const parts = installments.filter((part) => part.billId === bill.id)
      const next = isOwed(bill.status) ? nextPayment(bill, parts) : null
      return {
        ...bill,
        overdue: isOverdue({ status: bill.status, dueAt: next?.dueAt ?? bill.dueAt }, now),
        next,
        promise: promiseOf(bill, now),
        unlock: unlockOf(settings, registration, bill, parts[0] ?? null, now),
        lines: lines.filter((line) => line.billId === bill.id),
        installments: parts.map((part) => ({
          ...part,
          overdue: isOwed(bill.status) && part.paid < part.amount && part.dueAt < now,
        })),
        virtualAccounts: accounts
          .filter((account) => account.billId === bill.id)
          .map((account) => accountView(services, account, remainingOn(account, bill, parts))),
        takenBack: takenBack.get(bill.id) ?? null,
        payments: payments
          .filter((payment) => payment.billId === bill.id)
          .map((payment) => ({
            ...payment,
            allocated: allocatedOf(payment),
            seen: seen?.has(payment.id) ?? true,
            bankName: payment.bank ? bankName(services, payment.bank) : payment.provider,
          })),
      }
    })
    .filter((bill) => withUnpaidCancelled || bill.status !== 'cancelled' || bill.payments.length > 0)
}

type Registration = { id: string; status: RegistrationStatus; paidAt: Date | null }
type Bill = { kind: BillKind; status: BillStatus; total: number; paid: number; promisedUntil: Date | null }

function promiseOf(bill: Parameters<typeof promiseState>[0], now: Date) {
  const { promisedUntil: until } = bill
  const state = promiseState(bill, now)
  return state && until && { state, until }
}

/** What the bill unlocks once paid: the registration card, or the student number. */
function unlockOf(settings: Settings, registration: Registration, bill: Bill, first: Part | null, now: Date) {
  if (!isOwed(bill.status)) return null
  const fee = bill.kind === 'registration_fee'
  if (fee ? registration.paidAt !== null : registration.status !== 'confirmed') return null
  const missing = fee ? missingForShare(bill, settings.cardShare) : unlockOfNumber(settings, bill, first, now).missing
  return missing > 0 ? { what: fee ? ('card' as const) : ('number' as const), missing } : null
}

type Part = { id: string; amount: number; paid: number }

/** A number past its expiry counts as expired, even before the job marks it. */
export const statusNow = (account: Pick<VirtualAccount, 'status' | 'expiresAt'>, now: Date) =>
  isOpen(account.status) && account.expiresAt <= now ? 'expired' : account.status

const wayOf = ({ qrText, payUrl }: VirtualAccount): PayWay => (qrText ? 'qris' : payUrl ? 'wallet' : 'transfer')

function codeOf(services: Services, { qrText, number }: VirtualAccount, demo: boolean) {
  if (qrText) return qrOf(qrText)
  return demo && number ? qrOf(demoBankAddress(services, number)) : null
}

/** A number as its payer sees it. `remaining` is the amount of a number; a code has one of its own. */
export function accountView(services: Services, account: VirtualAccount, remaining: number) {
  const status = statusNow(account, services.clock.now())
  const demo = isDemoBank(services, account.bank)
  const way = wayOf(account)
  return {
    ...account,
    amount: way === 'transfer' ? remaining : account.amount,
    status,
    bankName: bankName(services, account.bank),
    demo,
    /** The bank has not answered yet; a job asks again. */
    delayed: account.status === 'pending' && account.problem !== null,
    way,
    qr: isOpen(status) ? codeOf(services, account, demo) : null,
    payUrl: isOpen(status) ? account.payUrl : null,
  }
}
