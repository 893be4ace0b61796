import { sql } from 'kysely'
import { isProgress, type WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { settleByReports } from '#server/modules/messaging/handovers/whatsapp-reports.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { cutText } from '#server/platform/read-answer.ts'

export type ReportedStatus = 'sent' | 'delivered' | 'read' | 'failed'

export type Report = {
  providerMessageId: string
  status: ReportedStatus
  at: Date
  /** Id of the row in `messages`, if the provider returns it: known even before its answer to the send is stored. */
  messageId?: string | undefined
  problem?: WhatsappProblem | undefined
  detail?: string | undefined
}

/**
 * Stores reports about messages of a connection, each once, in any order. Those of campaigns settle their handovers
 * together, since Meta sends hundreds a second.
 */
export async function takeReports(tx: Tx, connectionId: string, reports: readonly Report[], now: Date) {
  if (reports.length === 0) return
  const rows = reports.map(({ providerMessageId, status, at, messageId, problem, detail }) => ({
    provider_message_id: providerMessageId,
    status,
    happened_at: at,
    callback_id: messageId ?? null,
    problem: problem ?? null,
    problem_detail: detail ? cutText(detail, 300) : null,
  }))
  const { rows: fresh } = await sql<{ providerMessageId: string; callbackId: string | null }>`
    INSERT INTO whatsapp_reports (provider_message_id, status, happened_at, callback_id, problem, problem_detail, received_at)
    SELECT r.provider_message_id, r.status, r.happened_at, r.callback_id, r.problem, r.problem_detail, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (provider_message_id text, status text,
      happened_at timestamptz, callback_id uuid, problem text, problem_detail text)
    ON CONFLICT DO NOTHING RETURNING provider_message_id, callback_id`.execute(tx)
  const reportedIds = new Map(fresh.map(({ providerMessageId, callbackId }) => [providerMessageId, callbackId]))
  for (const id of await settleByReports(tx, connectionId, [...reportedIds.keys()], now)) reportedIds.delete(id)
  for (const [providerMessageId, messageId] of reportedIds) {
    if (messageId)
      await tx
        .updateTable('messages')
        .set({ providerMessageId })
        .where('id', '=', messageId)
        .where('connectionId', '=', connectionId)
        .where('providerMessageId', 'is', null)
        .execute()
    await applyReports(tx, providerMessageId)
  }
}

/** Advances a message to the furthest reported status and fills in its times; never moves it back. */
export async function applyReports(tx: Tx, providerMessageId: string) {
  const message = await tx
    .selectFrom('messages')
    .select(['id', 'status'])
    .where('providerMessageId', '=', providerMessageId)
    .where('channel', '=', 'whatsapp')
    .forUpdate()
    .executeTakeFirst()
  if (!message) return
  const reports = await tx
    .selectFrom('whatsappReports')
    .selectAll()
    .where('providerMessageId', '=', providerMessageId)
    .orderBy('happenedAt')
    .execute()
  let { status } = message
  for (const report of reports) if (isProgress(status, report.status)) status = report.status
  const timeOf = (reportedStatus: ReportedStatus) =>
    reports.find((report) => report.status === reportedStatus)?.happenedAt ?? null
  const failure = status === 'failed' ? reports.find((report) => report.status === 'failed') : undefined
  await tx
    .updateTable('messages')
    .set({
      status,
      sentAt: sql`coalesce(sent_at, ${timeOf('sent')}, ${timeOf('delivered')}, ${timeOf('read')})`,
      deliveredAt: sql`coalesce(delivered_at, ${timeOf('delivered')}, ${timeOf('read')})`,
      readAt: sql`coalesce(read_at, ${timeOf('read')})`,
      ...(status !== 'queued' && { error: failure?.problem ?? null, errorDetail: failure?.problemDetail ?? null }),
    })
    .where('id', '=', message.id)
    .execute()
}
