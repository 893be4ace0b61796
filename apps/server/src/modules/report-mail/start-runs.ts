import { sql } from 'kysely'
import type { Context } from '#server/platform/use-case.ts'
import { sendReportMailJob } from './send-report-mail.job.ts'

/** Adds a run and its job for every recipient without a run for this due time. Returns the new runs' ids. */
export async function startRuns(
  { tx, services }: Omit<Context, 'actor'>,
  mailId: string,
  dueAt: Date,
  { byHand }: { byHand: boolean },
): Promise<string[]> {
  const now = services.clock.now()
  const { rows } = await sql<{ id: string }>`
    INSERT INTO report_mail_runs (mail_id, due_at, account_id, by_hand, created_at)
    SELECT mail_id, ${dueAt}, account_id, ${byHand}, ${now} FROM report_mail_recipients
    WHERE mail_id = ${mailId} ON CONFLICT (mail_id, due_at, account_id) DO NOTHING RETURNING id`.execute(tx)
  for (const { id: runId } of rows) await services.jobs.enqueue(tx, sendReportMailJob, { runId })
  return rows.map(({ id }) => id)
}
