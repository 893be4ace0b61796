import { sql } from 'kysely'
import type { FiltersOf } from '#domain/list.ts'
import { listStudents } from '#domain/students/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { numberUnlocks } from '#server/modules/payments/bills/unlock.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { studentMatches, studentMatchesByRow } from './student-search.ts'

type Filters = FiltersOf<typeof listStudents>

/** SQL condition on `registrations r`: a card with the current student number was printed, or none yet. */
const hasCard = (card: NonNullable<Filters['card']>) => {
  const printed = sql<boolean>`EXISTS (SELECT FROM student_cards c JOIN students s ON s.npm = c.npm WHERE s.registration_id = r.id)`
  return card === 'printed' ? printed : sql<boolean>`r.status = 'enrolled' AND NOT ${printed}`
}

const isConfirmed = sql<boolean>`r.status IN ('confirmed', 'enrolled')`

/** The list of confirmed applicants and students. */
export const serveStudents = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listStudents, {
    from: () => db.selectFrom('registrations as r'),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      status: { find: (status) => (eb) => eb('r.status', '=', status), unset: () => isConfirmed },
      waveId: 'r.waveId',
      programmeId: 'r.programmeId',
      card: (card) => hasCard(card),
      q: {
        find: (q, { actor }) => studentMatches(actor, q),
        test: (q, { actor }) => studentMatchesByRow(actor, q),
      },
    },
    rows: () =>
      db
        .selectFrom('registrations as r')
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
        .innerJoin('waves as w', 'w.id', 'r.waveId')
        .leftJoin('students as s', 's.registrationId', 'r.id')
        .select(['r.id as registrationId', 'r.code', 'a.fullName as name', 'p.name as programme', 'w.name as wave'])
        .select(sql<number>`(SELECT count(*)::int FROM student_cards c WHERE c.npm = s.npm)`.as('cards'))
        .select(['s.npm', 's.issuedAt', sql<'confirmed' | 'enrolled'>`r.status`.as('status')]),
    sorts: { createdAt: { by: sql`r.created_at`, type: 'timestamptz' } },
    id: sql`r.id`,
    toRows: async (found, { connection, now }) => {
      const confirmed = found.filter(({ status }) => status === 'confirmed').map(({ registrationId }) => registrationId)
      const unlocks = await numberUnlocks(connection, confirmed, now)
      return found.map((row) => ({
        ...row,
        unlocked: row.status === 'enrolled' || unlocks.get(row.registrationId)?.missing === 0,
      }))
    },
  })
}
