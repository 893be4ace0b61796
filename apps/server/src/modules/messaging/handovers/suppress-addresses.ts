import { sql } from 'kysely'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { cutText } from '#server/platform/read-answer.ts'

export type SuppressionReason = Database['suppressedAddresses']['reason']

export type Suppression = {
  channel: 'whatsapp' | 'email'
  address: string
  reason: SuppressionReason
  detail: string | null
}

/** Suppresses addresses. An address already suppressed keeps its first reason. */
export async function suppressAddresses(tx: Tx, suppressions: readonly Suppression[], now: Date) {
  if (suppressions.length === 0) return
  // Sorted, so that two parallel reports lock rows in the same order.
  const rows = suppressions
    .map(({ detail, address, channel, ...rest }) => ({
      ...rest,
      channel,
      address: channel === 'email' ? address.toLowerCase() : address,
      detail: detail && cutText(detail, 300),
    }))
    .toSorted((one, other) => (`${one.channel} ${one.address}` < `${other.channel} ${other.address}` ? -1 : 1))
  const { rows: added } = await sql<{ id: string; channel: string; reason: string }>`
    INSERT INTO suppressed_addresses (address, channel, reason, detail, created_at)
    SELECT s.address, s.channel, s.reason, s.detail, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS s (address text, channel text, reason text, detail text)
    ON CONFLICT (channel, address) WHERE lifted_at IS NULL DO NOTHING
    RETURNING id, channel, reason`.execute(tx)
  await recordAudits(
    tx,
    systemActor,
    added.map(({ id, channel, reason }) => ({
      action: 'suppression.add',
      on: { suppression: id },
      after: { channel, reason },
    })),
  )
}
