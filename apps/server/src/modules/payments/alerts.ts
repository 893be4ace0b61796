import { recordAudit } from '#server/platform/audit.ts'
import { systemActor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'

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
