import { sql } from 'kysely'
import type { PaymentAlert } from '#domain/payments/money/endpoints.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'

type Alert = {
  kind: PaymentAlert['kind']
  provider: string
  providerReference: string
  virtualAccountId?: string | null | undefined
  paymentId?: string | null | undefined
  bankReportId?: string | null | undefined
  amount?: number | undefined
  /** The held payment as JSON. */
  told?: string | undefined
}

/** Stores a bank's message that only staff can settle. The same message is stored once; true if it was stored now. */
export async function raiseAlert({ tx, services }: Omit<Context, 'actor'>, alert: Alert): Promise<boolean> {
  const now = services.clock.now()
  const raised = await tx
    .insertInto('paymentAlerts')
    .values({
      ...alert,
      virtualAccountId: alert.virtualAccountId ?? null,
      paymentId: alert.paymentId ?? null,
      bankReportId: alert.bankReportId ?? null,
      amount: alert.amount ?? null,
      told: alert.told ?? null,
      raisedAt: now,
    })
    .onConflict((conflicting) => conflicting.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!raised) return false
  await recordAudit(tx, systemActor, {
    action: 'virtual-account.alert',
    on: { 'virtual-account': alert.virtualAccountId ?? raised.id },
    after: { kind: alert.kind, reference: alert.providerReference, amount: alert.amount },
  })
  return true
}

/** Alerts about a number or a payment, newest first, with the name of the account that settled each. */
export async function findAlerts(db: Db, about: { virtualAccountId: string } | { paymentId: string }) {
  const rows = await db
    .selectFrom('paymentAlerts as l')
    .leftJoin('accounts as s', 's.id', 'l.settledBy')
    .select(alertColumns)
    .where((eb) =>
      'paymentId' in about
        ? eb('l.paymentId', '=', about.paymentId)
        : eb('l.virtualAccountId', '=', about.virtualAccountId),
    )
    .orderBy('l.raisedAt', 'desc')
    .execute()
  return rows.map(toAlert)
}

/** Columns of an alert `l` with the account `s` that settled it. */
export const alertColumns = [
  'l.id',
  'l.kind',
  'l.providerReference as reference',
  'l.amount',
  'l.told',
  'l.raisedAt',
  'l.settledAt',
  'l.note',
  's.name as settledBy',
  sql<boolean>`EXISTS (SELECT FROM approval_requests q WHERE q.payment_alert_id = l.id AND q.status = 'pending')`.as(
    'asked',
  ),
] as const

type AlertRow = {
  id: string
  kind: PaymentAlert['kind']
  reference: string
  amount: number | null
  told: unknown
  raisedAt: Date
  settledAt: Date | null
  note: string | null
  settledBy: string | null
  asked: boolean
}

export const toAlert = ({ told: stored, ...row }: AlertRow): PaymentAlert => ({
  ...row,
  amountTold: (stored as { amountTold?: string } | null)?.amountTold ?? null,
  raisedAt: row.raisedAt.toISOString(),
  settledAt: row.settledAt?.toISOString() ?? null,
})

/** Settles an open alert that a later report of the bank answers; `note` holds the bank's own word. */
export async function answerAlert(
  { tx, services }: Omit<Context, 'actor'>,
  { kind, provider, providerReference }: Pick<Alert, 'kind' | 'provider' | 'providerReference'>,
  note: string,
): Promise<void> {
  const now = services.clock.now()
  const answered = await tx
    .updateTable('paymentAlerts')
    .set({ settledAt: now, note })
    .where('kind', '=', kind)
    .where('provider', '=', provider)
    .where('providerReference', '=', providerReference)
    .where('settledAt', 'is', null)
    .returning(['id', 'virtualAccountId'])
    .executeTakeFirst()
  if (!answered) return
  await recordAudit(tx, systemActor, {
    action: 'virtual-account.settle-alert',
    on: { 'virtual-account': answered.virtualAccountId ?? answered.id },
    after: { kind, reference: providerReference },
    reason: note,
  })
}

/** Settles an alert with a staff member's note about what was done. */
export const settleAlert = (services: Services, actor: Actor, id: string, note: string) =>
  services.db.transaction().execute(async (tx) => {
    const alert = await tx
      .selectFrom('paymentAlerts as l')
      .leftJoin('virtualAccounts as v', 'v.id', 'l.virtualAccountId')
      .leftJoin('bills as b', 'b.id', 'v.billId')
      .leftJoin('registrations as r', 'r.id', 'b.registrationId')
      .selectAll('l')
      .where('l.id', '=', id)
      .where(visibleTo(actor))
      .forUpdate('l')
      .executeTakeFirst()
    if (!alert) throw notFound('alert')
    if (alert.kind === 'above_maximum') throw conflict('needs_second_person')
    if (alert.settledAt) throw conflict('wrong_status', { status: 'settled' })
    await tx
      .updateTable('paymentAlerts')
      .set({ settledAt: services.clock.now(), settledBy: actor.accountId, note })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'virtual-account.settle-alert',
      on: { 'virtual-account': alert.virtualAccountId ?? id },
      after: { kind: alert.kind, reference: alert.providerReference },
      reason: note,
    })
    return alert.virtualAccountId
  })
