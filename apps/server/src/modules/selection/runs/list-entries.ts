import { sql } from 'kysely'
import { listSelectionEntries } from '#domain/selection/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { explainOutcome, type OutcomeFacts } from '#server/modules/selection/why.ts'
import { selectionOutcomeIsVisible } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

/** Lists every choice of a run's applicants, each with a sentence that explains its outcome. */
export const serveEntries = (app: App, services: Services) =>
  serveList(app, services, listSelectionEntries, {
    from: () =>
      services.db
        .selectFrom('selectionEntries as e')
        .innerJoin('registrations as r', 'r.id', 'e.registrationId')
        .innerJoin('selectionRuns as s', 's.id', 'e.selectionRunId'),
    scope: ({ actor, params, now }) => [
      sql<boolean>`e.selection_run_id = ${params.id}`,
      visibleTo(actor),
      selectionOutcomeIsVisible(actor, now, 's'),
    ],
    filters: {
      outcome: 'e.outcome',
      programmeId: 'e.programmeId',
      trackId: 'r.trackId',
      choice: (choice) => (eb) => eb('e.position', '=', Number(choice)),
      q: (q, { actor }) => registrationMatches(actor, q),
    },
    columns: (rows) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('studyProgrammes as p', 'p.id', 'e.programmeId')
        .innerJoin('classProgrammes as c', 'c.id', 'r.classProgrammeId')
        .innerJoin('tracks as t', 't.id', 'r.trackId')
        .innerJoin('selectionQuotas as n', (join) =>
          join.onRef('n.selectionRunId', '=', 'e.selectionRunId').onRef('n.number', '=', 'e.quotaNumber'),
        )
        .select(sql<string>`e.id::text`.as('id'))
        .select([
          'e.registrationId',
          'e.programmeId',
          'r.code',
          'a.fullName as name',
          'p.name as programme',
          'c.name as classProgramme',
          't.name as track',
          'e.position as choice',
          'e.rank',
          'e.reserveRank',
          'e.outcome',
          'n.places',
          'n.placed',
          'n.ties',
        ])
        .select([
          sql<number | null>`e.total::float8`.as('total'),
          sql<number | null>`n.last_total::float8`.as('lastTotal'),
          sql<number | null>`n.passing_grade::float8`.as('passingGrade'),
          sql<string | null>`(SELECT h->>'reason' FROM jsonb_array_elements(s.rules->'holds') h
            WHERE h->>'registrationId' = e.registration_id::text LIMIT 1)`.as('holdReason'),
        ]),
    toRows: (found, { language }) =>
      found.map(({ places, placed, ties, lastTotal, passingGrade, holdReason, ...row }) => ({
        ...row,
        why: explainOutcome(
          { ...row, places, placed, ties, lastTotal, passingGrade, holdReason } as OutcomeFacts,
          language,
        ),
      })),
    sorts: {
      rank: { by: sql`coalesce(e.rank, 2147483647)`, type: 'integer' },
      name: { by: sql`r.search_text`, type: 'text' },
      choice: { by: sql`e.position`, type: 'integer' },
      total: { by: sql`coalesce(e.total, -1)`, type: 'numeric' },
    },
    id: sql`e.id`,
    idType: 'bigint',
  })
