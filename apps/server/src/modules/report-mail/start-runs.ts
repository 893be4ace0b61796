import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { sendReportMailJob } from './send-report-mail.job.ts'

/** Adds a run and its job for every recipient without a run for this due time. Returns the new runs' ids. */
export async function startRuns(
  tx: Tx,
  services: Services,
  mailId: string,
  dueAt: Date,
  { byHand }: { byHand: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO report_mail_runs (mail_id, due_at, account_id, by_hand, created_at)
    SELECT mail_id, ${dueAt}, account_id, ${byHand}, ${services.clock.now()} FROM report_mail_recipients
    WHERE mail_id = ${mailId} ON CONFLICT (mail_id, due_at, account_id) DO NOTHING RETURNING id`.execute(tx)
  for (const { id: runId } of rows) await services.jobs.enqueue(tx, sendReportMailJob, { runId })
  return rows.map(({ id }) => id)
}
