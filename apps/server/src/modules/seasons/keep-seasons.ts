import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { calendarOf, shiftDay } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import { journal } from './season-journal.ts'
import { readKeptUntil } from './season-rows.ts'

/** Delay after the end of a day, so that transactions open at midnight have committed. */
const restMs = 15 * 60_000
const pollMs = 50
/** Longest wait for transactions that have taken a step number and not yet committed. */
const mostWaitMs = 30_000
/**
 * Work memory for grouping the steps of all seasons; with the default 4 MB, a million registrations would be sorted on
 * disk.
 */
const groupingMemory = '256MB'

export type KeptSeasons = {
  /** The last stored day; null if no registration was ever started. */
  until: string | null
  /** Days stored by this call. */
  days: number
  rows: number
}

/**
 * Stores the figures of every day that has ended: days never stored under their own date, and changes to earlier days
 * that became known later under the last one. Stored rows never change, and a stored day adds nothing, so two servers,
 * a repetition and a run after a crash leave the same rows. One statement for any number of days.
 */
export async function keepSeasons(
  db: Db,
  { now, actor = systemActor }: { now: Date; actor?: Actor },
): Promise<KeptSeasons> {
  const lastDay = await lastEndedDay(db, now)
  const last = await readKeptUntil(db)
  if (last && last.day >= lastDay) return { until: last.day, days: 0, rows: 0 }
  const lastStep = await readSettledStep(db)
  return db.transaction().execute((tx) => keepDays(tx, { lastDay, lastStep, now, actor }))
}

/** Stores the days up to `lastDay` with the steps up to `lastStep`, which are all committed. */
export async function keepDays(
  tx: Tx,
  { lastDay, lastStep, now, actor = systemActor }: { lastDay: string; lastStep: number; now: Date; actor?: Actor },
): Promise<KeptSeasons> {
  const { timeZone: zone } = await getSettings(tx)
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('seasons', 0))`.execute(tx)
  const position = await readKeptUntil(tx)
  const first = position ? shiftDay(position.day, 1) : await readFirstDay(tx, zone)
  if (first === null || first > lastDay) return { until: position?.day ?? null, days: 0, rows: 0 }
  await sql`SELECT set_config('work_mem', ${groupingMemory}, true)`.execute(tx)
  const days = await writeDays(tx, { first, lastDay, zone, lastStep, now })
  const rows = await writeRows(tx, { first, lastDay, zone, lastStep })
  await recordAudit(tx, actor, {
    action: 'season.keep',
    on: { season: lastDay },
    after: { until: lastDay, days, rows },
  })
  return { until: lastDay, days, rows }
}

/** The last day whose figures can be stored. */
export async function lastEndedDay(db: Db, now: Date): Promise<string> {
  const { timeZone } = await getSettings(db)
  return shiftDay(calendarOf(timeZone).dayOf(new Date(now.getTime() - restMs)), -1)
}

/**
 * The highest step id below which all steps are committed or rolled back. Ids are taken before the commit, so this
 * waits for the transactions that are writing steps.
 */
async function readSettledStep(db: Db): Promise<number> {
  const { rows } = await sql<{ step: number; xmax: string }>`
    SELECT coalesce(max(id), 0) AS step, pg_snapshot_xmax(pg_current_snapshot())::text AS xmax FROM registration_steps`.execute(
    db,
  )
  const { step, xmax } = theOnly(rows)
  for (let waitedMs = 0; waitedMs < mostWaitMs; waitedMs += pollMs) {
    const { rows: found } = await sql<{ settled: boolean }>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${xmax}::xid8 AS settled`.execute(db)
    if (theOnly(found).settled) return step
    await setTimeout(pollMs)
  }
  throw conflict('seasons_busy')
}

/** Day of the first step or allocation; null if there is none. */
async function readFirstDay(tx: Tx, zone: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT to_char(least((SELECT min(at) FROM registration_steps), (SELECT min(created_at) FROM allocations)) AT TIME ZONE ${zone},
      'YYYY-MM-DD') AS day`.execute(tx)
  return theOnly(rows).day
}

type Run = { first: string; lastDay: string; zone: string; lastStep: number }

async function writeDays(tx: Tx, { first, lastDay, zone, lastStep, now }: Run & { now: Date }): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO season_days (day, ends_at, last_step, kept_at)
    SELECT d::date, ((d + interval '1 day')::timestamp) AT TIME ZONE ${zone}, ${lastStep}, ${now}
    FROM generate_series(${first}::date::timestamp, ${lastDay}::date::timestamp, interval '1 day') d`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Writes the journal of all days minus the part already stored, which belongs to days before `first`. Uses the current
 * closing date of a wave; entries whose place is gone from the journal keep the one they were written with.
 */
async function writeRows(tx: Tx, { first, lastDay, zone, lastStep }: Run): Promise<number> {
  const before = calendarOf(zone).startOfDay(shiftDay(lastDay, 1))
  const entries = journal({
    from: null,
    afterStep: null,
    upToStep: lastStep,
    until: { before },
    zone,
    withMoney: true,
  })
  const keys = sql`academic_year, wave_id, programme_id, track_id, class_programme_id, province_id, stage`
  const { numAffectedRows } = await sql`
    INSERT INTO season_daily (kept_on, day, step_day, days_to_close, count, rupiah, ${keys})
    SELECT CASE WHEN day >= ${first}::date THEN day ELSE ${lastDay}::date END, day, step_day,
      coalesce(max(closes_on), max(kept_closes_on)) - day,
      sum(count), sum(rupiah), ${keys}
    FROM (
      SELECT day, step_day, closes_on, NULL::date AS kept_closes_on, count, rupiah, ${keys} FROM ${entries} j
      UNION ALL
      SELECT day, step_day, NULL, day + days_to_close, -count, -rupiah, ${keys} FROM season_daily
    ) e
    GROUP BY day, step_day, ${keys} HAVING sum(count) <> 0 OR sum(rupiah) <> 0`.execute(tx)
  await sql`
    INSERT INTO season_sums (kept_on, day, step_day, academic_year, wave_id, programme_id, stage, count, rupiah)
    SELECT kept_on, day, step_day, academic_year, wave_id, programme_id, stage, sum(count), sum(rupiah)
    FROM season_daily WHERE kept_on >= ${first}::date
    GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(count) <> 0 OR sum(rupiah) <> 0`.execute(tx)
  return Number(numAffectedRows)
}
