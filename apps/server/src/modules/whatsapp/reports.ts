import { sql } from 'kysely'
import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { settleByReports } from '#server/modules/messaging/handovers/whatsapp-reports.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { Context } from '#server/platform/use-case.ts'

export type ReportedStatus = 'sent' | 'delivered' | 'read' | 'failed'

export type Report = {
  providerMessageId: string
  status: ReportedStatus
  at: Date
  /**
   * Id of the handover, if the provider returns it. A report may arrive before the answer to the send is stored, when
   * the provider's own message id is still unknown.
   */
  handoverId?: string | undefined
  problem?: WhatsappProblem | undefined
  detail?: string | undefined
}

/**
 * Stores reports about messages of a connection, each once and in any order. Settles their handovers together, because
 * Meta sends hundreds a second.
 */
export async function takeReports(context: Omit<Context, 'actor'>, connectionId: string, reports: readonly Report[]) {
  const { tx, now } = context
  if (reports.length === 0) return
  const rows = reports.map(({ providerMessageId, status, at, handoverId, problem, detail }) => ({
    provider_message_id: providerMessageId,
    status,
    happened_at: at,
    callback_id: handoverId ?? null,
    problem: problem ?? null,
    problem_detail: detail ? cutText(detail, 300) : null,
  }))
  const { rows: fresh } = await sql<{ providerMessageId: string }>`
    INSERT INTO whatsapp_reports (provider_message_id, status, happened_at, callback_id, problem, problem_detail, received_at)
    SELECT r.provider_message_id, r.status, r.happened_at, r.callback_id, r.problem, r.problem_detail,
      ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (provider_message_id text, status text,
      happened_at timestamptz, callback_id uuid, problem text, problem_detail text)
    ON CONFLICT DO NOTHING RETURNING provider_message_id`.execute(tx)
  const reportedIds = [...new Set(fresh.map(({ providerMessageId }) => providerMessageId))]
  await settleByReports(context, connectionId, reportedIds)
}
