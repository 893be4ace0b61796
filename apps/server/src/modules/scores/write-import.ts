import { type RawBuilder, sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { mayWrite } from '#domain/scores/status.ts'
import { moveImport } from '#server/modules/transfer/imports/uploads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { noteRemover } from './note-remover.ts'
import { countNeedingReason, getScoreImport, lockScoreImport, type ScoreImportRow } from './score-imports.ts'

type Run = { version: number; leavesOut: boolean; reason?: string | null | undefined }

/**
 * Writes the scores of a checked import in one transaction. A repeated call returns the written import. 409 if the
 * check is outdated, or rows await a decision and `leavesOut` is false.
 */
export async function runScoreImport(services: Services, actor: Actor, id: string, run: Run): Promise<ScoreImportRow> {
  const { db, clock } = services
  const record = await getScoreImport(db, actor, id)
  if (record.status === 'done') return record
  if (record.status !== 'checked') throw conflict('wrong_status')
  const { rowsNew, rowsChanged, rowsWrong, rowsUnconfirmed } = record
  const rows = { wrong: rowsWrong, unconfirmed: rowsUnconfirmed }
  const scores = { new: rowsNew, changed: rowsChanged }
  if (!mayWrite({ status: 'checked', rows, scores }, run.leavesOut))
    throw rowsNew + rowsChanged === 0
      ? conflict('import_changes_nothing')
      : conflict('scores_need_decisions', { count: rowsWrong + rowsUnconfirmed })
  await db.transaction().execute(async (tx) => {
    const locked = await lockScoreImport(tx, id, ['checked', 'done'])
    // A concurrent call has written it.
    if (locked?.status === 'done') return
    if (locked?.version !== run.version) throw conflict('stale_version')
    await lockPeople(tx, id)
    const decided = await countNeedingReason(tx, actor, record, clock.now())
    if (decided > 0 && !run.reason)
      throw invalid({
        reason: seesUnpublished(actor) ? 'score_reason_needed' : 'score_reason_needed_before_results',
      })
    const stale = await count(tx, staleLines(actor, id, locked.testSessionId))
    if (stale > 0) throw conflict('scores_changed_since_check', { count: stale })
    await writeLines(tx, actor, id, clock.now())
    await learnNumbers(tx, id)
    await moveImport(tx, id, ['checked'], { status: 'done', finishedAt: clock.now() })
    await recordAudit(tx, actor, {
      action: 'score-import.write',
      on: { 'score-import': id },
      after: { fileName: record.fileName, ...scores, decided },
      reason: run.reason,
    })
  })
  return getScoreImport(db, actor, id)
}

/**
 * Locks the registrations in id order, like a score recorded by hand, so that a concurrent decision waits or is seen.
 */
const lockPeople = (tx: Tx, importId: string) =>
  sql`SELECT FROM registrations WHERE id IN
      (SELECT registration_id FROM score_import_lines WHERE import_id = ${importId})
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)

/**
 * Lines whose score, person or seat is no longer what the check saw. A decision since the check concerns only those who see
 * it: for others it must not part the decided from the rest.
 */
const staleLines = (actor: Actor, importId: string, testSessionId: string | null) => sql`
  SELECT FROM score_import_lines l JOIN registrations r ON r.id = l.registration_id
  LEFT JOIN test_scores s ON s.registration_id = l.registration_id AND s.test_id = l.test_id
  LEFT JOIN test_seats e ON e.registration_id = r.id AND e.status <> 'released'
  WHERE l.import_id = ${importId} AND l.action <> 'unchanged' AND (
    coalesce(s.version, 0) <> l.version_before
    OR r.status IN ('draft', 'withdrawn', 'cancelled', 'expired')
    OR (${seesUnpublished(actor)}::boolean AND (r.status IN ('decided', 'confirmed', 'enrolled')) <> l.decided)
    OR e.status IS NULL OR e.status = 'absent'
    OR e.test_session_id <> coalesce(${testSessionId}::uuid, e.test_session_id))`

async function count(tx: Tx, lines: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (${lines}) found`.execute(tx)
  return theOnly(rows).count
}

const writeLines = (tx: Tx, actor: Actor, importId: string, now: Date) =>
  sql`INSERT INTO test_scores (registration_id, test_id, score, package, parts, import_id, recorded_by, recorded_at)
    SELECT registration_id, test_id, score, package, parts, import_id, ${actor.accountId}::uuid, ${now}::timestamptz
    FROM score_import_lines WHERE import_id = ${importId} AND action <> 'unchanged'
    ON CONFLICT (registration_id, test_id) DO UPDATE SET score = excluded.score, package = excluded.package,
      parts = excluded.parts, marked_by = '{}', import_id = excluded.import_id, recorded_by = excluded.recorded_by,
      recorded_at = excluded.recorded_at`.execute(tx)

/** Remembers the system's number for each person; the last file wins. */
const learnNumbers = (tx: Tx, importId: string) =>
  sql`INSERT INTO score_numbers (profile_id, wave_id, number, registration_id)
    SELECT DISTINCT ON (l.person_number) i.profile_id, i.wave_id, l.person_number, l.registration_id
    FROM score_import_lines l JOIN score_imports i ON i.id = l.import_id
    WHERE l.import_id = ${importId} AND i.profile_id IS NOT NULL AND l.person_number IS NOT NULL
    ORDER BY l.person_number, l.number DESC
    ON CONFLICT (profile_id, wave_id, number) DO UPDATE SET registration_id = excluded.registration_id`.execute(tx)

/** Restores every score to its value before the import; 409 if one was recorded again since. */
export async function undoScoreImport(services: Services, actor: Actor, id: string): Promise<ScoreImportRow> {
  const { db, clock } = services
  const record = await getScoreImport(db, actor, id)
  if (record.status === 'undone') return record
  await db.transaction().execute(async (tx) => {
    const locked = await lockScoreImport(tx, id, ['done', 'undone'])
    if (!locked) throw conflict('wrong_status')
    if (locked.status === 'undone') return
    await lockPeople(tx, id)
    const recorded = await count(
      tx,
      sql`SELECT FROM score_import_lines l
        LEFT JOIN test_scores s ON s.registration_id = l.registration_id AND s.test_id = l.test_id
        WHERE l.import_id = ${id} AND l.action <> 'unchanged' AND s.import_id IS DISTINCT FROM l.import_id`,
    )
    if (recorded > 0) throw conflict('scores_recorded_since', { count: recorded })
    const now = clock.now()
    await sql`UPDATE test_scores s SET score = l.score_before, package = l.package_before, parts = l.parts_before,
        marked_by = v.marked_by, import_id = l.import_id_before, recorded_by = ${actor.accountId}::uuid,
        recorded_at = ${now}::timestamptz
      FROM score_import_lines l JOIN test_score_versions v ON v.registration_id = l.registration_id
        AND v.test_id = l.test_id AND v.version = l.version_before
      WHERE l.import_id = ${id} AND l.action = 'changed'
        AND s.registration_id = l.registration_id AND s.test_id = l.test_id`.execute(tx)
    await noteRemover(tx, actor, now)
    await sql`DELETE FROM test_scores s USING score_import_lines l WHERE l.import_id = ${id} AND l.action = 'new'
      AND s.registration_id = l.registration_id AND s.test_id = l.test_id`.execute(tx)
    await moveImport(tx, id, ['done'], { status: 'undone', undoneAt: now, undoneBy: actor.name })
    await recordAudit(tx, actor, {
      action: 'score-import.undo',
      on: { 'score-import': id },
      after: { fileName: record.fileName },
    })
  })
  return getScoreImport(db, actor, id)
}
