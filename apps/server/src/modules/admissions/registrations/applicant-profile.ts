import { sql } from 'kysely'
import type { z } from 'zod'
import type { changeApplicantProfile as changeCall, ProfileChange } from '#domain/applicants/staff-endpoints.ts'
import { differencesOf } from '#domain/audit/differences.ts'
import { type ProfileRecord, profileOf, toProfile } from '#server/modules/applicants/profile.ts'
import { changeProfile } from '#server/modules/applicants/save-profile.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { maskText } from '#server/platform/access/masks.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

export const identityPermission = 'pendaftaran-profile-identity'
export const seesIdentity = (actor: Actor) => actor.permissions.has(identityPermission)

/** The applicant of a registration; 404 if the actor may not see the registration. */
async function getApplicant(db: Db, actor: Actor, registrationId: string) {
  const row = await db
    .selectFrom('registrations as r')
    .select(['r.accountId', 'r.applicantId', 'r.code'])
    .where('r.id', '=', registrationId)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!row) throw notFound('registration')
  return row
}

async function profileForStaff(services: Services, actor: Actor, record: ProfileRecord) {
  const nikMasked = !seesIdentity(actor)
  const profile = await toProfile(services, actor, record)
  return { ...profile, nik: nikMasked && profile.nik ? maskText(profile.nik) : profile.nik, nikMasked }
}

/** Repeated reads of a profile within this time are recorded once. */
const sameReadMinutes = 15

async function recordRead({ db, clock }: Services, actor: Actor, applicantId: string, registration: string) {
  const action = seesIdentity(actor) ? 'profile.read-identity' : 'profile.read'
  const recordedAfter = new Date(clock.now().getTime() - sameReadMinutes * 60_000)
  const { rows } = await sql`SELECT FROM audit_log WHERE subject_type = 'applicant' AND subject_id = ${applicantId}
    AND action = ${action} AND actor_id = ${actor.accountId} AND at > ${recordedAfter} LIMIT 1`.execute(db)
  if (rows.length > 0) return
  await recordAudit(db, actor, { action, on: { applicant: applicantId }, after: { registration } })
}

/** The profile of a registration's applicant for staff; records the read first. */
export async function readApplicantProfile(services: Services, actor: Actor, registrationId: string) {
  const { accountId, applicantId, code } = await getApplicant(services.db, actor, registrationId)
  const record = await profileOf(services.db, accountId, services.clock.now())
  if (!record) throw notFound('profile')
  await recordRead(services, actor, applicantId, code)
  return profileForStaff(services, actor, record)
}

type Change = z.output<(typeof changeCall)['body']>

/**
 * Changes the profile of a registration's applicant by the rules of the applicant's form. Changing the NIK needs
 * permission to see it.
 */
export async function changeApplicantProfile(
  services: Services,
  actor: Actor,
  registrationId: string,
  { reason, ...input }: Change,
) {
  if (input.nik !== undefined) requirePermission(actor, identityPermission)
  const { accountId } = await getApplicant(services.db, actor, registrationId)
  const record = await changeProfile(services, actor, { accountId, input, reason })
  return profileForStaff(services, actor, record)
}

/** Table for each reference in a profile, to show names in its history. */
const tableOfField: Record<string, string> = {
  religionId: 'religions',
  ethnicGroupId: 'ethnic_groups',
  provinceId: 'provinces',
  cityId: 'cities',
  districtId: 'districts',
  villageId: 'villages',
  schoolId: 'schools',
  schoolTypeId: 'school_types',
  schoolMajorId: 'school_majors',
}

export async function listProfileChanges(services: Services, actor: Actor, registrationId: string) {
  const { db } = services
  const { applicantId } = await getApplicant(db, actor, registrationId)
  const entries = await db
    .selectFrom('auditLog')
    .select(['id', 'at', 'actorName', 'roleName', 'action', 'before', 'after', 'reason'])
    .where('subjectType', '=', 'applicant')
    .where('subjectId', '=', applicantId)
    .where('action', 'in', ['profile.create', 'profile.update', 'profile.photo'])
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  const changed = entries.map((entry) => ({ entry, differences: differencesOf(entry.before, entry.after) }))
  const names = await namesOf(
    db,
    changed.flatMap(({ differences }) => differences),
  )
  const textOf = (field: string, value: unknown) =>
    value === null || value === '' ? null : (names.get(`${field} ${value}`) ?? String(value))
  return changed.map(
    ({ entry, differences }): ProfileChange => ({
      id: Number(entry.id),
      at: new Date(entry.at).toISOString(),
      actor: entry.actorName,
      role: entry.roleName,
      action: entry.action,
      reason: entry.reason,
      changes: differences.map(({ field, before, after }) => ({
        field,
        before: textOf(field, before),
        after: textOf(field, after),
      })),
    }),
  )
}

async function namesOf(db: Db, differences: readonly { field: string; before: unknown; after: unknown }[]) {
  const names = new Map<string, string>()
  for (const [field, table] of Object.entries(tableOfField)) {
    const ids = differences
      .filter((difference) => difference.field === field)
      .flatMap(({ before, after }) => [before, after])
      .filter((id): id is string => typeof id === 'string')
    if (ids.length === 0) continue
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT id, name FROM ${sql.table(table)} WHERE id = ANY(${[...new Set(ids)]}::uuid[])`.execute(db)
    for (const { id, name } of rows) names.set(`${field} ${id}`, name)
  }
  return names
}
