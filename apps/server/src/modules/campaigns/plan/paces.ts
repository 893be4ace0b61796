import { sql } from 'kysely'
import { type ChannelPace, type Forecast, forecastOf, type Waiting } from '#domain/campaigns/forecast.ts'
import { bucketOf, dayHours } from '#domain/campaigns/pace.ts'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'

const dayMs = dayHours * 60 * 60_000

type Queue = {
  waiting: readonly Waiting[]
  /** Number of recipients at the e-mail domain with the most recipients. */
  peopleOfDomain: number
}

/**
 * Messages counted under `name` (`mail`, `whatsapp:<connection>`) in the ten-minute buckets of the last 24 hours.
 * `since`: start of the oldest of these buckets.
 */
async function usedOfDay(db: Db, name: string, now: Date) {
  const { rows } = await sql<{ taken: number; since: Date | null }>`
    SELECT coalesce(sum(taken), 0)::int AS taken, min(at) AS since FROM sending_counts
    WHERE name = ${name} AND at >= ${bucketOf(new Date(now.getTime() - dayMs))}`.execute(db)
  return theOnly(rows)
}

/** Pace of the mail server, slowed down by the domain with the most recipients. */
async function mailPace(db: Db, { waiting, peopleOfDomain }: Queue, now: Date): Promise<ChannelPace> {
  const { mailsPerMinute, mailsPerMinutePerDomain, mailsPerDay } = await getSettings(db)
  const count = waiting.reduce((sum, { channel, people }) => sum + (channel === 'email' ? people : 0), 0)
  const byDomain = peopleOfDomain > 0 ? (count * mailsPerMinutePerDomain) / peopleOfDomain : mailsPerMinute
  const used = await usedOfDay(db, 'mail', now)
  return {
    perMinute: Math.max(1, Math.round(Math.min(mailsPerMinute, byDomain))),
    perDay: mailsPerDay,
    usedToday: used.taken,
    dayStartedAt: used.since,
  }
}

async function whatsappPace(db: Db, now: Date): Promise<ChannelPace> {
  const connection = await db
    .selectFrom('whatsappConnections')
    .select(['id', 'perMinute', 'perDay', 'dayStartedAt', 'dayCount'])
    .where('isDefault', '=', true)
    .executeTakeFirst()
  if (!connection) return { perMinute: null, perDay: 0, usedToday: 0, dayStartedAt: null }
  const used = await usedOfDay(db, `whatsapp:${connection.id}`, now)
  const isToday = connection.dayStartedAt && now.getTime() < connection.dayStartedAt.getTime() + dayMs
  const count = isToday ? connection.dayCount : 0
  return {
    perMinute: connection.perMinute,
    perDay: connection.perDay,
    usedToday: Math.max(count, used.taken),
    dayStartedAt: count >= used.taken && isToday ? connection.dayStartedAt : used.since,
  }
}

/** Estimates when sending ends if it begins at `startsAt`. */
export async function forecastFor(
  db: Db,
  queue: Queue,
  { startsAt, ignoresQuietHours, now }: { startsAt: Date; ignoresQuietHours: boolean; now: Date },
): Promise<Forecast> {
  const { quietHours } = await getSettings(db)
  return forecastOf({
    waiting: queue.waiting,
    paces: { whatsapp: await whatsappPace(db, now), email: await mailPace(db, queue, now) },
    startsAt,
    keepsQuietHours: quietHours && !ignoresQuietHours,
  })
}
