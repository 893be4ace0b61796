import { sql } from 'kysely'
import type { SelectionRules } from '#domain/selection/rules.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { academicOf } from './admissions.ts'

/**
 * Reserve list of an adopted selection for a study programme and a track (null: all tracks): these registrations in
 * rank order.
 */
export async function aReserveList(
  t: TestApp,
  programmeId: string,
  trackId: string | null,
  registrationIds: readonly string[],
) {
  const { wave, classProgramme, tracks } = await academicOf(t)
  const selectionRunId = crypto.randomUUID()
  const now = t.clock.now().toISOString()
  const run = {
    id: selectionRunId,
    wave_id: wave,
    name: 'Seleksi',
    status: 'adopted',
    rules: rulesOf(trackId ?? tracks.regular),
    input_hash: 'input',
    output_hash: 'output',
    verified_hash: 'output',
    verified_at: now,
    version: 1,
    created_at: now,
    adopted_at: now,
    adopted_by: (await t.db.selectFrom('accounts').select('id').limit(1).executeTakeFirstOrThrow()).id,
  }
  await sql`INSERT INTO selection_runs
    SELECT * FROM jsonb_populate_record(NULL::selection_runs, ${JSON.stringify(run)}::jsonb)`.execute(t.db)
  const places = await t.db
    .insertInto('reservePlaces')
    .values(
      registrationIds.map((registrationId, index) => ({
        selectionRunId,
        registrationId,
        programmeId,
        classProgrammeId: classProgramme,
        trackId,
        rank: index + 1,
      })),
    )
    .returning(['id', 'rank'])
    .execute()
  const list = { waveId: wave, programmeId, classProgrammeId: classProgramme, trackId }
  return { list, ids: places.sort((a, b) => a.rank - b.rank).map(({ id }) => id) }
}

const rulesOf = (trackId: string): SelectionRules => ({
  method: 'deferred_acceptance',
  tracks: [{ trackId, ties: 'lot' }],
  ties: 'lot',
  criteria: [{ trackId, programmeId: null, tests: [] }],
  reservePercent: 100,
  lotSeed: 'undian',
  holds: [],
  places: [],
})

/** Statuses of the reserve places of a list in the order of their ranks. */
export const reserveStatuses = async (t: TestApp, ids: readonly string[]) =>
  (
    await sql<{
      status: string
    }>`SELECT status FROM reserve_places WHERE id = ANY(${[...ids]}::uuid[]) ORDER BY rank`.execute(t.db)
  ).rows.map(({ status }) => status)

/** A reserve place and a request for another programme, of a registration whose rows nobody else may see. */
export async function reserveAndRequestOf(
  t: TestApp,
  registrationId: string,
  programmeId: string,
  reason = 'alasan contoh',
) {
  const { classProgramme, tracks } = await academicOf(t)
  const { ids } = await aReserveList(t, programmeId, tracks.regular, [registrationId])
  const request = await t.db
    .insertInto('programmeRequests')
    .values({
      registrationId,
      programmeId,
      classProgrammeId: classProgramme,
      reason,
      difference: 0,
      askedAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { reservePlace: ids[0]!, programmeRequest: request.id }
}
