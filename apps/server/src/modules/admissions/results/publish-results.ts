import { sql } from 'kysely'
import type { Publication } from '#domain/admissions/schemas.ts'
import type { Language } from '#entities/define/language.ts'
import { shareCount } from '#server/list/count-rows.ts'
import { pinScoreRun } from '#server/modules/scores/pin-score-run.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPast, isPublished, seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { hiddenFrom, isLimited, programmeVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { announceResultsJob } from './announce-results.job.ts'

type Dates = 'publishAt' | 'announcedAt' | 'plannedAt'
type Counts = Pick<Publication, 'accepted' | 'notAccepted' | 'undecided'>
type Row = Omit<Publication, Dates | 'refusal' | keyof Counts> & { [D in Dates]: Date | null } & { outside: boolean }
type PublicationFilter = { waveId?: string | undefined; trackId?: string }

/**
 * Whether the wave and track `k` have, or may come to have, registrations hidden from the actor. Only an actor who sees
 * all of them may publish the results.
 */
const reachesOutside = (actor: Actor) =>
  isLimited(actor)
    ? sql<boolean>`(EXISTS (SELECT FROM registrations r WHERE r.wave_id = k.wave_id AND r.track_id = k.track_id
          AND ${hiddenFrom(actor)})
        OR EXISTS (SELECT FROM programme_details o JOIN track_details d
          ON d.wave_id = o.wave_id AND d.entry_level_id = o.entry_level_id
          WHERE d.wave_id = k.wave_id AND d.track_id = k.track_id
            AND NOT ${programmeVisibleTo(actor, 'o.programme_id')}))`
    : sql<boolean>`false`

/** Finds every wave and track with a calendar, newest wave first. */
async function findPublications(db: Db, actor: Actor, filter: PublicationFilter) {
  const { rows } = await sql<Row>`
    SELECT w.id AS wave_id, w.name || ' ' || w.academic_year AS wave, t.id AS track_id, t.name AS track, rp.publish_at,
      rp.announced_at, coalesce(k.planned_at, w.results_at) AS planned_at, coalesce(rp.version, 0) AS version,
      ${reachesOutside(actor)} AS outside
    FROM (SELECT d.wave_id, d.track_id, min(d.results_at) AS planned_at FROM track_details d GROUP BY 1, 2) k
    JOIN waves w ON w.id = k.wave_id
    JOIN tracks t ON t.id = k.track_id
    LEFT JOIN result_publications rp ON rp.wave_id = k.wave_id AND rp.track_id = k.track_id
    WHERE ${filter.waveId ? sql`k.wave_id = ${filter.waveId}` : sql`w.active`}
      AND ${filter.trackId ? sql`k.track_id = ${filter.trackId}` : sql`true`}
    ORDER BY w.opens_at DESC, t.name LIMIT 500`.execute(db)
  return rows
}

/** Counts of results by wave and track; readers who see the same rows share a large count for some seconds. */
async function countResults(db: Db, actor: Actor, { waveId, trackId }: PublicationFilter) {
  const count = () =>
    sql<Counts & { waveId: string; trackId: string; all: number }>`
      SELECT r.wave_id, r.track_id, count(*)::int AS all,
        count(*) FILTER (WHERE r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled'))::int AS accepted,
        count(*) FILTER (WHERE r.decision = 'not_accepted' AND r.status = 'decided')::int AS not_accepted,
        count(*) FILTER (WHERE r.status IN ('paid', 'verified'))::int AS undecided
      FROM registrations r
      WHERE ${waveId ? sql`r.wave_id = ${waveId}` : sql`r.wave_id IN (SELECT id FROM waves WHERE active)`}
        AND ${trackId ? sql`r.track_id = ${trackId}` : sql`true`} AND ${visibleTo(actor)}
      GROUP BY r.wave_id, r.track_id`.execute(db)
  const key = JSON.stringify(['results', waveId, trackId, actor.scope, seesUnpublished(actor)])
  const { rows } = await shareCount(db, key, count, (found) => found.rows.reduce((sum, { all }) => sum + all, 0))
  return new Map(rows.map(({ waveId, trackId, all: _, ...counts }) => [`${waveId}/${trackId}`, counts]))
}

export async function listPublications(db: Db, actor: Actor, language: Language, filter: PublicationFilter) {
  const refusal = sentences(language)('errors:published_by_whole')
  const [rows, counts] = await Promise.all([findPublications(db, actor, filter), countResults(db, actor, filter)])
  const none: Counts = { accepted: 0, notAccepted: 0, undecided: 0 }
  return rows.map(({ outside, ...row }) => ({
    ...row,
    ...(counts.get(`${row.waveId}/${row.trackId}`) ?? none),
    refusal: outside ? refusal : null,
  }))
}

type PublicationRequest = { waveId: string; trackId: string; publishAt: string | null; version: number }

/** Sets or removes the time of publication; 409 `already_published` once it has passed. */
export async function setPublication(
  services: Services,
  actor: Actor,
  language: Language,
  { waveId, trackId, publishAt, version }: PublicationRequest,
) {
  const now = services.clock.now()
  const publishTime = publishAt ? new Date(publishAt) : null
  await services.db.transaction().execute(async (tx) => {
    const [publication] = await findPublications(tx, actor, { waveId, trackId })
    if (!publication) throw notFound('publication')
    if (publication.outside) throw new AppError(403, 'published_by_whole')
    const before = await tx
      .selectFrom('resultPublications')
      .selectAll()
      .where('waveId', '=', waveId)
      .where('trackId', '=', trackId)
      .forUpdate()
      .executeTakeFirst()
    if ((before?.version ?? 0) !== version) throw conflict('stale_version')
    if (before && isPast(before.publishAt, now)) throw conflict('already_published')
    await savePublication(tx, actor, { waveId, trackId, at: publishTime, version })
    if (publishTime) await pinScoreRun(tx, waveId, trackId, now)
    await recordAudit(
      tx,
      actor,
      'results.publish',
      { type: 'publication', id: `${waveId}/${trackId}` },
      { before: before ? { publishAt: before.publishAt } : null, after: { publishAt: publishTime } },
    )
    if (publishTime)
      await services.jobs.enqueue(
        tx,
        announceResultsJob,
        { waveId, trackId },
        publishTime > now ? { startAfter: publishTime } : {},
      )
  })
  const [row] = await listPublications(services.db, actor, language, { waveId, trackId })
  return row!
}

type PublicationRow = { waveId: string; trackId: string; at: Date | null; version: number }

async function savePublication(tx: Tx, actor: Actor, { waveId, trackId, at: publishTime, version }: PublicationRow) {
  if (!publishTime) {
    await tx.deleteFrom('resultPublications').where('waveId', '=', waveId).where('trackId', '=', trackId).execute()
    return
  }
  const saved = await tx
    .insertInto('resultPublications')
    .values({ waveId, trackId, publishAt: publishTime, publishedBy: actor.accountId, version: version + 1 })
    .onConflict((conflicting) =>
      conflicting
        .columns(['waveId', 'trackId'])
        .doUpdateSet({ publishAt: publishTime, publishedBy: actor.accountId, version: version + 1, announcedAt: null })
        .where('resultPublications.version', '=', version),
    )
    .returning('version')
    .executeTakeFirst()
  if (!saved) throw conflict('stale_version')
}

/** Announces a decision made after the publication, because it is public at once. */
export async function announceIfPublished(tx: Tx, services: Services, id: string) {
  const published = await tx
    .selectFrom('registrations as r')
    .select(['r.waveId', 'r.trackId'])
    .where('r.id', '=', id)
    .where(isPublished(services.clock.now()))
    .executeTakeFirst()
  if (published) await services.jobs.enqueue(tx, announceResultsJob, published)
}
