import { sql } from 'kysely'
import { type Calendar, calendarOf } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import type { ReportQuestion } from '#domain/reports/endpoints.ts'
import { everyYear, type FilterName, filterNames, maxGroups, readCell } from '#domain/reports/report.ts'
import type { FigureName, GroupName, Report } from '#server/modules/reports/report.ts'
import { readKeptUntil } from '#server/modules/seasons/season-rows.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import { readCounterparts, wavesInOrder } from './counterparts.ts'
import { type Before, type Cell, figuresOf, isYearlyGroup, type Question } from './run-report.ts'

const dayMs = 86_400_000

/** The same day and time `back` years earlier; 28 February for 29 February. */
export function yearBefore(at: Date, calendar: Calendar, back = 1): Date {
  const wall = calendar.wallTime(at)
  const moved = `${Number(wall.slice(0, 4)) - back}${wall.slice(4).replace('-02-29', '-02-28')}`
  return new Date(calendar.momentOf(moved).getTime() + (at.getTime() % 1000))
}

const yearBeforeOf = (year: string, back: number) =>
  year
    .split('/')
    .map((part) => Number(part) - back)
    .join('/')

/** The latest academic year with a wave that has opened, else the first planned one; null without waves. */
export async function currentYear(db: Db, now: Date): Promise<string | null> {
  const { rows } = await sql<{ year: string }>`SELECT academic_year AS year FROM waves
    ORDER BY opens_at <= ${now} DESC, CASE WHEN opens_at <= ${now} THEN academic_year END DESC, academic_year LIMIT 1`.execute(
    db,
  )
  return rows[0]?.year ?? null
}

const isGroupOf = ({ groups }: Report, name: string): name is GroupName => (groups as readonly string[]).includes(name)

/** Parses a request; 422 for a filter, group or figure the report does not have. */
export async function readQuestion(db: Db, report: Report, request: ReportQuestion, now: Date): Promise<Question> {
  for (const name of filterNames)
    if (request[name] !== undefined && !report.filters.includes(name)) throw invalid({ [name]: 'invalid_input' })
  const by = request.by?.split(',') ?? report.by
  const hasValidCount = by.length > 0 && new Set(by).size === by.length && by.length <= maxGroups
  if (
    !hasValidCount ||
    !by.every((name): name is GroupName => isGroupOf(report, name)) ||
    (report.shape === 'pivot' && by.length !== 2)
  )
    throw invalid({ by: 'invalid_input' })
  const figure = request.figure
  if (figure !== undefined && !Object.hasOwn({ ...report.measures, ...report.running }, figure))
    throw invalid({ figure: 'invalid_input' })
  const { from, to, year: yearChoice } = request
  if (from && to && from > to) throw invalid({ to: 'invalid_input' })

  const year =
    yearChoice === everyYear ? null : (yearChoice ?? (report.year === 'all' ? null : await currentYear(db, now)))
  const calendar = calendarOf((await getSettings(db)).timeZone)
  const endOfTo = to ? new Date(calendar.boundsOfDay(to)[1].getTime() - 1) : now
  const at = endOfTo < now ? endOfTo : now
  const since = from ? calendar.startOfDay(from) : null
  const filters = Object.fromEntries(
    Object.entries(request).filter(([name, value]) => name.endsWith('Id') && value !== undefined),
  ) as Question['filters']
  const dividesMoney = figuresOf(report).some(([, { facts }]) => facts.storedByComponent)
  const isYearly = by.some((name) => isYearlyGroup(report, name))
  return {
    ...(report.shape === 'pivot' && { figure: (figure ?? figuresOf(report)[0][0]) as FigureName }),
    year,
    since,
    at,
    zone: calendar.timeZone,
    by,
    filters,
    redivides: dividesMoney && (await hasRedivisions(db)),
    before:
      request.compare === 'no' || report.compares === false
        ? null
        : {
            ...(await readBefore(db, {
              year,
              since,
              at,
              waveId: request.waveId,
              calendar,
              byCalendar: request.compare === 'calendar',
            })),
            kept: await readKeptUntil(db),
            counterparts: year && isYearly ? await readCounterparts(db, year, yearBeforeOf(year, 1)) : null,
          },
  }
}

async function hasRedivisions(db: Db) {
  const { rows } = await sql<{ waits: boolean }>`SELECT EXISTS (SELECT FROM redivisions) AS waits`.execute(db)
  return theOnly(rows).waits
}

/** Asks for the moment of an earlier year that corresponds to a moment of this year. */
export type BeforeQuestion = {
  year: string | null
  since: Date | null
  at: Date
  waveId: string | undefined
  calendar: Calendar
  byCalendar: boolean
  /** Number of years back; 1 is the year before. */
  back?: number
}

/**
 * The corresponding moment of an earlier year: as many days from the close of its season, or from the close of the wave
 * at the same place in that year. The same calendar day if there is no such close.
 */
export async function readBefore(
  db: Db,
  { year, since, at, waveId, calendar, byCalendar, back = 1 }: BeforeQuestion,
): Promise<Before> {
  const byDate = { since: since && yearBefore(since, calendar, back), at: yearBefore(at, calendar, back) }
  if (year === null) return { year, ...byDate, by: 'calendar', daysMoved: 0 }
  const beforeYear = yearBeforeOf(year, back)
  const { rows } = await sql<{ year: string; closesAt: Date; waveId: string }>`
    WITH placed AS (${wavesInOrder(year, beforeYear)})
    SELECT DISTINCT ON (year) year, closes_at, id AS wave_id FROM placed
    WHERE ${waveId ?? null}::uuid IS NULL OR place = (SELECT place FROM placed WHERE id = ${waveId ?? null}::uuid)
    ORDER BY year, closes_at DESC`.execute(db)
  const seasonOf = (academicYear: string) => rows.find((row) => row.year === academicYear)
  const [season, seasonBefore] = [seasonOf(year), seasonOf(beforeYear)]
  const wave = waveId === undefined ? {} : { waveId: seasonBefore?.waveId ?? null }
  if (!season || !seasonBefore) return { year: beforeYear, ...byDate, ...wave, by: 'calendar', daysMoved: 0 }
  const shiftMs = Math.round((season.closesAt.getTime() - seasonBefore.closesAt.getTime()) / dayMs) * dayMs
  const shifted = (moment: Date) => new Date(moment.getTime() - shiftMs)
  const bySeason = { since: since && shifted(since), at: shifted(at) }
  return {
    year: beforeYear,
    ...(byCalendar ? byDate : bySeason),
    ...wave,
    by: byCalendar ? 'calendar' : 'season',
    daysMoved: Math.round((bySeason.at.getTime() - byDate.at.getTime()) / dayMs),
  }
}

/** Figure and line of a cell, from the request; 422 if the report does not have them. */
export function readAskedCell(
  report: Report,
  request: { figure?: string | undefined; cell: string },
  { by, filters }: Question,
): Cell {
  const running = Object.entries(report.running ?? {}).find(([name]) => name === request.figure)?.[1]
  const base = running ?? request.figure
  const found = figuresOf(report).find(([name]) => name === (base ?? name))
  if (!found) throw invalid({ figure: 'invalid_input' })
  const [figure, { facts }] = found
  let keys: Cell['keys']
  try {
    keys = readCell(request.cell)
  } catch {
    throw invalid({ cell: 'invalid_input' })
  }
  const groups: readonly string[] = by
  const isKnown = Object.keys(keys).every((name) => groups.includes(name) && name in facts.groups)
  if (!isKnown || !Object.keys(filters).every((name) => name in facts.filters)) throw invalid({ cell: 'invalid_input' })
  return { figure, keys, ...(running && { upTo: true }) }
}

type Choice = { value: string; label: string }

/** Choices of each filter within the reader's scope; null for a filter in which a day is typed. */
export async function filterChoices(db: Db, actor: Actor, names: readonly FilterName[]) {
  const programmes = programmeVisibleTo(actor, 'p.id')
  const tables = {
    year: sql`SELECT DISTINCT academic_year AS value, academic_year AS label FROM waves ORDER BY 1 DESC`,
    waveId: sql`SELECT id AS value, name || ' · ' || academic_year AS label FROM waves ORDER BY academic_year DESC, opens_at`,
    trackId: sql`SELECT id AS value, name AS label FROM tracks ORDER BY name`,
    facultyId: sql`SELECT DISTINCT f.id AS value, f.name AS label FROM faculties f
      JOIN study_programmes p ON p.faculty_id = f.id WHERE ${programmes} ORDER BY f.name`,
    programmeId: sql`SELECT p.id AS value, p.name AS label FROM study_programmes p WHERE ${programmes} ORDER BY p.name`,
    classProgrammeId: sql`SELECT id AS value, name AS label FROM class_programmes ORDER BY name`,
    provinceId: sql`SELECT id AS value, name AS label FROM provinces ORDER BY name`,
    cityId: sql`SELECT id AS value, name AS label FROM cities ORDER BY name`,
    affiliateId: sql`SELECT id AS value, name AS label FROM affiliates ORDER BY name`,
  }
  return Promise.all(
    names.map(async (key) => {
      if (key === 'from' || key === 'to') return { key, choices: null }
      const { rows } = await sql<Choice>`${tables[key]}`.execute(db)
      return { key, choices: rows }
    }),
  )
}
