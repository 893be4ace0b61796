import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { listProgrammeChanges } from '#domain/admissions/lists.ts'
import type { findChangeCandidates as found } from '#domain/admissions/programme-change-endpoints.ts'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { serveList } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeSql, statusSql } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { isApplicant, programmeVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

/** SQL for the name of a programme; null if the actor may not see the programme. */
export const nameOf = (actor: Actor, column: string): RawBuilder<string | null> => sql<string | null>`(
  SELECT p.name FROM study_programmes p WHERE p.id = ${sql.ref(column)} AND ${programmeVisibleTo(actor, 'p.id')})`
const classNameOf = (column: string) =>
  sql<string>`(SELECT c.name FROM class_programmes c WHERE c.id = ${sql.ref(column)})`

const signs = { dearer: '>', cheaper: '<', equal: '=' } as const

/** Lists programme changes of registrations the actor may see. */
export const serveChanges = (app: App, services: Services) =>
  serveList(app, services, listProgrammeChanges, {
    from: () =>
      services.db.selectFrom('programmeChanges as m').innerJoin('registrations as r', 'r.id', 'm.registrationId'),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      direction: (direction) => (eb) => eb('m.difference', signs[direction], 0),
      programmeId: (id) => (eb) => eb.or([eb('m.fromProgrammeId', '=', id), eb('m.toProgrammeId', '=', id)]),
      waveId: 'r.waveId',
      from: sinceDay('m.changedAt'),
      to: untilDay('m.changedAt'),
      q: (q, { actor }) => registrationMatches(actor, q),
    },
    columns: (rows, { actor }) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('accounts as u', 'u.id', 'm.changedBy')
        .leftJoin('bills as b', 'b.id', 'm.toBillId')
        .select(['m.id', 'm.changedAt', 'm.totalBefore', 'm.totalAfter', 'm.moved', 'm.waiting', 'm.reason'])
        .select(sql<RegistrationStatus>`m.status`.as('status'))
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

/** Finds up to 20 submitted registrations that have not ended, as choices for a field. */
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
