import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { withoutIndexes } from '#seeds/demo/fill/large-fill.ts'
import { keepDays, keepSeasons, lastEndedDay } from '#server/modules/seasons/keep-seasons.ts'
import { readKeptUntil } from '#server/modules/seasons/season-rows.ts'
import type { Services } from '#server/platform/services.ts'

/** Keeps the days of a new demo. The nightly job keeps later days, so that a start never waits for them. */
export async function keepFirstDays({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  if (await readKeptUntil(db)) return
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ step: number }>`SELECT coalesce(max(id), 0) AS step FROM registration_steps`.execute(
      tx,
    )
    const lastDay = await lastEndedDay(tx, now)
    // Nothing else writes steps while a demo is seeded, so every step is committed.
    const days = { lastDay, lastStep: theOnly(rows).step, now }
    await withoutIndexes(tx, ['season_daily', 'season_sums'], () => keepDays(tx, days))
  })
}

/**
 * Keeps every day of a filled demo again, including days kept before: the invented steps are in the past and must not
 * look like steps that became known later. `db` belongs to the owner of the tables.
 */
export async function keepSeasonsAnew({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const tables = ['season_daily', 'season_sums', 'season_days']
  await db.transaction().execute(async (tx) => {
    for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(tx)
    await sql`TRUNCATE ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx)
    for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(tx)
  })
  await keepSeasons(db, { now: clock.now() })
}
