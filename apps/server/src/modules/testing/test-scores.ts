import { sql } from 'kysely'
import { scoresOpenIn } from '#domain/testing/seat-status.ts'
import { totalScore } from '#server/modules/admissions/results/total-score.ts'
import { noteRemover } from '#server/modules/scores/note-remover.ts'
import { findWaitingTracks, needsReason } from '#server/modules/scores/score-reasons.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { statusFor } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, type FieldErrors, invalid } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { lockRegistration, seatOf } from './seats/seats.ts'

/**
 * Tests of the seat's session; without a seat, every test of the wave's sessions for the track. A recorded score is
 * always listed.
 */
export async function scoreSheet(db: Db, registration: { id: string; waveId: string; trackId: string }) {
  const seat = await seatOf(db, registration.id)
  const scores = await db
    .selectFrom('tests as t')
    .leftJoin('testScores as s', (join) =>
      join.onRef('s.testId', '=', 't.id').on('s.registrationId', '=', registration.id),
    )
    .select([
      't.id as testId',
      't.name',
      't.kind',
      't.maxScore',
      't.weight',
      't.passingGrade',
      's.score',
      's.recordedAt',
    ])
    .where((eb) =>
      eb.or([
        eb('s.score', 'is not', null),
        eb.exists(
          eb
            .selectFrom('testSessionTests as st')
            .innerJoin('testSessions as e', 'e.id', 'st.testSessionId')
            .select('st.testId')
            .whereRef('st.testId', '=', 't.id')
            .$call((sessions) =>
              seat
                ? sessions.where('e.id', '=', seat.testSessionId)
                : sessions
                    .where('e.waveId', '=', registration.waveId)
                    .where((on) => on.or([on('e.trackId', 'is', null), on('e.trackId', '=', registration.trackId)])),
            ),
        ),
      ]),
    )
    .orderBy('t.code')
    .execute()
  return { scores, total: totalScore(scores) }
}

/**
 * Whether the registration's track has decisions that the actor does not see: then a score needs a reason, which this
 * sheet does not accept.
 */
async function areResultsPrepared(tx: Tx, actor: Actor, { id, waveId }: { id: string; waveId: string }, now: Date) {
  const waiting = await findWaitingTracks(tx, waveId, now)
  const hasScore = sql<boolean>`EXISTS (SELECT FROM test_scores s WHERE s.registration_id = r.id)`
  const { isPrepared } = await tx
    .selectFrom('registrations as r')
    .select(needsReason(actor, now, waiting, hasScore).as('isPrepared'))
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow()
  return isPrepared
}

/**
 * Records scores until the decision. Throws 422 with every invalid score beside its field, 409 `scores_closed` if the
 * track has decisions that the actor does not see.
 */
export async function recordScores(
  { tx, actor, now }: Context,
  registrationId: string,
  scores: { testId: string; score: number | null }[],
) {
  const recordedAt = now
  const registration = await lockRegistration(tx, registrationId, recordedAt)
  const status = statusFor(actor, registration)
  if (!(scoresOpenIn as readonly string[]).includes(status)) throw conflict('wrong_status', { status })
  if (await areResultsPrepared(tx, actor, registration, recordedAt)) throw conflict('scores_closed')
  const before = await scoreSheet(tx, registration)
  const errors: FieldErrors = {}
  const isAbsent = (await seatOf(tx, registrationId))?.status === 'absent'
  scores.forEach(({ testId, score }, index) => {
    const test = before.scores.find((candidate) => candidate.testId === testId)
    if (!test) errors[`scores.${index}.testId`] = 'test_not_part'
    else if (score !== null && score !== test.score && isAbsent) errors[`scores.${index}.score`] = 'score_of_absent'
    else if (score !== null && score > test.maxScore)
      errors[`scores.${index}.score`] = { code: 'score_too_high', params: { maximum: test.maxScore } }
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)

  for (const { testId, score } of scores) {
    if (score === null) {
      await noteRemover(tx, actor, recordedAt)
      await tx
        .deleteFrom('testScores')
        .where('registrationId', '=', registrationId)
        .where('testId', '=', testId)
        .execute()
    } else
      await tx
        .insertInto('testScores')
        .values({ registrationId, testId, score, recordedBy: actor.accountId || null, recordedAt })
        .onConflict((conflicting) =>
          conflicting
            .columns(['registrationId', 'testId'])
            // The parts belong to the former score.
            .doUpdateSet({
              score,
              parts: '{}',
              markedBy: '{}',
              importId: null,
              recordedBy: actor.accountId || null,
              recordedAt,
            })
            .where('testScores.score', 'is distinct from', score),
        )
        .execute()
  }
  const after = await scoreSheet(tx, registration)
  const plain = (sheet: typeof after) => Object.fromEntries(sheet.scores.map(({ name, score }) => [name, score]))
  await recordAudit(tx, actor, {
    action: 'test-score.record',
    on: { registration: registrationId },
    before: plain(before),
    after: plain(after),
  })
  return after
}
