import { sql } from 'kysely'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import { mustGet } from '#domain/must.ts'
import { dayTolerance } from '#domain/payments/reconciliation/reconciliation.ts'
import { arrivesOn, type OwnAccount } from '#server/modules/payments/reconciliation/account-queue.ts'
import { billNumbersIn, namesIn } from '#server/modules/payments/reconciliation/statements/statement-values.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'

type Pair = { lineId: string; paymentId: string }

/** Pairs in which each side appears once; all other pairs are ambiguous. */
function certain(pairs: readonly Pair[]): Pair[] {
  const lines = Map.groupBy(pairs, ({ lineId }) => lineId)
  const payments = Map.groupBy(pairs, ({ paymentId }) => paymentId)
  return pairs.filter(
    ({ lineId, paymentId }) => mustGet(lines, lineId).length === 1 && mustGet(payments, paymentId).length === 1,
  )
}

type Named = { id: string; references: string[]; numbers: string[]; billNumbers: string[]; whole: string }

const linesAtOnce = 1_000

/**
 * Unmatched credits of some days, with the references and numbers in them. In batches, because a statement may have
 * 200,000.
 */
async function* namedLines(
  tx: Tx,
  account: OwnAccount,
  { from, to }: { from: string; to: string },
): AsyncGenerator<Named[]> {
  for (let after: { day: string; id: string } | undefined; ; ) {
    const lines = await tx
      .selectFrom('statementLines')
      .select(['id', 'day', 'reference', 'description', 'raw'])
      .where('bankAccountId', '=', account.id)
      .where('state', '=', 'new')
      .where('amountSen', '>', 0)
      // Payments are whole rupiah, so staff have to match a credit with sen.
      .where(sql<boolean>`amount_sen % 100 = 0`)
      .where('day', '>=', after?.day ?? from)
      .where('day', '<=', to)
      .$call((rows) => (after ? rows.where(sql<boolean>`(day, id) > (${after.day}::date, ${after.id}::uuid)`) : rows))
      .orderBy('day')
      .orderBy('id')
      .limit(linesAtOnce)
      .execute()
    if (lines.length === 0) return
    yield lines.map(({ id, reference, description, raw }) => ({
      id,
      ...namesIn(reference, description, raw),
      billNumbers: billNumbersIn(reference, description, raw),
      whole: reference.toLowerCase(),
    }))
    if (lines.length < linesAtOnce) return
    after = lines.at(-1)!
  }
}

/**
 * Matches new credits of some days with payments of the same amount: by the bank's reference, else by one of the
 * portal's transfer numbers in the text and the day, give or take one, else by a bill's number in the text and that day.
 * Only if exactly one of each fits. The caller has locked the account's row.
 */
export async function matchNewLines(
  { tx, services }: Omit<Context, 'actor'>,
  account: OwnAccount,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const touched: string[] = []
  const arrivesHere = arrivesOn(account, { anyTransfer: true })
  const isUnmatched = sql`p.status <> 'reversed' AND NOT EXISTS (SELECT FROM statement_lines m WHERE m.payment_id = p.id)`

  const byReference = async (lines: readonly Named[]) => {
    const words = lines.flatMap(({ id, references, whole }) =>
      [...new Set([...references, ...(whole ? [whole] : [])])].map((word) => ({ id, word })),
    )
    const { rows } = await sql<Pair>`
      SELECT DISTINCT s.id AS line_id, p.id AS payment_id
      FROM unnest(${words.map(({ id }) => id)}::uuid[], ${words.map(({ word }) => word)}::text[]) AS w (line_id, word)
      JOIN statement_lines s ON s.id = w.line_id AND s.state = 'new'
      JOIN LATERAL (
        SELECT id FROM payments WHERE lower(provider_reference) = w.word
        UNION SELECT id FROM payments WHERE lower(reference) = w.word AND reference IS NOT NULL) n ON true
      JOIN payments p ON p.id = n.id AND p.amount = s.amount_sen / 100
      LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
      WHERE ${arrivesHere} AND ${isUnmatched}`.execute(tx)
    return rows
  }
  const byNumber = async (lines: readonly Named[]) => {
    const numbers = lines.flatMap(({ id, numbers: found }) => found.map((number) => ({ id, number })))
    const [start] = bankCalendar.boundsOfDay(shiftDay(from, -dayTolerance))
    const [, end] = bankCalendar.boundsOfDay(shiftDay(to, dayTolerance))
    const { rows } = await sql<Pair>`
      SELECT DISTINCT s.id AS line_id, p.id AS payment_id
      FROM unnest(${numbers.map(({ id }) => id)}::uuid[], ${numbers.map(({ number }) => number)}::text[]) AS w (line_id, number)
      JOIN statement_lines s ON s.id = w.line_id AND s.state = 'new'
      JOIN payments p ON p.virtual_account_number = w.number AND p.amount = s.amount_sen / 100
        AND p.paid_at >= ${start} AND p.paid_at < ${end}
        AND abs((p.paid_at AT TIME ZONE ${bankCalendar.timeZone}::text)::date - s.day) <= ${dayTolerance}
      LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
      WHERE ${arrivesHere} AND ${isUnmatched}`.execute(tx)
    return rows
  }

  const byBill = async (lines: readonly Named[]) => {
    const numbers = lines.flatMap(({ id, billNumbers }) => billNumbers.map((number) => ({ id, number })))
    const { rows } = await sql<Pair>`
      SELECT DISTINCT s.id AS line_id, p.id AS payment_id
      FROM unnest(${numbers.map(({ id }) => id)}::uuid[], ${numbers.map(({ number }) => number)}::text[]) AS w (line_id, number)
      JOIN statement_lines s ON s.id = w.line_id AND s.state = 'new'
      JOIN bills b ON b.number = w.number
      JOIN payments p ON p.bill_id = b.id AND p.amount = s.amount_sen / 100
        AND abs((p.paid_at AT TIME ZONE ${bankCalendar.timeZone}::text)::date - s.day) <= ${dayTolerance}
      LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
      WHERE ${arrivesHere} AND ${isUnmatched}`.execute(tx)
    return rows
  }

  for (const [matchedBy, find] of [
    ['reference', byReference],
    ['number', byNumber],
    ['bill', byBill],
  ] as const) {
    const found: Pair[] = []
    for await (const lines of namedLines(tx, account, { from, to })) found.push(...(await find(lines)))
    const pairs = certain(found)
    if (pairs.length === 0) continue
    // A line of another account may claim the same payment at this moment.
    await sql`SELECT id FROM payments WHERE id = ANY(${pairs.map(({ paymentId }) => paymentId)}::uuid[])
      ORDER BY id FOR NO KEY UPDATE`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      UPDATE statement_lines s SET state = 'matched', payment_id = w.payment_id, matched_by = ${matchedBy},
        settled_at = ${services.clock.now()}
      FROM unnest(${pairs.map(({ lineId }) => lineId)}::uuid[], ${pairs.map(({ paymentId }) => paymentId)}::uuid[]) AS w (line_id, payment_id)
      WHERE s.id = w.line_id AND s.state = 'new'
        AND NOT EXISTS (SELECT FROM statement_lines m WHERE m.payment_id = w.payment_id)
      RETURNING s.id`.execute(tx)
    touched.push(...rows.map(({ id }) => id))
  }
  return touched
}
