import { type HeldReason, heldReasons } from '#domain/payments/approvals/held-money.ts'
import type { Db } from '#server/platform/database/database.ts'

type Hold = {
  hold: HeldReason
  /** Note written when the alert was settled; null while it is open. */
  note: string | null
}

/**
 * Why the gateway has not cleared the money of a payment: from the reason for which it waits, or from an open alert
 * raised after it was booked. Null for cleared money.
 */
export async function findHold(db: Db, paymentId: string): Promise<Hold | null> {
  const { waitingReason, provider, providerReference } = await db
    .selectFrom('payments')
    .select(['waitingReason', 'provider', 'providerReference'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const alerts = await db
    .selectFrom('paymentAlerts as l')
    .leftJoin('accounts as s', 's.id', 'l.settledBy')
    .select(['l.kind', 'l.settledAt', 'l.note', 's.name'])
    // By reference, because an alert may be older than the payment.
    .where('l.provider', '=', provider)
    .where('l.providerReference', '=', providerReference)
    .where('l.kind', 'in', heldReasons)
    .orderBy('l.raisedAt', 'desc')
    .orderBy('l.id')
    .execute()
  const open = alerts.find(({ settledAt }) => settledAt === null)
  if (open) return { hold: open.kind as HeldReason, note: null }
  const hold = heldReasons.find((reason) => reason === waitingReason)
  if (!hold) return null
  const settled = alerts.find(({ kind, name }) => kind === hold && name !== null)
  return { hold, note: settled ? `${settled.name}: ${settled.note}` : null }
}

/** Fields of an effect that show the deciding account that the money is not cleared. */
export const heldEffect = (held: Hold | null) =>
  held ? { hold: held.hold, ...(held.note && { holdNote: held.note }) } : {}
