import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished, seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/**
 * A bill the actor may see; `lock` holds its row until the transaction ends, so that transactions that move its money
 * wait here.
 */
export async function getBill(db: Db, actor: Actor, billId: string, { lock = false } = {}) {
  const bill = await db
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as p', 'p.id', 'r.applicantId')
    .selectAll('b')
    .select('p.fullName as applicantName')
    .where('b.id', '=', billId)
    .where(visibleTo(actor))
    .$if(lock, (q) => q.forNoKeyUpdate('b'))
    .executeTakeFirst()
  if (!bill) throw notFound('bill')
  return bill
}

/** A registration the actor may see; `lock` holds its row, before any of its bills, until the transaction ends. */
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
    .where(visibleTo(actor))
    .$if(lock, (q) => q.forNoKeyUpdate('r'))
    .executeTakeFirst()
  if (!registration) throw notFound('registration')
  return registration
}

type Decided = { id: string; decision: string | null }

/** Whether the actor sees the acceptance. */
export async function resultIsVisible(db: Db, actor: Actor, registration: Decided, now: Date): Promise<boolean> {
  if (registration.decision !== 'accepted') return false
  if (seesUnpublished(actor)) return true
  const row = await db
    .selectFrom('registrations as r')
    .select(isPublished(now).as('published'))
    .where('r.id', '=', registration.id)
    .executeTakeFirst()
  return row?.published ?? false
}
