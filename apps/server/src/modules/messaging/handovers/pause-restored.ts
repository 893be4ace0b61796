import { sql } from 'kysely'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * After a restore: campaigns that ran at the backup, or that have been due since, may have gone out meanwhile, which the
 * restored rows do not know. They wait for a person.
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
