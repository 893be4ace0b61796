import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { listProgrammeChanges } from '#domain/admissions/lists.ts'
import type { findChangeCandidates as found } from '#domain/admissions/programme-change-endpoints.ts'
import type { FiltersOf } from '#domain/list.ts'
import { serveList } from '#server/list/serve-list.ts'
import { withinDays } from '#server/list/within-days.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeSql, statusSql } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { isApplicant, programmeVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

type Filters = FiltersOf<typeof listProgrammeChanges>

/** Name of a programme; null if the actor may not see it. */
export const nameOf = (actor: Actor, column: string): RawBuilder<string | null> => sql<string | null>`(
  SELECT p.name FROM study_programmes p WHERE p.id = ${sql.ref(column)} AND ${programmeVisibleTo(actor, 'p.id')})`
const classNameOf = (column: string) =>
  sql<string>`(SELECT c.name FROM class_programmes c WHERE c.id = ${sql.ref(column)})`

const matchingChanges = (db: Db, actor: Actor, { direction, programmeId, waveId, from, to, q }: Filters) =>
  db
    .selectFrom('programmeChanges as m')
    .innerJoin('registrations as r', 'r.id', 'm.registrationId')
    .where(visibleTo(actor))
    .$if(direction === 'dearer', (rows) => rows.where('m.difference', '>', 0))
    .$if(direction === 'cheaper', (rows) => rows.where('m.difference', '<', 0))
    .$if(direction === 'equal', (rows) => rows.where('m.difference', '=', 0))
    .$if(programmeId !== undefined, (rows) =>
      rows.where((eb) => eb.or([eb('m.fromProgrammeId', '=', programmeId!), eb('m.toProgrammeId', '=', programmeId!)])),
    )
    .$if(waveId !== undefined, (rows) => rows.where('r.waveId', '=', waveId!))
    .where(withinDays('m.changedAt', from, to))
    .$if(q !== undefined, (rows) => rows.where(registrationMatches(actor, q!)))

/** Lists changes of registrations the actor may see. */
export const serveChanges = (app: App, services: Services) =>
  serveList(app, services, listProgrammeChanges, {
    from: ({ actor }, filters) => matchingChanges(services.db, actor, filters),
    columns: (rows, { actor }) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('accounts as u', 'u.id', 'm.changedBy')
        .leftJoin('bills as b', 'b.id', 'm.toBillId')
        .select([
          'm.id',
          'm.changedAt',
          'm.status',
          'm.totalBefore',
          'm.totalAfter',
          'm.moved',
          'm.waiting',
          'm.reason',
        ])
        .select(sql<number>`m.total_after - m.total_before`.as('difference'))
        .select(['r.id as registrationId', 'r.code as registrationCode', 'a.fullName as applicantName'])
        .select((isApplicant(actor) ? sql<string>`''` : sql<string>`u.name`).as('changedBy'))
        .select('b.number as billNumber')
        .select([
          nameOf(actor, 'm.from_programme_id').as('from'),
          nameOf(actor, 'm.to_programme_id').as('to'),
          classNameOf('m.from_class_programme_id').as('fromClass'),
          classNameOf('m.to_class_programme_id').as('toClass'),
        ]),
    sorts: {
      changedAt: { by: sql`m.changed_at`, type: 'timestamptz' },
      difference: { by: sql`m.difference`, type: 'bigint' },
    },
    id: sql`m.id`,
  })

/** Finds up to 20 registrations under way, for a field to choose from. */
export async function findCandidates({ db, clock }: Services, actor: Actor, { q }: z.output<typeof found.query>) {
  if (!q) return []
  const now = clock.now()
  return db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('studyProgrammes as p', (join) => join.on('p.id', '=', programmeSql(actor, now)))
    .select(['r.id', 'r.code', 'a.fullName as name', 'p.name as programme'])
    .select(statusSql(actor, now).as('status'))
    .where(visibleTo(actor))
    .where(registrationMatches(actor, q))
    .where('r.status', 'not in', ['withdrawn', 'cancelled', 'expired', 'draft'])
    .orderBy('r.searchText')
    .limit(20)
    .execute()
}
