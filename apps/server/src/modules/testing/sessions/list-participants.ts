import { sql } from 'kysely'
import { listParticipants } from '#domain/testing/sessions/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { seatLabel } from '#server/modules/testing/rooms/seat-people.ts'
import { programmeSql } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { getSession } from './read-session.ts'

/** Participants of a session whose registrations the actor sees; special needs only for roles that arrange tests. */
export const serveParticipants = (app: App, services: Services) =>
  serveList(app, services, listParticipants, {
    from: () =>
      services.db
        .selectFrom('testSeats as p')
        .innerJoin('registrations as r', 'r.id', 'p.registrationId')
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .leftJoin('testSessionRooms as o', 'o.id', 'p.roomId')
        .where('p.status', '<>', 'released'),
    scope: async ({ actor, params, now }) => {
      await getSession(services.db, params.id, now)
      return [sql<boolean>`p.test_session_id = ${params.id}`, visibleTo(actor)]
    },
    filters: {
      status: 'p.status',
      seated: (seated) => (eb) => eb('p.roomId', seated === 'true' ? 'is not' : 'is', null),
      q: (q, { actor }) => registrationMatches(actor, q),
    },
    columns: (rows, { actor, now }) =>
      rows
        .innerJoin('tracks as t', 't.id', 'r.trackId')
        .leftJoin('schools as s', 's.id', 'a.schoolId')
        .leftJoin('studyProgrammes as d', (join) => join.on('d.id', '=', programmeSql(actor, now)))
        .select(['p.id', 'r.id as registrationId', 'a.fullName as name', 'r.code', 'd.name as programme'])
        .select(['s.name as school', 't.name as track', 'p.status', 'o.name as room', 'p.seatNumber', 'o.seatColumns'])
        .select(['p.bookedAt', 'a.specialNeeds']),
    sorts: {
      name: { by: sql`lower(a.full_name)`, type: 'text' },
      code: { by: sql`r.code`, type: 'text' },
      room: {
        by: sql`(coalesce(lpad(o.position::text, 5, '0'), '99999') || lpad(coalesce(p.seat_number, 0)::text, 6, '0'))`,
        type: 'text',
      },
      bookedAt: { by: sql`p.booked_at` },
    },
    id: sql`p.id`,
    exact: true,
    above: async ({ params, now, language }) => {
      const { name } = await getSession(services.db, params.id, now)
      return { label: sentences(language)('test-sessions:session'), value: name }
    },
    toRows: (found, { actor }) =>
      found.map(({ seatNumber, seatColumns, specialNeeds, ...row }) => ({
        ...row,
        seat: seatNumber === null ? null : seatLabel(seatNumber, seatColumns),
        needs: actor.permissions.has('jadwal-test-update') ? specialNeeds : null,
      })),
  })
