import { type RawBuilder, sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { endedCondition } from '#server/modules/campaigns/gone-people.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { giveMoreMemory } from '#server/platform/database/more-memory.ts'
import { judge, type Plan } from './judge.ts'

/** Writes a campaign's recipients and returns how many there are. `reachable` counts recipients who are not skipped. */
export async function writeRecipients(tx: Tx, campaignId: string, plan: Plan, people: RawBuilder<unknown>, now: Date) {
  // Opt-outs and people already reached are looked up in hash tables, which must fit into memory.
  await giveMoreMemory(tx)
  const judged = await judge(tx, plan, people, now)
  const { rows } = await sql<{ recipients: number; reachable: number }>`
    WITH written AS (
      INSERT INTO campaign_recipients (campaign_id, number, source_id, account_id, registration_id, name, language,
        time_zone, phone, email, values, channels, had_ended, state, reason, due_at, state_at)
      SELECT ${campaignId}, number, source_id, account_id, registration_id, name, language, time_zone, phone, email,
        values, CASE WHEN reason IS NULL THEN channels ELSE '{}' END, ${endedCondition},
        CASE WHEN reason IS NULL THEN 'planned' ELSE 'skipped' END, reason,
        CASE WHEN reason IS NULL THEN ${now}::timestamptz END, ${now}::timestamptz
      FROM (${judged}) AS r
      RETURNING state)
    SELECT count(*)::int AS recipients, (count(*) FILTER (WHERE state = 'planned'))::int AS reachable
    FROM written`.execute(tx)
  return theOnly(rows)
}
