import { sql } from 'kysely'
import {
  assessorParts,
  assessorsAfter,
  hasAssessors,
  hasTwoMarksOfOne,
  type Marks,
  marksOf,
  needsThird,
  scoreOfMarks,
} from '#domain/scores/assessors.ts'
import type { ScoreRow } from '#domain/scores/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { noteRemover } from './note-remover.ts'
import { findWaitingTracks, isSeenDecided, needsReason } from './score-reasons.ts'

const closedStatuses = ['draft', 'withdrawn', 'cancelled', 'expired'] as const

type Texts = Record<string, string>
type StoredRow = Omit<ScoreRow, 'marks' | 'assessors'> & {
  parts: Record<string, number>
  markedBy: Texts
  assessorNames: Texts
}

type Reading = { testId: string; waveId: string; now: Date }

const selectRows = async (db: Db, actor: Actor, { testId, waveId, now }: Reading) => {
  const waiting = await findWaitingTracks(db, waveId, now)
  const hasScore = sql<boolean>`n.version IS NOT NULL`
  const rows = db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('testSeats as s', (join) => join.onRef('s.registrationId', '=', 'r.id').on('s.status', '<>', 'released'))
    .leftJoin('testScores as n', (join) => join.onRef('n.registrationId', '=', 'r.id').on('n.testId', '=', testId))
    .select(['r.id as registrationId', 'r.code', 'a.fullName as name', 's.status as seat', 'n.score', 'n.package'])
    .select(isSeenDecided(actor, now).as('decided'))
    .select(needsReason(actor, now, waiting, hasScore).as('needsReason'))
    .select(sql<boolean>`s.status = 'absent'`.as('absent'))
    .select(sql<Record<string, number>>`coalesce(n.parts, '{}')`.as('parts'))
    .select(sql<Texts>`coalesce(n.marked_by, '{}')`.as('markedBy'))
    .select(
      sql<Texts>`coalesce((SELECT jsonb_object_agg(m.key, u.name)
        FROM jsonb_each_text(n.marked_by) m JOIN accounts u ON u.id::text = m.value), '{}')`.as('assessorNames'),
    )
    .select(sql<number>`coalesce(n.version, 0)`.as('version'))
    .where('r.status', 'not in', closedStatuses)
    .where(visibleTo(actor))
  return { rows }
}

const toRow = ({ parts, markedBy: _, assessorNames, ...row }: StoredRow): ScoreRow => ({
  ...row,
  marks: [...marksOf(parts)],
  assessors: assessorParts.map((part) => assessorNames[part] ?? null),
})

async function getTest(db: Db, id: string) {
  const test = await db
    .selectFrom('tests')
    .select(['id', 'code', 'name', 'kind', 'maxScore'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!test) throw notFound('test')
  return test
}

/** People with a seat in a session that the actor sees, with their scores in a test of it; 404 without such a test. */
export async function readScoreEntry(
  { db, clock }: Services,
  actor: Actor,
  session: { testSessionId: string; testId: string },
) {
  const test = await getTest(db, session.testId)
  const offered = await db
    .selectFrom('testSessionTests as st')
    .innerJoin('testSessions as e', 'e.id', 'st.testSessionId')
    .select('e.waveId')
    .where('st.testSessionId', '=', session.testSessionId)
    .where('st.testId', '=', session.testId)
    .executeTakeFirst()
  if (!offered) throw notFound('test')
  const { waveId } = offered
  const { rows } = await selectRows(db, actor, { testId: test.id, waveId, now: clock.now() })
  const found = await rows
    .where('s.testSessionId', '=', session.testSessionId)
    .where('s.status', '<>', 'held')
    .orderBy('a.fullName')
    .orderBy('r.id')
    .execute()
  const { assessorDifference } = await getSettings(db)
  return { test, limitPercent: assessorDifference, rows: found.map(toRow) }
}

type Entry = {
  testId: string
  version: number
  score?: number | null | undefined
  marks?: readonly (number | null)[] | undefined
  reason?: string | null | undefined
}

/**
 * Records one score by hand, or the marks of its assessors. Sent again it changes nothing; throws 409 `stale_version` if
 * the score was recorded meanwhile, `assessors_same` for two marks of one account, `score_of_absent`, 422 above the
 * highest score or without the reason that a score needs after the decision.
 */
export async function recordScore(services: Services, actor: Actor, id: string, entry: Entry): Promise<ScoreRow> {
  const { db, clock } = services
  return db.transaction().execute(async (tx) => {
    const test = await getTest(tx, entry.testId)
    const { waveId } = await lockRegistration(tx, actor, id)
    const find = async () => {
      const { rows } = await selectRows(tx, actor, { testId: test.id, waveId, now: clock.now() })
      return rows.where('r.id', '=', id).executeTakeFirstOrThrow(() => conflict('wrong_status'))
    }
    const before = await find()
    if (!(await isTested(tx, id, test.id))) throw invalid({ testId: 'test_not_part' })
    const { assessorDifference } = await getSettings(tx)
    const next = valuesOf(entry, test, before.parts, assessorDifference)
    if (hasValues(before.score, before.parts, next)) return toRow(before)
    if (before.version !== entry.version) throw conflict('stale_version')
    if (before.absent && next) throw conflict('score_of_absent')
    if (before.needsReason && !entry.reason)
      throw invalid({ reason: before.decided ? 'score_reason_needed' : 'score_reason_needed_before_results' })
    const markedBy = next ? assessorsAfter(before, next.parts, actor.accountId) : {}
    if (hasTwoMarksOfOne(markedBy)) throw conflict('assessors_same')
    if (next) await saveScore(tx, actor, { registrationId: id, testId: test.id, ...next, markedBy }, clock.now())
    else {
      await noteRemover(tx, actor, clock.now())
      await tx.deleteFrom('testScores').where('registrationId', '=', id).where('testId', '=', test.id).execute()
    }
    const after = await find()
    const plain = ({ score, parts }: StoredRow) => ({ [test.name]: score, ...parts })
    await recordAudit(tx, actor, {
      action: 'test-score.record',
      on: { registration: id },
      before: plain(before),
      after: plain(after),
      reason: entry.reason,
    })
    return toRow(after)
  })
}

async function lockRegistration(tx: Tx, actor: Actor, id: string) {
  const found = await tx
    .selectFrom('registrations as r')
    .select('r.waveId')
    .where('r.id', '=', id)
    .where(visibleTo(actor))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('registration')
  return found
}

const isTested = (tx: Tx, registrationId: string, testId: string) =>
  tx
    .selectFrom('testSeats as s')
    .innerJoin('testSessionTests as st', 'st.testSessionId', 's.testSessionId')
    .select('st.testId')
    .where('s.registrationId', '=', registrationId)
    .where('s.status', '<>', 'released')
    .where('st.testId', '=', testId)
    .executeTakeFirst()

type Values = { score: number | null; parts: Record<string, number> }
type Test = Awaited<ReturnType<typeof getTest>>

/** The score to store with its parts; null removes it. */
function valuesOf({ score, marks }: Entry, test: Test, parts: Record<string, number>, limit: number): Values | null {
  const refuseAbove = (value: number | null, field: string) => {
    if (value !== null && value > test.maxScore)
      throw invalid({ [field]: { code: 'score_too_high', params: { maximum: test.maxScore } } })
  }
  if (marks === undefined) {
    refuseAbove(score ?? null, 'score')
    return score === null || score === undefined ? null : { score, parts: {} }
  }
  if (!hasAssessors(test.kind)) throw invalid({ marks: 'invalid_input' })
  for (const [index, mark] of marks.entries()) refuseAbove(mark, `marks.${index}`)
  const typed = marks as unknown as Marks
  // A third mark counts only if the first two differ too much.
  const counted: Marks = needsThird(typed, test.maxScore, limit) ? typed : [typed[0], typed[1], null]
  const entries = assessorParts.flatMap((name, index) => {
    const mark = counted[index]
    return mark === null || mark === undefined ? [] : [[name, mark] as const]
  })
  if (entries.length === 0) return null
  const others = Object.entries(parts).filter(([name]) => !assessorParts.some((part) => part === name))
  return {
    score: scoreOfMarks(counted, test.maxScore, limit),
    parts: Object.fromEntries([...others, ...entries]),
  }
}

/** Whether the stored score already has these values. A score sent without parts keeps the stored parts. */
function hasValues(score: number | null, parts: Record<string, number>, next: Values | null): boolean {
  if (!next) return score === null && Object.keys(parts).length === 0
  if (score !== next.score) return false
  return Object.keys(next.parts).length === 0
    ? assessorParts.every((name) => parts[name] === undefined)
    : JSON.stringify(Object.entries(parts).sort()) === JSON.stringify(Object.entries(next.parts).sort())
}

type Saved = { registrationId: string; testId: string; markedBy: Texts }

const saveScore = (tx: Tx, actor: Actor, row: Values & Saved, now: Date) => {
  const values = {
    score: row.score,
    parts: JSON.stringify(row.parts),
    markedBy: JSON.stringify(row.markedBy),
    importId: null,
    recordedBy: actor.accountId || null,
    recordedAt: now,
  }
  return tx
    .insertInto('testScores')
    .values({ registrationId: row.registrationId, testId: row.testId, ...values })
    .onConflict((conflicting) => conflicting.columns(['registrationId', 'testId']).doUpdateSet(values))
    .execute()
}

/** All values a registration's scores have had, newest first; 404 if the actor does not see it. */
export async function listScoreVersions(db: Db, actor: Actor, registrationId: string) {
  const registration = await db
    .selectFrom('registrations as r')
    .select('r.id')
    .where('r.id', '=', registrationId)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!registration) throw notFound('registration')
  return db
    .selectFrom('testScoreVersions as v')
    .innerJoin('tests as t', 't.id', 'v.testId')
    .leftJoin('imports as i', 'i.id', 'v.importId')
    .leftJoin('accounts as a', 'a.id', 'v.recordedBy')
    .select(['v.testId', 't.name as test', 'v.version', 'v.score', 'v.package', 'i.fileName as file'])
    .select(['a.name as recordedBy', 'v.recordedAt'])
    .select(sql<Record<string, number>>`v.parts`.as('parts'))
    .where('v.registrationId', '=', registrationId)
    .orderBy('v.recordedAt', 'desc')
    .orderBy('v.version', 'desc')
    .limit(500)
    .execute()
}
