import type { ErrorCode } from '#domain/errors.ts'
import { mostStatementBytes } from '#domain/payments/reconciliation/statement-lines.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import type { OwnAccount } from '#server/modules/payments/reconciliation/account-queue.ts'
import { invalid } from '#server/platform/errors.ts'
import type { UploadLimits, UploadPart } from '#server/platform/files/uploads.ts'
import type { Services } from '#server/platform/services.ts'
import { excelRefusal, sheetRefusal } from '#server/platform/sheets/refusals.ts'
import { SheetError, sheetFaults } from '#server/platform/sheets/sheet-reader.ts'
import { batchesOf, ThreadError } from '#server/platform/threads/threads.ts'
import type { NumberedLine, StatementContent, StatementPart, StatementTask } from './read-statement.ts'

export type StatementFile = { name: string; bytes: Buffer; sha256: Buffer }

export const statementLimits: UploadLimits = { maxBytes: mostStatementBytes, maximum: '40 MB' }

export async function statementFile(part: UploadPart | undefined): Promise<StatementFile> {
  if (!part) throw invalid({ file: 'file_missing' })
  const bytes = await part.toBuffer()
  if (bytes.length === 0) throw invalid({ file: 'file_empty' })
  // Off the main thread, because hashing 40 MB takes a tenth of a second.
  const sha256 = Buffer.from(await globalThis.crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return { name: part.filename, bytes, sha256 }
}

/** Short, because a user waits at the screen. */
const longestMs = 30_000

/**
 * Reads a statement in its own thread and passes its lines to `take` in batches. A crash of the thread becomes a
 * refusal of the file.
 */
export function readStatementFile(
  { threads, config, clock, log }: Services,
  { bytes }: StatementFile,
  account: Pick<OwnAccount, 'number'>,
  mapping: StatementMapping | null,
  take: (lines: NumberedLine[]) => Promise<unknown>,
): Promise<StatementContent> {
  const task: StatementTask = { bytes, accountNumber: account.number, mapping, now: clock.now() }
  const limits = { ...config.reading, timeMs: Math.min(config.reading.timeMs, longestMs) }
  const thread = new URL('./statement-thread.ts', import.meta.url)
  return threads(async () => {
    let content: StatementContent | undefined
    try {
      for await (const part of batchesOf<StatementPart>(thread, task, limits)) {
        if ('unreadable' in part) throw invalid({ file: excelRefusal(bytes) ?? 'statement_not_text' })
        if ('content' in part) content = part.content
        else await take(part.lines)
      }
      if (!content) throw new ThreadError('broken')
      return content
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error
      log.warn({ err: error }, 'a bank statement could not be read')
      const sheetFault = sheetFaults.find((fault) => fault === error.fault)
      throw sheetFault
        ? sheetRefusal(new SheetError(sheetFault, error))
        : invalid({ file: refusals[error.fault] ?? 'file_unreadable' })
    }
  })
}

const refusals: Partial<Record<string, ErrorCode>> = {
  out_of_memory: 'file_too_complex',
  out_of_time: 'file_took_too_long',
}
