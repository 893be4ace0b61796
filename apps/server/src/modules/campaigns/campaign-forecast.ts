import { sql } from 'kysely'
import type { CampaignState } from '#domain/campaigns/campaigns.ts'
import type { Forecast, Waiting } from '#domain/campaigns/forecast.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { startWithinYear } from './latest-start.ts'
import { forecastFor } from './plan/paces.ts'
import { type CampaignRow, getCampaignRow } from './visible-campaigns.ts'

/** States with a forecast. A paused campaign has none, because nobody knows when it will be resumed. */
const endingStates: readonly CampaignState[] = ['planned', 'to_approve', 'scheduled', 'running']

/** Waiting recipients by channel and time zone; empty if the state has no forecast. */
export async function waitingOf(db: Db, { id, state }: CampaignRow): Promise<Waiting[]> {
  if (!endingStates.includes(state)) return []
  const { rows } = await sql<Waiting>`
    SELECT channels[1] AS channel, time_zone, count(*)::int AS people, min(due_at) AS due_at
    FROM campaign_recipients WHERE campaign_id = ${id} AND state = 'planned' GROUP BY channels[1], time_zone`.execute(
    db,
  )
  return rows
}

async function largestDomain(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ people: number }>`SELECT coalesce(max(n), 0)::int AS people
    FROM (SELECT count(*) AS n FROM campaign_recipients WHERE campaign_id = ${id} AND state = 'planned'
      AND channels[1] = 'email' GROUP BY split_part(email, '@', 2)) d`.execute(db)
  return theOnly(rows).people
}

/** Forecast for the waiting recipients; null if nobody waits. A missing or past `startsAt` means now. */
export async function campaignForecast(
  db: Db,
  { id, ignoresQuietHours }: CampaignRow,
  { waiting, startsAt, now }: { waiting: readonly Waiting[]; startsAt: Date | null; now: Date },
): Promise<Forecast | null> {
  if (waiting.length === 0) return null
  return forecastFor(
    db,
    { waiting, peopleOfDomain: await largestDomain(db, id) },
    { startsAt: startsAt && startsAt > now ? startsAt : now, ignoresQuietHours, now },
  )
}

/** Forecast for a start time that is not saved yet; 422 if the time is more than 366 days ahead. */
export async function forecastStart({ db, clock }: Services, actor: Actor, id: string, startsAt: string | null) {
  const row = await getCampaignRow(db, actor, id)
  const now = clock.now()
  const start = startWithinYear(startsAt, now)
  return campaignForecast(db, row, { waiting: await waitingOf(db, row), startsAt: start, now })
}
