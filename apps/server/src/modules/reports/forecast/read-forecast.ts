import { sql } from 'kysely'
import { calendarOf } from '#domain/calendar.ts'
import { mustGet } from '#domain/must.ts'
import type { ForecastAnswer, ForecastLine, ForecastQuery, ForecastTotal } from '#domain/seasons/endpoints.ts'
import { currentYear, readBefore } from '#server/modules/reports/engine/read-question.ts'
import { runReport } from '#server/modules/reports/engine/run-report.ts'
import { capacity } from '#server/modules/reports/facts/place-facts.ts'
import { registrationsByProgramme } from '#server/modules/reports/pendaftaran-prodi.report.ts'
import { defineReport } from '#server/modules/reports/report.ts'
import { hiddenRows, readKeptUntil, seasonRows } from '#server/modules/seasons/season-rows.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import {
  type EarlierSeason,
  type ForecastCell,
  findCommonRate,
  forecastSeason,
  testOnSeason,
} from './compute-forecast.ts'

/** Most earlier seasons used: older ones say less about today. */
const mostSeasons = 3

const places = defineReport({ ...registrationsByProgramme, measures: { capacity }, shares: {} })

type Found = {
  year: string
  programmeId: string
  label: string
  isShown: boolean
  submitted: number
  enrolled: number
  enrolledNow: number
}

/**
 * Forecast of the present season within the reader's row scope. The rate that small study programmes are drawn towards
 * is that of the whole university, so every reader gets the same forecast for a programme. No figure of another
 * programme is revealed.
 */
export async function readForecast(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  query: ForecastQuery,
): Promise<{ data: ForecastAnswer; keptUntil: string | null; at: Date }> {
  const at = clock.now()
  const calendar = calendarOf((await getSettings(db)).timeZone)
  const [keptRow, year] = await Promise.all([readKeptUntil(db), currentYear(db, at)])
  const keptUntil = keptRow?.day ?? null
  const nothing = { data: { year, earlier: [], lines: [], total: null, tested: null }, keptUntil, at }
  if (year === null) return nothing
  const before = await readEarlierMoments(db, { year, at, waveId: query.waveId, calendar })
  const inDetail = query.trackId !== undefined || query.classProgrammeId !== undefined
  const now = { kept: keptRow, at, calendar, inDetail }
  const parts = [
    { year, waveId: query.waveId, rows: sql`(${seasonRows(now)} ${hiddenRows(actor, year, now)})`, isNow: true },
    ...before.map((moment) => ({ ...moment, rows: seasonRows({ ...now, at: moment.at }), isNow: false })),
    ...before.map((moment) => ({ ...moment, rows: seasonRows(now), isNow: true })),
  ]
  const condition = ({ waveId }: { waveId?: string | null | undefined }) => sql`
    ${waveId === undefined ? sql`` : sql`AND k.wave_id = ${waveId}::uuid`}
    ${query.trackId ? sql`AND k.track_id = ${query.trackId}::uuid` : sql``}
    ${query.classProgrammeId ? sql`AND k.class_programme_id = ${query.classProgrammeId}::uuid` : sql``}`
  const { rows } = await sql<Found>`
    SELECT f.year, p.id AS programme_id, p.name AS label, (${programmeVisibleTo(actor, 'p.id')}
        ${query.facultyId ? sql`AND p.faculty_id = ${query.facultyId}::uuid` : sql``}
        ${query.programmeId ? sql`AND p.id = ${query.programmeId}::uuid` : sql``}) AS is_shown,
      coalesce(sum(f.count) FILTER (WHERE f.stage = 'submitted' AND f.is_now = (f.year = ${year})), 0)::int AS submitted,
      coalesce(sum(f.count) FILTER (WHERE f.stage = 'enrolled' AND f.is_now = (f.year = ${year})), 0)::int AS enrolled,
      coalesce(sum(f.count) FILTER (WHERE f.stage = 'enrolled' AND f.is_now), 0)::int AS enrolled_now
    FROM (${sql.join(
      parts.map(
        (
          part,
        ) => sql`SELECT ${part.year}::text AS year, ${part.isNow}::boolean AS is_now, k.programme_id, k.stage, sum(k.count) AS count
          FROM ${part.rows} k WHERE k.academic_year = ${part.year} AND k.stage IN ('submitted', 'enrolled') ${condition(part)}
          GROUP BY k.programme_id, k.stage`,
      ),
      sql` UNION ALL `,
    )}) f JOIN study_programmes p ON p.id = f.programme_id
    GROUP BY f.year, p.id ORDER BY p.name, p.id, f.year`.execute(db)
  const cells = toCells(rows, year)
  const visibleCells = cells.filter(({ isShown }) => isShown)
  const found = forecastSeason(visibleCells, findCommonRate(cells))
  if (!found) return nothing
  const [lastYear] = before
  const tested = lastYear ? testOnSeason(visibleCells, lastYear.year, cells) : null
  const placesOf = await readPlaces(db, actor, { year, at, zone: calendar.timeZone, query })
  const lines = visibleCells.flatMap(({ key, label, submitted, enrolled, earlier }): ForecastLine[] => {
    const came = earlier.find((season) => season.year === lastYear?.year)?.enrolledFinally ?? 0
    const then = tested?.lines.get(key)
    const hasHistory = earlier.some((season) => season.submitted > 0)
    if (submitted === 0 && enrolled === 0 && !hasHistory) return []
    return [
      {
        programmeId: key,
        label,
        submitted,
        enrolled,
        places: placesOf && (placesOf.get(key) ?? 0),
        ...mustGet(found.lines, key),
        hasHistory,
        lastYear: then ? { ...then, came } : null,
      },
    ]
  })
  const sum = (read: (line: ForecastLine) => number) => lines.reduce((all, line) => all + read(line), 0)
  const total: ForecastTotal = {
    submitted: sum(({ submitted }) => submitted),
    enrolled: sum(({ enrolled }) => enrolled),
    places: placesOf && sum((line) => line.places ?? 0),
    ...found.total,
    lastYear: tested && { ...tested.total, came: sum((line) => line.lastYear?.came ?? 0) },
  }
  const judged = lines.flatMap(({ lastYear: then }) => (then && (then.high > 0 || then.came > 0) ? [then] : []))
  return {
    data: {
      year,
      earlier: before.filter((moment) => rows.some((row) => row.year === moment.year)).map((moment) => moment.year),
      lines,
      total,
      tested:
        tested && lastYear
          ? {
              year: lastYear.year,
              at: lastYear.at.toISOString(),
              within: judged.filter(({ low, came, high }) => low <= came && came <= high).length,
              of: judged.length,
            }
          : null,
    },
    keptUntil,
    at,
  }
}

type Asked = { year: string; at: Date; waveId: string | undefined; calendar: ReturnType<typeof calendarOf> }

/**
 * The corresponding day of earlier seasons, latest first. Leaves out seasons without a wave at the place of the
 * filtered one.
 */
async function readEarlierMoments(db: Db, { year, at, waveId, calendar }: Asked) {
  const moments = await Promise.all(
    Array.from({ length: mostSeasons }, (_, index) =>
      readBefore(db, { year, since: null, at, waveId, calendar, byCalendar: false, back: index + 1 }),
    ),
  )
  return moments.flatMap((moment) =>
    moment.year === null || moment.waveId === null ? [] : [{ year: moment.year, at: moment.at, waveId: moment.waveId }],
  )
}

type Cell = ForecastCell & { label: string; isShown: boolean }

function toCells(rows: readonly Found[], year: string): Cell[] {
  const cells = new Map<string, Cell & { earlier: EarlierSeason[] }>()
  for (const { year: ofRow, programmeId, label, isShown, submitted, enrolled, enrolledNow } of rows) {
    const cell = cells.get(programmeId) ?? { key: programmeId, label, isShown, submitted: 0, enrolled: 0, earlier: [] }
    if (ofRow === year) Object.assign(cell, { submitted, enrolled })
    else cell.earlier.unshift({ year: ofRow, submitted, enrolled, enrolledFinally: enrolledNow })
    cells.set(programmeId, cell)
  }
  return [...cells.values()]
}

/** Places per study programme; null with a filter by track, because offers have no track. */
async function readPlaces(
  db: Db,
  actor: Actor,
  { year, at, zone, query }: { year: string; at: Date; zone: string; query: ForecastQuery },
) {
  if (query.trackId) return null
  const filters = Object.fromEntries(Object.entries(query).filter(([, id]) => id !== undefined))
  const lines = await runReport(db, places, actor, {
    year,
    since: null,
    at,
    zone,
    by: ['programme'],
    filters,
    before: null,
  })
  return new Map(lines.flatMap(({ keys, values }) => (keys.programme ? [[keys.programme, values.capacity ?? 0]] : [])))
}
