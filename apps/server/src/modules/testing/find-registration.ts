import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Actor } from '#server/platform/authorization.ts'
import type { Database, Db } from '#server/platform/database.ts'
import { notFound } from '#server/platform/errors.ts'

type Joined = Database & { r: Database['registrations'] }

const visible =
  ({ accountId, scope }: Actor) =>
  (eb: ExpressionBuilder<Joined, 'r'>): Expression<SqlBool> =>
    scope.kind === 'all'
      ? eb.lit(true)
      : scope.kind === 'own'
        ? eb('r.accountId', '=', accountId)
        : eb('r.programmeId', 'in', scope.programmeIds.length ? scope.programmeIds : [null as never])

/** What testing needs to know of a registration; one the actor may not see does not exist. */
export async function getTestRegistration(db: Db, actor: Actor, id: string) {
  const row = await db
    .selectFrom('registrations as r')
    .innerJoin('tracks as t', 't.id', 'r.trackId')
    .select(['r.id', 'r.accountId', 'r.waveId', 'r.trackId', 'r.status', 't.hasTest'])
    .where('r.id', '=', id)
    .where(visible(actor) as never)
    .executeTakeFirst()
  if (!row) throw notFound('registration')
  return row
}

export async function getTestSeat(db: Db, actor: Actor, id: string) {
  const row = await db
    .selectFrom('testSeats as s')
    .innerJoin('registrations as r', 'r.id', 's.registrationId')
    .select(['s.id', 's.registrationId', 's.testSessionId'])
    .where('s.id', '=', id)
    .where(visible(actor) as never)
    .executeTakeFirst()
  if (!row) throw notFound('test seat')
  return row
}
