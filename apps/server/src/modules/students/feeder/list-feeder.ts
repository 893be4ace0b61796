import { type RawBuilder, sql } from 'kysely'
import type { FiltersOf } from '#domain/list.ts'
import type { FeederTarget } from '#domain/students/feeder/fields.ts'
import { type FeederState, listFeederResults, listFeederStudents } from '#domain/students/feeder/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import { studentMatches } from '#server/modules/students/student-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { readTarget } from './connection.ts'
import { readManyReadiness, zoneOfDays } from './read-readiness.ts'
import { feederFieldsOfStudent, feederProblemCount, feederStudents } from './readiness.ts'

type Filters = FiltersOf<typeof listFeederStudents>

const sendingOf = (target: FeederTarget, states: readonly string[]) =>
  sql<boolean>`EXISTS (SELECT FROM feeder_sendings x WHERE x.registration_id = r.id AND x.target = ${target} AND x.state = ANY (${states}::text[]))`

/** SQL condition on `registrations r`: the sending state. Problems are computed only for `ready` and its opposite. */
function isIn(state: FeederState, target: FeederTarget): RawBuilder<boolean> {
  if (state === 'waiting') return sendingOf(target, ['waiting', 'sending'])
  if (state === 'sent' || state === 'refused') return sendingOf(target, [state])
  const complete = sql`r.id IN (SELECT r.id FROM ${feederStudents} ${feederProblemCount(zoneOfDays())} WHERE ready.count = 0)`
  const never = sql`NOT EXISTS (SELECT FROM feeder_sendings x WHERE x.registration_id = r.id AND x.target = ${target})`
  return sql<boolean>`(${never} AND ${state === 'ready' ? sql`${complete}` : sql`NOT ${complete}`})`
}

const hasProblem = ({ field, problem }: Pick<Filters, 'field' | 'problem'>) =>
  sql<boolean>`r.id IN (SELECT r.id FROM ${feederStudents} ${feederFieldsOfStudent(zoneOfDays())}
    WHERE ff.problem IS NOT NULL AND (${field ?? null}::text IS NULL OR ff.field = ${field ?? null})
      AND (${problem ?? null}::text IS NULL OR ff.problem = ${problem ?? null}))`

export const serveFeederStudents = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listFeederStudents, {
    from: () =>
      db
        .selectFrom('registrations as r')
        .innerJoin('students as s', 's.registrationId', 'r.id')
        .where('r.status', '=', 'enrolled'),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      waveId: 'r.waveId',
      programmeId: 'r.programmeId',
      state: async (state) => isIn(state, await readTarget(services, db)),
      field: (_field, _reader, all) => hasProblem(all),
      problem: (_problem, _reader, all) => (all.field ? undefined : hasProblem(all)),
      q: (q, { actor }) => studentMatches(actor, q),
    },
    columns: (rows) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('studyProgrammes as p', 'p.id', 's.programmeId')
        .innerJoin('waves as w', 'w.id', 'r.waveId')
        .select(['r.id as registrationId', 's.npm', 'a.fullName as name', 'r.code'])
        .select(['p.name as programme', 'w.name as wave']),
    sorts: { npm: { by: sql`s.npm`, type: 'text' }, issuedAt: { by: sql`s.issued_at`, type: 'timestamptz' } },
    id: sql`r.id`,
    toRows: async (found, { connection }) => {
      const ids = found.map(({ registrationId }) => registrationId)
      const target = await readTarget(services, connection)
      const readiness = await readManyReadiness(connection, ids)
      const sendings = ids.length
        ? await connection
            .selectFrom('feederSendings')
            .select(['registrationId', 'state', 'sentAt'])
            .where('target', '=', target)
            .where('registrationId', 'in', ids)
            .execute()
        : []
      const sendingById = new Map(sendings.map((sending) => [sending.registrationId, sending]))
      return found.map((row) => {
        const fields = Object.keys(readiness.get(row.registrationId)?.problems ?? {})
        const sending = sendingById.get(row.registrationId)
        const state = sending?.state === 'sending' ? 'waiting' : sending?.state
        return {
          ...row,
          state: state ?? (fields.length > 0 ? ('incomplete' as const) : ('ready' as const)),
          problems: fields.length,
          fields: fields.join(', ') || null,
          sentAt: sending?.sentAt ?? null,
        }
      })
    },
  })
}

export const serveFeederResults = (app: App, services: Services) =>
  serveList(app, services, listFeederResults, {
    from: () =>
      services.db.selectFrom('feederResults as x').innerJoin('registrations as r', 'r.id', 'x.registrationId'),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      q: (q, { actor }) => studentMatches(actor, q),
      outcome: 'x.outcome',
      target: 'x.target',
      programmeId: 'r.programmeId',
      from: sinceDay('x.at'),
      to: untilDay('x.at'),
    },
    columns: (rows) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('studyProgrammes as p', (join) =>
          join.on(sql<boolean>`p.id = coalesce(r.accepted_programme_id, r.programme_id)`),
        )
        .leftJoin('accounts as u', 'u.id', 'x.requestedBy')
        .select([
          'x.id',
          'x.registrationId',
          'x.at',
          'x.npm',
          'x.target',
          'x.outcome',
          'x.act',
          'x.errorCode',
          'x.detail',
        ])
        .select(['a.fullName as name', 'p.name as programme', 'u.name as requestedBy']),
    sorts: { at: { by: sql`x.at`, type: 'timestamptz' } },
    id: sql`x.id`,
  })
