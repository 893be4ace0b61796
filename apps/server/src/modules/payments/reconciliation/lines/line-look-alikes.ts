import { sql } from 'kysely'
import { bankCalendar } from '#domain/calendar.ts'
import { wholeRupiahOf } from '#domain/payments/reconciliation/sen.ts'
import { type FoundRow, withoutHidden } from '#server/modules/payments/money/enter/look-alikes.ts'
import { arrivesOn, getAccount } from '#server/modules/payments/reconciliation/account-queue.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { bankReference } from '#server/platform/bank-reference.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import type { Line as StoredLine } from './settle-lines.ts'

type Line = Pick<StoredLine, 'id' | 'bankAccountId' | 'reference' | 'amountSen' | 'day'>

/**
 * Payments and pending entries that may be the same money as a statement line: by reference, or by sum and day among
 * payments that arrive on the line's account and have no line of their own.
 */
export async function findLookAlikesOfLine(services: Services, db: Db, actor: Actor, line: Line) {
  const account = await getAccount(services, db, line.bankAccountId)
  const [start, end] = bankCalendar.boundsOfDay(line.day)
  const key = sql`reference_key(${line.reference})`
  const amount = wholeRupiahOf(line.amountSen)
  const { rows } = await sql<FoundRow>`
    SELECT 'payment' AS type, p.id, p.amount, p.paid_at AS at, false AS expected, ${bankReference} AS reference,
      p.payer_name, r.id AS registration_id, r.code AS registration_code, a.full_name AS applicant_name,
      coalesce(reference_key(p.reference) = ${key} OR reference_key(p.provider_reference) = ${key}, false) AS same_reference,
      false AS same_proof, p.amount = ${amount} AND p.paid_at >= ${start} AND p.paid_at < ${end} AS same_sum
    FROM payments p LEFT JOIN bills b ON b.id = p.bill_id
      LEFT JOIN registrations r ON r.id = b.registration_id LEFT JOIN applicants a ON a.id = r.applicant_id
    WHERE p.status <> 'reversed' AND p.id IN (
      SELECT id FROM payments WHERE reference_key(reference) = ${key} AND reference IS NOT NULL
      UNION SELECT id FROM payments WHERE reference_key(provider_reference) = ${key}
      UNION SELECT p.id FROM payments p LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
        WHERE p.amount = ${amount} AND p.paid_at >= ${start} AND p.paid_at < ${end} AND ${arrivesOn(account, { anyTransfer: true })}
          AND NOT EXISTS (SELECT FROM statement_lines m WHERE m.payment_id = p.id))
      AND NOT EXISTS (SELECT FROM statement_lines m WHERE m.payment_id = p.id AND m.id = ${line.id})
    UNION ALL
    SELECT 'request', q.id, q.amount, (q.details ->> 'paidAt')::timestamptz, false, q.details ->> 'reference',
      q.details ->> 'payerName', r.id, r.code, a.full_name, q.same_reference, false, q.same_sum
    FROM (SELECT q.*, coalesce(reference_key(q.details ->> 'reference') = ${key}, false) AS same_reference,
        q.amount = ${amount} AND q.details ->> 'method' = 'transfer' AND (q.details ->> 'paidAt')::timestamptz >= ${start}
          AND (q.details ->> 'paidAt')::timestamptz < ${end} AS same_sum
      FROM approval_requests q WHERE q.status = 'pending' AND q.kind = 'manual_payment') q
      JOIN registrations r ON r.id = q.registration_id JOIN applicants a ON a.id = r.applicant_id
    WHERE q.same_reference OR q.same_sum
    ORDER BY 1, 4 DESC LIMIT 50`.execute(db)
  return withoutHidden(db, actor, rows)
}

/**
 * The valid payment that certainly is the money of a statement line: it has the same reference on the line's account,
 * or was matched with the line before the line was reopened. Payments with another line of their own are excluded.
 */
export async function findPaymentOfLine(services: Services, db: Db, line: Line) {
  const account = await getAccount(services, db, line.bankAccountId)
  const key = sql`reference_key(${line.reference})`
  const { rows } = await sql<{ amount: number; paidAt: Date; reference: string | null }>`
    SELECT p.amount, p.paid_at, ${bankReference} AS reference
    FROM payments p LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
    WHERE p.status <> 'reversed' AND NOT EXISTS (SELECT FROM statement_lines m WHERE m.payment_id = p.id)
      AND ((p.id IN (SELECT id FROM payments WHERE reference_key(reference) = ${key} AND reference IS NOT NULL
            UNION SELECT id FROM payments WHERE reference_key(provider_reference) = ${key})
          AND ${arrivesOn(account, { anyTransfer: true })})
        OR p.id::text IN (SELECT l.before ->> 'paymentId' FROM audit_log l WHERE l.subject_type = 'statement-line'
          AND l.subject_id = ${line.id} AND l.action = 'statement-line.reopen'))
    ORDER BY p.paid_at LIMIT 1`.execute(db)
  return rows[0]
}
