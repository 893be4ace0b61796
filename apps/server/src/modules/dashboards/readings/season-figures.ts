import { sql } from 'kysely'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import { shareCount } from '#server/list/count-rows.ts'
import type { CardQuestion } from '#server/modules/dashboards/card.ts'
import { currentYear, readBefore } from '#server/modules/reports/engine/read-question.ts'
import { runReport } from '#server/modules/reports/engine/run-report.ts'
import { reached } from '#server/modules/reports/facts/registration-facts.ts'
import { defineReport } from '#server/modules/reports/report.ts'
import { registrationsOverTime } from '#server/modules/reports/total-pendaftaran.report.ts'
import { hiddenRows, type KeptUntil, readKeptUntil, seasonRows } from '#server/modules/seasons/season-rows.ts'
import { programmeVisibleTo, seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import { reachOf } from '#server/platform/kept-answers.ts'

export const seasonSteps = ['started', 'submitted', 'paid', 'verified', 'accepted', 'confirmed', 'enrolled'] as const
export type SeasonStep = (typeof seasonSteps)[number]

/** Figures of the present season by study programme and wave. */
export type SeasonLine = { programmeId: string | null; waveId: string; counts: Record<SeasonStep, number> }

const comparedSteps = ['submitted', 'paid', 'enrolled'] as const
type ComparedStep = (typeof comparedSteps)[number]

export type Season = {
  lines: SeasonLine[]
  totals: Record<SeasonStep, number>
  /** Submitted registrations by day. */
  days: Map<string, number>
}

/**
 * The season before, up to the corresponding day, with its days moved to those of this season; null if there was none.
 */
export type SeasonBefore = { totals: Record<ComparedStep, number>; days: Map<string, number> }

const zeros = <S extends string>(steps: readonly S[]) =>
  Object.fromEntries(steps.map((step) => [step, 0])) as Record<S, number>

/** Reads the seasons once for all cards of a dashboard that ask at the same time. */
export function readSeasons(question: CardQuestion): Promise<{ season: Season; before: SeasonBefore | null }> {
  const { services, actor } = question
  return shareCount(
    services.db,
    JSON.stringify(['seasons of the cards', reachOf(actor)]),
    async () => {
      const [year, keptUntil] = await Promise.all([currentYear(services.db, question.at), readKeptUntil(services.db)])
      const [season, before] = await Promise.all([
        readSeason(question, year, keptUntil),
        readSeasonBefore(question, year, keptUntil),
      ])
      return { season, before }
    },
    ({ season }) => season.totals.started,
  )
}

type Found = { programmeId: string | null; waveId: string; stage: SeasonStep; day: string | null; count: number }

/**
 * The present season within the reader's scope, from the history and the changes since; the same as the report counts.
 * A draft may change its study programme without a step, so the drafts of a limited role are counted.
 */
async function readSeason(
  { services: { db }, actor, at }: CardQuestion,
  year: string | null,
  kept: KeptUntil | null,
): Promise<Season> {
  const season: Season = { lines: [], totals: zeros(seasonSteps), days: new Map() }
  if (year === null) return season
  const upToNow = { kept, at, calendar: universityCalendar() }
  const [stages, started] = seesAll(actor)
    ? [seasonSteps, sql``]
    : [
        seasonSteps.slice(1),
        sql`UNION ALL SELECT r.programme_id, r.wave_id, 'started', NULL, count(*)::int FROM registrations r
          JOIN waves w ON w.id = r.wave_id
          WHERE w.academic_year = ${year} AND r.created_at <= ${at} AND ${visibleTo(actor)} GROUP BY 1, 2`,
      ]
  const { rows } = await sql<Found>`
    SELECT k.programme_id, k.wave_id, k.stage,
      CASE WHEN k.stage = 'submitted' THEN to_char(k.step_day, 'YYYY-MM-DD') END AS day, sum(k.count)::int AS count
    FROM (${seasonRows(upToNow)} ${hiddenRows(actor, year, upToNow)}) k
    WHERE k.academic_year = ${year} AND ${programmeVisibleTo(actor, 'k.programme_id')} AND k.stage = ANY(${[...stages]})
    GROUP BY 1, 2, 3, 4 HAVING sum(k.count) <> 0 ${started}`.execute(db)
  const lines = new Map<string, SeasonLine>()
  for (const { programmeId, waveId, stage, day, count } of rows) {
    const key = `${programmeId} ${waveId}`
    const line = lines.get(key) ?? { programmeId, waveId, counts: zeros(seasonSteps) }
    line.counts[stage] += count
    lines.set(key, line)
    season.totals[stage] += count
    if (day) season.days.set(day, (season.days.get(day) ?? 0) + count)
  }
  return { ...season, lines: [...lines.values()] }
}

const comparison = defineReport({
  ...registrationsOverTime,
  running: {},
  measures: Object.fromEntries(comparedSteps.map((step) => [step, reached(step)])),
})

type FoundBefore = { stage: ComparedStep; day: string; count: number }

/**
 * The season before. For a limited role it is counted, because the history includes registrations that have left the
 * role's programmes since.
 */
async function readSeasonBefore(
  question: CardQuestion,
  year: string | null,
  kept: KeptUntil | null,
): Promise<SeasonBefore | null> {
  const {
    services: { db },
    actor,
    at,
  } = question
  const calendar = universityCalendar()
  if (year === null) return null
  const moment = await readBefore(db, { year, since: null, at, waveId: undefined, calendar, byCalendar: false })
  const [{ rows: seasons }, found] = await Promise.all([
    sql<{ exists: boolean }>`SELECT EXISTS (SELECT FROM registrations r JOIN waves w ON w.id = r.wave_id
      WHERE w.academic_year = ${moment.year} AND r.submitted_at <= ${at} AND ${visibleTo(actor)})`.execute(db),
    seesAll(actor) ? readKept(db, kept, moment) : count(question, moment),
  ])
  if (!theOnly(seasons).exists) return null
  const movedDays = Math.round((Date.parse(calendar.dayOf(at)) - Date.parse(calendar.dayOf(moment.at))) / 86_400_000)
  const before: SeasonBefore = { totals: zeros(comparedSteps), days: new Map() }
  for (const { stage, day, count: many } of found) {
    before.totals[stage] += many
    if (stage === 'submitted') before.days.set(shiftDay(day, movedDays), many)
  }
  return before
}

async function readKept(
  db: CardQuestion['services']['db'],
  kept: KeptUntil | null,
  { at, year }: { at: Date; year: string | null },
): Promise<FoundBefore[]> {
  const upToThen = { kept, at, calendar: universityCalendar() }
  const { rows } = await sql<FoundBefore>`
    SELECT k.stage, to_char(k.step_day, 'YYYY-MM-DD') AS day, sum(k.count)::int AS count FROM ${seasonRows(upToThen)} k
    WHERE k.academic_year = ${year} AND k.stage = ANY(${[...comparedSteps]}) GROUP BY 1, 2 HAVING sum(k.count) <> 0`.execute(
    db,
  )
  return rows
}

async function count(
  { services: { db }, actor }: CardQuestion,
  { at, year }: { at: Date; year: string | null },
): Promise<FoundBefore[]> {
  const lines = await runReport(db, comparison, actor, {
    year,
    since: null,
    at,
    zone: universityCalendar().timeZone,
    by: ['day'],
    filters: {},
    before: null,
  })
  return lines.flatMap(({ keys, values }) =>
    comparedSteps.flatMap((stage) =>
      keys.day && values[stage] ? [{ stage, day: keys.day, count: values[stage] }] : [],
    ),
  )
}
