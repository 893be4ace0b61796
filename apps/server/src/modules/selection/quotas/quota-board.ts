import { type NotNull, sql } from 'kysely'
import { listQuotas } from '#domain/selection/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import { contains } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { isCandidate } from './candidate.ts'

/** Number of registrations for a row of the board: of its programme, and of its track if the row is a track's quota. */
const countOf = (condition: string, wave = sql`r.wave_id = q.wave_id`) => sql<number>`(SELECT count(*)::int
  FROM registrations r WHERE ${wave} AND r.programme_id = q.programme_id AND r.class_programme_id = q.class_programme_id
    AND r.entry_level_id = q.entry_level_id AND (q.track_id IS NULL OR r.track_id = q.track_id) AND ${sql.raw(condition)})`

const isAccepted = `r.decision = 'accepted' AND r.status IN ('decided', 'confirmed', 'enrolled')`
const isConfirmed = `r.status IN ('confirmed', 'enrolled')`

const accepted = countOf(isAccepted)
const confirmed = countOf(isConfirmed)
/** Acceptances of earlier waves that were declined or never confirmed still count as accepted. */
const earlierWaves = sql`r.wave_id IN (SELECT o.id FROM waves o WHERE o.opens_at < q.opens_at)`
const share = (now: Date) => sql`(SELECT count(*) FILTER (WHERE ${sql.raw(isConfirmed)})::float8 / nullif(count(*), 0)
  FROM registrations r WHERE ${earlierWaves} AND r.accepted_programme_id = q.programme_id AND r.decision = 'accepted'
    AND (r.closed_at IS NULL OR ${isPublished(now)}) AND (q.track_id IS NULL OR r.track_id = q.track_id))`
const applicants = (actor: Actor, now: Date) => sql<number>`(SELECT count(DISTINCT r.id)::int FROM registrations r
  JOIN registration_choices c ON c.registration_id = r.id AND c.programme_id = q.programme_id
  WHERE r.wave_id = q.wave_id AND r.class_programme_id = q.class_programme_id AND r.entry_level_id = q.entry_level_id
    AND (q.track_id IS NULL OR r.track_id = q.track_id) AND ${isCandidate(actor, now)})`

/** PostgreSQL does not say which columns of a view are never null. */
type NotNullColumns = Record<
  'id' | 'programmeDetailId' | 'wave' | 'programme' | 'classProgramme' | 'entryLevel' | 'places',
  NotNull
>

/** Lists programmes and their tracks with the numbers of places taken. */
export const serveQuotaBoard = (app: App, services: Services) =>
  serveList(app, services, listQuotas, {
    from: () => services.db.selectFrom('quotaBoard as q'),
    scope: ({ actor }) => programmeVisibleTo(actor, 'q.programmeId'),
    filters: {
      waveId: 'q.waveId',
      part: (part) => (eb) => eb('q.trackId', part === 'programme' ? 'is' : 'is not', null),
      programmeId: 'q.programmeId',
      classProgrammeId: 'q.classProgrammeId',
      trackId: 'q.trackId',
      q: (q) => contains(sql`concat_ws(' ', q.programme, q.track, q.class_programme, q.wave)`, q),
    },
    columns: (rows, { actor, now }) =>
      rows
        .select([
          'q.id',
          'q.programmeDetailId',
          'q.wave',
          'q.programme',
          'q.classProgramme',
          'q.entryLevel',
          'q.track',
          'q.places',
          'q.overOffer',
          'q.spillTurn',
        ])
        .$narrowType<NotNullColumns>()
        .select([applicants(actor, now).as('applicants'), accepted.as('accepted'), confirmed.as('confirmed')])
        .select(sql<number | null>`${share(now)}`.as('yield'))
        .select(sql<number>`q.places + coalesce(q.over_offer, 0) - ${accepted}`.as('free')),
    toRows: (found) =>
      found.map((row) => {
        const { accepted: all, confirmed: sure, yield: confirming } = row
        const expected = confirming === null ? null : Math.round(sure + (all - sure) * confirming)
        return { ...row, expected }
      }),
    sorts: {
      programme: { by: sql`q.sort_text`, type: 'text' },
      classProgramme: { by: sql`q.class_programme || ' ' || q.sort_text`, type: 'text' },
      wave: { by: sql`q.wave || ' ' || q.sort_text`, type: 'text' },
      places: { by: sql`q.places`, type: 'integer' },
    },
    id: sql`q.id`,
  })
