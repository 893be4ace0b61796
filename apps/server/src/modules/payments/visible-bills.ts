import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { notFound } from '#server/platform/errors.ts'

/**
 * Rows an actor may see, for queries over registrations under the name `r`: the applicant's own, those of the role's
 * study programmes, or all. What is not visible does not exist: 404.
 */
export function registrationVisibleTo(actor: Actor, eb: ExpressionBuilder<any, any>): Expression<SqlBool> {
  const { scope } = actor
  if (scope.kind === 'own') return eb('r.accountId', '=', actor.accountId)
  if (scope.kind === 'programmes')
    return scope.programmeIds.length ? eb('r.programmeId', 'in', scope.programmeIds) : sql<SqlBool>`false`
  return sql<SqlBool>`true`
}

/** A bill the actor may see; `lock` keeps its row until the transaction ends, the queue for everybody who moves money. */
export async function getBill(db: Db, actor: Actor, billId: string, { lock = false } = {}) {
  const bill = await db
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as p', 'p.id', 'r.applicantId')
    .selectAll('b')
    .select('p.fullName as applicantName')
    .where('b.id', '=', billId)
    .where((eb) => registrationVisibleTo(actor, eb as never))
    .$if(lock, (q) => q.forNoKeyUpdate('b'))
    .executeTakeFirst()
  if (!bill) throw notFound('bill')
  return bill
}

/** A registration the actor may see; `lock` keeps its row, before any of its bills, until the transaction ends. */
export async function getRegistration(db: Db, actor: Actor, registrationId: string, { lock = false } = {}) {
  const registration = await db
    .selectFrom('registrations as r')
    .innerJoin('applicants as p', 'p.id', 'r.applicantId')
    .select([
      'r.id',
      'r.code',
      'r.status',
      'r.paidAt',
      'r.decision',
      'r.waveId',
      'r.trackId',
      'r.classProgrammeId',
      'r.acceptedProgrammeId',
      'p.fullName as applicantName',
    ])
    .where('r.id', '=', registrationId)
    .where((eb) => registrationVisibleTo(actor, eb as never))
    .$if(lock, (q) => q.forNoKeyUpdate('r'))
    .executeTakeFirst()
  if (!registration) throw notFound('registration')
  return registration
}

type Decided = { waveId: string; trackId: string; decision: string | null }

/** Staff see a decision at once; the applicant only from the moment the result of wave and track is published. */
export async function resultIsVisible(db: Db, actor: Actor, registration: Decided, now: Date): Promise<boolean> {
  if (registration.decision !== 'accepted') return false
  if (actor.scope.kind !== 'own') return true
  const published = await db
    .selectFrom('resultPublications')
    .select('publishAt')
    .where('waveId', '=', registration.waveId)
    .where('trackId', '=', registration.trackId)
    .where('publishAt', '<=', now)
    .executeTakeFirst()
  return published !== undefined
}
