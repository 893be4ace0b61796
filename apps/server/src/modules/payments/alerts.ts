import { recordAudit } from '#server/platform/audit.ts'
import { type Actor, systemActor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { registrationVisibleTo } from './visible-bills.ts'

type Alert = {
  kind: 'reversed_by_bank' | 'contradicts' | 'not_reported'
  provider: string
  providerReference: string
  virtualAccountId?: string | null | undefined
  paymentId?: string | null | undefined
  bankReportId?: string | null | undefined
  amount?: number | undefined
}

/** Notes what a bank says and only a person can settle; the same said again is noted once. */
export async function raiseAlert(tx: Tx, services: Services, alert: Alert): Promise<boolean> {
  const raised = await tx
    .insertInto('paymentAlerts')
    .values({
      ...alert,
      virtualAccountId: alert.virtualAccountId ?? null,
      paymentId: alert.paymentId ?? null,
      bankReportId: alert.bankReportId ?? null,
      amount: alert.amount ?? null,
      raisedAt: services.clock.now(),
    })
    .onConflict((conflicting) => conflicting.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!raised) return false
  await recordAudit(
    tx,
    systemActor,
    'virtual-account.alert',
    { type: 'virtual-account', id: alert.virtualAccountId ?? raised.id },
    { after: { kind: alert.kind, reference: alert.providerReference, amount: alert.amount } },
  )
  return true
}

/** A person has looked at it and says what was done. */
export const settleAlert = (services: Services, actor: Actor, id: string, note: string) =>
  services.db.transaction().execute(async (tx) => {
    const alert = await tx
      .selectFrom('paymentAlerts as l')
      .leftJoin('virtualAccounts as v', 'v.id', 'l.virtualAccountId')
      .leftJoin('bills as b', 'b.id', 'v.billId')
      .leftJoin('registrations as r', 'r.id', 'b.registrationId')
      .selectAll('l')
      .where('l.id', '=', id)
      .where((eb) => registrationVisibleTo(actor, eb as never))
      .forUpdate('l')
      .executeTakeFirst()
    if (!alert) throw notFound('alert')
    if (alert.settledAt) throw conflict('wrong_status', { status: 'settled' })
    await tx
      .updateTable('paymentAlerts')
      .set({ settledAt: services.clock.now(), settledBy: actor.accountId, note })
      .where('id', '=', id)
      .execute()
    await recordAudit(
      tx,
      actor,
      'virtual-account.settle-alert',
      { type: 'virtual-account', id: alert.virtualAccountId ?? id },
      { after: { kind: alert.kind, reference: alert.providerReference }, reason: note },
    )
    return alert.virtualAccountId
  })
