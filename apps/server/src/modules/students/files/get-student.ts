import { type ConfirmedStatus, confirmedStatuses } from '#domain/admissions/registration-status.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/**
 * A registration with a confirmed place; 404 if the place is not confirmed or the actor may not see the registration.
 */
export async function getStudent(db: Db, actor: Actor, registrationId: string) {
  const row = await db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('tracks as t', 't.id', 'r.trackId')
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .leftJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
    .leftJoin('students as s', 's.registrationId', 'r.id')
    .select(['r.id as registrationId', 'r.accountId', 'r.applicantId', 'r.code', 'r.status', 'a.fullName as name'])
    .select(['s.npm', 'p.name as programme', 't.name as track', 't.kind as trackKind', 'w.name as wave'])
    .where('r.id', '=', registrationId)
    .where('r.status', 'in', [...confirmedStatuses])
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!row) throw notFound('registration')
  return { ...row, status: row.status as ConfirmedStatus }
}
