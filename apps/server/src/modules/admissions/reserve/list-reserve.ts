import { sql } from 'kysely'
import { listReservePlaces } from '#domain/admissions/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { placesTaken } from '#server/modules/admissions/places.ts'
import { selectionOutcomeIsVisible } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

const placesFree = sql<number>`coalesce((SELECT greatest(d.capacity - ${placesTaken(sql`d.programme_id`, sql`d`)}, 0)
  FROM programme_details d WHERE d.active AND d.programme_id = p.programme_id AND d.wave_id = r.wave_id
    AND d.class_programme_id = p.class_programme_id AND d.entry_level_id = r.entry_level_id), 0)`

/** Lists reserve places in programmes of the actor's role. An offer of a place is public at once. */
export const serveReservePlaces = (app: App, services: Services) =>
  serveList(app, services, listReservePlaces, {
    from: () =>
      services.db
        .selectFrom('reservePlaces as p')
        .innerJoin('registrations as r', 'r.id', 'p.registrationId')
        .innerJoin('studyProgrammes as s', 's.id', 'p.programmeId')
        .innerJoin('classProgrammes as c', 'c.id', 'p.classProgrammeId')
        .innerJoin('tracks as t', 't.id', 'r.trackId')
        .leftJoin('tracks as l', 'l.id', 'p.trackId')
        .innerJoin('selectionRuns as n', 'n.id', 'p.selectionRunId'),
    scope: ({ actor, now }) => [
      programmeVisibleTo(actor, 'p.programme_id'),
      sql<boolean>`(p.offered_at IS NOT NULL OR ${selectionOutcomeIsVisible(actor, now, 'n')})`,
    ],
    filters: {
      q: (q, { actor }) => registrationMatches(actor, q),
      status: 'p.status',
      waveId: 'r.waveId',
      programmeId: 'p.programmeId',
      classProgrammeId: 'p.classProgrammeId',
      trackId: 'r.trackId',
    },
    columns: (rows) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('waves as w', 'w.id', 'r.waveId')
        .select(['p.id', 'p.registrationId', 'p.rank', 'a.fullName as name', 'r.code', 's.name as programme'])
        .select([
          'c.name as classProgramme',
          't.name as track',
          'l.name as listTrack',
          'w.name as wave',
          'p.status',
          'p.offeredAt',
          'p.dueAt',
        ])
        .select(['p.endedAt', 'p.endedReason', placesFree.as('placesFree')]),
    sorts: {
      list: {
        by: sql`concat_ws(' ', s.name, p.programme_id, c.code, l.code, lpad(p.rank::text, 9, '0'))`,
        type: 'text',
      },
    },
    id: sql`p.id`,
  })
