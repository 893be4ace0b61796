import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Channel, SkipReason } from '#domain/campaigns/campaigns.ts'
import type { Language } from '#entities/define/language.ts'
import { accountOptOuts } from '#server/modules/campaigns/addresses/account-addresses.ts'
import { endedCondition, goneCondition } from '#server/modules/campaigns/gone-people.ts'
import { freeTextMs } from '#server/modules/whatsapp/window.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'

export type Campaign = Selectable<Database['campaigns']>

/** A due recipient, locked by this transaction. Its flags are read at this moment, not at planning. */
export type Candidate = {
  number: number
  accountId: string | null
  name: string
  language: Language
  timeZone: string
  phone: string | null
  email: string | null
  values: Record<string, unknown>
  channels: Channel[]
  attempts: number
  isOptedOut: boolean
  isSuppressed: boolean
  /** The account or lead was deleted, or the visitor erased. */
  isGone: boolean
  /** The registration ended, or the visitor's visit was cancelled, after planning. */
  hasEnded: boolean
  takesNoWhatsapp: boolean
  isWindowOpen: boolean
}

/**
 * Locks a running campaign against changes. Undefined if the campaign is not running or another transaction has locked
 * its row for a change.
 */
export const lockRunning = (tx: Tx, id: string): Promise<Campaign | undefined> =>
  tx
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forShare()
    .skipLocked()
    .executeTakeFirst()

/**
 * SQL condition: recipient `r` is a lead marked as not interested. For a merged lead, the stage of the lead it was
 * merged into decides.
 */
const isUninterested = sql<boolean>`EXISTS (SELECT FROM leads l LEFT JOIN leads k ON k.id = l.merged_into
  WHERE l.id = r.source_id AND coalesce(k.stage, l.stage) = 'not_interested')`

type DueQuestion = { channel: Channel; most: number; now: Date; connectionId?: string }

/** Locks up to `most` due recipients of a channel. Skips rows that other transactions have locked. */
export async function lockDue(
  tx: Tx,
  campaign: Pick<Campaign, 'id' | 'purpose' | 'audience'>,
  { channel, most, now, connectionId }: DueQuestion,
): Promise<Candidate[]> {
  const saidNo = campaign.audience === 'leads' ? isUninterested : sql<boolean>`false`
  const { rows } = await sql<Candidate>`
    SELECT r.number, r.account_id, r.name, r.language, r.time_zone, r.phone, r.email, r.values, r.channels, r.attempts,
      ${campaign.purpose} <> 'service' AND (${saidNo}
        OR EXISTS (SELECT FROM opt_outs o WHERE o.purpose = ${campaign.purpose} AND o.lifted_at IS NULL
          AND o.address IN (r.phone, lower(r.email)))
        OR EXISTS (SELECT FROM ${accountOptOuts} o WHERE o.account_id = r.account_id
          AND o.purpose = ${campaign.purpose})) AS is_opted_out,
      EXISTS (SELECT FROM suppressed_addresses s WHERE s.channel = ${channel} AND s.lifted_at IS NULL
        AND s.address = CASE ${channel} WHEN 'email' THEN lower(r.email) ELSE r.phone END) AS is_suppressed,
      ${goneCondition(sql`${campaign.audience}`)} AS is_gone,
      NOT r.had_ended AND ${endedCondition} AS has_ended,
      ${channel} = 'whatsapp' AND NOT coalesce(a.whatsapp, true) AS takes_no_whatsapp,
      EXISTS (SELECT FROM whatsapp_windows w WHERE w.connection_id = ${connectionId ?? null}::uuid AND w.address = r.phone
        AND w.last_at > ${new Date(now.getTime() - freeTextMs)}) AS is_window_open
    FROM campaign_recipients r LEFT JOIN accounts a ON a.id = r.account_id
    WHERE r.campaign_id = ${campaign.id} AND r.state = 'planned' AND r.channels[1] = ${channel} AND r.due_at <= ${now}
    ORDER BY r.due_at, r.number LIMIT ${sql.lit(most)} FOR NO KEY UPDATE OF r SKIP LOCKED`.execute(tx)
  return rows
}

/** Why a recipient gets no message on a channel. `isFinal`: no other channel is tried. */
export type Obstacle = { reason: SkipReason; isFinal: boolean }

/**
 * First reason not to send to this recipient; undefined if there is none. The caller checks the address, the
 * placeholders and WhatsApp's 24-hour window.
 */
export function obstacleOf(candidate: Candidate): Obstacle | undefined {
  if (candidate.isOptedOut) return { reason: 'opted_out', isFinal: true }
  if (candidate.isGone) return { reason: 'no_address', isFinal: true }
  if (candidate.hasEnded) return { reason: 'registration_ended', isFinal: true }
  if (candidate.takesNoWhatsapp) return { reason: 'opted_out', isFinal: false }
  return candidate.isSuppressed ? { reason: 'suppressed', isFinal: false } : undefined
}

/** Phone, e-mail or account id; null if the recipient has none for this channel. */
export const addressOn = ({ phone, email, accountId }: Candidate, channel: Channel): string | null =>
  ({ whatsapp: phone, email, inbox: accountId })[channel]

/** New values of a recipient's row. With `handoverId` null, the row keeps its handover. */
export type Change = {
  number: number
  state: 'planned' | 'skipped' | 'handed' | 'delivered'
  reason: string | null
  channels: Channel[]
  dueAt: Date | null
  attempts: number
  handoverId: string | null
}

/** Moves the recipient to the next channel. Skips the recipient if no channel is left or the obstacle is final. */
export function passOver(candidate: Candidate, { reason, isFinal }: Obstacle, now: Date): Change {
  const channels = candidate.channels.slice(1)
  const isSkipped = isFinal || channels.length === 0
  return {
    number: candidate.number,
    state: isSkipped ? 'skipped' : 'planned',
    reason: isSkipped ? reason : null,
    channels: isSkipped ? candidate.channels : channels,
    dueAt: isSkipped ? null : now,
    attempts: 0,
    handoverId: null,
  }
}

/** Keeps the recipient planned and sets a new due time. */
export const postpone = ({ number, channels, attempts }: Candidate, dueAt: Date): Change => ({
  number,
  state: 'planned',
  reason: null,
  channels,
  dueAt,
  attempts,
  handoverId: null,
})

export async function writeChanges(tx: Tx, campaignId: string, changes: readonly Change[], now: Date) {
  if (changes.length === 0) return
  const rows = changes.map(({ dueAt, handoverId, ...rest }) => ({ ...rest, due_at: dueAt, handover_id: handoverId }))
  await sql`UPDATE campaign_recipients r SET state = n.state, reason = n.reason,
      channels = ARRAY(SELECT json_array_elements_text(n.channels)), due_at = n.due_at, attempts = n.attempts,
      handover_id = coalesce(n.handover_id, r.handover_id), state_at = ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (number integer, state text, reason text, channels json,
      due_at timestamptz, attempts smallint, handover_id uuid)
    WHERE r.campaign_id = ${campaignId} AND r.number = n.number`.execute(tx)
}

export type NewHandover = {
  id: string
  number: number
  channel: Channel
  connectionId: string | null
  address: string | null
  state: 'handed' | 'delivered'
  leasedUntil: Date | null
}

export async function writeHandovers(tx: Tx, campaignId: string, handovers: readonly NewHandover[], now: Date) {
  if (handovers.length === 0) return
  const rows = handovers.map(({ connectionId, leasedUntil, ...rest }) => ({
    ...rest,
    connection_id: connectionId,
    leased_until: leasedUntil,
  }))
  await sql`INSERT INTO handovers (id, campaign_id, number, channel, connection_id, address, state, handed_at,
      leased_until, state_at)
    SELECT n.id, ${campaignId}, n.number, n.channel, n.connection_id, n.address, n.state, ${now}, n.leased_until, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (id uuid, number integer, channel text,
      connection_id uuid, address text, state text, leased_until timestamptz)`.execute(tx)
}

/** Seconds after quiet hours over which postponed recipients are spread. */
const spreadSeconds = 900
const mostAtOnce = 5_000

/**
 * Postpones at most `mostAtOnce` due mail and WhatsApp messages of a time zone to `until`, spread over `spreadSeconds`.
 * Later calls postpone the rest.
 */
export async function postponeQuiet(tx: Tx, campaignId: string, timeZone: string, until: Date, now: Date) {
  await sql`UPDATE campaign_recipients SET due_at = ${until}::timestamptz
      + make_interval(secs => (number::bigint * 7919) % ${sql.lit(spreadSeconds)})
    WHERE (campaign_id, number) IN (SELECT campaign_id, number FROM campaign_recipients
      WHERE campaign_id = ${campaignId} AND state = 'planned' AND channels[1] <> 'inbox' AND due_at <= ${now}
        AND time_zone = ${timeZone}
      LIMIT ${sql.lit(mostAtOnce)} FOR NO KEY UPDATE SKIP LOCKED)`.execute(tx)
}
