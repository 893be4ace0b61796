import { sql } from 'kysely'
import { listSelectionMoves, listSelectionRuns } from '#domain/selection/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { selectionOutcomeIsVisible } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { contains } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

const countIn = (name: string) => sql<number | null>`(s.counts->>${sql.lit(name)})::int`

/** Lists simulated and adopted selections. */
export const serveRuns = (app: App, services: Services) =>
  serveList(app, services, listSelectionRuns, {
    from: () => services.db.selectFrom('selectionRuns as s').innerJoin('waves as w', 'w.id', 's.waveId'),
    scope: 'everyone',
    filters: {
      waveId: 's.waveId',
      status: 's.status',
      q: (q) => contains(sql`s.name || ' ' || w.name`, q),
    },
    columns: (rows) =>
      rows
        .leftJoin('accounts as u', 'u.id', 's.createdBy')
        .select(['s.id', 's.name', 's.status', 's.createdAt', 's.adoptedAt', 'u.name as createdBy'])
        .select(sql<string>`w.name || ' ' || w.academic_year`.as('wave'))
        .select(sql<boolean>`s.verified_at IS NOT NULL`.as('verified'))
        .select([
          countIn('applicants').as('applicants'),
          countIn('placed').as('placed'),
          countIn('reserve').as('reserve'),
        ]),
    sorts: {
      createdAt: { by: sql`s.created_at`, type: 'timestamptz' },
      name: { by: sql`lower(s.name)`, type: 'text' },
    },
    id: sql`s.id`,
  })

/** Lists applicants whose place differs between the runs `otherId` and `id`. */
export const serveMoves = (app: App, services: Services) =>
  serveList(app, services, listSelectionMoves, {
    from: ({ params: { id, otherId } }) =>
      services.db
        .selectFrom(
          sql<{
            registrationId: string
            beforeId: string | null
            afterId: string | null
            kind: 'gained' | 'lost' | 'moved'
          }>`(SELECT coalesce(a.registration_id, b.registration_id) AS registration_id, b.programme_id AS before_id,
              a.programme_id AS after_id,
              CASE WHEN b.programme_id IS NULL THEN 'gained' WHEN a.programme_id IS NULL THEN 'lost' ELSE 'moved' END AS kind
            FROM (SELECT registration_id, programme_id FROM selection_entries
              WHERE selection_run_id = ${id} AND outcome IN ('placed', 'held', 'kept')) a
            FULL JOIN (SELECT registration_id, programme_id FROM selection_entries
              WHERE selection_run_id = ${otherId} AND outcome IN ('placed', 'held', 'kept')) b
              ON b.registration_id = a.registration_id
            WHERE a.programme_id IS DISTINCT FROM b.programme_id)`.as('m'),
        )
        .innerJoin('registrations as r', 'r.id', 'm.registrationId'),
    scope: ({ actor, params: { id, otherId }, now }) => [
      visibleTo(actor),
      sql<boolean>`NOT EXISTS (SELECT FROM selection_runs n WHERE n.id IN (${id}, ${otherId})
        AND NOT ${selectionOutcomeIsVisible(actor, now, 'n')})`,
    ],
    filters: {
      kind: (kind) => (eb) => eb('m.kind', '=', kind),
      q: (q, { actor }) => registrationMatches(actor, q),
    },
    columns: (rows) =>
      rows
        .innerJoin('applicants as p', 'p.id', 'r.applicantId')
        .innerJoin('tracks as t', 't.id', 'r.trackId')
        .select(['r.id', 'r.code', 'p.fullName as name', 't.name as track', 'm.kind'])
        .select(sql<string | null>`(SELECT name FROM study_programmes WHERE id = m.before_id)`.as('before'))
        .select(sql<string | null>`(SELECT name FROM study_programmes WHERE id = m.after_id)`.as('after')),
    sorts: { name: { by: sql`r.search_text`, type: 'text' } },
    id: sql`r.id`,
  })
