import { theOnly } from '#domain/must.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { AmountType } from '#domain/payments/providers/amount-types.ts'
import { highestQrisAmount, takesAmount } from '#domain/payments/providers/pay-ways.ts'
import { virtualAccountNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { rupiah } from '#locales/format.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import { banksOf } from '#server/modules/payments/providers/index.ts'
import type { Bank } from '#server/modules/payments/providers/provider.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { takeNumbers } from '#server/platform/database/numbers.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { issueAtBank } from './issue-at-bank.ts'
import { closeVirtualAccounts, expiryOf, type VirtualAccount } from './virtual-accounts.ts'

/** Life of a QRIS code or link to a wallet: a gateway cannot end one whose bill changes. */
const codeLifetimeMs = 60 * 60_000

type NumberRequest = {
  bank: string
  installmentId?: string | undefined
  amountType?: AmountType | undefined
  expiresAt?: Date | undefined
  /** The number that the new number replaces, and why. */
  replace?: { id: string; reason: string } | undefined
  /** Runs in the transaction that reserves the number; what it throws leaves no number. */
  guard?: ((tx: Tx) => Promise<void>) | undefined
  /** The payment link through which somebody without an account asks. */
  linkId?: string | undefined
}

/**
 * Returns the open number of a bill at a bank, or a new one. The number is reserved first, under the lock of the bill,
 * so that parallel requests get the same one. The bank is called afterwards, outside any transaction. A number the bank
 * has not issued yet is returned as pending.
 */
export async function requestVirtualAccount(
  services: Services,
  actor: Actor,
  billId: string,
  request: NumberRequest,
): Promise<VirtualAccount> {
  const bank = (await banksOf(services)).find((one) => one.code === request.bank)
  if (!bank) throw invalid({ bank: 'invalid_input' })
  const reserved = await inTransaction(services, actor, (context) => reserve(context, billId, { ...request, bank }))
  const account = reserved.status === 'pending' ? await issueAtBank(services, reserved.id) : reserved
  if (account.status === 'failed') throw conflict('bank_refused', { bank: bank.name })
  return account
}

type Reserving = Omit<NumberRequest, 'bank'> & { bank: Bank & { provider: { code: string } } }

async function reserve(context: Context, billId: string, request: Reserving) {
  const { tx, services, actor } = context
  const { bank } = request
  const bill = await getBill(tx, actor, billId, { lock: true })
  await request.guard?.(tx)
  if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
  const now = services.clock.now()
  const target = await payTarget(tx, bill, request.installmentId)
  const way = bank.way ?? 'transfer'
  const isTransfer = way === 'transfer'
  const amountType = isTransfer ? (request.amountType ?? bank.amountType) : 'closed'
  if (!takesAmount(way, target.amount))
    throw invalid({ bank: { code: 'qris_limit', params: { maximum: rupiah(highestQrisAmount) } } })
  const usualExpiry = expiryOf(now, target.dueAt, bill.promisedUntil)
  const wantedExpiry = request.expiresAt ?? usualExpiry
  const codeExpiry = new Date(Math.min(wantedExpiry.getTime(), now.getTime() + codeLifetimeMs))

  const open = await tx
    .selectFrom('virtualAccounts')
    .selectAll()
    .where('billId', '=', bill.id)
    .where('bank', '=', bank.code)
    .where('status', 'in', ['pending', 'active'])
    .forUpdate()
    .executeTakeFirst()
  const alive = open !== undefined && open.expiresAt.getTime() > now.getTime()
  const isSameTarget =
    open &&
    open.installmentId === target.installmentId &&
    // A code takes the amount it was made for, even if less is left to pay by now.
    (isTransfer ? !request.amountType || open.amountType === amountType : open.amount === target.amount)
  if (open && alive && isSameTarget && !request.replace) return open
  if (open) await closeVirtualAccounts(context, { id: open.id }, alive ? 'replace' : 'expire', request.replace?.reason)

  const number = bank.prefix === null ? null : await nextNumber(tx, bank, bank.prefix)
  const account = await tx
    .insertInto('virtualAccounts')
    .values({
      billId: bill.id,
      installmentId: target.installmentId,
      provider: bank.provider.code,
      bank: bank.code,
      number,
      amount: target.amount,
      amountType,
      status: 'pending',
      expiresAt: isTransfer ? wantedExpiry : codeExpiry,
      replacesId: request.replace?.id ?? open?.id ?? null,
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAudit(tx, actor, {
    action: 'virtual-account.issue',
    on: { 'virtual-account': account.id },
    after: { bill: bill.number, bank: bank.name, number, amount: target.amount, linkId: request.linkId },
    ...(request.replace && { reason: request.replace.reason }),
  })
  return account
}

/** Issues each customer number once; 409 when the prefix has none left. */
async function nextNumber(tx: Tx, bank: Bank, prefix: string) {
  const serial = theOnly(await takeNumbers(tx, 'virtual-account', bank.code, 1))
  const customer = bank.first + serial - 1
  if (customer > bank.last) throw conflict('numbers_used_up', { bank: bank.name })
  return virtualAccountNumber(prefix, customer, bank.digits)
}

type PayableBill = { id: string; total: number; paid: number; dueAt: Date | null }

/** The named instalment, else the first unpaid one, else the whole remaining amount. */
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
