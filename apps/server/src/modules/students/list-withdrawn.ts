import { sql } from 'kysely'
import { listWithdrawnNumbers } from '#domain/students/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

export const serveWithdrawnNumbers = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listWithdrawnNumbers, {
    from: () =>
      db.selectFrom('withdrawnStudentNumbers as w').innerJoin('registrations as r', 'r.id', 'w.registrationId'),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      q: (q, { actor }) => sql<boolean>`(w.npm LIKE ${likePattern(q)} OR ${registrationMatches(actor, q)})`,
      programmeId: 'w.programmeId',
    },
    rows: () =>
      db
        .selectFrom('withdrawnStudentNumbers as w')
        .innerJoin('registrations as r', 'r.id', 'w.registrationId')
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('studyProgrammes as p', 'p.id', 'w.programmeId')
        .innerJoin('accounts as u', 'u.id', 'w.withdrawnBy')
        .select(['w.npm', 'w.registrationId', 'r.code', 'a.fullName as name', 'p.name as programme'])
        .select(['w.issuedAt', 'w.withdrawnAt', 'u.name as withdrawnBy', 'w.reason']),
    sorts: {
      withdrawnAt: { by: sql`w.withdrawn_at`, type: 'timestamptz' },
      npm: { by: sql`w.npm`, type: 'text' },
    },
    id: sql`w.id`,
  })
}
