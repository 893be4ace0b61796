import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'
import { areNear, wordsOf } from './near-words.ts'
import type { NumberedLine } from './read-statement.ts'

/** Stages lines until the whole file is known to be valid, so that no file is held in memory. */
export const stageLines = (db: Db, uploadId: string, stagedAt: Date, lines: readonly NumberedLine[]) =>
  sql`INSERT INTO statement_staging
      (upload_id, line_number, day, amount_sen, reference, description, occurrence, balance_sen, reversal, raw, staged_at)
    SELECT ${uploadId}::uuid, f.*, ${stagedAt}::timestamptz FROM unnest(
      ${lines.map(({ lineNumber }) => lineNumber)}::int[], ${lines.map(({ day }) => day)}::date[],
      ${lines.map(({ amountSen }) => amountSen)}::bigint[], ${lines.map(({ reference }) => reference)}::text[],
      ${lines.map(({ description }) => description)}::text[], ${lines.map(({ occurrence }) => occurrence)}::int[],
      ${lines.map(({ balanceSen }) => balanceSen)}::bigint[], ${lines.map(({ reversal }) => reversal)}::boolean[],
      ${lines.map(({ raw }) => raw.replaceAll('\0', ''))}::text[]) AS f`.execute(db)

export const forgetStaged = (db: Db, uploadId: string) =>
  db.deleteFrom('statementStaging').where('uploadId', '=', uploadId).execute()

/** Whether a staged line `f` is already stored for the account. */
const isKept = (bankAccountId: string) => sql`EXISTS (SELECT FROM statement_lines s
  WHERE s.bank_account_id = ${bankAccountId} AND s.day = f.day AND s.amount_sen = f.amount_sen
    AND s.reference = f.reference AND md5(s.description) = md5(f.description) AND s.occurrence = f.occurrence)`

/** Whether a stored line `s` is also in the file. */
const isInFile = (uploadId: string) => sql`EXISTS (SELECT FROM statement_staging o
  WHERE o.upload_id = ${uploadId} AND o.day = s.day AND o.amount_sen = s.amount_sen
    AND o.reference = s.reference AND o.description = s.description AND o.occurrence = s.occurrence)`

/** Number of staged lines not yet stored, and how many of those resemble stored lines. */
export async function countStaged(db: Db, bankAccountId: string, uploadId: string) {
  const { rows } = await sql<{ fresh: number; similar: number }>`
    SELECT count(*)::int AS fresh, (count(*) FILTER (WHERE f.similar_to IS NOT NULL))::int AS similar
    FROM statement_staging f WHERE f.upload_id = ${uploadId} AND NOT ${isKept(bankAccountId)}`.execute(db)
  return theOnly(rows)
}

/**
 * If the account has more stored lines of one day and amount that the file lacks, all new lines of that sum are held
 * without comparison.
 */
const mostCompared = 1_000
/** Most comparisons for one file; lines beyond that are held without comparison. */
const mostComparisons = 3_000_000
const groupsAtOnce = 50
const linesAtOnce = 1_000

/**
 * Marks staged lines that resemble a stored line of the same day and amount which the file does not contain word for
 * word. A line that file and account share word for word needs no check.
 */
export async function markSimilar(db: Db, bankAccountId: string, uploadId: string) {
  const { rows: groups } = await sql<{ day: string; amountSen: number; storedCount: number; anyId: string }>`
    SELECT s.day, s.amount_sen, count(*)::int AS stored_count, min(s.id::text) AS any_id
    FROM statement_lines s
    WHERE s.bank_account_id = ${bankAccountId} AND s.state <> 'same'
      AND (s.day, s.amount_sen) IN (SELECT DISTINCT f.day, f.amount_sen FROM statement_staging f
        WHERE f.upload_id = ${uploadId} AND NOT ${isKept(bankAccountId)})
      AND NOT ${isInFile(uploadId)}
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db)
  const large = groups.filter(({ storedCount }) => storedCount > mostCompared)
  if (large.length > 0)
    await sql`UPDATE statement_staging f SET similar_to = g.id
      FROM unnest(${large.map(({ day }) => day)}::date[], ${large.map(({ amountSen }) => amountSen)}::bigint[],
        ${large.map(({ anyId }) => anyId)}::uuid[]) AS g (day, amount_sen, id)
      WHERE f.upload_id = ${uploadId} AND f.day = g.day AND f.amount_sen = g.amount_sen AND NOT ${isKept(bankAccountId)}`.execute(
      db,
    )
  const small = groups.filter(({ storedCount }) => storedCount <= mostCompared)
  const budget = { left: mostComparisons }
  for (let at = 0; at < small.length; at += groupsAtOnce)
    await compareGroups(db, bankAccountId, uploadId, small.slice(at, at + groupsAtOnce), budget)
}

type Worded = { day: string; amountSen: number; reference: string; description: string; raw: string }

async function compareGroups(
  db: Db,
  bankAccountId: string,
  uploadId: string,
  groups: readonly { day: string; amountSen: number }[],
  budget: { left: number },
) {
  const daysAndAmounts = sql`(SELECT * FROM unnest(${groups.map(({ day }) => day)}::date[],
    ${groups.map(({ amountSen }) => amountSen)}::bigint[]))`
  const { rows: storedLines } = await sql<Worded & { id: string }>`
    SELECT s.id, s.day, s.amount_sen, s.reference, s.description, left(s.raw, 500) AS raw FROM statement_lines s
    WHERE s.bank_account_id = ${bankAccountId} AND s.state <> 'same' AND (s.day, s.amount_sen) IN ${daysAndAmounts}
      AND NOT ${isInFile(uploadId)} ORDER BY s.day, s.id`.execute(db)
  const storedBySum = Map.groupBy(
    storedLines.map((line) => ({ ...line, words: wordsOf(line) })),
    ({ day, amountSen }) => `${day} ${amountSen}`,
  )
  for (let after = 0; ; ) {
    const { rows: newLines } = await sql<Worded & { lineNumber: number }>`
      SELECT f.line_number, f.day, f.amount_sen, f.reference, f.description, left(f.raw, 500) AS raw FROM statement_staging f
      WHERE f.upload_id = ${uploadId} AND f.line_number > ${after} AND (f.day, f.amount_sen) IN ${daysAndAmounts}
        AND NOT ${isKept(bankAccountId)} ORDER BY f.line_number LIMIT ${linesAtOnce}`.execute(db)
    if (newLines.length === 0) return
    const pairs: { lineNumber: number; id: string }[] = []
    for (const [at, line] of newLines.entries()) {
      const others = storedBySum.get(`${line.day} ${line.amountSen}`) ?? []
      budget.left -= others.length
      const words = wordsOf(line)
      const like = budget.left < 0 ? others[0] : others.find((one) => areNear(words, one.words))
      if (like) pairs.push({ lineNumber: line.lineNumber, id: like.id })
      // Lets other requests run: comparing a thousand lines with a thousand others takes seconds.
      if (at % 20 === 19) await breathe()
    }
    if (pairs.length > 0)
      await sql`UPDATE statement_staging f SET similar_to = p.id
        FROM unnest(${pairs.map(({ lineNumber }) => lineNumber)}::int[], ${pairs.map(({ id }) => id)}::uuid[]) AS p (line_number, id)
        WHERE f.upload_id = ${uploadId} AND f.line_number = p.line_number`.execute(db)
    after = newLines.at(-1)!.lineNumber
  }
}
