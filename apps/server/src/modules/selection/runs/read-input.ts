import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type SelectionRules, selectionRules, testsFor } from '#domain/selection/rules.ts'
import { type SelectionInput, type SelectionQuota, states } from '#server/modules/selection/compute/select.ts'
import { totalOf } from '#server/modules/selection/compute/total.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Settings } from '#server/platform/settings.ts'
import { isBlocked, isOpen, isStanding } from './candidates.ts'

type RunRow = { id: string; waveId: string; scoreRunId: string | null; rules: unknown }

type QuotaRow = {
  id: string
  programmeId: string
  classProgrammeId: string
  entryLevelId: string
  capacity: number
  overOffer: number
  passingGrade: number | null
  active: boolean
  parts: { trackId: string; places: number; spillTurn: number | null }[]
}

type Person = {
  id: string
  code: string
  trackId: string
  classProgrammeId: string
  entryLevelId: string
  /** Programme of an earlier acceptance that is kept. */
  keptProgrammeId: string | null
  blocked: boolean
  choices: string[]
  scores: Record<string, number> | null
  lot: number
}

/** A quota of a run with its database keys. */
export type StoredQuota = SelectionQuota & {
  programmeDetailId: string
  programmeId: string
  classProgrammeId: string
  entryLevelId: string
  trackId: string | null
  passingGrade: number | null
}

type EntryState = 'open' | 'held' | 'kept' | 'no_score' | 'below_minimum' | 'blocked' | 'excluded'

/** Input of a run: columns for the engine, and values stored with the run's rows. */
export type RunInput = {
  hash: string
  selection: SelectionInput
  quotas: StoredQuota[]
  /** By applicant. */
  registrationIds: string[]
  /** By application. */
  programmeIds: string[]
  states: EntryState[]
  scores: (number | null)[][]
}

const peopleAtOnce = 2_000

const quotasOf = async (tx: Tx, waveId: string) =>
  (
    await sql<QuotaRow>`
      SELECT d.id, d.programme_id, d.class_programme_id, d.entry_level_id, d.capacity, d.over_offer, d.active,
        d.passing_grade::float8 AS passing_grade,
        coalesce(json_agg(json_build_object('trackId', q.track_id, 'places', q.places, 'spillTurn', q.spill_turn)
          ORDER BY q.track_id) FILTER (WHERE q.id IS NOT NULL), '[]') AS parts
      FROM programme_details d LEFT JOIN track_quotas q ON q.programme_detail_id = d.id
      WHERE d.wave_id = ${waveId} GROUP BY d.id ORDER BY d.id`.execute(tx)
  ).rows

/**
 * Scores by test: final scores of the score run unchanged, or without one, raw scores as a percentage of the maximum.
 */
const scoresOf = (scoreRunId: string | null) =>
  scoreRunId
    ? sql`(SELECT json_object_agg(f.test_id, f.score ORDER BY f.test_id) FROM final_scores f
        WHERE f.score_run_id = ${scoreRunId} AND f.registration_id = r.id)`
    : sql`(SELECT json_object_agg(s.test_id, round(s.score * 100 / t.max_score, 4) ORDER BY s.test_id)
        FROM test_scores s JOIN tests t ON t.id = s.test_id
        WHERE s.registration_id = r.id AND s.score IS NOT NULL AND t.max_score > 0)`

/** Yields registrations that take part or keep a place, in id order. */
async function* peopleOf(tx: Tx, { waveId, scoreRunId }: RunRow, rules: SelectionRules, settings: Settings, now: Date) {
  const trackIds = rules.tracks.map(({ trackId }) => trackId)
  await sql`DECLARE selection_people NO SCROLL CURSOR FOR
    SELECT r.id, r.code, r.track_id, r.class_programme_id, r.entry_level_id,
      CASE WHEN ${isStanding(trackIds, now)} THEN r.accepted_programme_id END AS kept_programme_id,
      ${isBlocked(settings)} AS blocked,
      ARRAY(SELECT c.programme_id::text FROM registration_choices c WHERE c.registration_id = r.id ORDER BY c.position) AS choices,
      ${scoresOf(scoreRunId)} AS scores,
      ('x' || left(encode(sha256(convert_to(${`${rules.lotSeed} `} || r.code, 'UTF8')), 'hex'), 12))::bit(48)::bigint::float8 AS lot
    FROM registrations r
    WHERE r.wave_id = ${waveId} AND (${isOpen(trackIds, now)} OR ${isStanding(trackIds, now)})
    ORDER BY r.id`.execute(tx)
  for (;;) {
    const { rows } = await sql<Person>`FETCH ${sql.raw(String(peopleAtOnce))} FROM selection_people`.execute(tx)
    yield rows
    if (rows.length < peopleAtOnce) break
  }
  await sql`CLOSE selection_people`.execute(tx)
}

/** Reads the input of a run and hashes its rules, quotas, people, choices and scores. */
export async function readInput(tx: Tx, run: RunRow, settings: Settings, now: Date): Promise<RunInput> {
  const rules = selectionRules.parse(run.rules) as SelectionRules
  const hash = createHash('sha256').update(JSON.stringify([run.scoreRunId, rules]))
  const rows = await quotasOf(tx, run.waveId)
  hash.update(JSON.stringify(rows))
  const quotas = new Quotas(rows, rules)
  const entries = new Entries(rules, quotas)
  for await (const people of peopleOf(tx, run, rules, settings, now))
    for (const person of people) {
      hash.update(JSON.stringify(person))
      entries.add(person)
    }
  return { hash: hash.digest('hex'), quotas: quotas.all, ...entries.toInput(rules) }
}

/** Quotas of a wave. A programme has one pool, or a part for each track. */
class Quotas {
  readonly all: StoredQuota[] = []
  private readonly wholes = new Map<string, { number: number; parts: Map<string, number> | null }>()
  private readonly tiesOfTrack: Map<string, StoredQuota['ties']>

  constructor(rows: readonly QuotaRow[], rules: SelectionRules) {
    this.tiesOfTrack = new Map(rules.tracks.map(({ trackId, ties }) => [trackId, ties]))
    const changed = new Map(rules.places.map((one) => [`${one.programmeDetailId} ${one.trackId}`, one.places]))
    for (const row of rows) {
      const overOffer = changed.get(`${row.id} null`) ?? row.overOffer
      const { id: programmeDetailId, programmeId, classProgrammeId, entryLevelId, passingGrade } = row
      const key = { programmeDetailId, programmeId, classProgrammeId, entryLevelId, passingGrade }
      const places = row.active ? row.capacity + overOffer : 0
      const number =
        this.all.push({ ...key, trackId: null, parent: null, places, spillTurn: null, ties: rules.ties }) - 1
      const parts = new Map<string, number>()
      for (const { trackId, spillTurn, places: own } of row.parts) {
        const ownPlaces = row.active ? (changed.get(`${row.id} ${trackId}`) ?? own) : 0
        parts.set(trackId, this.addPart(number, trackId, ownPlaces, spillTurn))
      }
      const isDivided = parts.size > 0
      this.wholes.set(`${programmeId} ${classProgrammeId} ${entryLevelId}`, { number, parts: isDivided ? parts : null })
    }
  }

  private addPart(parent: number, trackId: string, places: number, spillTurn: number | null) {
    const whole = this.all[parent]!
    const ties = this.tiesOfTrack.get(trackId) ?? whole.ties
    return this.all.push({ ...whole, parent, trackId, places, spillTurn, ties }) - 1
  }

  /** Quota of a person's track in a programme. A track that a divided programme does not name has no places. */
  find(programmeId: string, { classProgrammeId, entryLevelId, trackId }: Person): number | undefined {
    const whole = this.wholes.get(`${programmeId} ${classProgrammeId} ${entryLevelId}`)
    if (!whole?.parts) return whole?.number
    const part = whole.parts.get(trackId) ?? this.addPart(whole.number, trackId, 0, null)
    whole.parts.set(trackId, part)
    return part
  }
}

const outOfChoices = 6

/** All applications, collected as columns. */
class Entries {
  private readonly registrationIds: string[] = []
  private readonly programmeIds: string[] = []
  private readonly states: EntryState[] = []
  private readonly scores: (number | null)[][] = []
  private readonly applicant: number[] = []
  private readonly wish: number[] = []
  private readonly quota: number[] = []
  private readonly total: number[] = []
  private readonly lot: number[] = []
  private readonly rules: SelectionRules
  private readonly quotas: Quotas
  private readonly holds: Map<string, SelectionRules['holds'][number]>

  constructor(rules: SelectionRules, quotas: Quotas) {
    this.rules = rules
    this.quotas = quotas
    this.holds = new Map(rules.holds.map((hold) => [hold.registrationId, hold]))
  }

  add(person: Person) {
    const hold = this.holds.get(person.id)
    const givenProgrammeId = person.keptProgrammeId ?? (hold?.kind === 'place' ? hold.programmeId : null)
    const programmeIds = givenProgrammeId ? [givenProgrammeId] : person.choices
    let isFirst = true
    for (const programmeId of programmeIds) {
      const quota = this.quotas.find(programmeId, person)
      if (quota === undefined) continue
      if (isFirst) this.registrationIds.push(person.id)
      isFirst = false
      const tests = testsFor(this.rules.criteria, person.trackId, programmeId)
      const scores: (number | null)[] = []
      const { passingGrade } = this.quotas.all[quota]!
      const { total, reason } = totalOf(
        tests.map(({ testId, weight, passMark }) => {
          const score = person.scores?.[testId] ?? null
          scores.push(score)
          return {
            score: inTenThousandths(score),
            weight: Math.round(weight * 100),
            passMark: passMark === null ? null : inTenThousandths(passMark),
          }
        }),
        passingGrade === null || tests.length === 0 ? null : Math.round(passingGrade * 100),
      )
      const isExcluded = hold?.kind === 'exclude' && (hold.programmeId ?? programmeId) === programmeId
      this.applicant.push(this.registrationIds.length - 1)
      this.wish.push(person.choices.indexOf(programmeId) + 1 || outOfChoices)
      this.quota.push(quota)
      this.total.push(total ?? -Infinity)
      this.lot.push(person.lot)
      this.programmeIds.push(programmeId)
      this.scores.push(scores)
      this.states.push(
        person.keptProgrammeId
          ? 'kept'
          : givenProgrammeId
            ? 'held'
            : isExcluded
              ? 'excluded'
              : person.blocked
                ? 'blocked'
                : (reason ?? 'open'),
      )
    }
  }

  toInput(rules: SelectionRules): Omit<RunInput, 'hash' | 'quotas'> {
    const width = Math.max(0, ...rules.criteria.map(({ tests }) => tests.length))
    return {
      registrationIds: this.registrationIds,
      programmeIds: this.programmeIds,
      states: this.states,
      scores: this.scores,
      selection: {
        quotas: this.quotas.all.map(({ parent, places, spillTurn, ties }) => ({ parent, places, spillTurn, ties })),
        firstChoicesFirst: rules.method === 'first_choices_first',
        reservePercent: rules.reservePercent,
        columns: {
          applicant: Int32Array.from(this.applicant),
          wish: Int32Array.from(this.wish),
          quota: Int32Array.from(this.quota),
          state: Uint8Array.from(this.states, (state) =>
            state === 'open' ? states.open : state === 'held' || state === 'kept' ? states.held : states.out,
          ),
          total: Float64Array.from(this.total),
          scores: Array.from({ length: width }, (_, criterion) =>
            Float64Array.from(this.scores, (scores) => inTenThousandths(scores[criterion] ?? null)),
          ),
          lot: Float64Array.from(this.lot),
        },
      },
    }
  }
}

const inTenThousandths = (score: number | null) => (score === null ? -Infinity : Math.round(score * 10_000))
