import { sql } from 'kysely'
import type { TuitionGrid } from '#domain/fees/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { reachesProgramme } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/** A programme; 404 if it is outside the actor's role. `lock` makes saves of its tuition run one after the other. */
export async function getProgramme(db: Db, actor: Actor, id: string, lock = false) {
  const programme = await db
    .selectFrom('studyProgrammes')
    .select(['id', 'code', 'name'])
    .where('id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!programme || !reachesProgramme(actor, id)) throw notFound('prodi')
  return programme
}

const wavesFor = async (db: Db, programmeId: string) =>
  (
    await sql<{ id: string; title: string; active: boolean; rows: number }>`
      SELECT w.id, concat_ws(' · ', w.name, w.academic_year) AS title, w.active, count(f.id)::int AS rows
      FROM waves w LEFT JOIN tuition_fees f ON f.wave_id = w.id AND f.programme_id = ${programmeId}
      GROUP BY w.id HAVING w.active OR count(f.id) > 0
      ORDER BY w.opens_at DESC, w.id`.execute(db)
  ).rows

const tracksFor = async (db: Db, programmeId: string, waveId: string) =>
  (
    await sql<{ id: string; name: string; rows: number }>`
      SELECT t.id, t.name, count(f.id)::int AS rows
      FROM tracks t LEFT JOIN tuition_fees f ON f.track_id = t.id AND f.wave_id = ${waveId} AND f.programme_id = ${programmeId}
      GROUP BY t.id HAVING t.active OR count(f.id) > 0
      ORDER BY t.code`.execute(db)
  ).rows

/** Active classes and classes with an amount; those the programme offers come first. */
const classesFor = async (db: Db, programmeId: string, waveId: string) =>
  (
    await sql<{ id: string; code: string; name: string; offered: boolean }>`
      SELECT * FROM (
        SELECT c.id, c.code, c.name, c.active,
          EXISTS (SELECT 1 FROM programme_details d WHERE d.class_programme_id = c.id AND d.wave_id = ${waveId}
                  AND d.programme_id = ${programmeId} AND d.active) AS offered,
          EXISTS (SELECT 1 FROM tuition_fees f WHERE f.class_programme_id = c.id AND f.wave_id = ${waveId}
                  AND f.programme_id = ${programmeId}) AS priced
        FROM class_programmes c) found
      WHERE active OR priced OR offered
      ORDER BY offered DESC, code`.execute(db)
  ).rows.map(({ id, code, name, offered }) => ({ id, code, name, offered }))

const componentsFor = async (db: Db, programmeId: string, waveId: string) =>
  (
    await sql<{ id: string; code: string; name: string; recurrence: string }>`
      SELECT c.id, c.code, c.name, c.recurrence FROM fee_components c
      WHERE c.active OR EXISTS (SELECT 1 FROM tuition_fees f WHERE f.fee_component_id = c.id AND f.wave_id = ${waveId}
                                AND f.programme_id = ${programmeId})
      ORDER BY c.allocation_priority, c.code`.execute(db)
  ).rows

const cellColumns = [
  'id',
  'classProgrammeId',
  'feeComponentId',
  'amount',
  'installmentsAllowed',
  'active',
  'version',
] as const

/** Cells of a wave for a track; null for all tracks. */
export const cellsOf = (db: Db, programmeId: string, waveId: string, trackId: string | null) =>
  db
    .selectFrom('tuitionFees')
    .select(cellColumns)
    .where('programmeId', '=', programmeId)
    .where('waveId', '=', waveId)
    .where('trackId', trackId === null ? 'is' : '=', trackId)

/** Tuition of a programme as a grid; by default for the newest wave with amounts, else the newest wave. */
export async function readGrid(
  db: Db,
  actor: Actor,
  programmeId: string,
  selection: { waveId?: string | undefined; trackId?: string | null | undefined },
): Promise<TuitionGrid> {
  const programme = await getProgramme(db, actor, programmeId)
  const waves = await wavesFor(db, programmeId)
  const wave = selection.waveId
    ? waves.find(({ id }) => id === selection.waveId)
    : (waves.find(({ rows, active }) => rows > 0 && active) ?? waves[0])
  if (!wave) throw notFound('periode')
  const trackId = selection.trackId ?? null
  const [tracks, classProgrammes, components, cells, everyTrack] = await Promise.all([
    tracksFor(db, programmeId, wave.id),
    classesFor(db, programmeId, wave.id),
    componentsFor(db, programmeId, wave.id),
    cellsOf(db, programmeId, wave.id, trackId).execute(),
    trackId === null ? [] : cellsOf(db, programmeId, wave.id, null).where('active', '=', true).execute(),
  ])
  if (trackId !== null && !tracks.some(({ id }) => id === trackId)) throw notFound('jalur')
  return { programme, waveId: wave.id, trackId, waves, tracks, classProgrammes, components, cells, everyTrack }
}
