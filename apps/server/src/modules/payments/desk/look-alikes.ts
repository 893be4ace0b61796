import { sql } from 'kysely'
import type { z } from 'zod'
import { boundsOfDay, dayInJakarta } from '#domain/days.ts'
import type { lookAlike } from '#domain/payments/desk-endpoints.ts'
import type { Actor } from '#server/platform/authorization.ts'
import { type Db, likePattern } from '#server/platform/database.ts'
import { registrationVisibleTo } from '../visible-bills.ts'
import type { Question } from './ask-approval.ts'

type LookAlike = z.output<typeof lookAlike>
type Entry = Pick<Question, 'billId' | 'amount' | 'details' | 'fileId'>
type Row = Omit<LookAlike, 'why' | 'at' | 'visible'> & {
  at: Date
  sameReference: boolean
  sameProof: boolean
  sameSum: boolean
}

/**
 * Payments, waiting entries and statement lines that an entry by hand may be a repetition of: the bank's own reference,
 * the same bytes as proof, or the same sum of the same person on the same day of Jakarta. `requestId` is the entry itself
 * once it is stored. What lies outside the view of the actor is listed without names. A statement line that nobody has
 * matched yet is the bank's own word for the entry.
 */
export async function findLookAlikes(db: Db, actor: Actor, entry: Entry, requestId: string | null = null) {
  const { paidAt, reference } = entry.details as { paidAt: string; reference?: string }
  const [start, end] = boundsOfDay(dayInJakarta(new Date(paidAt)))
  const named = reference?.trim().toLowerCase() || null
  const { rows } = await sql<Row>`
    WITH entry AS (SELECT b.account_id, (SELECT sha256 FROM files WHERE id = ${entry.fileId}) AS proof
      FROM bills b WHERE b.id = ${entry.billId}),
    requests AS (
      SELECT q.*, ${named}::text IS NOT NULL AND lower(q.details ->> 'reference') = ${named} AS same_reference,
        coalesce(f.sha256 = entry.proof, false) AS same_proof,
        q.kind = 'manual_payment' AND r.account_id = entry.account_id AND q.amount = ${entry.amount}
          AND (q.details ->> 'paidAt')::timestamptz >= ${start} AND (q.details ->> 'paidAt')::timestamptz < ${end} AS same_sum
      FROM entry, approval_requests q JOIN registrations r ON r.id = q.registration_id LEFT JOIN files f ON f.id = q.file_id
      WHERE q.id IS DISTINCT FROM ${requestId} AND (
        (q.status = 'pending' AND (q.kind = 'manual_payment' OR f.sha256 = entry.proof))
        OR (q.status = 'approved' AND q.file_id IN (SELECT id FROM files
          WHERE purpose = 'payment-proof' AND sha256 = entry.proof)))),
    found AS (
      SELECT p.id, coalesce(lower(p.reference) = ${named} OR lower(p.provider_reference) = ${named}, false) AS same_reference,
        EXISTS (SELECT FROM requests q WHERE q.payment_id = p.id AND q.same_proof) AS same_proof,
        p.account_id = entry.account_id AND p.amount = ${entry.amount} AND p.paid_at >= ${start} AND p.paid_at < ${end} AS same_sum
      FROM entry, payments p WHERE p.status <> 'reversed' AND p.id IN (
        SELECT id FROM payments WHERE lower(reference) = ${named} AND reference IS NOT NULL
        UNION SELECT id FROM payments WHERE lower(provider_reference) = ${named}
        UNION SELECT payment_id FROM requests WHERE status = 'approved' AND same_proof
        UNION SELECT p.id FROM entry, payments p WHERE p.account_id = entry.account_id AND p.amount = ${entry.amount}
          AND p.paid_at >= ${start} AND p.paid_at < ${end})
      AND NOT EXISTS (SELECT FROM approval_requests q WHERE q.payment_id = p.id AND q.id = ${requestId}))
    SELECT 'payment' AS type, p.id, p.amount, p.paid_at AS at, false AS expected, coalesce(p.reference, p.provider_reference) AS reference,
      p.payer_name, r.id AS registration_id, r.code AS registration_code, a.full_name AS applicant_name,
      coalesce(found.same_reference, false) AS same_reference, found.same_proof, coalesce(found.same_sum, false) AS same_sum
    FROM found JOIN payments p ON p.id = found.id LEFT JOIN bills b ON b.id = p.bill_id
      LEFT JOIN registrations r ON r.id = b.registration_id LEFT JOIN applicants a ON a.id = r.applicant_id
    UNION ALL
    SELECT 'request', q.id, q.amount, coalesce((q.details ->> 'paidAt')::timestamptz, q.requested_at), false,
      q.details ->> 'reference', q.details ->> 'payerName', r.id, r.code, a.full_name,
      coalesce(q.same_reference, false), q.same_proof, q.same_sum
    FROM requests q JOIN registrations r ON r.id = q.registration_id JOIN applicants a ON a.id = r.applicant_id
    WHERE (q.same_reference OR q.same_proof OR q.same_sum) AND (q.status = 'pending' OR q.payment_id IS NULL)
    UNION ALL
    SELECT 'statement_line', l.id, l.amount, (l.day + time '12:00') AT TIME ZONE 'Asia/Jakarta', l.state = 'new', l.reference,
      NULL, NULL, NULL, NULL, true, false, false
    FROM statement_lines l WHERE l.amount > 0 AND lower(l.reference) = ${named}
      AND lower(l.reference || ' ' || l.description) LIKE ${named && likePattern(named)}
      AND NOT EXISTS (SELECT FROM found WHERE found.id = l.payment_id)
    ORDER BY 1, 4 DESC LIMIT 50`.execute(db)
  const seen = await visibleRegistrations(db, actor, rows)
  return rows.map(({ sameReference, sameProof, sameSum, at, ...row }): LookAlike => {
    const { type, registrationId } = row
    const ofNobody = type === 'statement_line' || actor.scope.kind === 'all'
    const visible = registrationId ? seen.has(registrationId) : ofNobody
    return {
      ...row,
      visible,
      ...(!visible && { registrationId: null, registrationCode: null, applicantName: null, payerName: null }),
      at: at.toISOString(),
      why: [
        ...(sameReference ? (['reference'] as const) : []),
        ...(sameProof ? (['proof'] as const) : []),
        ...(sameSum ? (['sum'] as const) : []),
      ],
    }
  })
}

async function visibleRegistrations(db: Db, actor: Actor, rows: readonly Row[]) {
  const ids = rows.flatMap(({ registrationId }) => registrationId ?? [])
  if (ids.length === 0) return new Set<string>()
  const found = await db
    .selectFrom('registrations as r')
    .select('r.id')
    .where('r.id', 'in', ids)
    .where((eb) => registrationVisibleTo(actor, eb as never))
    .execute()
  return new Set(found.map(({ id }) => id))
}
