import { type RawBuilder, sql } from 'kysely'
import { shiftDay } from '#domain/calendar.ts'
import { billFeatures, type LineBill } from '#domain/payments/reconciliation/endpoints.ts'
import { wholeRupiahOf } from '#domain/payments/reconciliation/sen.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { billNumbersIn, namesIn } from '#server/modules/payments/reconciliation/statements/statement-values.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/** Days between a transfer as its sender remembers it and as a bank booked it. */
const proofTolerance = 3

/** Most rupiah that a bank takes off a transfer. */
const mostFee = 10_000

/** Days of earlier statement lines in which the same sender is looked for. */
const senderDays = 400

/** Words in which a person's name may be, as `search_text` has them. */
const wordsOf = (text: string) => [...new Set(searchKeyOf(text).match(/\p{L}{3,}/gu) ?? [])]

type Found = Omit<LineBill, 'why'> & { said: boolean; named: number; seen: boolean }

/**
 * Owed bills that a statement line may pay: named in its text by bill or transfer number, by an open proof of its sum
 * and day, by two words of the applicant's name with a sum that fits, or by an earlier line of the same sender.
 */
export async function findLineBills({ db }: Services, id: string): Promise<LineBill[]> {
  const line = await db
    .selectFrom('statementLines')
    .select(['day', 'amountSen', 'reference', 'description', 'raw'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!line) throw notFound('statement line')
  const { day, reference, description, raw } = line
  const amount = wholeRupiahOf(line.amountSen)
  const billNumbers = billNumbersIn(reference, description, raw)
  const { numbers } = namesIn(reference, description, raw)
  const words = wordsOf(description)
  const senderOf = (text: RawBuilder<unknown>) => sql`md5(lower(regexp_replace(${text}, '[0-9]+', '', 'g')))`
  const { rows } = await sql<Found>`
    WITH proofs AS (
      SELECT DISTINCT ON (bill_id) bill_id, id FROM transfer_proofs
      WHERE state = 'open' AND amount = ${amount}
        AND paid_at >= ${shiftDay(day, -proofTolerance)}::date AND paid_at < ${shiftDay(day, proofTolerance + 1)}::date
      ORDER BY bill_id, sent_at),
    said AS (
      SELECT id FROM bills WHERE number = ANY(${billNumbers}::text[])
      UNION SELECT bill_id FROM virtual_accounts WHERE number = ANY(${numbers}::text[])),
    seen AS (
      SELECT DISTINCT p.account_id FROM statement_lines m JOIN payments p ON p.id = m.payment_id
      WHERE m.payment_id IS NOT NULL AND ${senderOf(sql`m.description`)} = ${senderOf(sql`${description}::text`)}
        AND m.day > ${shiftDay(day, -senderDays)}::date AND m.id <> ${id} AND p.status <> 'reversed' AND m.description <> ''),
    named AS MATERIALIZED (
      SELECT r.id, (SELECT count(*)::int FROM unnest(string_to_array(r.search_text, ' ')) w WHERE w = ANY(${words}::text[])) AS words
      FROM registrations r WHERE r.search_text LIKE ANY (${words.map((word) => `%${word}%`)}::text[])),
    found AS (
      SELECT b.id FROM said JOIN bills n ON n.id = said.id
        JOIN bills b ON b.registration_id = n.registration_id AND b.kind = n.kind
      UNION SELECT bill_id FROM proofs
      UNION SELECT b.id FROM seen JOIN bills b ON b.account_id = seen.account_id
      UNION SELECT b.id FROM named JOIN bills b ON b.registration_id = named.id
        WHERE named.words >= 2 AND b.total - b.paid >= ${amount})
    SELECT b.id, b.number, b.kind, b.total - b.paid AS rest, a.full_name AS applicant_name, r.code AS registration_code,
      f.id AS proof_id, EXISTS (SELECT FROM said JOIN bills n ON n.id = said.id
        WHERE n.registration_id = b.registration_id AND n.kind = b.kind) AS said,
      coalesce((SELECT named.words FROM named WHERE named.id = b.registration_id), 0) AS named,
      b.account_id IN (SELECT account_id FROM seen) AS seen
    FROM found JOIN bills b ON b.id = found.id AND b.status IN ('open', 'partly_paid')
      JOIN registrations r ON r.id = b.registration_id JOIN applicants a ON a.id = r.applicant_id
      LEFT JOIN proofs f ON f.bill_id = b.id
    ORDER BY said DESC, f.id IS NULL, named DESC, abs(b.total - b.paid - ${amount}), b.id LIMIT 50`.execute(db)
  return rows
    .map(({ said, named, seen, ...bill }) => {
      const has = {
        number: said,
        proof: bill.proofId !== null,
        name: named >= 2,
        amount: bill.rest === amount,
        sender: seen,
        near: bill.rest > amount && bill.rest - amount <= mostFee,
      }
      return { ...bill, why: billFeatures.filter((feature) => has[feature]) }
    })
    .toSorted((one, other) => weightOf(other) - weightOf(one))
    .slice(0, 10)
}

/** A stronger feature outweighs all weaker ones together. */
const weightOf = ({ why }: Pick<LineBill, 'why'>) =>
  why.reduce((sum, feature) => sum + 2 ** (billFeatures.length - billFeatures.indexOf(feature)), 0)
