import { sql } from 'kysely'
import { type Calendar, calendarOf } from '#domain/calendar.ts'
import { type Facts, type FigureName, type Measure, type Report, timeGroups } from '#server/modules/reports/report.ts'
import { type KeptUntil, seasonRows } from '#server/modules/seasons/season-rows.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { waveGroup } from './wave-group.ts'

/** Groups and filters for which an unpublished acceptance still counts under the first choice. */
const programmeNames = ['programme', 'faculty', 'programmeId', 'facultyId']

type Asked = { by: readonly string[]; filters: object }

/**
 * Whether the history gives a reader the same figures as counting. It does not for a limited role, which sees
 * registrations that are in its programmes today and were there then. It does not by programme or faculty for a reader
 * without access to unpublished decisions, for whom such registrations count under the first choice.
 */
export const canReadKept = (actor: Actor, { by, filters }: Asked) =>
  seesAll(actor) &&
  (seesUnpublished(actor) || ![...by, ...Object.keys(filters)].some((name) => programmeNames.includes(name)))

/** Groups and filters that only the detailed rows of the history have. */
const detailNames = ['track', 'classProgramme', 'trackId', 'classProgrammeId']

/** One row per day, place and stage, with the same counts as `registrationFacts`. */
const keptFacts = (keptUntil: KeptUntil | null, at: Date, calendar: Calendar, inDetail: boolean): Facts => ({
  from: sql`${seasonRows({ kept: keptUntil, at, calendar, inDetail })} k JOIN waves w ON w.id = k.wave_id
    LEFT JOIN study_programmes p ON p.id = k.programme_id LEFT JOIN faculties f ON f.id = p.faculty_id
    ${inDetail ? sql`JOIN tracks t ON t.id = k.track_id JOIN class_programmes c ON c.id = k.class_programme_id` : sql``}`,
  scope: () => sql<boolean>`true`,
  year: sql<string>`k.academic_year`,
  filters: {
    waveId: sql`k.wave_id`,
    trackId: sql`k.track_id`,
    facultyId: sql`p.faculty_id`,
    programmeId: sql`k.programme_id`,
    classProgrammeId: sql`k.class_programme_id`,
  },
  groups: {
    ...timeGroups,
    year: { key: sql`k.academic_year`, label: sql`k.academic_year` },
    programme: { key: sql`k.programme_id`, label: sql`p.name` },
    faculty: { key: sql`f.id`, label: sql`f.name` },
    wave: waveGroup,
    track: { key: sql`k.track_id`, label: sql`t.name` },
    classProgramme: { key: sql`k.class_programme_id`, label: sql`c.name` },
  },
  id: sql`k.stage`,
  order: sql`k.stage`,
  columns: {},
})

type Figure = { name: FigureName; measure: Measure }

/**
 * Replaces measures of a past moment by kept figures where the history has them; other measures are counted. Undefined
 * if the history lacks a group or filter of the question, or for the shape `rows`.
 */
export function keptMeasures(
  report: Report,
  keptUntil: KeptUntil | null,
  { at, zone, by, filters }: Asked & { at: Date; zone: string },
): ((figure: Figure) => Measure) | undefined {
  const inDetail = [...by, ...Object.keys(filters)].some((name) => detailNames.includes(name))
  const facts = keptFacts(keptUntil, at, calendarOf(zone), inDetail)
  const isKnown =
    by.every((name) => name in facts.groups) && Object.keys(filters).every((name) => name in facts.filters)
  if (!isKnown || report.shape === 'rows') return undefined
  // Kept rows have the day of a step; noon lies within that day in every time zone.
  const noon = sql`least((k.step_day + time '12:00') AT TIME ZONE moment.zone, moment.at)`
  return ({ measure }) =>
    measure.kept
      ? { facts, at: noon, where: sql<boolean>`k.stage = ${sql.lit(measure.kept)}`, sum: sql`k.count` }
      : measure
}
