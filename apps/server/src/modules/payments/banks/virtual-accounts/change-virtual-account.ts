import { universityCalendar } from '#domain/calendar.ts'
import type { NewVirtualAccount, VirtualAccountReissue } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { isOpen } from '#domain/payments/bills/virtual-account-status.ts'
import { askForReader } from '#server/modules/payments/banks/ask-bank.ts'
import { requestVirtualAccount } from '#server/modules/payments/bills/numbers/request-virtual-account.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { getVirtualAccount } from './show-virtual-account.ts'

/** Creates a number for a bill or one of its instalments, as staff. */
export async function createVirtualAccount(
  services: Services,
  actor: Actor,
  { billId, expiresOn, ...request }: NewVirtualAccount,
) {
  const expiresAt = expiresOn ? universityCalendar().endOfDay(expiresOn) : undefined
  return requestVirtualAccount(services, actor, billId, { ...request, expiresAt })
}

/** Closes a number for a reason given by staff. Money that still arrives on it is booked as waiting. */
export const cancelVirtualAccount = (services: Services, actor: Actor, id: string, reason: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { billId } = await getVirtualAccount(tx, actor, id)
    await getBill(tx, actor, billId, { lock: true })
    const account = await getVirtualAccount(tx, actor, id)
    if (!isOpen(account.status)) throw conflict('virtual_account_closed', { status: account.status })
    await closeVirtualAccounts(context, { id }, 'cancel', reason)
    await recordAudit(tx, actor, {
      action: 'virtual-account.cancel',
      on: { 'virtual-account': id },
      before: { status: account.status },
      after: { status: 'cancelled' },
      reason,
    })
  })

/** Replaces a number by a new one, at the same bank unless another is named. The old number stays in the history. */
export async function reissueVirtualAccount(
  services: Services,
  actor: Actor,
  id: string,
  { reason, bank }: VirtualAccountReissue,
) {
  const account = await getVirtualAccount(services.db, actor, id)
  const bill = await getBill(services.db, actor, account.billId)
  if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
  if (account.installmentId) {
    const part = await services.db
      .selectFrom('installments')
      .select(['amount', 'paid'])
      .where('id', '=', account.installmentId)
      .executeTakeFirstOrThrow()
    if (part.paid >= part.amount) throw conflict('wrong_status', { status: 'paid' })
  }
  return requestVirtualAccount(services, actor, account.billId, {
    bank: bank ?? account.bank,
    installmentId: account.installmentId ?? undefined,
    amountType: bank && bank !== account.bank ? undefined : account.amountType,
    replace: { id, reason },
  })
}

/** Asks the bank now and books payments unknown to the books. */
export async function askAboutVirtualAccount(services: Services, actor: Actor, id: string) {
  const account = await getVirtualAccount(services.db, actor, id)
  if (!account.number) throw conflict('wrong_status', { status: account.status })
  const found = await askForReader(services, account)
  await recordAudit(services.db, actor, {
    action: 'virtual-account.ask',
    on: { 'virtual-account': id },
    after: { found },
  })
  return found
}
