import crypto from 'node:crypto'
import type { ErrorCode } from '#domain/errors.ts'
import type { StatementMapping } from '#domain/payments/statement-csv.ts'
import { mostStatementBytes } from '#domain/payments/statement-lines.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { batchesOf, ThreadError } from '#server/platform/threads.ts'
import type { UploadLimits, UploadPart } from '#server/platform/uploads.ts'
import type { OwnAccount } from './account-queue.ts'
import type { StatementContent, StatementTask } from './read-statement.ts'

export type StatementFile = { name: string; bytes: Buffer; sha256: Buffer }

export const statementLimits: UploadLimits = { maxBytes: mostStatementBytes, maximum: '5 MB' }

export async function statementFile(part: UploadPart | undefined): Promise<StatementFile> {
  if (!part) throw invalid({ file: 'file_missing' })
  const bytes = await part.toBuffer()
  if (bytes.length === 0) throw invalid({ file: 'file_empty' })
  return { name: part.filename, bytes, sha256: crypto.createHash('sha256').update(bytes).digest() }
}

/** Somebody waits for the answer at the screen. */
const longestMs = 30_000

/** Reads a statement in a thread of its own; whatever the file does to it comes back as a refusal of the file. */
export function readStatementFile(
  { threads, config, clock, log }: Services,
  { bytes }: StatementFile,
  account: Pick<OwnAccount, 'number'>,
  mapping: StatementMapping | null,
): Promise<StatementContent> {
  const task: StatementTask = { bytes, accountNumber: account.number, mapping, now: clock.now() }
  const limits = { ...config.reading, timeMs: Math.min(config.reading.timeMs, longestMs) }
  const thread = new URL('./statement-thread.ts', import.meta.url)
  return threads(async () => {
    try {
      for await (const content of batchesOf<StatementContent | null>(thread, task, limits)) {
        if (!content) throw invalid({ file: 'statement_not_text' })
        return content
      }
      throw new ThreadError('broken')
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error
      log.warn({ err: error }, 'a bank statement could not be read')
      throw invalid({ file: refusals[error.fault] ?? 'file_unreadable' })
    }
  })
}

const refusals: Partial<Record<string, ErrorCode>> = {
  out_of_memory: 'file_too_complex',
  out_of_time: 'file_took_too_long',
}
