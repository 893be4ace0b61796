import { sql } from 'kysely'
import { anyScope } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { banksWithNumbers, type Gap, type Skipping } from './skip-numbers.ts'

/** Days after the end of a number within which a bank may still report money on it. */
const lateDays = 2
/** Most numbers of one gap that a bank is asked about, lowest first, because those were issued first. */
const mostOfGap = 20_000

/**
 * Stores every number to ask a bank about: numbers that could be paid at the moment of the backup or later, and numbers
 * of the gaps, which may have been issued without the books knowing. Known numbers come first.
 */
export async function listQuestions(tx: Tx, { restoreId, backupAt, now }: Skipping, gaps: readonly Gap[]) {
  const ended = new Date(backupAt.getTime() - lateDays * 86_400_000)
  await sql`INSERT INTO restore_questions (restore_id, provider, bank, number, virtual_account_id, ask_at)
    SELECT ${restoreId}::uuid, provider, bank, number, id, ${now}::timestamptz FROM virtual_accounts
    WHERE status IN ('pending', 'active') OR (status <> 'failed' AND (closed_at >= ${ended} OR ask_at IS NOT NULL))`.execute(
    tx,
  )
  const banks = await banksWithNumbers(tx)
  for (const { kind, scope, first, last } of gaps) {
    const bank = kind === 'virtual-account' && scope !== anyScope ? banks.find(({ code }) => code === scope) : undefined
    if (!bank) continue
    const { provider, code, prefix, digits } = bank
    await sql`INSERT INTO restore_questions (restore_id, provider, bank, number, ask_at)
      SELECT ${restoreId}::uuid, ${provider}, ${code}, ${prefix} || lpad((${bank.first}::bigint + n - 1)::text, ${digits}::int, '0'),
        ${now}::timestamptz + interval '1 second'
      FROM generate_series(${first}::bigint, ${Math.min(last, first + mostOfGap - 1)}::bigint) n`.execute(tx)
    // Money on numbers beyond this limit is found only on the bank's statement.
    if (last - first + 1 > mostOfGap)
      await tx
        .insertInto('restoreQuestions')
        .values({ restoreId, provider, bank: code, askAt: now, answer: 'not_askable', answeredAt: now })
        .execute()
  }
}
