import { type RawBuilder, sql } from 'kysely'
import type { DonationRule, RegistrationFacts } from '#domain/admissions/facts.ts'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import type { SeatBrief } from '#domain/admissions/schemas.ts'
import { missingProfileFields, type ProfileAnswers } from '#domain/applicants/profile.ts'
import { type DocumentStage, type DocumentStatus, requiredDocumentsSettled } from '#domain/documents/document-status.ts'
import { donationRuleFor } from '#domain/fees/donation-rule.ts'
import { placesTaken } from '#server/modules/admissions/places.ts'
import { profilesOf } from '#server/modules/applicants/profile.ts'
import { billsOf, type RegistrationBills, toBills } from '#server/modules/payments/bills/bill-summary.ts'
import { unlockOf } from '#server/modules/payments/bills/unlock.ts'
import { missingForShare } from '#server/modules/payments/bills/unlock-rule.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import {
  isPublished,
  joinPublication,
  programmeSql,
  publicDecision,
  publicResult,
  resultPublicSince,
  seesUnpublished,
  statusFor,
} from '#server/platform/access/decision-scope.ts'
import { isApplicant, readerWith, type Sight, sightOf, visibleTo } from '#server/platform/access/row-scope.ts'
import { compiledStatement } from '#server/platform/database/compiled-statement.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { getSettings, type Settings, settingsColumn, toSettings } from '#server/platform/settings.ts'

type Named = { id: string; code: string; name: string }

type Row = {
  /** Only of a row found by its id. */
  settings: string | null
  id: string
  code: string
  status: RegistrationStatus
  closedFrom: string | null
  version: number
  applicantId: string
  accountId: string
  name: string
  email: string
  phone: string | null
  schoolName: string | null
  photoFileId: string | null
  wave: Named & { academicYear: string }
  track: Named & { kind: string; hasTest: boolean; maxChoices: number; asksDonation: boolean }
  entryLevel: Named
  classProgramme: Named
  programme: Named | null
  acceptedProgramme: Named | null
  choices: (Named & { position: number; facultyName: string; offered: boolean; placesLeft: number })[]
  hasEnrolmentData: boolean
  documents: {
    stage: DocumentStage
    status: DocumentStatus
    required: boolean
    due: string | null
    /** Null unless the document is rejected. */
    name: string | null
    reason: string | null
  }[]
  donationAmount: number | null
  donations: (DonationRule & { programmeId: string | null; trackId: string | null })[]
  referralCode: string | null
  decision: 'accepted' | 'not_accepted' | null
  decisionReason: string | null
  decidedByName: string | null
  documentsState: 'missing' | 'to_review' | 'rejected' | 'complete'
  installmentPlanId: string | null
  opensAt: Date
  closesAt: Date
  paymentDueAt: Date | null
  resultsAt: Date | null
  confirmationDueAt: Date | null
  resultSeen: boolean | null
  quota: number | null
  quotaTaken: number
  publishAt: Date | null
  published: boolean
  /** Time of the wave and track's next publication, or else of the last. */
  resultsPublishAt: Date | null
  publicDecision: 'accepted' | 'not_accepted' | null
  publishedAfter: number | null
  hiddenSince: Date | null
  /** Reason of the public refusal that an unpublished decision will replace. */
  shownReason: string | null
  shownDecidedAt: Date | null
  shownDecidedByName: string | null
  shownPublishAt: Date | null
  seat: SeatBrief | null
  seatOfferedUntil: Date | null
  testSessions: number
  studentNumber: string | null
  createdAt: Date
  submittedAt: Date | null
  paidAt: Date | null
  verifiedAt: Date | null
  decidedAt: Date | null
  confirmedAt: Date | null
  enrolledAt: Date | null
  closedAt: Date | null
  closedReason: string | null
  bills: Parameters<typeof toBills>[0]
}

/** Statuses that count towards a track's quota. */
const holdsQuota = sql`('submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled')`

/** Rows that the actor sees and that fulfil the condition, newest first. */
const rowsWhere = (actor: Actor, now: Date, condition: RawBuilder<unknown>, settings: RawBuilder<unknown>) => sql<Row>`
    SELECT ${settings} AS settings, r.id, r.code, r.status, r.closed_from, r.version, r.applicant_id, r.account_id, r.donation_amount,
      r.referral_code, r.decision, r.decision_reason, r.documents_state, r.installment_plan_id, r.created_at,
      r.submitted_at, r.paid_at, r.verified_at, r.decided_at, r.confirmed_at, r.enrolled_at, r.closed_at,
      a.full_name AS name, a.phone, a.photo_file_id, u.email, s.name AS school_name, decider.name AS decided_by_name,
      json_build_object('id', w.id, 'code', w.code, 'name', w.name, 'academicYear', w.academic_year) AS wave,
      json_build_object('id', t.id, 'code', t.code, 'name', t.name, 'kind', t.kind, 'hasTest', t.has_test,
        'maxChoices', t.max_choices, 'asksDonation', t.asks_donation) AS track,
      json_build_object('id', e.id, 'code', e.code, 'name', e.name) AS entry_level,
      json_build_object('id', c.id, 'code', c.code, 'name', c.name) AS class_programme,
      CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'code', p.code, 'name', p.name) END AS programme,
      CASE WHEN ap.id IS NOT NULL THEN json_build_object('id', ap.id, 'code', ap.code, 'name', ap.name) END AS accepted_programme,
      coalesce((SELECT json_agg(json_build_object('id', cp.id, 'code', cp.code, 'name', cp.name, 'position', rc.position,
          'facultyName', f.name, 'offered', coalesce(d.open AND d.active AND cp.active, false),
          'placesLeft', CASE WHEN r.status <> 'draft' OR d.id IS NULL THEN 1
            ELSE d.capacity - ${placesTaken(sql`rc.programme_id`, sql`r`)} END) ORDER BY rc.position)
        FROM registration_choices rc
        JOIN study_programmes cp ON cp.id = rc.programme_id
        JOIN faculties f ON f.id = cp.faculty_id
        LEFT JOIN programme_details d ON d.programme_id = rc.programme_id AND d.wave_id = r.wave_id
          AND d.class_programme_id = r.class_programme_id AND d.entry_level_id = r.entry_level_id
        WHERE rc.registration_id = r.id), '[]') AS choices,
      coalesce((SELECT json_agg(json_build_object('stage', x.stage, 'status', x.status, 'required', x.required,
          'due', coalesce(x.deferred_until, x.due_on), 'name', CASE WHEN x.status = 'rejected' THEN x.name END,
          'reason', x.reject_reason) ORDER BY x.sort_order)
        FROM documents x WHERE x.registration_id = r.id), '[]') AS documents,
      CASE WHEN t.asks_donation THEN (SELECT json_agg(json_build_object('programmeId', n.programme_id, 'trackId', n.track_id,
          'required', n.required, 'minimumAmount', n.minimum_amount, 'suggestedAmounts', coalesce(n.suggested_amounts, '{}')))
        FROM donations n WHERE n.active AND n.wave_id = r.wave_id AND (n.track_id IS NULL OR n.track_id = r.track_id)
          AND (n.programme_id IS NULL OR n.programme_id = p.id)) END AS donations,
      coalesce(td.opens_at, w.opens_at) AS opens_at, coalesce(td.closes_at, w.closes_at) AS closes_at,
      td.payment_due_at, coalesce(td.results_at, w.results_at) AS results_at,
      coalesce(r.offer_due_at, td.confirmation_due_at, w.confirmation_due_at) AS confirmation_due_at, td.quota,
      r.result_seen_at >= ${resultPublicSince(now)} AS result_seen,
      CASE WHEN td.quota IS NOT NULL AND r.status = 'draft' THEN (SELECT count(*)::int FROM registrations o
        WHERE o.wave_id = r.wave_id AND o.track_id = r.track_id AND o.entry_level_id = r.entry_level_id
          AND o.status IN ${holdsQuota}) ELSE 0 END AS quota_taken,
      pub.publish_at, ${isPublished(now)} AS published, ${publicDecision(now)} AS public_decision, r.published_after, r.hidden_since,
      (SELECT max(any_pub.publish_at) FROM result_publications any_pub
        WHERE any_pub.wave_id = r.wave_id AND any_pub.track_id = r.track_id) AS results_publish_at,
      shown.reason AS shown_reason, shown.decided_at AS shown_decided_at, shown.publish_at AS shown_publish_at,
      shown_decider.name AS shown_decided_by_name,
      (SELECT json_build_object('id', ts.id, 'status', ts.status, 'testSessionId', ts.test_session_id, 'name', se.name,
          'date', se.date, 'startTime', to_char(se.start_time, 'HH24:MI'), 'endTime', to_char(se.end_time, 'HH24:MI'),
          'mode', se.mode, 'location', se.location)
        FROM test_seats ts JOIN test_sessions se ON se.id = ts.test_session_id
        WHERE ts.registration_id = r.id AND ts.status <> 'released') AS seat,
      (SELECT wp.offered_until FROM test_waiting_places wp
        WHERE wp.registration_id = r.id AND wp.status = 'offered') AS seat_offered_until,
      CASE WHEN t.has_test THEN (SELECT count(*)::int FROM test_sessions se WHERE se.active AND se.wave_id = r.wave_id
        AND (se.track_id IS NULL OR se.track_id = r.track_id)) ELSE 0 END AS test_sessions,
      (SELECT npm FROM students st WHERE st.registration_id = r.id) AS student_number,
      EXISTS (SELECT FROM enrolment_data ed WHERE ed.registration_id = r.id AND ed.residence IS NOT NULL
        AND ed.transport IS NOT NULL AND ed.financing IS NOT NULL) AS has_enrolment_data,
      CASE WHEN r.closed_at IS NOT NULL THEN (SELECT l.reason FROM audit_log l
        WHERE l.subject_type = 'registration' AND l.subject_id = r.id::text
          AND l.action IN ('registration.withdraw', 'registration.decline', 'registration.cancel')
        ORDER BY l.id DESC LIMIT 1) END AS closed_reason,
      ${billsOf(sql`r.id`)} AS bills
    FROM registrations r
    JOIN applicants a ON a.id = r.applicant_id
    JOIN accounts u ON u.id = r.account_id
    JOIN waves w ON w.id = r.wave_id
    JOIN tracks t ON t.id = r.track_id
    JOIN entry_levels e ON e.id = r.entry_level_id
    JOIN class_programmes c ON c.id = r.class_programme_id
    LEFT JOIN schools s ON s.id = a.school_id
    LEFT JOIN study_programmes p ON p.id = ${programmeSql(actor, now)}
    LEFT JOIN study_programmes ap ON ap.id = r.accepted_programme_id
    LEFT JOIN accounts decider ON decider.id = r.decided_by
    LEFT JOIN track_details td ON td.track_id = r.track_id AND td.wave_id = r.wave_id AND td.entry_level_id = r.entry_level_id
    ${joinPublication}
    LEFT JOIN shown_refusals shown ON shown.registration_id = r.id
    LEFT JOIN accounts shown_decider ON shown_decider.id = shown.decided_by
    WHERE ${condition} AND ${visibleTo(actor)}
    ORDER BY r.created_at DESC, r.id DESC`

const conditions = {
  id: (id: string) => sql`r.id = ${id}`,
  ids: (ids: readonly string[]) => sql`r.id = ANY(${ids}::uuid[])`,
  accountId: (id: string) => sql`r.account_id = ${id}`,
}
type ConditionKind = keyof typeof conditions
type Found<K extends ConditionKind> = { kind: K; value: Parameters<(typeof conditions)[K]>[0] }

type Values = { now: Date; accountId: string; value: unknown }

const rowsFoundBy = (kind: ConditionKind, actor: Actor, now: Date, value: unknown) => {
  const condition = conditions[kind] as (value: unknown) => RawBuilder<unknown>
  return rowsWhere(actor, now, condition(value), kind === 'id' ? settingsColumn : sql`NULL`)
}

/** The statement of all actors of one sight. Its text cannot depend on anything else of an actor. */
const statementOf = (kind: ConditionKind, sight: Sight) =>
  compiledStatement<Values, Row>(({ now, accountId, value }) =>
    rowsFoundBy(kind, readerWith(sight, accountId), now, value),
  )

const statements = new Map<string, ReturnType<typeof statementOf>>()

async function findRows<K extends ConditionKind>(db: Db, actor: Actor, now: Date, { kind, value }: Found<K>) {
  const sight = sightOf(actor)
  if (!sight) return (await rowsFoundBy(kind, actor, now, value).execute(db)).rows
  const key = JSON.stringify([kind, sight])
  const find = statements.get(key) ?? statementOf(kind, sight)
  statements.set(key, find)
  return find(db, { now, accountId: actor.accountId, value })
}

export type LoadedRegistration = {
  row: Row
  facts: RegistrationFacts
  bills: RegistrationBills
  /** The status as the actor may know it. */
  status: RegistrationStatus
} & CardState

type CardState = {
  cardReady: boolean
  /** Rupiah of the registration fee still to pay before the card is available. */
  untilCard: number
}

/** The public decision: the present one once it is published, until then the public refusal it replaces. */
export function publicDecisionOf(row: Row) {
  if (!row.publicDecision) return null
  if (row.published && row.decision) return presentDecision(row)
  return {
    decision: row.publicDecision,
    programme: null,
    reason: row.shownReason,
    decidedAt: row.shownDecidedAt,
    decidedBy: row.shownDecidedByName,
    published: true,
    publishAt: row.shownPublishAt,
  }
}

const presentDecision = (row: Row) =>
  row.decision && {
    decision: row.decision,
    programme: row.acceptedProgramme,
    reason: row.decisionReason,
    decidedAt: row.decidedAt,
    decidedBy: row.decidedByName,
    published: row.published,
    publishAt: row.publishAt,
  }

/** The decision as the actor may see it; null for applicants, who get a result instead. */
export const decisionFor = (actor: Actor, row: Row) =>
  isApplicant(actor) ? null : seesUnpublished(actor) ? presentDecision(row) : publicDecisionOf(row)

export const endedStatuses: readonly RegistrationStatus[] = ['withdrawn', 'cancelled', 'expired']

/**
 * Whether the registration card is available: once the configured share of the fee is paid. Once the whole fee was
 * settled it stays available, even if the bank reverses the payment.
 */
export function cardOf(
  { status, paidAt }: Pick<Row, 'status' | 'paidAt'>,
  { registrationFee }: Pick<RegistrationBills, 'registrationFee'>,
  cardShare: number,
): CardState {
  if (endedStatuses.includes(status)) return { cardReady: false, untilCard: 0 }
  if (paidAt) return { cardReady: true, untilCard: 0 }
  const untilCard = registrationFee ? missingForShare(registrationFee, cardShare) : 0
  return { cardReady: registrationFee !== null && untilCard === 0, untilCard }
}

const donationOf = (row: Row): DonationRule | null => {
  const rule = donationRuleFor(row.donations ?? [], { programmeId: row.programme?.id ?? null, trackId: row.track.id })
  if (!rule) return null
  const { required, minimumAmount, suggestedAmounts } = rule
  return { required, minimumAmount, suggestedAmounts }
}

/** Settings and, by account, profile answers of all applicants concerned, if the caller reads them anyway. */
type Known = { settings: Settings; profiles: ReadonlyMap<string, ProfileAnswers> }

async function load<K extends ConditionKind>(
  db: Db,
  actor: Actor,
  now: Date,
  found: Found<K>,
  pendingKnown?: Promise<Known>,
): Promise<LoadedRegistration[]> {
  const [rows, known, read] = await Promise.all([
    findRows(db, actor, now, found),
    pendingKnown,
    found.kind === 'id' || pendingKnown ? undefined : getSettings(db),
  ])
  const [first] = rows
  if (!first) return []
  const settings = known?.settings ?? read ?? toSettings(first.settings)
  const drafts = rows.filter(({ status }) => status === 'draft').map(({ accountId }) => accountId)
  const profiles = known?.profiles ?? (await profilesOf(db, [...new Set(drafts)], now))
  return rows.map((row) => {
    const bills = toBills(row.bills)
    const status = statusFor(actor, row)
    const missing = row.status === 'draft' ? missingProfileFields(profiles.get(row.accountId) ?? {}) : []
    const untilNumber = row.status === 'confirmed' ? (unlockOf(bills, settings, now)?.missing ?? null) : null
    return {
      row,
      bills,
      status,
      facts: factsOf(row, status, bills, missing, untilNumber),
      ...cardOf(row, bills, settings.cardShare),
    }
  })
}

function documentFacts(slots: Row['documents']) {
  const required = slots.filter((slot) => slot.required)
  const openDocuments = required.filter((slot) => slot.status === 'empty' || slot.status === 'rejected')
  return {
    required: required.length,
    missing: openDocuments.filter((slot) => slot.status === 'empty').length,
    rejected: slots.filter((slot) => slot.status === 'rejected').length,
    firstRejected: slots.find((slot) => slot.status === 'rejected') ?? null,
    toReview: slots.filter((slot) => slot.status === 'uploaded').length,
    dueOn:
      openDocuments
        .map((slot) => slot.due)
        .filter((due) => due !== null)
        .sort()[0] ?? null,
  }
}

function factsOf(
  row: Row,
  status: RegistrationStatus,
  bills: RegistrationBills,
  missing: readonly string[],
  untilNumber: number | null,
): RegistrationFacts {
  const { registration: registrationDocuments = [], enrolment: enrolmentDocuments = [] } = Object.groupBy(
    row.documents,
    ({ stage }) => stage,
  )
  return {
    id: row.id,
    status,
    result: publicResult(row),
    missingProfileFields: missing,
    choices: row.choices.map(({ id, offered, placesLeft }) => ({ programmeId: id, offered, placesLeft })),
    maxChoices: row.track.maxChoices,
    asksDonation: row.track.asksDonation,
    donationAmount: row.donationAmount,
    donation: donationOf(row),
    window: {
      opensAt: row.opensAt,
      closesAt: row.closesAt,
      paymentDueAt: row.paymentDueAt,
      resultsAt: row.resultsAt,
      confirmationDueAt: row.confirmationDueAt,
    },
    quotaLeft: row.quota === null ? null : row.quota - row.quotaTaken,
    documentsState: row.documentsState,
    documents: documentFacts(registrationDocuments),
    enrolmentDocuments: documentFacts(enrolmentDocuments),
    hasEnrolmentData: row.hasEnrolmentData,
    documentsSettled: requiredDocumentsSettled(registrationDocuments),
    hasTest: row.track.hasTest,
    seat: row.seat,
    seatOfferedUntil: row.seatOfferedUntil,
    testSessions: row.testSessions,
    publishAt: row.resultsPublishAt,
    registrationFee: bills.registrationFee,
    reRegistration: bills.reRegistration,
    untilNumber,
    studentNumber: row.studentNumber,
  }
}

/** A registration with all facts that its rules need; 404 if the actor may not see it. */
export async function getRegistration(db: Db, actor: Actor, id: string, now: Date): Promise<LoadedRegistration> {
  const [found] = await load(db, actor, now, { kind: 'id', value: id })
  if (!found) throw notFound('registration')
  return found
}

export const findRegistrations = (db: Db, actor: Actor, ids: readonly string[], now: Date) =>
  load(db, actor, now, { kind: 'ids', value: ids })

/** The registrations of the actor's account, newest first. */
export const registrationsOf = (db: Db, actor: Actor, now: Date, known: Promise<Known>) =>
  load(db, actor, now, { kind: 'accountId', value: actor.accountId }, known)

/** Throws 404 unless the actor may see the registration. */
export async function requireVisible(db: Db, actor: Actor, id: string) {
  const { rows } = await sql`SELECT FROM registrations r WHERE r.id = ${id} AND ${visibleTo(actor)}`.execute(db)
  if (rows.length === 0) throw notFound('registration')
}
