import { sql } from 'kysely'
import type { z } from 'zod'
import type { setPublication as setPublicationCall } from '#domain/admissions/endpoints.ts'
import type { Publication } from '#domain/admissions/schemas.ts'
import { theOnly } from '#domain/must.ts'
import type { Language } from '#entities/define/language.ts'
import { shareCount } from '#server/list/count-rows.ts'
import { pinScoreRun } from '#server/modules/scores/pin-score-run.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished, joinPublications, seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { hiddenFrom, isLimited, programmeVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import type { Context } from '#server/platform/use-case.ts'
import { announceResultsJob } from './announce-results.job.ts'
import { lockPublications } from './appearance.ts'

type Dates = 'publishedAt' | 'publishAt' | 'announcedAt' | 'plannedAt'
type Counts = Pick<Publication, 'accepted' | 'notAccepted' | 'waiting' | 'undecided'>
type Row = Omit<Publication, Dates | 'refusal' | keyof Counts> & { [D in Dates]: Date | null } & {
  /** Number of the last public publication; 0 before the first. */
  last: number
  outside: boolean
}
type PublicationFilter = { waveId?: string | undefined; trackId?: string }

/**
 * Whether wave and track `k` have, or may get, registrations hidden from the actor, who then may not publish the
 * results.
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

/** Every wave and track with dates, newest wave first. */
async function findPublications(db: Db, actor: Actor, filter: PublicationFilter, now: Date) {
  const { rows } = await sql<Row>`
    SELECT w.id AS wave_id, w.name || ' ' || w.academic_year AS wave, t.id AS track_id, t.name AS track, pubs.published_at,
      pubs.publish_at, pubs.announced_at, pubs.last, coalesce(k.planned_at, w.results_at) AS planned_at, pubs.version,
      ${reachesOutside(actor)} AS outside
    FROM (SELECT d.wave_id, d.track_id, min(d.results_at) AS planned_at FROM track_details d GROUP BY 1, 2) k
    JOIN waves w ON w.id = k.wave_id
    JOIN tracks t ON t.id = k.track_id
    ${joinPublications(now, 'k')}
    WHERE ${filter.waveId ? sql`k.wave_id = ${filter.waveId}` : sql`w.active`}
      AND ${filter.trackId ? sql`k.track_id = ${filter.trackId}` : sql`true`}
    ORDER BY w.opens_at DESC, t.name LIMIT 500`.execute(db)
  return rows
}

/** Whether registration `r` has a decision that waits for a publication. */
const waits = (now: Date) => sql<boolean>`(r.status = 'decided' AND NOT ${isPublished(now)})`

/** Numbers of results by wave and track. Actors who see the same rows share a large count for some seconds. */
async function countResults(db: Db, actor: Actor, { waveId, trackId }: PublicationFilter, now: Date) {
  const count = () =>
    sql<Counts & { waveId: string; trackId: string; all: number }>`
      SELECT r.wave_id, r.track_id, count(*)::int AS all,
        count(*) FILTER (WHERE r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled'))::int AS accepted,
        count(*) FILTER (WHERE r.decision = 'not_accepted' AND r.status = 'decided')::int AS not_accepted,
        count(*) FILTER (WHERE ${waits(now)})::int AS waiting,
        count(*) FILTER (WHERE r.status IN ('paid', 'verified'))::int AS undecided
      FROM registrations r
      WHERE ${waveId ? sql`r.wave_id = ${waveId}` : sql`r.wave_id IN (SELECT id FROM waves WHERE active)`}
        AND ${trackId ? sql`r.track_id = ${trackId}` : sql`true`} AND ${visibleTo(actor)}
      GROUP BY r.wave_id, r.track_id`.execute(db)
  const key = JSON.stringify(['results', waveId, trackId, actor.scope, seesUnpublished(actor)])
  const { rows } = await shareCount(db, key, count, (found) => found.rows.reduce((sum, { all }) => sum + all, 0))
  return new Map(rows.map(({ waveId, trackId, all: _, ...counts }) => [`${waveId}/${trackId}`, counts]))
}

export async function listPublications(
  { db, clock }: Services,
  actor: Actor,
  language: Language,
  filter: PublicationFilter,
) {
  const refusal = sentences(language)('errors:published_by_whole')
  const now = clock.now()
  const [rows, counts] = await Promise.all([
    findPublications(db, actor, filter, now),
    countResults(db, actor, filter, now),
  ])
  const none: Counts = { accepted: 0, notAccepted: 0, waiting: 0, undecided: 0 }
  return rows.map(({ outside, last: _, ...row }) => ({
    ...row,
    ...(counts.get(`${row.waveId}/${row.trackId}`) ?? none),
    refusal: outside ? refusal : null,
  }))
}

type PublicationRequest = z.output<typeof setPublicationCall.body>

/**
 * Sets or removes the time of the next publication. 409 `already_published` if results are public and no decision
 * waits; 409 `results_changed` when publishing at once and the number of waiting decisions differs from `waiting`.
 */
export async function setPublication(
  services: Services,
  actor: Actor,
  language: Language,
  { waveId, trackId, publishAt, waiting, version }: PublicationRequest,
) {
  await services.db.transaction().execute(async (tx) => {
    await lockPublications(tx, waveId, 'publish')
    const now = services.clock.now()
    const [found] = await findPublications(tx, actor, { waveId, trackId }, now)
    if (!found) throw notFound('publication')
    if (found.outside) throw new AppError(403, 'published_by_whole')
    if (found.version !== version) throw conflict('stale_version')
    const count = await countWaiting(tx, waveId, trackId, now)
    if (found.publishedAt && !found.publishAt && count === 0) throw conflict('already_published')
    // The browser's clock may be slow, but a publication must not be older than the decisions it shows.
    const publishTime = publishAt ? latestOf(new Date(publishAt), now) : null
    if (publishTime && publishTime <= now && waiting !== undefined && waiting !== count)
      throw conflict('results_changed', { count })
    const number = found.last + 1
    await savePublication(tx, actor, { waveId, trackId, number, publishTime })
    if (publishTime) await pinScoreRun(tx, waveId, trackId, now)
    await recordAudit(tx, actor, {
      action: 'results.publish',
      on: { publication: `${waveId}/${trackId}` },
      before: found.publishAt ? { publishAt: found.publishAt } : null,
      after: { publishAt: publishTime, number, waiting: count },
    })
    if (publishTime)
      await services.jobs.enqueue(
        tx,
        announceResultsJob,
        { waveId, trackId },
        publishTime > now ? { startAfter: publishTime } : {},
      )
  })
  return theOnly(await listPublications(services, actor, language, { waveId, trackId }))
}

const latestOf = (a: Date, b: Date) => (b > a ? b : a)

async function countWaiting(tx: Tx, waveId: string, trackId: string, now: Date) {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM registrations r
    WHERE r.wave_id = ${waveId} AND r.track_id = ${trackId} AND ${waits(now)}`.execute(tx)
  return theOnly(rows).count
}

type NextPublication = { waveId: string; trackId: string; number: number; publishTime: Date | null }

/** Writes the next publication after the last public one; removes it if `publishTime` is null. */
async function savePublication(tx: Tx, actor: Actor, { waveId, trackId, number, publishTime }: NextPublication) {
  if (publishTime)
    await tx
      .insertInto('resultPublications')
      .values({ waveId, trackId, number, publishAt: publishTime, publishedBy: actor.accountId })
      .onConflict((planned) =>
        planned.columns(['waveId', 'trackId', 'number']).doUpdateSet((eb) => ({
          publishAt: publishTime,
          publishedBy: actor.accountId,
          version: eb('resultPublications.version', '+', 1),
          announcedAt: null,
        })),
      )
      .execute()
  else
    await tx
      .deleteFrom('resultPublications')
      .where('waveId', '=', waveId)
      .where('trackId', '=', trackId)
      .where('number', '=', number)
      .execute()
}

/** Announces the registration's decision if it is already public. */
export async function announceIfPublished({ tx, services }: Omit<Context, 'actor'>, id: string) {
  const now = services.clock.now()
  const published = await tx
    .selectFrom('registrations as r')
    .select(['r.waveId', 'r.trackId'])
    .where('r.id', '=', id)
    .where(isPublished(now))
    .executeTakeFirst()
  if (published) await services.jobs.enqueue(tx, announceResultsJob, published)
}
