import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { SelectionOutcome } from '#domain/selection/rules.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type RunInput, readInput } from './read-input.ts'
import { selectInThread } from './select-in-thread.ts'
import type { TimedOutput } from './select-thread.ts'

/** Rows per INSERT. */
const rowsAtOnce = 5_000

/** Reads the present input of a run; 404 if the run does not exist. */
export async function readInputOf({ db, clock }: Services, runId: string): Promise<RunInput> {
  const transaction = db.transaction().setIsolationLevel('repeatable read')
  return transaction.execute(async (tx) => {
    const run = await tx
      .selectFrom('selectionRuns')
      .select(['id', 'waveId', 'scoreRunId', 'rules'])
      .where('id', '=', runId)
      .executeTakeFirst()
    if (!run) throw notFound('selection_run')
    return readInput(tx, run, await getSettings(tx), clock.now())
  })
}

/** Computes a run with status `computing` and stores its quotas and entries; does nothing for other runs. */
export async function computeRun(services: Services, runId: string) {
  const { db } = services
  const isWaiting = await db
    .selectFrom('selectionRuns')
    .select('version')
    .where('id', '=', runId)
    .where('status', '=', 'computing')
    .executeTakeFirst()
  if (!isWaiting) return
  const computedAt = services.clock.now()
  const input = await readInputOf(services, runId)
  const output = await selectInThread(input.selection)
  await db.transaction().execute(async (tx) => {
    const run = await tx
      .selectFrom('selectionRuns')
      .select(['id', 'version'])
      .where('id', '=', runId)
      .where('status', '=', 'computing')
      .forUpdate()
      .executeTakeFirst()
    // The run was changed meanwhile; the job of that change computes it.
    if (run?.version !== isWaiting.version) return
    await writeRows(tx, runId, input, outcomesOf(input, output))
    const counts = await countEntries(tx, runId)
    await tx
      .updateTable('selectionRuns')
      .set({
        status: 'computed',
        computedAt,
        inputHash: input.hash,
        outputHash: sql<string>`selection_output_hash(${runId})`,
        counts: JSON.stringify({ ...counts, ms: output.ms }),
        checks: null,
        failure: null,
      })
      .where('id', '=', runId)
      .execute()
  })
}

/** The outcome of each application. */
export function outcomesOf({ states, selection }: RunInput, { placed, rank, reserveRank }: TimedOutput) {
  const { applicant, wish } = selection.columns
  const placeOf = new Int32Array((applicant.at(-1) ?? -1) + 1).fill(-1)
  for (const [index, person] of applicant.entries()) if (placed[index]) placeOf[person] = index
  const outcomes = states.map((state, index): SelectionOutcome => {
    if (placed[index]) return state === 'held' || state === 'kept' ? state : 'placed'
    if (state !== 'open') return state
    const place = placeOf[applicant[index]!]!
    if (place !== -1 && wish[place]! < wish[index]!) return 'earlier_choice'
    return reserveRank[index] ? 'reserve' : 'full'
  })
  return { outcomes, rank, reserveRank }
}

async function writeRows(
  tx: Tx,
  runId: string,
  { quotas, registrationIds, programmeIds, scores, selection: { columns } }: RunInput,
  { outcomes, rank, reserveRank }: ReturnType<typeof outcomesOf>,
) {
  await tx.deleteFrom('selectionQuotas').where('selectionRunId', '=', runId).execute()
  const numbered = quotas.map((quota, number) => ({ number, ...quota }))
  await sql`INSERT INTO selection_quotas (selection_run_id, number, parent_number, programme_detail_id, programme_id,
      class_programme_id, entry_level_id, track_id, places, spill_turn, ties, passing_grade)
    SELECT ${runId}, q.* FROM jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) AS q ("number" int, "parent" int,
      "programmeDetailId" uuid, "programmeId" uuid, "classProgrammeId" uuid, "entryLevelId" uuid, "trackId" uuid,
      "places" int, "spillTurn" int, "ties" text, "passingGrade" numeric)`.execute(tx)
  for (let start = 0; start < outcomes.length; start += rowsAtOnce) {
    const end = start + rowsAtOnce
    const column = (values: Int32Array | Float64Array) => [...values.subarray(start, end)]
    await sql`INSERT INTO selection_entries (selection_run_id, registration_id, position, programme_id, quota_number,
        scores, total, lot, rank, outcome, reserve_rank)
      SELECT ${runId}, e.registration_id, e.position, e.programme_id, e.quota, e.scores::numeric[], e.total, e.lot,
        nullif(e.rank, 0), e.outcome, nullif(e.reserve_rank, 0)
      FROM unnest(${column(columns.applicant).map((person) => registrationIds[person])}::uuid[],
        ${column(columns.wish)}::int[],
        ${programmeIds.slice(start, end)}::uuid[],
        ${column(columns.quota)}::int[],
        ${scores.slice(start, end).map((row) => `{${row.map((score) => score ?? 'NULL').join(',')}}`)}::text[],
        ${column(columns.total).map(totalOf)}::numeric[],
        ${column(columns.lot)}::bigint[],
        ${column(rank)}::int[],
        ${outcomes.slice(start, end)}::text[],
        ${column(reserveRank)}::int[])
        AS e (registration_id, position, programme_id, quota, scores, total, lot, rank, outcome, reserve_rank)`.execute(
      tx,
    )
  }
  await sumUp(tx, runId)
}

const totalOf = (hundredths: number) => (Number.isFinite(hundredths) ? hundredths / 100 : null)

/** Stores the numbers placed and waiting with each quota; a programme gets the sums of its tracks. */
async function sumUp(tx: Tx, runId: string) {
  await sql`UPDATE selection_quotas q
    SET placed = s.placed, waiting = s.waiting, last_total = s.last_total, last_rank = s.last_rank
    FROM (SELECT coalesce(k.parent_number, k.number) AS parent, k.number,
        count(*) FILTER (WHERE e.outcome IN ('placed', 'held', 'kept'))::int AS placed,
        count(*) FILTER (WHERE e.outcome IN ('full', 'reserve'))::int AS waiting,
        (array_agg(e.total ORDER BY e.rank DESC) FILTER (WHERE e.outcome = 'placed'))[1] AS last_total,
        max(e.rank) FILTER (WHERE e.outcome = 'placed') AS last_rank
      FROM selection_entries e
      JOIN selection_quotas k ON k.selection_run_id = e.selection_run_id AND k.number = e.quota_number
      WHERE e.selection_run_id = ${runId} GROUP BY k.number, k.parent_number) s
    WHERE q.selection_run_id = ${runId} AND q.number = s.number`.execute(tx)
  await sql`UPDATE selection_quotas q SET placed = s.placed, waiting = s.waiting
    FROM (SELECT parent_number, sum(placed)::int AS placed, sum(waiting)::int AS waiting FROM selection_quotas
      WHERE selection_run_id = ${runId} AND parent_number IS NOT NULL GROUP BY parent_number) s
    WHERE q.selection_run_id = ${runId} AND q.number = s.parent_number`.execute(tx)
}

async function countEntries(tx: Tx, runId: string) {
  const { rows } = await sql<{ applicants: number; placed: number; held: number; kept: number; reserve: number }>`
    SELECT count(DISTINCT registration_id)::int AS applicants,
      count(*) FILTER (WHERE outcome IN ('placed', 'held', 'kept'))::int AS placed,
      count(*) FILTER (WHERE outcome = 'held')::int AS held,
      count(*) FILTER (WHERE outcome = 'kept')::int AS kept,
      count(DISTINCT registration_id) FILTER (WHERE outcome = 'reserve')::int AS reserve
    FROM selection_entries WHERE selection_run_id = ${runId}`.execute(tx)
  return theOnly(rows)
}
