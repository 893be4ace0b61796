import { sql } from 'kysely'
import type { z } from 'zod'
import type { QuotaGrid, saveQuotaGrid } from '#domain/selection/quota-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { isCandidate } from './candidate.ts'

type Detail = Omit<QuotaGrid, 'tracks' | 'candidates' | 'refusal'> & { waveId: string; entryLevelId: string }

const findDetail = async (db: Db, actor: Actor, id: string) =>
  (
    await sql<Detail>`SELECT d.id, d.version, d.capacity, d.over_offer, d.wave_id, d.entry_level_id, p.name AS programme,
        w.name || ' ' || w.academic_year AS wave, c.name AS class_programme, e.name AS entry_level,
        (SELECT count(*)::int FROM registrations r WHERE r.wave_id = d.wave_id AND r.programme_id = d.programme_id
          AND r.class_programme_id = d.class_programme_id AND r.entry_level_id = d.entry_level_id
          AND r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled')) AS accepted
      FROM programme_details d JOIN study_programmes p ON p.id = d.programme_id JOIN waves w ON w.id = d.wave_id
      JOIN class_programmes c ON c.id = d.class_programme_id JOIN entry_levels e ON e.id = d.entry_level_id
      WHERE d.id = ${id} AND ${programmeVisibleTo(actor, 'd.programmeId')}`.execute(db)
  ).rows[0]

const candidatesOf = async (db: Db, actor: Actor, now: Date, id: string) =>
  (
    await sql<QuotaGrid['candidates'][number]>`
      SELECT t.id AS track_id, t.name, k.quota AS submission_limit,
        (SELECT count(DISTINCT r.id)::int FROM registrations r
          JOIN registration_choices c ON c.registration_id = r.id AND c.programme_id = d.programme_id
          WHERE r.wave_id = d.wave_id AND r.class_programme_id = d.class_programme_id
            AND r.entry_level_id = d.entry_level_id AND r.track_id = t.id
            AND ${isCandidate(actor, now)}) AS applicants,
        (SELECT count(*)::int FROM registrations r WHERE r.wave_id = d.wave_id AND r.programme_id = d.programme_id
          AND r.class_programme_id = d.class_programme_id AND r.entry_level_id = d.entry_level_id AND r.track_id = t.id
          AND r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled')) AS accepted
      FROM programme_details d
      JOIN track_details k ON k.wave_id = d.wave_id AND k.entry_level_id = d.entry_level_id
      JOIN tracks t ON t.id = k.track_id
      WHERE d.id = ${id} ORDER BY t.name, t.id`.execute(db)
  ).rows

const quotasOf = (db: Db, id: string) =>
  db
    .selectFrom('trackQuotas as q')
    .innerJoin('tracks as t', 't.id', 'q.trackId')
    .select(['q.trackId', 't.name', 'q.places', 'q.spillTurn'])
    .where('q.programmeDetailId', '=', id)
    .orderBy(sql`q.spill_turn NULLS LAST`)
    .orderBy('t.name')
    .execute()

/** Division of a programme's places by track; 404 outside the reader's programmes. */
export async function readGrid(
  { db, clock }: Services,
  actor: Actor,
  language: Language,
  id: string,
): Promise<QuotaGrid> {
  const detail = await findDetail(db, actor, id)
  if (!detail) throw notFound('quota')
  const { waveId: _wave, entryLevelId: _level, ...grid } = detail
  const mayChange = actor.permissions.has('seleksi-update')
  return {
    ...grid,
    tracks: await quotasOf(db, id),
    candidates: await candidatesOf(db, actor, clock.now(), id),
    refusal: mayChange ? null : sentences(language)('errors:forbidden'),
  }
}

export type Division = z.output<typeof saveQuotaGrid.body>

/** Saves a programme's division and over-offer; 409 `stale_version`, 422 if the tracks' places exceed the capacity. */
export const saveGrid = (services: Services, actor: Actor, id: string, division: Division) =>
  inTransaction(services, actor, (context) => writeDivision(context, id, division))

/**
 * Locks the row with the capacity and replaces the quotas of its tracks. With `waveId`, 404 for a programme of another
 * wave.
 */
export async function writeDivision(
  { tx, services: { clock }, actor }: Context,
  id: string,
  { version, overOffer, tracks }: Division,
  waveId?: string,
) {
  requirePermission(actor, 'seleksi-update')
  const detail = await tx
    .selectFrom('programmeDetails as d')
    .innerJoin('studyProgrammes as p', 'p.id', 'd.programmeId')
    .select(['d.version', 'd.capacity', 'd.overOffer', 'd.waveId', 'd.entryLevelId', 'p.name'])
    .where('d.id', '=', id)
    .where(programmeVisibleTo(actor, 'd.programmeId'))
    .$call((rows) => (waveId === undefined ? rows : rows.where('d.waveId', '=', waveId)))
    .forNoKeyUpdate('d')
    .executeTakeFirst()
  if (!detail) throw notFound('quota')
  if (detail.version !== version) throw conflict('stale_version')
  const { capacity, name: programme } = detail
  if (tracks.reduce((sum, { places }) => sum + places, 0) > capacity)
    throw invalid(
      waveId
        ? { programmes: { code: 'quotas_of_programme_above_capacity', params: { programme, capacity } } }
        : { tracks: { code: 'quotas_above_capacity', params: { capacity } } },
    )
  await requireTracks(tx, detail, tracks)
  const before = { overOffer: detail.overOffer, tracks: await quotasOf(tx, id) }
  await tx.deleteFrom('trackQuotas').where('programmeDetailId', '=', id).execute()
  if (tracks.length > 0)
    await tx
      .insertInto('trackQuotas')
      .values(tracks.map((track) => ({ programmeDetailId: id, ...track })))
      .execute()
  await tx
    .updateTable('programmeDetails')
    .set({ overOffer, version: version + 1, updatedAt: clock.now() })
    .where('id', '=', id)
    .execute()
  await recordAudit(tx, actor, {
    action: 'quota.update',
    on: { 'prodi-detail': id },
    before,
    after: { overOffer, tracks },
  })
}

type Place = { waveId: string; entryLevelId: string }

/** Throws 422 for a track that the wave does not offer for this entry level. */
async function requireTracks(tx: Tx, { waveId, entryLevelId }: Place, tracks: Division['tracks']) {
  const offered = await tx
    .selectFrom('trackDetails')
    .select('trackId')
    .where('waveId', '=', waveId)
    .where('entryLevelId', '=', entryLevelId)
    .execute()
  const known = new Set(offered.map(({ trackId }) => trackId))
  if (!tracks.every(({ trackId }) => known.has(trackId))) throw invalid({ tracks: 'not_found' })
}
