import { sql } from 'kysely'
import { bankCalendar } from '#domain/calendar.ts'
import type { Context } from '#server/platform/use-case.ts'
import { type OwnAccount, startsLikeOurs } from './account-queue.ts'

export type UnbookedReport = {
  id: string
  provider: string
  /** Null if the report could not be read. */
  reference: string | null
  amount: number | null
  /** Rupiah booked under this reference; null if none. */
  booked: number | null
  paymentId: string | null
}

/** A report without an outcome after ten minutes counts as abandoned. */
const abandonAfterMs = 10 * 60_000

/**
 * Reports of one day that failed, contradict a payment or were abandoned, and are not booked as reported. An abandoned
 * one is skipped if the bank repeated the same bytes within three days and that repetition did not fail.
 */
export async function unbookedReports(
  { tx, services }: Omit<Context, 'actor'>,
  account: OwnAccount,
  day: string,
): Promise<UnbookedReport[]> {
  const now = services.clock.now()
  const codes = [...new Set(account.banks.map(({ provider }) => provider))]
  if (codes.length === 0) return []
  const [from, to] = bankCalendar.boundsOfDay(day)
  const abandonedBefore = new Date(now.getTime() - abandonAfterMs)
  const { rows } = await sql<UnbookedReport>`
    SELECT DISTINCT ON (r.provider, coalesce(r.reference, r.id::text), r.amount) r.id, r.provider, r.reference, r.amount,
      p.amount AS booked, p.id AS payment_id
    FROM bank_reports r
    LEFT JOIN LATERAL (SELECT bank FROM virtual_accounts WHERE provider = r.provider AND number = r.number LIMIT 1) v ON true
    LEFT JOIN payments p ON p.provider = r.provider AND p.provider_reference = r.reference
    WHERE r.provider = ANY(${codes}::text[]) AND r.received_at >= ${from} AND r.received_at < ${to}
      AND (r.outcome IN ('failed', 'contradicts') OR (r.outcome IS NULL AND r.received_at < ${abandonedBefore}))
      AND (v.bank = ANY(${account.sources}::text[]) OR r.number IS NULL
        OR (v.bank IS NULL AND ${startsLikeOurs(account, sql`r.provider`, sql`r.number`)}))
      AND (p.id IS NULL OR p.amount <> r.amount OR p.virtual_account_number <> r.number)
      AND (r.outcome IS NOT NULL OR NOT EXISTS (SELECT FROM bank_reports again WHERE again.provider = r.provider
        AND again.received_at > r.received_at AND again.received_at < r.received_at + interval '3 days'
        AND again.outcome <> 'failed' AND again.body = r.body))
    ORDER BY r.provider, coalesce(r.reference, r.id::text), r.amount, r.received_at
    LIMIT 500`.execute(tx)
  return rows
}
