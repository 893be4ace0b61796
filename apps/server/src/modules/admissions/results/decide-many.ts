import { sql } from 'kysely'
import { type RegistrationStep, registrationTransitions } from '#domain/admissions/registration-status.ts'
import {
  firstChoiceOf,
  isPublished,
  joinPublication,
  statusBeforeDecision,
} from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { announceResultsJob } from './announce-results.job.ts'
import { appearanceColumns } from './appearance.ts'

/** A selection's decision on one registration; `revertDecision` reverts an earlier decision. */
export type Decision = {
  id: string
  action: 'accept' | 'reject' | 'revertDecision'
  /** Only for `accept`. */
  programmeId: string | null
  reason: string | null
}

const decisionsAtOnce = 5_000

type Decided = {
  id: string
  before: string
  status: string
  programmeBefore: string | null
  programmeId: string | null
  classProgrammeId: string
  decisionReason: string | null
}

/**
 * Takes the same step for many registrations: set-based, one audit entry each, without messages. The decisions become
 * public with the next publication. Throws 409 if a registration may not take the step. The caller locks registrations,
 * places and publications.
 */
export async function decideMany(
  context: Context,
  action: Decision['action'],
  decisions: readonly Decision[],
  selectionRunId: string,
) {
  for (let start = 0; start < decisions.length; start += decisionsAtOnce)
    await decideBatch(context, action, decisions.slice(start, start + decisionsAtOnce), selectionRunId)
}

async function decideBatch(
  { tx, services, actor }: Context,
  action: Decision['action'],
  decisions: readonly Decision[],
  selectionRunId: string,
) {
  const now = services.clock.now()
  const transition = registrationTransitions[action]
  const decidedBy = actor.accountId || null
  const ids = decisions.map(({ id }) => id)
  const { publishedAfter, hiddenSince } = appearanceColumns('with_next', now)
  const appears = sql`published_after = ${publishedAfter}, hidden_since = ${hiddenSince}`
  const set = {
    accept: sql`status = 'decided', decision = 'accepted', accepted_programme_id = g.programme_id,
      programme_id = g.programme_id, decision_reason = g.reason, decided_by = ${decidedBy}, decided_at = ${now},
      selection_run_id = ${selectionRunId}, ${appears}`,
    reject: sql`status = 'decided', decision = 'not_accepted', accepted_programme_id = NULL, decision_reason = g.reason,
      decided_by = ${decidedBy}, decided_at = ${now}, selection_run_id = ${selectionRunId}, ${appears}`,
    revertDecision: sql`status = ${statusBeforeDecision}, decision = NULL, accepted_programme_id = NULL,
      programme_id = ${firstChoiceOf('r')}, decision_reason = NULL, decided_by = NULL, decided_at = NULL,
      selection_run_id = NULL`,
  }[action]
  const refusedIds = action === 'revertDecision' ? await keepShowingRefusals(tx, ids, now) : []
  const { rows } = await sql<Decided>`
    WITH given AS (SELECT * FROM unnest(${ids}::uuid[],
      ${decisions.map(({ programmeId }) => programmeId)}::uuid[],
      ${decisions.map(({ reason }) => reason)}::text[]) AS g (id, programme_id, reason)),
    was AS (SELECT o.id, o.status, o.programme_id FROM registrations o JOIN given USING (id))
    UPDATE registrations r SET ${set}, updated_at = ${now}
    FROM given g JOIN was ON was.id = g.id
    WHERE r.id = g.id AND r.status = ANY(${[...transition.from]}::text[]) AND ${visibleTo(actor)}
    RETURNING r.id, was.status AS before, r.status, was.programme_id AS programme_before, r.programme_id,
      r.class_programme_id, r.decision_reason`.execute(tx)
  if (rows.length < decisions.length) throw conflict('selection_input_changed')
  if ('undoes' in transition)
    await sql`UPDATE registration_steps SET undone_at = greatest(at, ${now}),
        stays_shown = step = 'not_accepted' AND registration_id = ANY(${refusedIds}::uuid[])
      WHERE registration_id = ANY(${rows.map(({ id }) => id)}::uuid[])
        AND step = ANY(${[...transition.undoes]}::text[]) AND undone_at IS NULL`.execute(tx)
  if ('step' in transition) await insertSteps(tx, decidedBy, now, rows, transition.step)
  await insertMoves(tx, decidedBy, now, rows)
  await recordAudits(
    tx,
    actor,
    rows.map((row) => ({
      action: `registration.${action}`,
      on: { registration: row.id },
      before: { status: row.before },
      after: {
        status: row.status,
        decision: { accept: 'accepted', reject: 'not_accepted', revertDecision: null }[action],
        acceptedProgrammeId: action === 'accept' ? row.programmeId : null,
        programmeId: row.programmeId,
        selectionRunId,
      },
      ...(row.decisionReason !== null && { reason: row.decisionReason }),
    })),
  )
}

const insertSteps = (tx: Tx, takenBy: string | null, at: Date, rows: readonly Decided[], step: RegistrationStep) =>
  sql`INSERT INTO registration_steps (registration_id, step, at, taken_by, published_after, selection_run_id)
    SELECT r.id, ${step}, ${at}, ${takenBy}::uuid, r.published_after, r.selection_run_id
    FROM registrations r WHERE r.id = ANY(${rows.map(({ id }) => id)}::uuid[])`.execute(tx)

/** Adds a `moved` step for each registration whose study programme the decision changed. */
async function insertMoves(tx: Tx, takenBy: string | null, at: Date, rows: readonly Decided[]) {
  const moved = rows.filter((row) => row.programmeId !== row.programmeBefore)
  if (moved.length === 0) return
  await sql`INSERT INTO registration_steps (registration_id, step, at, taken_by, from_programme_id, from_class_programme_id)
    SELECT g.id, 'moved', ${at}, ${takenBy}::uuid, g.programme_id, g.class_id
    FROM unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map((row) => row.programmeBefore)}::uuid[],
      ${moved.map((row) => row.classProgrammeId)}::uuid[]) AS g (id, programme_id, class_id)`.execute(tx)
}

/** Keeps public refusals among these registrations shown until the next decision is public; returns their ids. */
async function keepShowingRefusals(tx: Tx, ids: readonly string[], now: Date) {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO shown_refusals (registration_id, reason, decided_by, decided_at, publish_at)
    SELECT r.id, r.decision_reason, r.decided_by, r.decided_at, pub.publish_at
    FROM registrations r ${joinPublication}
    WHERE r.id = ANY(${[...ids]}::uuid[]) AND r.decision = 'not_accepted' AND ${isPublished(now)}
    ON CONFLICT (registration_id) DO UPDATE SET reason = excluded.reason, decided_by = excluded.decided_by,
      decided_at = excluded.decided_at, publish_at = excluded.publish_at
    RETURNING registration_id AS id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Announces again at every publication of the wave that was due after `since`, when the decisions were written. If one
 * becomes due before this transaction commits, its own job misses them.
 */
export async function announceComingOf({ tx, services }: Omit<Context, 'actor'>, waveId: string, since: Date) {
  const coming = await tx
    .selectFrom('resultPublications')
    .select(['waveId', 'trackId', 'publishAt'])
    .where('waveId', '=', waveId)
    .where('publishAt', '>', since)
    .execute()
  for (const { publishAt, ...intake } of coming)
    await services.jobs.enqueue(tx, announceResultsJob, intake, { startAfter: publishAt })
}
