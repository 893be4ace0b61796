import { sql } from 'kysely'
import { listProgrammeRequests } from '#domain/admissions/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { placesTaken } from '#server/modules/admissions/places.ts'
import { programmeSql } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { programmeVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { nameOf } from './list-changes.ts'

const placesFree = sql<number>`coalesce((SELECT greatest(d.capacity - ${placesTaken(sql`d.programme_id`, sql`d`)}, 0)
  FROM programme_details d WHERE d.active AND d.open AND d.programme_id = q.programme_id AND d.wave_id = r.wave_id
    AND d.class_programme_id = q.class_programme_id AND d.entry_level_id = r.entry_level_id), 0)`

/** Lists programme requests of registrations the actor may see; applicants see their own. */
export const serveRequests = (app: App, services: Services) =>
  serveList(app, services, listProgrammeRequests, {
    from: () =>
      services.db.selectFrom('programmeRequests as q').innerJoin('registrations as r', 'r.id', 'q.registrationId'),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      q: (q, { actor }) => registrationMatches(actor, q),
      status: 'q.status',
      programmeId: 'q.programmeId',
      waveId: 'r.waveId',
    },
    columns: (rows, { actor, now }) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('classProgrammes as c', 'c.id', 'q.classProgrammeId')
        .leftJoin('studyProgrammes as f', (join) =>
          join.on('f.id', '=', programmeSql(actor, now)).on(programmeVisibleTo(actor, 'f.id')),
        )
        .select(['q.id', 'q.registrationId', 'r.code as registrationCode', 'a.fullName as applicantName'])
        .select(['f.name as from', 'c.name as toClass', 'q.programmeId', 'q.classProgrammeId', 'q.difference'])
        .select(['q.reason', 'q.status', 'q.askedAt', 'q.answer', placesFree.as('placesFree')])
        .select(nameOf(actor, 'q.programme_id').as('to')),
    sorts: { askedAt: { by: sql`q.asked_at`, type: 'timestamptz' } },
    id: sql`q.id`,
  })
