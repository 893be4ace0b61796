import { sql } from 'kysely'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import type { BillKind, BillStatus } from '#domain/payments/bills/bill-status.ts'
import { hasPlaceForTrack, placesTaken } from '#server/modules/admissions/places.ts'
import { lockRegistration } from '#server/modules/admissions/steps/lock-registration.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import {
  isPublished,
  programmeSql,
  publicDecision,
  seesUnpublished,
  statusSql,
} from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

export type ChangeTarget = { programmeId: string; classProgrammeId: string }

type Row = {
  id: string
  code: string
  name: string
  accountId: string
  status: RegistrationStatus
  version: number
  waveId: string
  wave: string
  trackId: string
  track: string
  entryLevelId: string
  programmeId: string | null
  programme: string | null
  classProgrammeId: string
  classProgramme: string
  decision: 'accepted' | 'not_accepted' | null
  /** Has a decision that is not public yet and that the actor may see. */
  unpublished: boolean
  /** Has a decision that is not public yet and that the actor may not see. */
  hidden: boolean
  donationAmount: number | null
  installmentPlanId: string | null
  npm: string | null
}

/**
 * The registration with status, programme and decision as the actor may see them; 404 if the actor may not see the
 * registration. Callers must not write a change while `unpublished` or `hidden`. `lock` locks in a separate statement
 * before reading, so the facts include the move that held the lock.
 */
export async function readRegistration(db: Db, actor: Actor, id: string, now: Date, { lock = false } = {}) {
  if (lock) await lockRegistration(db, id)
  const sees = seesUnpublished(actor)
  const isWaiting = sql<boolean>`r.status = 'decided' AND NOT ${isPublished(now)}`
  const decision = sees
    ? sql`r.decision`
    : sql`CASE WHEN r.status IN ('confirmed', 'enrolled') THEN r.decision ELSE ${publicDecision(now)} END`
  const { rows } = await sql<Row>`
    SELECT r.id, r.code, a.full_name AS name, r.account_id, ${statusSql(actor, now)} AS status, r.version, r.wave_id, w.name AS wave, r.track_id,
      t.name AS track, r.entry_level_id, p.id AS programme_id, p.name AS programme, r.class_programme_id,
      c.name AS class_programme, ${decision} AS decision, ${sees}::boolean AND ${isWaiting} AS unpublished,
      NOT ${sees}::boolean AND ${isWaiting} AS hidden, r.donation_amount, r.installment_plan_id,
      (SELECT npm FROM students s WHERE s.registration_id = r.id) AS npm
    FROM registrations r
    JOIN applicants a ON a.id = r.applicant_id
    JOIN waves w ON w.id = r.wave_id
    JOIN tracks t ON t.id = r.track_id
    JOIN class_programmes c ON c.id = r.class_programme_id
    LEFT JOIN study_programmes p ON p.id = ${programmeSql(actor, now)}
    WHERE r.id = ${id} AND ${visibleTo(actor)}`.execute(db)
  if (!rows[0]) throw notFound('registration')
  return rows[0]
}

/** Id of the registration's request that is not yet answered. */
export const pendingRequestOf = async (db: Db, registrationId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('programmeRequests')
      .select('id')
      .where('registrationId', '=', registrationId)
      .where('status', '=', 'pending')
      .executeTakeFirst()
  )?.id ?? null

export type ChangingRegistration = Awaited<ReturnType<typeof readRegistration>>

export type Place = {
  programmeId: string
  programme: string
  faculty: string
  classProgrammeId: string
  classProgramme: string
  offered: boolean
  capacity: number | null
  taken: number
  /** Whether the registration's track has a place left; true if the programme is not divided by track. */
  hasPlaceForTrack: boolean
  passingGrade: number | null
}

type IntakeKey = Pick<ChangingRegistration, 'waveId' | 'entryLevelId' | 'trackId'>

/**
 * Study programmes and classes in a registration's wave and entry level, with places taken; only the `target` if given.
 */
export async function placesOf(
  db: Db,
  { waveId, entryLevelId, trackId }: IntakeKey,
  target?: ChangeTarget,
): Promise<Place[]> {
  const { rows } = await sql<Place>`
    SELECT p.id AS programme_id, p.name AS programme, f.name AS faculty, c.id AS class_programme_id,
      c.name AS class_programme, d.open AND d.active AND p.active AND c.active AS offered,
      d.capacity + d.over_offer AS capacity, d.passing_grade, ${placesTaken(sql`d.programme_id`, sql`d`)} AS taken,
      ${hasPlaceForTrack(sql`${trackId}::uuid`)} AS has_place_for_track
    FROM programme_details d
    JOIN study_programmes p ON p.id = d.programme_id
    JOIN faculties f ON f.id = p.faculty_id
    JOIN class_programmes c ON c.id = d.class_programme_id
    WHERE d.wave_id = ${waveId} AND d.entry_level_id = ${entryLevelId}
      ${target ? sql`AND p.id = ${target.programmeId} AND c.id = ${target.classProgrammeId}` : sql``}
    ORDER BY p.name, c.code`.execute(db)
  return rows
}

export type ChangingBill = {
  id: string
  number: string
  kind: BillKind
  status: BillStatus
  total: number
  paid: number
  version: number
  registrationId: string
  installmentPlanId: string | null
  issuedAt: Date
  dueAt: Date | null
  promisedUntil: Date | null
}

/** Bills of a registration that are not cancelled. Locks in id order, as every transaction does. */
export const billsOf = (db: Db, registrationId: string, { lock = false } = {}): Promise<ChangingBill[]> =>
  db
    .selectFrom('bills')
    .select(['id', 'number', 'kind', 'status', 'total', 'paid', 'version', 'registrationId', 'installmentPlanId'])
    .select(['issuedAt', 'dueAt', 'promisedUntil'])
    .where('registrationId', '=', registrationId)
    .where('status', '<>', 'cancelled')
    .orderBy('id')
    .$if(lock, (q) => q.forNoKeyUpdate())
    .execute()
