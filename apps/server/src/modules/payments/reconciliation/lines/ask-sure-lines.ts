import { sql } from 'kysely'
import { billNumbersIn } from '#server/modules/payments/reconciliation/statements/statement-values.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { askRecordLine } from './record-line.ts'

/** Lines of a file that are looked at, and most requests that one file makes. */
const mostLines = 5_000
const mostRequests = 100

/** Days between a credit and the debit by which the bank takes it back. */
const takenBackDays = 7

/**
 * Requests, in the name of the importing account, to book the credits of a file that name one owed bill by its number
 * and pay exactly what is left of it. Another account approves each, and it can be withdrawn. A line that may be in the
 * books already, or that a debit of its sum takes back by its reference or the bill's number, is left to staff.
 */
export async function askSureLines(services: Services, actor: Actor, importId: string) {
  if (!actor.permissions.has('pembayaran-mahasiswa-create')) return
  const lines = await services.db
    .selectFrom('statementLines')
    .select(['id', 'reference', 'description', 'raw', 'amountSen'])
    .where('importId', '=', importId)
    .where('state', '=', 'new')
    .where('amountSen', '>', 0)
    .where(sql<boolean>`amount_sen % 100 = 0`)
    .orderBy('day')
    .orderBy('id')
    .limit(mostLines)
    .execute()
  const words = lines.flatMap(({ id, amountSen, ...line }) =>
    billNumbersIn(line.reference, line.description, line.raw).map((number) => ({ id, number, rest: amountSen / 100 })),
  )
  if (words.length === 0) return
  const { rows } = await sql<{ lineId: string; billId: string }>`
    SELECT min(w.line_id::text) AS line_id, b.id AS bill_id
    FROM unnest(${words.map(({ id }) => id)}::uuid[], ${words.map(({ number }) => number)}::text[],
      ${words.map(({ rest }) => rest)}::bigint[]) AS w (line_id, number, rest)
    JOIN bills b ON b.number = w.number AND b.status IN ('open', 'partly_paid') AND b.total - b.paid = w.rest
    JOIN statement_lines c ON c.id = w.line_id
    GROUP BY b.id HAVING count(DISTINCT w.line_id) = 1 AND NOT bool_or(EXISTS (
      SELECT FROM statement_lines d
      WHERE d.amount_sen = -c.amount_sen AND d.bank_account_id = c.bank_account_id
        AND abs(d.day - c.day) <= ${takenBackDays}
        AND (reference_key(d.reference) = reference_key(c.reference)
          OR strpos(upper(concat_ws(' ', d.reference, d.description, d.raw)), b.number) > 0)))`.execute(services.db)
  const perLine = Map.groupBy(rows, ({ lineId }) => lineId)
  const sure = rows.filter(({ lineId }) => perLine.get(lineId)?.length === 1)
  for (const { lineId, billId } of sure.slice(0, mostRequests))
    try {
      await askRecordLine(services, actor, lineId, { billId })
    } catch (error) {
      // The file is stored already: staff find the line among the others.
      if (!(error instanceof AppError)) services.log.error({ err: error, lineId }, 'a line was not requested')
    }
}
