import { sql } from 'kysely'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * Runs after a restore. Pauses campaigns that were running at the backup or became due since: they may have sent
 * messages that the restored rows do not record. A user has to resume them.
 */
export async function pauseRestored(tx: Tx, now: Date) {
  const { rows } = await sql<{ id: string }>`
    UPDATE campaigns SET state = 'paused', pause_reason = 'restored', started_at = coalesce(started_at, ${now}),
      updated_at = ${now}
    WHERE state = 'running' OR (state = 'scheduled' AND coalesce(starts_at, ${now}) <= ${now}) RETURNING id`.execute(tx)
  await recordAudits(
    tx,
    systemActor,
    rows.map(({ id }) => ({
      action: 'campaign.pause',
      on: { campaign: id },
      after: { pauseReason: 'restored' },
    })),
  )
}
