import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Services } from '#server/platform/services.ts'
import { above, dayMs, type MeasuredLine } from './line.ts'

/** Growth is compared over at most this many days. */
const comparedDays = 30

/** Size now, and the oldest size within the last thirty days. */
export async function readDatabaseSize({ db, clock }: Services) {
  const now = clock.now()
  const { rows } = await sql<{ sizeBytes: number }>`SELECT pg_database_size(current_database()) AS size_bytes`.execute(
    db,
  )
  const today = now.toISOString().slice(0, 10)
  const first = await db
    .selectFrom('databaseSizes')
    .select(['day', 'bytes'])
    .where('day', '>=', new Date(now.getTime() - comparedDays * dayMs).toISOString().slice(0, 10))
    .where('day', '<', today)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  const { sizeBytes } = theOnly(rows)
  const days = first ? (Date.parse(today) - Date.parse(first.day)) / dayMs : 0
  return { sizeBytes, growth: first && days > 0 ? { growthBytes: sizeBytes - first.bytes, days } : null }
}

/** Stores today's size, for `readDatabaseSize` to compare with. */
export async function keepDatabaseSize({ db, clock }: Services) {
  const now = clock.now()
  await sql`INSERT INTO database_sizes (day, bytes)
    VALUES (${now.toISOString().slice(0, 10)}::date, pg_database_size(current_database()))
    ON CONFLICT (day) DO UPDATE SET bytes = excluded.bytes`.execute(db)
  await db
    .deleteFrom('databaseSizes')
    .where('day', '<', new Date(now.getTime() - 400 * dayMs).toISOString().slice(0, 10))
    .execute()
}

/** Connections of all programs to the database server, and the limit for ordinary logins. */
export async function readConnections({ db }: Services) {
  const { rows } = await sql<{ used: number; limit: number; server: string }>`
    SELECT (SELECT sum(numbackends)::int FROM pg_stat_database) AS used,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS "limit",
      current_setting('server_version') AS server`.execute(db)
  return theOnly(rows)
}

/** `freeBytes`: free space on the disk of the embedded database; null if the database is elsewhere. */
export async function measureDatabase(services: Services, freeBytes: number | null): Promise<MeasuredLine[]> {
  const [{ sizeBytes, growth }, { used, limit }] = await Promise.all([
    readDatabaseSize(services),
    readConnections(services),
  ])
  const perDay = growth ? growth.growthBytes / growth.days : 0
  const daysLeft = freeBytes !== null && perDay > 0 ? Math.floor(freeBytes / perDay) : null
  return [
    {
      name: 'database',
      state: daysLeft === null ? 'ok' : daysLeft < 7 ? 'red' : daysLeft < 30 ? 'soon' : 'ok',
      code: growth ? 'database-grows' : 'database-size',
      facts: { sizeBytes, growthBytes: growth?.growthBytes ?? 0, days: growth?.days ?? 0 },
    },
    {
      name: 'connections',
      state: above(used / limit, { soon: 0.7, red: 0.9 }),
      code: 'connections',
      facts: { used, limit, usedShare: used / limit },
    },
  ]
}
