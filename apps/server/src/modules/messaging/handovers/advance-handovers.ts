import { sql } from 'kysely'
import { type CampaignState, type Channel, isProgress, type RecipientState } from '#domain/campaigns/campaigns.ts'
import { keepTryingMs, maxAttempts, retryWaitMs } from '#domain/whatsapp/problems.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { cutText } from '#server/platform/read-answer.ts'
import { type SuppressionReason, suppressAddresses } from './suppress-addresses.ts'

/** What follows for the recipient: another try on the same channel, the next channel, or nothing. */
export type Consequence = 'again' | 'next' | 'end'

type HandoverState = Exclude<RecipientState, 'planned' | 'skipped'>

/** What became known of a handover. `returned`: it never went out, and somebody else may take the recipient. */
export type News = { id: string; at: Date } & (
  | { state: 'accepted' | 'delivered' | 'read' | 'uncertain'; providerMessageId?: string | null }
  | {
      state: 'failed'
      reason: string
      detail?: string | null
      consequence: Consequence
      suppress?: SuppressionReason
      providerMessageId?: string | null
    }
  | { state: 'returned' }
)

type Row = {
  id: string
  campaignId: string
  number: number
  channel: Channel
  address: string | null
  state: HandoverState
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

/**
 * The only place where handovers and their recipients advance: answers of channels, their reports, run-out leases and
 * bounces come here, in any order. Locks campaigns, then recipients and handovers by number, as every other step does.
 */
export async function advanceHandovers(tx: Tx, news: readonly News[], now: Date) {
  if (news.length === 0) return
  const newsById = Map.groupBy(news, ({ id }) => id)
  const ids = [...newsById.keys()]
  // A recipient that is planned again must not meet a campaign that finishes at the same moment.
  if (news.some(({ state }) => state === 'failed' || state === 'returned'))
    await sql`SELECT id FROM campaigns
      WHERE id IN (SELECT campaign_id FROM campaign_handovers WHERE id = ANY(${ids}::uuid[]))
      ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<Row>`
    SELECT h.id, h.campaign_id, h.number, h.channel, h.address, h.state, r.state AS recipient_state, r.handover_id,
      r.channels, r.attempts, c.state AS campaign_state, c.ended_at,
      EXISTS (SELECT FROM campaigns child WHERE child.parent_id = c.id
        AND (child.state <> 'cancelled' OR child.started_at IS NOT NULL)) AS has_child
    FROM campaign_handovers h
      JOIN campaign_recipients r ON r.campaign_id = h.campaign_id AND r.number = h.number
      JOIN campaigns c ON c.id = h.campaign_id
    WHERE h.id = ANY(${ids}::uuid[])
    ORDER BY h.campaign_id, h.number, h.id FOR NO KEY UPDATE OF r, h`.execute(tx)

  const handovers: object[] = []
  /** By campaign and number: of two handovers of a recipient, the one that arrived counts. */
  const recipients = new Map<string, { state: RecipientState; campaign_id: string }>()
  const returned: string[] = []
  const suppressions: Parameters<typeof suppressAddresses>[1][number][] = []
  for (const row of rows) {
    let state = row.state
    let latest: News | undefined
    let providerMessageId: string | null = null
    for (const one of newsById.get(row.id)!.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
      if ('providerMessageId' in one) providerMessageId ??= one.providerMessageId ?? null
      if (one.state === 'failed' && one.suppress && row.channel !== 'inbox' && row.address)
        suppressions.push({
          channel: row.channel,
          address: row.address,
          reason: one.suppress,
          detail: one.detail ?? null,
        })
      if (one.state === 'returned') {
        if (row.state === 'handed') latest = one
      } else if (isProgress(state, one.state)) {
        state = one.state
        latest = one
      }
    }
    if (latest?.state === 'returned') returned.push(row.id)
    else if (latest || providerMessageId)
      handovers.push({
        id: row.id,
        state,
        provider_message_id: providerMessageId,
        reason: latest?.state === 'failed' ? latest.reason : null,
        detail: latest?.state === 'failed' ? detailOf(latest) : null,
        at: latest?.at ?? null,
      })
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
  await writeHandovers(tx, handovers)
  await writeRecipients(tx, [...recipients.values()])
  if (returned.length > 0)
    await sql`DELETE FROM campaign_handovers WHERE id = ANY(${returned}::uuid[]) AND state = 'handed'`.execute(tx)
  await suppressAddresses(tx, suppressions, now)
  const planned = new Set([...recipients.values()].flatMap((r) => (r.state === 'planned' ? r.campaign_id : [])))
  const finished = new Set(rows.flatMap((row) => (row.campaignState === 'finished' ? row.campaignId : [])))
  for (const id of [...planned].filter((id) => finished.has(id)).sort()) await reopen(tx, id, now)
}

/** Words of the channel as the columns hold them: no word of a server may keep answers from being recorded. */
const detailOf = ({ detail }: { detail?: string | null }) => (detail ? cutText(detail, 300) : null)

const hasArrived = (recipient: { state: RecipientState } | undefined) =>
  recipient?.state === 'delivered' || recipient?.state === 'read'

/** The first message that arrives settles its recipient, whatever was to follow, is on its way or has failed since. */
function firstArrivalOf(row: Row, { state, at }: News): Changed | undefined {
  if ((state !== 'delivered' && state !== 'read') || hasArrived({ state: row.recipientState })) return undefined
  return {
    ...{ state, at, reason: null, detail: null, dueAt: null },
    ...{ channels: [row.channel], attempts: row.attempts, handoverId: row.id },
  }
}

/** What a recipient becomes; undefined if nothing changes for it, as where it is in the hands of a later handover. */
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

/** Whether a campaign still sends, or ended so lately that its last failures may take their next channel. */
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

async function writeHandovers(tx: Tx, handovers: readonly object[]) {
  if (handovers.length === 0) return
  await sql`UPDATE campaign_handovers h SET state = n.state,
      leased_until = CASE WHEN n.state = 'handed' THEN h.leased_until END,
      provider_message_id = coalesce(h.provider_message_id, n.provider_message_id),
      reason = CASE WHEN n.at IS NULL THEN h.reason ELSE n.reason END,
      detail = CASE WHEN n.at IS NULL THEN h.detail ELSE n.detail END, state_at = coalesce(n.at, h.state_at)
    FROM json_to_recordset(${JSON.stringify(handovers)}::json) AS n (id uuid, state text, provider_message_id text,
      reason text, detail text, at timestamptz)
    WHERE h.id = n.id`.execute(tx)
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
