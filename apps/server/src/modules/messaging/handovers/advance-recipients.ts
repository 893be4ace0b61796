import { sql } from 'kysely'
import { type CampaignState, type Channel, isProgress, type RecipientState } from '#domain/campaigns/campaigns.ts'
import { keepTryingMs, maxAttempts, retryWaitMs } from '#domain/whatsapp/problems.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import {
  type ChangedHandover,
  changedHandover,
  detailOf,
  type LockedHandover,
  type News,
  type Outcome,
} from './news.ts'

type Row = LockedHandover & {
  campaignId: string
  number: number
  recipientState: RecipientState
  handoverId: string | null
  channels: Channel[]
  attempts: number
  campaignState: CampaignState
  endedAt: Date | null
  hasChild: boolean
}

type Changed = {
  state: RecipientState
  reason: string | null
  detail: string | null
  channels: Channel[]
  dueAt: Date | null
  attempts: number
  handoverId: string | null
  at: Date
}

/** Locks the recipients and their handovers. If recipients may be planned again, locks their campaigns first. */
export async function lockRecipients(tx: Tx, ids: readonly string[], mayPlan: boolean): Promise<Row[]> {
  if (mayPlan)
    await sql`SELECT id FROM campaigns
      WHERE id IN (SELECT campaign_id FROM handovers WHERE id = ANY(${ids}::uuid[]))
      ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<Row>`
    SELECT h.id, h.campaign_id, h.number, h.channel, h.address, h.state, r.state AS recipient_state, r.handover_id,
      r.channels, r.attempts, c.state AS campaign_state, c.ended_at,
      EXISTS (SELECT FROM campaigns child WHERE child.parent_id = c.id
        AND (child.state <> 'cancelled' OR child.started_at IS NOT NULL)) AS has_child
    FROM handovers h
      JOIN campaign_recipients r ON r.campaign_id = h.campaign_id AND r.number = h.number
      JOIN campaigns c ON c.id = h.campaign_id
    WHERE h.id = ANY(${ids}::uuid[])
    ORDER BY h.campaign_id, h.number, h.id FOR NO KEY UPDATE OF r, h`.execute(tx)
  return rows
}

/**
 * Writes the outcomes of recipients and reopens finished campaigns that send to a recipient again. Returns the changes
 * of the handovers.
 */
export async function advanceRecipients(
  tx: Tx,
  rows: readonly Row[],
  outcomeOf: (row: Row) => Outcome,
  now: Date,
): Promise<ChangedHandover[]> {
  const handovers: ChangedHandover[] = []
  /** By campaign and number. If a recipient has two handovers, the one that arrived counts. */
  const recipients = new Map<string, { state: RecipientState; campaign_id: string }>()
  const returned: string[] = []
  for (const row of rows) {
    const outcome = outcomeOf(row)
    const { latest } = outcome
    const handover = changedHandover(row, outcome)
    if (latest?.state === 'returned') returned.push(row.id)
    else if (handover) handovers.push(handover)
    const changed = latest && (firstArrivalOf(row, latest) ?? consequenceOf(row, latest, now))
    if (!changed) continue
    const recipient = `${row.campaignId} ${row.number}`
    if (hasArrived(recipients.get(recipient))) continue
    const { dueAt, handoverId, ...rest } = changed
    const columns = {
      campaign_id: row.campaignId,
      number: row.number,
      due_at: dueAt,
      handover_id: handoverId,
      ...rest,
    }
    recipients.set(recipient, columns)
  }
  await writeRecipients(tx, [...recipients.values()])
  if (returned.length > 0)
    await sql`DELETE FROM handovers WHERE id = ANY(${returned}::uuid[]) AND state = 'handed'`.execute(tx)
  const planned = new Set([...recipients.values()].flatMap((r) => (r.state === 'planned' ? r.campaign_id : [])))
  const finished = new Set(rows.flatMap((row) => (row.campaignState === 'finished' ? row.campaignId : [])))
  for (const id of [...planned].filter((id) => finished.has(id)).sort()) await reopen(tx, id, now)
  return handovers
}

const hasArrived = (recipient: { state: RecipientState } | undefined) =>
  recipient?.state === 'delivered' || recipient?.state === 'read'

/**
 * The first message that arrives settles its recipient, even if a later message is planned, under way or has failed.
 */
function firstArrivalOf(row: Row, { state, at }: News): Changed | undefined {
  if ((state !== 'delivered' && state !== 'read') || hasArrived({ state: row.recipientState })) return undefined
  return {
    ...{ state, at, reason: null, detail: null, dueAt: null },
    ...{ channels: [row.channel], attempts: row.attempts, handoverId: row.id },
  }
}

/** The recipient's next state; undefined if it does not change, for example because a later handover has taken over. */
function consequenceOf(row: Row, news: News, now: Date): Changed | undefined {
  if (row.handoverId !== row.id) return undefined
  const same = { channels: row.channels, attempts: row.attempts, handoverId: row.id, at: news.at }
  const still = { ...same, reason: null, detail: null, dueAt: null }
  if (news.state === 'returned') {
    if (row.recipientState !== 'handed') return undefined
    const freed = { ...still, attempts: Math.max(0, row.attempts - 1), handoverId: null }
    return row.campaignState === 'cancelled'
      ? { ...freed, state: 'skipped', reason: row.hasChild ? 'continued' : 'cancelled' }
      : { ...freed, state: 'planned', dueAt: now }
  }
  if (row.recipientState === 'planned' || row.recipientState === 'skipped') return undefined
  if (!isProgress(row.recipientState, news.state)) return undefined
  if (news.state !== 'failed') return { ...still, state: news.state }
  const detail = detailOf(news)
  const failed = { ...same, state: 'failed' as const, reason: news.reason, detail, dueAt: null }
  if (news.consequence === 'end' || !takesMore(row, now)) return failed
  if (news.consequence === 'again' && row.attempts < maxAttempts)
    return {
      ...same,
      state: 'planned',
      reason: null,
      detail,
      dueAt: new Date(now.getTime() + retryWaitMs(row.attempts)),
    }
  const channels = row.channels.slice(1)
  if (channels.length === 0) return failed
  return { ...same, state: 'planned', channels, attempts: 0, reason: null, detail, dueAt: now }
}

/**
 * Whether a failed recipient may still take the next channel: the campaign is running or paused, or it finished within
 * `keepTryingMs` and has no continuation.
 */
function takesMore({ campaignState, endedAt, hasChild }: Row, now: Date) {
  if (campaignState === 'running' || campaignState === 'paused') return true
  return campaignState === 'finished' && !hasChild && now.getTime() - (endedAt ?? now).getTime() <= keepTryingMs
}

async function reopen(tx: Tx, id: string, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('campaigns')
    .set({ state: 'running', endedAt: null, updatedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'finished')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await recordAudit(tx, systemActor, { action: 'campaign.reopen', on: { campaign: id } })
}

async function writeRecipients(tx: Tx, recipients: readonly object[]) {
  if (recipients.length === 0) return
  await sql`UPDATE campaign_recipients r SET state = n.state, reason = n.reason, detail = n.detail,
      channels = ARRAY(SELECT json_array_elements_text(n.channels)), due_at = n.due_at, attempts = n.attempts,
      handover_id = n.handover_id, state_at = n.at
    FROM json_to_recordset(${JSON.stringify(recipients)}::json) AS n (campaign_id uuid, number integer, state text,
      reason text, detail text, channels json, due_at timestamptz, attempts smallint, handover_id uuid, at timestamptz)
    WHERE r.campaign_id = n.campaign_id AND r.number = n.number`.execute(tx)
}
