import { sql } from 'kysely'
import { bankCalendar } from '#domain/calendar.ts'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import type { Question } from '#server/modules/payments/approvals/ask-approval.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import { bankReference } from '#server/platform/bank-reference.ts'
import type { Db } from '#server/platform/database/database.ts'

type Entry = Pick<Question, 'billId' | 'amount' | 'details' | 'fileId'>
export type FoundRow = Omit<LookAlike, 'why' | 'at' | 'visible'> & {
  at: Date
  sameReference: boolean
  sameProof: boolean
  sameSum: boolean
}

/**
 * Payments, pending entries and unmatched statement lines that share with an entry by hand the reference (in any
 * spelling), the proof, or sum, payer and day in Jakarta. The stored entry `requestId` itself is left out.
 */
export async function findLookAlikes(db: Db, actor: Actor, entry: Entry, requestId: string | null = null) {
  const { paidAt, reference } = entry.details as { paidAt: string; reference?: string }
  const [start, end] = bankCalendar.boundsOfDay(bankCalendar.dayOf(new Date(paidAt)))
  const typed = reference?.trim() || null
  const { rows } = await sql<FoundRow>`
    WITH entry AS (SELECT b.account_id, reference_key(${typed}) AS key, (SELECT sha256 FROM files WHERE id = ${entry.fileId}) AS proof
      FROM bills b WHERE b.id = ${entry.billId}),
    requests AS (
      SELECT q.*, coalesce(reference_key(q.details ->> 'reference') = entry.key, false) AS same_reference,
        coalesce(f.sha256 = entry.proof, false) AS same_proof,
        q.kind = 'manual_payment' AND r.account_id = entry.account_id AND q.amount = ${entry.amount}
          AND (q.details ->> 'paidAt')::timestamptz >= ${start} AND (q.details ->> 'paidAt')::timestamptz < ${end} AS same_sum
      FROM entry, approval_requests q JOIN registrations r ON r.id = q.registration_id LEFT JOIN files f ON f.id = q.file_id
      WHERE q.id IS DISTINCT FROM ${requestId} AND (
        (q.status = 'pending' AND (q.kind = 'manual_payment' OR f.sha256 = entry.proof))
        OR (q.status = 'approved' AND q.file_id IN (SELECT id FROM files
          WHERE purpose = 'payment-proof' AND sha256 = entry.proof)))),
    found AS (
      SELECT p.id, coalesce(reference_key(p.reference) = entry.key OR reference_key(p.provider_reference) = entry.key, false) AS same_reference,
        EXISTS (SELECT FROM requests q WHERE q.payment_id = p.id AND q.same_proof) AS same_proof,
        p.account_id = entry.account_id AND p.amount = ${entry.amount} AND p.paid_at >= ${start} AND p.paid_at < ${end} AS same_sum
      FROM entry, payments p WHERE p.status <> 'reversed' AND p.id IN (
        SELECT id FROM payments WHERE reference_key(reference) = reference_key(${typed}) AND reference IS NOT NULL
        UNION SELECT id FROM payments WHERE reference_key(provider_reference) = reference_key(${typed})
        UNION SELECT payment_id FROM requests WHERE status = 'approved' AND same_proof
        UNION SELECT p.id FROM entry, payments p WHERE p.account_id = entry.account_id AND p.amount = ${entry.amount}
          AND p.paid_at >= ${start} AND p.paid_at < ${end})
      AND NOT EXISTS (SELECT FROM approval_requests q WHERE q.payment_id = p.id AND q.id = ${requestId}))
    SELECT 'payment' AS type, p.id, p.amount, p.paid_at AS at, false AS expected, ${bankReference} AS reference,
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
    SELECT 'statement_line', l.id, floor(l.amount_sen / 100.0)::bigint, (l.day + time '12:00') AT TIME ZONE ${bankCalendar.timeZone}::text, l.state = 'new', l.reference,
      NULL, NULL, NULL, NULL, true, false, false
    FROM statement_lines l WHERE l.amount_sen > 0 AND l.state <> 'same' AND reference_key(l.reference) = reference_key(${typed})
      AND NOT EXISTS (SELECT FROM found WHERE found.id = l.payment_id)
    ORDER BY 1, 4 DESC LIMIT 50`.execute(db)
  return withoutHidden(db, actor, rows)
}

/** For rows the actor may not see, only their existence is returned. */
export async function withoutHidden(db: Db, actor: Actor, rows: readonly FoundRow[]) {
  const seen = await visibleRegistrations(db, actor, rows)
  return rows.map(({ sameReference, sameProof, sameSum, at, ...row }): LookAlike => {
    const { type, id, registrationId, expected } = row
    // Money without a payer and statement lines belong to no study programme.
    const visible = registrationId ? seen.has(registrationId) : seesAll(actor)
    const why = [
      ...(sameReference ? (['reference'] as const) : []),
      ...(sameProof ? (['proof'] as const) : []),
      ...(sameSum ? (['sum'] as const) : []),
    ]
    return visible ? { ...row, visible, at: at.toISOString(), why } : { ...hidden, type, id, expected, why }
  })
}

const hidden = {
  visible: false,
  amount: null,
  at: null,
  reference: null,
  payerName: null,
  registrationId: null,
  registrationCode: null,
  applicantName: null,
}

async function visibleRegistrations(db: Db, actor: Actor, rows: readonly FoundRow[]) {
  const ids = rows.flatMap(({ registrationId }) => registrationId ?? [])
  if (ids.length === 0) return new Set<string>()
  const found = await db
    .selectFrom('registrations as r')
    .select('r.id')
    .where('r.id', 'in', ids)
    .where(visibleTo(actor))
    .execute()
  return new Set(found.map(({ id }) => id))
}
