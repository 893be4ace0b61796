import type { Actor } from '#server/platform/access/authorization.ts'
import { publicDecision, publicStatus } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/**
 * The fields of a registration that testing needs; 404 if the actor may not see it. The status is the applicant's view:
 * an unpublished decision changes nothing about the test.
 */
export async function getTestRegistration(db: Db, actor: Actor, id: string, now: Date) {
  const row = await db
    .selectFrom('registrations as r')
    .innerJoin('tracks as t', 't.id', 'r.trackId')
    .select(['r.id', 'r.accountId', 'r.waveId', 'r.trackId', 'r.status', 'r.verifiedAt', 't.hasTest'])
    .select(publicDecision(now).as('publicDecision'))
    .where('r.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!row) throw notFound('registration')
  return { ...row, status: publicStatus(row) }
}

export async function getTestSeat(db: Db, actor: Actor, id: string) {
  const row = await db
    .selectFrom('testSeats as s')
    .innerJoin('registrations as r', 'r.id', 's.registrationId')
    .select(['s.id', 's.registrationId', 's.testSessionId'])
    .where('s.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!row) throw notFound('test seat')
  return row
}
