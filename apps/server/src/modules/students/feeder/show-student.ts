import { sql } from 'kysely'
import type { FeederStudent } from '#domain/students/feeder/endpoints.ts'
import { type FeederField, feederFieldRules, feederFields } from '#domain/students/feeder/fields.ts'
import type { FeederOutcome } from '#domain/students/feeder/lists.ts'
import { seesIdentity } from '#server/modules/admissions/registrations/applicant-profile.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskText } from '#server/platform/access/masks.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { readTarget } from './connection.ts'
import { readReadiness } from './read-readiness.ts'

const answersShown = 30

/** Masks values that identify a person. */
const masked = (field: FeederField, value: string | null) =>
  value !== null && feederFieldRules[field].personal ? maskText(value) : value

/**
 * A student with all fields of the ministry; 404 without a student number or if the actor may not see it. Without
 * permission for identity numbers, identifying values are masked.
 */
export async function showFeederStudent(
  services: Services,
  actor: Actor,
  registrationId: string,
): Promise<FeederStudent> {
  const { db } = services
  const row = await db
    .selectFrom('registrations as r')
    .innerJoin('students as s', 's.registrationId', 'r.id')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('studyProgrammes as p', 'p.id', 's.programmeId')
    .leftJoin('districts as d', 'd.id', 'a.districtId')
    .leftJoin('feederCorrections as k', 'k.registrationId', 'r.id')
    .select([
      'r.accountId',
      'r.code',
      'r.trackId',
      'r.entryLevelId',
      'r.waveId',
      'a.fullName as name',
      's.npm',
      'a.nik',
    ])
    .select([
      'p.id as programmeId',
      'p.name as programme',
      'a.religionId',
      'd.code as districtCode',
      'd.name as district',
    ])
    .select(['k.previousUniversityId', 'k.previousProgrammeId', 'k.specialNeedsCode', 'k.checkedNik', 'k.version'])
    .where('r.id', '=', registrationId)
    .where(visibleTo(actor))
    .executeTakeFirst()
  const readiness = row && (await readReadiness(db, registrationId))
  if (!row || !readiness) throw notFound('student')
  const target = await readTarget(services, db)
  const sending = await db
    .selectFrom('feederSendings')
    .selectAll()
    .where('registrationId', '=', registrationId)
    .where('target', '=', target)
    .executeTakeFirst()
  const sees = seesIdentity(actor)
  const answers = await db
    .selectFrom('feederAnswers')
    .select([sql<string>`id::text`.as('id'), 'act', 'errorCode', 'answer', 'error', 'at', 'tookMs'])
    .where('registrationId', '=', registrationId)
    .where('target', '=', target)
    .orderBy('id', 'desc')
    .limit(answersShown)
    .execute()
  const isIncomplete = Object.keys(readiness.problems).length > 0
  const state = sending?.state === 'sending' ? 'waiting' : sending?.state
  return {
    registrationId,
    accountId: row.accountId,
    name: row.name,
    code: row.code,
    npm: row.npm,
    programme: row.programme,
    rows: {
      programme: row.programmeId,
      track: row.trackId,
      entryLevel: row.entryLevelId,
      wave: row.waveId,
      religion: row.religionId,
      district: row.districtCode === null ? null : { code: row.districtCode, name: row.district! },
    },
    fields: feederFields.map((field) => {
      const value = readiness.fields[field]
      return {
        field,
        value: sees ? value : masked(field, value),
        problem: readiness.problems[field] ?? null,
        place: feederFieldRules[field].place,
      }
    }),
    identityHidden: !sees,
    corrections: {
      previousUniversityId: row.previousUniversityId,
      previousProgrammeId: row.previousProgrammeId,
      specialNeedsCode: row.specialNeedsCode,
      nikChecked: row.checkedNik !== null && row.checkedNik === row.nik,
      version: row.version ?? 0,
    },
    target,
    state: state ?? (isIncomplete ? 'incomplete' : 'ready'),
    sending: sending
      ? {
          requestedAt: sending.requestedAt.toISOString(),
          sentAt: sending.sentAt?.toISOString() ?? null,
          sentNpm: sending.sentNpm,
          refusedAt: sending.refusedAt?.toISOString() ?? null,
          reason: sending.reason as FeederOutcome | null,
          detail: sending.detail,
          feederStudentId: sending.feederStudentId,
          feederRegistrationId: sending.feederRegistrationId,
        }
      : null,
    // The register's answers repeat sent values, identity numbers included.
    answers: answers.map(({ at, answer, ...rest }) => ({
      ...rest,
      answer: sees ? answer : null,
      at: at.toISOString(),
    })),
  }
}

/** Repeated reads within this time are recorded once: while sending, the page polls every few seconds. */
const sameReadMinutes = 15

/** `showFeederStudent` for staff; records the read, because the page contains identity numbers. */
export async function readFeederStudent(services: Services, actor: Actor, registrationId: string) {
  const { db, clock } = services
  const student = await showFeederStudent(services, actor, registrationId)
  const recordedAfter = new Date(clock.now().getTime() - sameReadMinutes * 60_000)
  const { rows } =
    await sql`SELECT FROM audit_log WHERE subject_type = 'registration' AND subject_id = ${registrationId}
    AND action = 'feeder.read' AND actor_id = ${actor.accountId} AND at > ${recordedAfter} LIMIT 1`.execute(db)
  if (rows.length === 0) await recordAudit(db, actor, { action: 'feeder.read', on: { registration: registrationId } })
  return student
}
