import { sql } from 'kysely'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { virtualAccountTransitions } from '#domain/payments/bills/virtual-account-status.ts'
import { lockBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import {
  type IssuedAccount,
  type ReportedPayment,
  usualFirstAskMs,
} from '#server/modules/payments/providers/provider.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { tellBanks, type VirtualAccount } from './virtual-accounts.ts'

/**
 * Activates a number that the bank has issued. If the bill was paid or cancelled meanwhile, tells the bank to close the
 * number.
 */
export async function activateNumber(
  services: Services,
  { id, billId, provider: code }: Pick<VirtualAccount, 'id' | 'billId' | 'provider'>,
  { number, reference, qrText, payUrl, expiresAt }: IssuedAccount,
) {
  const { clock } = services
  const provider = await findProvider(services, code)
  try {
    await inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      const bill = await lockBill(tx, billId)
      const now = clock.now()
      const { from, to } = virtualAccountTransitions.activate
      const issuedValues = {
        number,
        providerReference: reference,
        ...(qrText && { qrText }),
        ...(payUrl && { payUrl }),
        claimedUntil: null,
        problem: null,
        problemDetail: null,
      }
      const opened = isOwed(bill.status)
        ? await tx
            .updateTable('virtualAccounts')
            .set({
              ...issuedValues,
              status: to,
              activatedAt: now,
              askAt: new Date(now.getTime() + (provider?.firstAskMs ?? usualFirstAskMs)),
              ...(expiresAt && { expiresAt: sql<Date>`least(expires_at, ${expiresAt})` }),
            })
            .where('id', '=', id)
            .where('status', 'in', [...from])
            .returning('id')
            .executeTakeFirst()
        : undefined
      if (opened) return
      await tx
        .updateTable('virtualAccounts')
        .set((eb) => ({
          ...issuedValues,
          status: eb
            .case()
            .when('status', '=', 'pending')
            .then(virtualAccountTransitions.cancel.to)
            .else(eb.ref('status'))
            .end(),
          closedAt: now,
          ...(provider?.keepsNumbers !== false && { tell: 'cancel' as const, tellAt: now, tellTries: 0 }),
        }))
        .where('id', '=', id)
        // The gateway's own call may have reported the number first.
        .where((eb) => eb.not(eb.and([eb('status', 'in', ['active', 'paid']), eb('number', '=', number)])))
        .execute()
      await tellBanks(context)
    })
  } catch (error) {
    // The gateway returned a number it had issued before; it is not used twice.
    if ((error as { code?: string }).code !== '23505') throw error
    await failNumber(services, id, 'number_used', number)
  }
}

/** Activates a pending number that a gateway reports as issued, perhaps before its response to our request arrives. */
export async function noteIssued(services: Services, id: string, issued: IssuedAccount) {
  const pending = await services.db
    .selectFrom('virtualAccounts')
    .select(['id', 'billId', 'provider'])
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (pending) await activateNumber(services, pending, issued)
}

/**
 * Activates a pending number named by a payment report, which replaces the bank's lost response. Undefined if another
 * number has the same digits: then the money is booked on the bill without a number. The caller has locked the bill.
 */
export async function activatePaid(
  { tx, services }: Omit<Context, 'actor'>,
  pending: VirtualAccount,
  { virtualAccountNumber, numberReference }: ReportedPayment,
): Promise<VirtualAccount | undefined> {
  const number = pending.number ?? virtualAccountNumber
  const sameNumber = await tx
    .selectFrom('virtualAccounts')
    .select('id')
    .where('number', '=', number)
    .where('id', '!=', pending.id)
    .executeTakeFirst()
  if (sameNumber || !/^\d{1,28}$/.test(number)) return undefined
  const now = services.clock.now()
  const provider = await findProvider(services, pending.provider, tx)
  return tx
    .updateTable('virtualAccounts')
    .set({
      number,
      providerReference: pending.providerReference ?? numberReference?.slice(0, 80) ?? null,
      status: virtualAccountTransitions.activate.to,
      activatedAt: now,
      askAt: new Date(now.getTime() + (provider?.firstAskMs ?? usualFirstAskMs)),
      claimedUntil: null,
      problem: null,
      problemDetail: null,
    })
    .where('id', '=', pending.id)
    .where('status', 'in', [...virtualAccountTransitions.activate.from])
    .returningAll()
    .executeTakeFirst()
}

/** Ends a number that the bank does not issue. */
export async function failNumber({ db, clock }: Services, id: string, problem: string, detail: string) {
  await db
    .updateTable('virtualAccounts')
    .set({
      status: virtualAccountTransitions.fail.to,
      claimedUntil: null,
      closedAt: clock.now(),
      problem,
      problemDetail: detail.slice(0, 300),
    })
    .where('id', '=', id)
    .where('status', 'in', [...virtualAccountTransitions.fail.from])
    .execute()
}
