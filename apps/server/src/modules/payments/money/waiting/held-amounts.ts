import { raiseAlert } from '#server/modules/payments/money/alerts.ts'
import type { ReportedPayment } from '#server/modules/payments/providers/provider.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'

/** The amount for a column of rupiah; null beyond 2^53, where a number only approximates the reported amount. */
export const storableAmount = (amount: number) => (Number.isSafeInteger(amount) ? amount : null)

/** Stored fields of a held payment; booking it later needs nothing else. */
type StoredReport = Omit<ReportedPayment, 'amount' | 'paidAt'> & { amount: number | null; paidAt: string }

/** The held amount for a bank's transaction id, decided or not. */
export const findHeldAmount = (db: Db, provider: string, reference: string) =>
  db
    .selectFrom('paymentAlerts')
    .select(['id', 'virtualAccountId', 'settledAt'])
    .where('kind', '=', 'above_maximum')
    .where('provider', '=', provider)
    .where('providerReference', '=', reference)
    .executeTakeFirst()

type Held = {
  provider: string
  payment: ReportedPayment
  virtualAccountId: string | undefined
  bankReportId: string | null
}

/** Holds a payment above the maximum as an alert, without booking it. A repeated report finds the same alert. */
export async function holdAmount(
  context: Omit<Context, 'actor'>,
  { provider, payment, virtualAccountId, bankReportId }: Held,
): Promise<'held' | 'repeated'> {
  const amount = storableAmount(payment.amount)
  const stored: StoredReport = {
    ...payment,
    amount,
    amountTold: (payment.amountTold ?? String(payment.amount)).slice(0, 40),
    paidAt: payment.paidAt.toISOString(),
  }
  const isNew = await raiseAlert(context, {
    kind: 'above_maximum',
    provider,
    providerReference: payment.reference,
    virtualAccountId,
    bankReportId,
    amount: amount ?? undefined,
    told: JSON.stringify(stored),
  })
  return isNew ? 'held' : 'repeated'
}

/** The stored fields of a held payment; null for other alerts. */
export const toStoredReport = (stored: unknown) => stored as StoredReport | null

/** A held payment as reported; only for amounts that a number represents exactly. */
export function paymentOf(stored: unknown): ReportedPayment {
  const { amount, paidAt, ...rest } = stored as StoredReport
  return { ...rest, amount: amount!, paidAt: new Date(paidAt) }
}
