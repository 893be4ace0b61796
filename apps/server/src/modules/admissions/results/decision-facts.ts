import { sql } from 'kysely'
import {
  type CheckMode,
  type DecisionFacts,
  type DecisionProblem,
  problemsOfAccepting,
  settingOfCheck,
} from '#domain/admissions/decision-checks.ts'
import { type DocumentStatus, isSettled } from '#domain/documents/document-status.ts'
import { mustGet, theOnly } from '#domain/must.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { Language } from '#entities/define/language.ts'
import { rupiah, twoDecimals } from '#locales/format.ts'
import { placesTaken } from '#server/modules/admissions/places.ts'
import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import { billSummary } from '#server/modules/payments/bills/bill-summary.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { totalScore } from './total-score.ts'

type Test = { name: string; score: number | null; maxScore: number; weight: number; passingGrade: number | null }
type Programme = {
  id: string
  name: string
  /** Position among the choices; null for a programme the applicant did not choose. */
  position: number | null
  passingGrade: number | null
  capacity: number
  placesLeft: number
}
type Row = {
  id: string
  waveId: string
  trackId: string
  hasTest: boolean
  seatStatus: string | null
  tests: Test[]
  documents: { name: string; status: DocumentStatus; required: boolean }[]
  programmes: Programme[]
}

export type DecisionBasis = DecisionFacts &
  Pick<Row, 'waveId' | 'trackId' | 'tests' | 'programmes'> & {
    fee: { status: string; total: number; paid: number } | null
  }

/**
 * Facts for deciding, by registration id. Tests: those of the booked session, else of all sessions for the track, plus
 * every test with a score. `programmeId` is included even if it is not among the choices.
 */
export async function decisionBases(db: Db, ids: readonly string[], programmeId?: string) {
  const { rows } = await sql<Row>`
    SELECT r.id, r.wave_id, r.track_id, t.has_test, seat.status AS seat_status,
      coalesce((SELECT json_agg(json_build_object('name', e.name, 'score', s.score, 'maxScore', e.max_score,
          'weight', e.weight, 'passingGrade', e.passing_grade) ORDER BY e.code)
        FROM tests e LEFT JOIN test_scores s ON s.test_id = e.id AND s.registration_id = r.id
        WHERE s.score IS NOT NULL OR EXISTS (SELECT FROM test_session_tests st
          JOIN test_sessions ts ON ts.id = st.test_session_id
          WHERE st.test_id = e.id AND CASE WHEN seat.test_session_id IS NOT NULL THEN ts.id = seat.test_session_id
            ELSE ts.wave_id = r.wave_id AND (ts.track_id IS NULL OR ts.track_id = r.track_id) END)), '[]') AS tests,
      coalesce((SELECT json_agg(json_build_object('name', d.name, 'status', d.status, 'required', d.required)
          ORDER BY d.sort_order, d.name) FROM documents d
        WHERE d.registration_id = r.id AND d.stage = 'registration'), '[]') AS documents,
      coalesce((SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'position', rc.position,
          'passingGrade', o.passing_grade, 'capacity', o.capacity + o.over_offer,
          'placesLeft', o.capacity + o.over_offer - ${placesTaken(sql`p.id`, sql`r`)}) ORDER BY rc.position NULLS LAST, p.name)
        FROM programme_details o JOIN study_programmes p ON p.id = o.programme_id
        LEFT JOIN registration_choices rc ON rc.registration_id = r.id AND rc.programme_id = p.id
        WHERE o.active AND o.wave_id = r.wave_id AND o.class_programme_id = r.class_programme_id
          AND o.entry_level_id = r.entry_level_id
          AND (rc.position IS NOT NULL OR p.id = ${programmeId ?? null}::uuid)), '[]') AS programmes
    FROM registrations r JOIN tracks t ON t.id = r.track_id
    LEFT JOIN test_seats seat ON seat.registration_id = r.id AND seat.status <> 'released'
    WHERE r.id = ANY(${[...ids]}::uuid[])`.execute(db)
  const bills = await billSummary(db, ids)
  return new Map(rows.map((row) => [row.id, basisOf(row, bills.get(row.id)?.registrationFee ?? null)]))
}

function basisOf(
  { documents, ...row }: Row,
  bill: { status: Parameters<typeof isOwed>[0]; total: number; paid: number } | null,
): DecisionBasis {
  return {
    ...row,
    total: totalScore(row.tests),
    openDocuments: documents.filter((slot) => slot.required && !isSettled(slot)).map(({ name }) => name),
    feeOwed: bill && isOwed(bill.status) ? bill.total - bill.paid : 0,
    fee: bill && { status: bill.status, total: bill.total, paid: bill.paid },
  }
}

type ProblemWithMode = DecisionProblem & { mode: CheckMode }

/** Problems of accepting for a programme, each with its mode (`warn` or `block`) in the settings. */
export function findProblems(basis: DecisionBasis, settings: Settings, programmeId: string): ProblemWithMode[] {
  const grade = basis.programmes.find(({ id }) => id === programmeId)?.passingGrade ?? null
  return problemsOfAccepting(basis, grade).map((problem) => ({
    ...problem,
    mode: settings[settingOfCheck[problem.check]],
  }))
}

/** A sentence for each problem. */
export const describeProblems = (problems: readonly DecisionProblem[], language: Language) => {
  const t = sentences(language)
  return problems.map(({ check, params: { amount, score, grade, ...params } }) =>
    t(`staff:check.${check === 'score_below' && params.test ? 'test_below' : check}`, {
      ...params,
      ...(amount !== undefined && { amount: rupiah(Number(amount)) }),
      ...(score !== undefined && { score: twoDecimals(Number(score)), grade: twoDecimals(Number(grade)) }),
    }),
  )
}

/** The facts for deciding on a registration, with the problems of each programme; 404 if the actor may not see it. */
export async function readDecisionBasis(services: Services, actor: Actor, id: string, programmeId?: string) {
  const { row } = await getRegistration(services.db, actor, id, services.clock.now())
  const basis = mustGet(await decisionBases(services.db, [id], programmeId), id)
  const settings = await getSettings(services.db)
  return {
    ...basis,
    published: row.published,
    waits: row.publishedAfter !== null && !row.published,
    documentsState: row.documentsState,
    programmes: basis.programmes.map((programme) => {
      const problems = findProblems(basis, settings, programme.id)
      return {
        ...programme,
        problems: problems.map((problem) => ({
          ...problem,
          sentence: theOnly(describeProblems([problem], actor.language)),
        })),
      }
    }),
  }
}
