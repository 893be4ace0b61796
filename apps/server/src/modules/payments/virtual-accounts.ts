import type { Selectable } from 'kysely'
import { isOwed } from '#domain/payments/bill-status.ts'
import { virtualAccountNumber } from '#domain/payments/virtual-account-number.ts'
import {
  type VirtualAccountAction,
  type VirtualAccountStatus,
  virtualAccountTransitions,
} from '#domain/payments/virtual-account-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Database, Db, Tx } from '#server/platform/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import { takeNumbers } from '#server/platform/numbers.ts'
import type { Services } from '#server/platform/services.ts'
import { findBank, findProvider } from './providers/index.ts'
import { getBill } from './visible-bills.ts'

export type VirtualAccount = Selectable<Database['virtualAccounts']>

const day = 86_400_000
/** Longest life of a number; the applicant can always ask for a new one. */
const longestDays = 30

/** A number lives until the money is due; for money overdue already it lives one more day. */
export function expiryOf(now: Date, dueAt: Date | null): Date {
  if (!dueAt || dueAt.getTime() <= now.getTime()) return new Date(now.getTime() + day)
  return new Date(Math.min(dueAt.getTime(), now.getTime() + longestDays * day))
}

/**
 * Gives the active number of a bill at a bank, or a new one. The bill's row is locked, so that two requests at once end
 * with the same number. Asking for another instalment replaces the number.
 */
export async function requestVirtualAccount(
  services: Services,
  actor: Actor,
  billId: string,
  wanted: { bank: string; installmentId?: string | undefined },
): Promise<VirtualAccount> {
  const bank = findBank(services, wanted.bank)
  if (!bank) throw invalid({ bank: 'invalid_input' })
  return services.db.transaction().execute(async (tx) => {
    const bill = await getBill(tx, actor, billId, { lock: true })
    if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
    const now = services.clock.now()
    const target = await payTarget(tx, bill, wanted.installmentId)

    const active = await tx
      .selectFrom('virtualAccounts')
      .selectAll()
      .where('billId', '=', bill.id)
      .where('bank', '=', bank.code)
      .where('status', '=', 'active')
      .executeTakeFirst()
    const alive = active !== undefined && active.expiresAt.getTime() > now.getTime()
    if (active && alive && active.installmentId === target.installmentId) return active
    if (active) await closeVirtualAccounts(tx, services, { id: active.id }, alive ? 'replace' : 'expire')

    const [customer] = await takeNumbers(tx, 'virtual-account', bank.code, 1)
    const number = virtualAccountNumber(bank.prefix, customer!)
    const expiresAt = expiryOf(now, target.dueAt)
    const { reference } = await bank.provider.issue({
      bank: bank.code,
      number,
      amount: target.amount,
      payerName: bill.applicantName,
      description: bill.number,
      expiresAt,
    })
    const made = await tx
      .insertInto('virtualAccounts')
      .values({
        billId: bill.id,
        installmentId: target.installmentId,
        provider: bank.provider.code,
        bank: bank.code,
        number,
        amount: target.amount,
        expiresAt,
        providerReference: reference,
        createdAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, 'virtual-account.issue', { type: 'bill', id: bill.id }, { after: { number } })
    return made
  })
}

type PayableBill = { id: string; total: number; paid: number; dueAt: Date | null }

/** The instalment named, else the first one that is not paid, else the whole rest. */
async function payTarget(tx: Tx, bill: PayableBill, installmentId: string | undefined) {
  const unpaid = await tx
    .selectFrom('installments')
    .select(['id', 'amount', 'paid', 'dueAt'])
    .where('billId', '=', bill.id)
    .orderBy('position')
    .execute()
  if (installmentId && !unpaid.some((part) => part.id === installmentId)) throw notFound('installment')
  const part = unpaid.find((row) => row.paid < row.amount && (!installmentId || row.id === installmentId))
  if (installmentId && !part) throw conflict('wrong_status', { status: 'paid' })
  if (!part) return { installmentId: null, amount: bill.total - bill.paid, dueAt: bill.dueAt }
  return { installmentId: part.id, amount: part.amount - part.paid, dueAt: part.dueAt }
}

type Which = { id: string } | { billId: string } | { installmentId: string }

/** Closes active numbers and tells the bank. That the bank does not answer is no reason to keep a number. */
export async function closeVirtualAccounts(
  tx: Tx,
  services: Services,
  which: Which,
  action: Exclude<VirtualAccountAction, 'settle'>,
) {
  const { from, to } = virtualAccountTransitions[action]
  const closed = await tx
    .updateTable('virtualAccounts')
    .set({ status: to, closedAt: services.clock.now() })
    .where('status', 'in', from as unknown as VirtualAccountStatus[])
    .$if('id' in which, (q) => q.where('id', '=', (which as { id: string }).id))
    .$if('billId' in which, (q) => q.where('billId', '=', (which as { billId: string }).billId))
    .$if('installmentId' in which, (q) =>
      q.where('installmentId', '=', (which as { installmentId: string }).installmentId),
    )
    .returning(['provider', 'bank', 'number', 'providerReference'])
    .execute()
  for (const account of closed) await tellBank(services, account, action === 'expire' ? 'expire' : 'cancel')
}

type ClosedAccount = Pick<VirtualAccount, 'provider' | 'bank' | 'number' | 'providerReference'>

async function tellBank(services: Services, account: ClosedAccount, reason: 'expire' | 'cancel') {
  try {
    const { bank, number, providerReference: reference } = account
    await findProvider(services, account.provider)?.close({ bank, number, reference }, reason)
  } catch (error) {
    services.log.warn({ err: error, number: account.number }, 'the bank did not close a transfer number')
  }
}

/** Marks numbers whose time is over, in batches; each statement takes only rows nobody else is working on. */
export async function expireVirtualAccounts(services: Services, db: Db, batch = 500): Promise<number> {
  const { from, to } = virtualAccountTransitions.expire
  const now = services.clock.now()
  let expired = 0
  for (;;) {
    const rows = await db
      .updateTable('virtualAccounts')
      .set({ status: to, closedAt: now })
      .where((eb) =>
        eb(
          'id',
          'in',
          eb
            .selectFrom('virtualAccounts')
            .select('id')
            .where('status', 'in', [...from])
            .where('expiresAt', '<=', now)
            .orderBy('expiresAt')
            .limit(batch)
            .forUpdate()
            .skipLocked(),
        ),
      )
      .returning(['provider', 'bank', 'number', 'providerReference'])
      .execute()
    for (const account of rows) await tellBank(services, account, 'expire')
    expired += rows.length
    if (rows.length < batch) return expired
  }
}
