import { sql } from 'kysely'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * Runs after a restore. Campaigns that were running at the backup, or became due since, may have been sent after it,
 * which the restored rows do not record. They stay paused until a user resumes them.
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
