import { type NotNull, type RawBuilder, sql } from 'kysely'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { type LicenceState, type LicenceValidity, soonDays } from '#domain/students/licences/validity.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/** Newest registration `r` of the account of licence `l` that the actor may see; licences without one are left out. */
export const newestVisible = (actor: Actor) => sql<{ id: string; code: string; searchText: string }>`(
  SELECT r.id, r.code, r.search_text FROM registrations r WHERE r.account_id = l.account_id AND ${visibleTo(actor)}
  ORDER BY r.created_at DESC, r.id DESC LIMIT 1)`

export const licenceState = sql<LicenceState>`CASE WHEN l.file_id IS NULL THEN 'no_scan' ELSE l.status END`

/** Validity of licence `l` at `now`, by the university's calendar day. */
export function licenceValidity(now: Date): RawBuilder<LicenceValidity> {
  const today = universityCalendar().dayOf(now)
  return sql<LicenceValidity>`CASE WHEN l.expires_on < ${today}::date THEN 'expired'
    WHEN l.expires_on <= ${shiftDay(today, soonDays)}::date THEN 'soon' ELSE 'valid' END`
}

/**
 * The licence of an account; 404 if the applicant does not drive or the actor may not see any registration of the
 * account.
 */
export async function getLicence(db: Db, actor: Actor, accountId: string, now: Date) {
  const licence = await db
    .selectFrom('drivingLicences as l')
    .innerJoin('applicants as a', 'a.accountId', 'l.accountId')
    .innerJoinLateral(newestVisible(actor).as('r'), (join) => join.onTrue())
    .leftJoin('students as s', 's.registrationId', 'r.id')
    .leftJoin('accounts as u', 'u.id', 'l.reviewedBy')
    .select(['l.accountId as id', 'l.version', 'a.fullName as name', 'r.code', 'r.id as registrationId', 's.npm'])
    .select(['l.class', 'l.number', 'l.expiresOn', 'l.rejectReason', 'u.name as reviewedBy', 'l.reviewedAt'])
    .select(['l.updatedAt', 'l.fileId', licenceState.as('state'), licenceValidity(now).as('validity')])
    .where('l.accountId', '=', accountId)
    .where('l.drives', '=', true)
    // A check constraint requires all three if the applicant drives.
    .$narrowType<{ class: NotNull; number: NotNull; expiresOn: NotNull }>()
    .executeTakeFirst()
  if (!licence) throw notFound('licence')
  return licence
}
