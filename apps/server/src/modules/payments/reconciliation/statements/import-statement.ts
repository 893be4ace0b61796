import crypto from 'node:crypto'
import { sql } from 'kysely'
import { shiftDay } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import type { ImportedStatement } from '#domain/payments/reconciliation/endpoints.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import type { Language } from '#entities/define/language.ts'
import { getAccount, lockAccount, type OwnAccount } from '#server/modules/payments/reconciliation/account-queue.ts'
import { mappingOf } from '#server/modules/payments/reconciliation/bank-accounts.ts'
import { askSureLines } from '#server/modules/payments/reconciliation/lines/ask-sure-lines.ts'
import { matchNewLines } from '#server/modules/payments/reconciliation/lines/match-lines.ts'
import { reconcileSoon } from '#server/modules/payments/reconciliation/reconcile-soon.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, type FieldError, invalid } from '#server/platform/errors.ts'
import { claimFile, safeName, storeBytes } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { sheetTypes } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import type { StatementContent } from './read-statement.ts'
import { countStaged, forgetStaged, markSimilar, stageLines } from './stage-lines.ts'
import { readStatementFile, type StatementFile } from './statement-file.ts'
import { mostSumSen } from './statement-values.ts'

const isKnown = (db: Db, bankAccountId: string, sha256: Buffer) =>
  db
    .selectFrom('statementImports')
    .select(['id', 'lines', 'pending'])
    .where('bankAccountId', '=', bankAccountId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()

const shownKnown = ({ id, lines, pending }: { id: string; lines: number; pending: number }) => ({
  id,
  lines,
  pending,
  fresh: 0,
  held: 0,
  matched: 0,
  known: true,
})

/** Reads a whole file and stages its lines for `work` under a new upload id; deletes them afterwards. */
async function withStaged<R>(
  services: Services,
  file: StatementFile,
  { account, mapping }: { account: OwnAccount; mapping: StatementMapping | null },
  work: (content: StatementContent, uploadId: string) => Promise<R>,
): Promise<R> {
  const { db, clock } = services
  const uploadId = crypto.randomUUID()
  const now = clock.now()
  try {
    const content = await readStatementFile(services, file, account, mapping, (lines) =>
      stageLines(db, uploadId, now, lines),
    )
    return await work(content, uploadId)
  } finally {
    await forgetStaged(db, uploadId)
  }
}

/** Reads a file without storing it: first and last rows, their values under the mapping, and errors. */
export async function previewStatement(
  services: Services,
  bankAccountId: string,
  file: StatementFile,
  tried: StatementMapping | null,
  language: Language,
) {
  const { db } = services
  const account = await getAccount(services, db, bankAccountId)
  const mapping = tried ?? mappingOf(account.mapping)
  const known = (await isKnown(db, bankAccountId, file.sha256)) !== undefined
  return withStaged(services, file, { account, mapping }, async (read, uploadId) => {
    const { problems, firstLines, lastLines, rows, lastRows, ...sums } = read
    const compares = read.problemCount === 0
    if (compares) await markSimilar(db, bankAccountId, uploadId)
    const { fresh, similar } = compares ? await countStaged(db, bankAccountId, uploadId) : { fresh: 0, similar: 0 }
    const t = sentences(language)
    return {
      ...sums,
      mapping,
      rows,
      lastRows,
      lines: firstLines,
      lastLines,
      fresh,
      lookalikes: similar,
      problems: problems.map((problem) => ({
        line: problem.line,
        message: t(`errors:${problem.code}`, { line: problem.line, value: problem.value ?? '' }),
      })),
      known,
    }
  })
}

/** Problems as field errors of the file: the first ones, and the number of the rest. */
function asFaults({ problems, problemCount }: Pick<StatementContent, 'problems' | 'problemCount'>): FieldError[] {
  const faults = problems.map(({ code, line, value }) => ({ code, params: { line, value: value ?? '' } }))
  const restCount = problemCount - problems.length
  return restCount > 0 ? [...faults, { code: 'statement_more_problems', params: { count: restCount } }] : faults
}

const fileTypes = {
  csv: { mime: 'text/csv', extension: 'csv' },
  xlsx: { mime: sheetTypes.xlsx, extension: 'xlsx' },
  mt940: { mime: 'text/plain', extension: 'sta' },
}

/** Most lines of a file for which its days are compared at once. */
const mostLinesAtOnce = 5_000

/**
 * Stores all new lines of a file or none, matches certain pairs and compares the days. A line that resembles a stored
 * line is held. The file is read and staged before the transaction begins; credits that surely pay a bill are requested
 * after it.
 */
export async function importStatement(services: Services, actor: Actor, bankAccountId: string, file: StatementFile) {
  const { db } = services
  const account = await getAccount(services, db, bankAccountId)
  const known = await isKnown(db, bankAccountId, file.sha256)
  if (known) return shownKnown(known)
  const mapping = mappingOf(account.mapping)
  return withStaged(services, file, { account, mapping }, async (content, uploadId) => {
    if (content.format !== 'mt940' && !mapping) throw invalid({ file: 'statement_mapping_missing' })
    if (content.problemCount > 0) throw invalid({ file: asFaults(content) })
    const type = fileTypes[content.format]
    const stored = await storeBytes(services, actor, safeName(file.name, type.extension), 'bank-statement', {
      bytes: file.bytes,
      ...type,
    })
    const imported = await inTransaction(services, actor, (context) =>
      keep(context, { account, file, content, uploadId, stored }),
    )
    if (!imported.known) await askSureLines(services, actor, imported.id)
    return imported
  })
}

type Kept = {
  account: OwnAccount
  file: StatementFile
  content: StatementContent
  uploadId: string
  stored: Awaited<ReturnType<typeof storeBytes>>
}

async function keep(
  context: Context,
  { account: asRead, file, content, uploadId, stored }: Kept,
): Promise<ImportedStatement> {
  const { tx, services, actor } = context
  const { format, count, creditsSen, debitsSen, closingBalanceSen } = content
  const pending = content.pending.count
  const [firstDay, lastDay] = [content.firstDay!, content.lastDay!]
  const bankAccountId = asRead.id
  const account = await lockAccount(services, tx, bankAccountId)
  // The same file may have been imported meanwhile, or the mapping changed since the file was read.
  const before = await isKnown(tx, bankAccountId, file.sha256)
  if (before) return shownKnown(before)
  if (account.version !== asRead.version) throw conflict('stale_version')
  await claimFile(tx, stored)
  await markSimilar(tx, bankAccountId, uploadId)
  const { id } = await tx
    .insertInto('statementImports')
    .values({
      ...{ bankAccountId, fileId: stored.id, fileName: stored.name, format, sha256: file.sha256 },
      ...{ firstDay, lastDay, lines: count, linesNew: 0, pending, creditsSen, debitsSen, closingBalanceSen },
      ...{ importedBy: actor.accountId, importedAt: services.clock.now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { fresh, held } = await addLines(tx, bankAccountId, id, uploadId)
  await refuseTooMuch(tx, bankAccountId, { firstDay, lastDay })
  await tx.updateTable('statementImports').set({ linesNew: fresh }).where('id', '=', id).execute()
  const matched = await matchNewLines(context, account, { from: firstDay, to: lastDay })
  await recordAudit(tx, actor, {
    action: 'statement.import',
    on: { statement: id },
    after: {
      ...{ account: account.name, file: stored.name, firstDay, lastDay, lines: count, fresh },
      ...(held > 0 && { held }),
      ...(pending > 0 && { pending }),
      matched: matched.length,
    },
  })
  const from = shiftDay(firstDay, -1)
  await reconcileSoon(context, account, { from, to: lastDay, isLong: count > mostLinesAtOnce })
  return { id, lines: count, fresh, held, matched: matched.length, pending, known: false }
}

async function addLines(tx: Tx, bankAccountId: string, importId: string, uploadId: string) {
  const { rows } = await sql<{ fresh: number; held: number }>`
    WITH added AS (
      INSERT INTO statement_lines (bank_account_id, import_id, line_number, day, amount_sen, reference, description, occurrence,
        balance_sen, reversal, raw, state, similar_to)
      SELECT ${bankAccountId}::uuid, ${importId}::uuid, f.line_number, f.day, f.amount_sen, f.reference, f.description, f.occurrence,
        f.balance_sen, f.reversal, f.raw, CASE WHEN f.similar_to IS NULL THEN 'new' ELSE 'held' END, f.similar_to
      FROM statement_staging f WHERE f.upload_id = ${uploadId} ORDER BY f.line_number
      ON CONFLICT (bank_account_id, day, amount_sen, reference, md5(description), occurrence) DO NOTHING RETURNING state)
    SELECT count(*)::int AS fresh, (count(*) FILTER (WHERE state = 'held'))::int AS held FROM added`.execute(tx)
  return theOnly(rows)
}

/** Throws 422 if the lines of one day add up, over several files, to a sum that a number cannot hold exactly. */
async function refuseTooMuch(
  tx: Tx,
  bankAccountId: string,
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
) {
  const { rows } = await sql<{ day: string }>`
    SELECT day FROM statement_lines WHERE bank_account_id = ${bankAccountId} AND day BETWEEN ${firstDay} AND ${lastDay}
    GROUP BY day HAVING sum(abs(amount_sen)) > ${mostSumSen} LIMIT 1`.execute(tx)
  if (rows[0]) throw invalid({ file: [{ code: 'statement_day_too_large', params: { day: rows[0].day } }] })
}
