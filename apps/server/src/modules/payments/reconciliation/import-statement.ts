import { sql } from 'kysely'
import { daysBetween, shiftDay } from '#domain/days.ts'
import type { StatementMapping } from '#domain/payments/statement-csv.ts'
import type { StatementProblem } from '#domain/payments/statement-lines.ts'
import type { Locale } from '#locales/index.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import { claimFile, safeName, storeBytes } from '#server/platform/files.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { getAccount, lockAccount } from './account-queue.ts'
import { mappingOf } from './bank-accounts.ts'
import { matchNewLines } from './match-lines.ts'
import type { ReadStatement } from './read-statement.ts'
import { reconcileLater } from './reconcile.job.ts'
import { reconcileDays } from './reconcile-day.ts'
import { readStatementFile, type StatementFile } from './statement-file.ts'

type Lines = ReadStatement['lines']

const sum = (lines: Lines, sign: 1 | -1) =>
  lines.reduce((total, { amount }) => (Math.sign(amount) === sign ? total + amount : total), 0)

/** Lines of a file in the shape of the table, for one statement however many there are. */
const asRows = (lines: Lines) => sql`unnest(
  ${lines.map(({ day }) => day)}::date[], ${lines.map(({ amount }) => amount)}::bigint[],
  ${lines.map(({ reference }) => reference)}::text[], ${lines.map(({ description }) => description)}::text[],
  ${lines.map(({ occurrence }) => occurrence)}::int[], ${lines.map(({ lineNumber }) => lineNumber)}::int[],
  ${lines.map(({ balance }) => balance)}::bigint[], ${lines.map(({ reversal }) => reversal)}::boolean[],
  ${lines.map(({ raw }) => raw.replaceAll('\0', ''))}::text[]
) AS f (day, amount, reference, description, occurrence, line_number, balance, reversal, raw)`

/** How many lines of a file are not here yet, and how many of those look like lines that are, in other words. */
async function compareWithKept(db: Db, bankAccountId: string, lines: Lines) {
  const { rows } = await sql<{ fresh: number; lookalikes: number }>`
    WITH fresh AS (
      SELECT f.* FROM ${asRows(lines)} WHERE NOT EXISTS (
        SELECT FROM statement_lines s WHERE s.bank_account_id = ${bankAccountId} AND s.day = f.day AND s.amount = f.amount
          AND s.reference = f.reference AND md5(s.description) = md5(f.description) AND s.occurrence = f.occurrence)),
    kept AS (
      SELECT s.day, s.amount, count(*) AS many FROM statement_lines s
      WHERE s.bank_account_id = ${bankAccountId} AND (s.day, s.amount) IN (SELECT day, amount FROM fresh)
        AND NOT EXISTS (SELECT FROM ${asRows(lines)} WHERE s.day = f.day AND s.amount = f.amount
          AND s.reference = f.reference AND s.description = f.description AND s.occurrence = f.occurrence)
      GROUP BY 1, 2)
    SELECT (SELECT count(*)::int FROM fresh) AS fresh,
      (SELECT coalesce(sum(least(k.many, n.many)), 0)::int FROM kept k
        JOIN (SELECT day, amount, count(*) AS many FROM fresh GROUP BY 1, 2) n USING (day, amount)) AS lookalikes`.execute(
    db,
  )
  return rows[0]!
}

const isKnown = (db: Db, bankAccountId: string, sha256: Buffer) =>
  db
    .selectFrom('statementImports')
    .select(['id', 'lines'])
    .where('bankAccountId', '=', bankAccountId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()

const shownKnown = ({ id, lines }: { id: string; lines: number }) => ({
  id,
  lines,
  fresh: 0,
  matched: 0,
  known: true,
})

const shownLines = 20

/** Reads a file without keeping anything: its first rows, what they mean, and everything that is wrong with it. */
export async function previewStatement(
  services: Services,
  bankAccountId: string,
  file: StatementFile,
  tried: StatementMapping | null,
  language: Locale,
) {
  const { db } = services
  const account = await getAccount(services, db, bankAccountId)
  const mapping = tried ?? mappingOf(account.mapping)
  const read = await readStatementFile(services, file, account, mapping)
  const { fresh, lookalikes } = await compareWithKept(db, bankAccountId, read.lines)
  const t = sentences(language)
  return {
    format: read.format,
    mapping,
    rows: read.rows,
    lines: read.lines.slice(0, shownLines),
    count: read.lines.length,
    credits: sum(read.lines, 1),
    debits: sum(read.lines, -1),
    fresh,
    lookalikes,
    firstDay: read.firstDay,
    lastDay: read.lastDay,
    problems: read.problems.map((problem) => ({
      line: problem.line,
      message: t(`errors:${problem.code}`, { line: problem.line, value: problem.value ?? '' }),
    })),
    known: (await isKnown(db, bankAccountId, file.sha256)) !== undefined,
  }
}

const asFaults = (problems: readonly StatementProblem[]) =>
  problems.map(({ code, line, value }) => ({ code, params: { line, value: value ?? '' } }))

/** Days reconciled at once; of a longer statement the rest follows in the background. */
const mostDaysAtOnce = 62

/**
 * Keeps every line of a file that is not here yet, all or none, matches what is certain and compares its days. The file
 * is read and stored before the transaction begins.
 */
export async function importStatement(services: Services, actor: Actor, bankAccountId: string, file: StatementFile) {
  const { db, clock } = services
  const now = clock.now()
  const asRead = await getAccount(services, db, bankAccountId)
  const known = await isKnown(db, bankAccountId, file.sha256)
  if (known) return shownKnown(known)
  const mapping = mappingOf(asRead.mapping)
  const { format, lines, problems, firstDay, lastDay, closingBalance } = await readStatementFile(
    services,
    file,
    asRead,
    mapping,
  )
  if (format === 'csv' && !mapping) throw invalid({ file: 'statement_mapping_missing' })
  if (problems.length > 0) throw invalid({ file: asFaults(problems) })
  const extension = format === 'csv' ? 'csv' : 'sta'
  const kept = await storeBytes(services, actor, safeName(file.name, extension), 'bank-statement', {
    bytes: file.bytes,
    mime: format === 'csv' ? 'text/csv' : 'text/plain',
    extension,
  })
  return db.transaction().execute(async (tx) => {
    const account = await lockAccount(services, tx, bankAccountId)
    // The same file twice at once, or another mapping since it was read.
    const before = await isKnown(tx, bankAccountId, file.sha256)
    if (before) return shownKnown(before)
    if (account.version !== asRead.version) throw conflict('stale_version')
    await claimFile(tx, kept)
    const { id } = await tx
      .insertInto('statementImports')
      .values({
        bankAccountId,
        fileId: kept.id,
        fileName: kept.name,
        format,
        sha256: file.sha256,
        firstDay: firstDay!,
        lastDay: lastDay!,
        lines: lines.length,
        linesNew: 0,
        credits: sum(lines, 1),
        debits: sum(lines, -1),
        closingBalance,
        importedBy: actor.accountId,
        importedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const fresh = await addLines(tx, bankAccountId, id, lines)
    await tx.updateTable('statementImports').set({ linesNew: fresh }).where('id', '=', id).execute()
    const matched = await matchNewLines(tx, services, account, { from: firstDay!, to: lastDay! })
    await recordAudit(
      tx,
      actor,
      'statement.import',
      { type: 'statement', id },
      {
        after: {
          account: account.name,
          file: kept.name,
          firstDay,
          lastDay,
          lines: lines.length,
          fresh,
          matched: matched.length,
        },
      },
    )
    const days = daysBetween(shiftDay(firstDay!, -1), lastDay!)
    if (days.length <= mostDaysAtOnce) await reconcileDays(tx, services, null, account, days)
    else await services.jobs.enqueue(tx, reconcileLater, { bankAccountId, from: days[0]!, to: days.at(-1)! })
    return { id, lines: lines.length, fresh, matched: matched.length, known: false }
  })
}

async function addLines(tx: Tx, bankAccountId: string, importId: string, lines: Lines): Promise<number> {
  let fresh = 0
  const batch = 2_000
  for (let at = 0; at < lines.length; at += batch) {
    const { rows } = await sql`
      INSERT INTO statement_lines (bank_account_id, import_id, day, amount, reference, description, occurrence, line_number, balance, reversal, raw)
      SELECT ${bankAccountId}::uuid, ${importId}::uuid, f.* FROM ${asRows(lines.slice(at, at + batch))}
      ON CONFLICT DO NOTHING RETURNING id`.execute(tx)
    fresh += rows.length
  }
  return fresh
}
