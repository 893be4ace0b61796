import { sql } from 'kysely'
import { isProgress, type WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { Tx } from '#server/platform/database/database.ts'

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

/** Stores reports about messages of a connection, each once, in any order. */
export async function takeReports(tx: Tx, connectionId: string, reports: readonly Report[], now: Date) {
  const reportedIds = new Set<string>()
  for (const { providerMessageId, status, at, messageId, problem, detail } of reports) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('whatsappReports')
      .values({
        providerMessageId,
        status,
        happenedAt: at,
        problem: problem ?? null,
        problemDetail: detail?.slice(0, 300) ?? null,
        receivedAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) continue
    if (messageId)
      await tx
        .updateTable('messages')
        .set({ providerMessageId })
        .where('id', '=', messageId)
        .where('connectionId', '=', connectionId)
        .where('providerMessageId', 'is', null)
        .execute()
    reportedIds.add(providerMessageId)
  }
  for (const id of reportedIds) await applyReports(tx, id)
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
