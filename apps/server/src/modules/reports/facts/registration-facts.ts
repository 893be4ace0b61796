import { sql } from 'kysely'
import type { RegistrationStep } from '#domain/admissions/registration-status.ts'
import {
  type Column,
  type Facts,
  type LookedUp,
  type Measure,
  type Sql,
  timeGroups,
} from '#server/modules/reports/report.ts'
import { firstChoiceOf, joinPublication } from '#server/platform/access/decision-scope.ts'
import { maskListedEmailSql, maskListedPhoneSql } from '#server/platform/access/masks-sql.ts'
import { programmeVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import { waveGroup } from './wave-group.ts'

/**
 * When the decision became public. A confirmed registration may lack a publication if it is older than the first one.
 */
export const publicAt = sql`least(pub.publish_at, r.confirmed_at)`
/** Whether the reader sees the registration's decision at the moment. */
export const isPublic = sql<boolean>`(moment.sees_unpublished OR ${publicAt} <= moment.at) IS TRUE`

/**
 * When the reader got the present decision: at its publication, if that is later. Null if it was made after the moment;
 * then another decision, or a refusal it replaced, may have been visible.
 */
const presentAt = sql`CASE WHEN r.decided_at > moment.at THEN NULL WHEN moment.sees_unpublished THEN r.decided_at
  WHEN r.decided_at IS NOT NULL AND ${isPublic} THEN greatest(r.decided_at, ${publicAt}) END`
/** When the refusal became visible that the reader still sees because its replacement is hidden. */
export const shownRefusalAt = sql`CASE WHEN NOT moment.sees_unpublished THEN shown.at END`
export const decidedAt = sql`coalesce(${presentAt}, ${shownRefusalAt})`
const decidedAs = (decision: 'accepted' | 'not_accepted') =>
  sql`CASE WHEN r.decision = ${decision} THEN ${presentAt} END`

/** Time of each step not undone; null if not taken. */
export const times = {
  started: sql`r.created_at`,
  submitted: sql`r.submitted_at`,
  paid: sql`r.paid_at`,
  verified: sql`r.verified_at`,
  tested: sql`r.tested_at`,
  accepted: decidedAs('accepted'),
  not_accepted: sql`coalesce(${decidedAs('not_accepted')}, ${shownRefusalAt})`,
  confirmed: sql`r.confirmed_at`,
  enrolled: sql`r.enrolled_at`,
  withdrawn: sql`CASE WHEN r.status = 'withdrawn' THEN r.closed_at END`,
  cancelled: sql`CASE WHEN r.status = 'cancelled' THEN r.closed_at END`,
  expired: sql`CASE WHEN r.status = 'expired' THEN r.closed_at END`,
} satisfies Partial<Record<RegistrationStep, Sql>>

export type Step = keyof typeof times

const isDecision = (step: Step) => step === 'accepted' || step === 'not_accepted'

/** Joins the publication `sp` of the decision made by step `s`. */
const joinPublicationOfStep = sql`JOIN registrations o ON o.id = s.registration_id
  LEFT JOIN result_publications sp ON sp.wave_id = o.wave_id AND sp.track_id = o.track_id
    AND s.step IN ('accepted', 'not_accepted') AND sp.number = coalesce(s.published_after, 0) + 1`
/** When the decision of step `s` became public; null if never. */
const stepPublicAt = sql`CASE WHEN greatest(s.at, sp.publish_at) <= coalesce(s.undone_at, 'infinity')
  AND sp.publish_at IS NOT NULL THEN greatest(s.at, sp.publish_at) END`

/**
 * Joins three sources. `undone`: steps undone after the moment. `shown`: the public refusal undone before the moment
 * that is visible until the next public decision. `moved`: the former programme of registrations moved since. All three
 * are few: for other registrations the columns are complete, as the check of the books verifies. For a reader, a
 * decision counts from its publication.
 */
const history = sql`
  LEFT JOIN LATERAL (
    SELECT h.registration_id, array_agg(h.step) FILTER (WHERE h.seen_at <= moment.at) AS steps,
      array_agg(h.step) FILTER (WHERE h.seen_at BETWEEN moment.since AND moment.at) AS steps_since,
      jsonb_object_agg(h.step, h.seen_at) FILTER (WHERE h.seen_at <= moment.at) AS taken,
      max(h.seen_at) FILTER (WHERE h.is_decision AND h.seen_at <= moment.at) AS decided_at,
      max(h.public_at) FILTER (WHERE h.public_at <= moment.at) AS published_at,
      (array_agg(h.selection_run_id) FILTER (WHERE h.is_decision))[1] AS selection_run_id,
      bool_or(h.step = 'accepted' AND (h.seen_at <= moment.at) IS NOT TRUE) AS hides_acceptance
    FROM (
      SELECT k.*, CASE WHEN k.is_decision AND NOT moment.sees_unpublished THEN k.public_at ELSE k.at END AS seen_at
      FROM (
        SELECT s.registration_id, s.step, s.at, s.selection_run_id, s.step IN ('accepted', 'not_accepted') AS is_decision,
          ${stepPublicAt} AS public_at
        FROM registration_steps s ${joinPublicationOfStep}
        WHERE s.undone_at > moment.at AND s.at <= moment.at) k) h
    GROUP BY h.registration_id
  ) undone ON undone.registration_id = r.id
  LEFT JOIN LATERAL (
    SELECT DISTINCT ON (s.registration_id) s.registration_id, s.selection_run_id, ${stepPublicAt} AS at
    FROM registration_steps s ${joinPublicationOfStep}
    WHERE s.stays_shown AND s.undone_at <= moment.at AND NOT EXISTS (
      SELECT FROM registration_steps n JOIN result_publications np ON np.wave_id = o.wave_id AND np.track_id = o.track_id
        AND np.number = coalesce(n.published_after, 0) + 1
      WHERE n.registration_id = s.registration_id AND n.step IN ('accepted', 'not_accepted') AND n.id > s.id
        AND greatest(n.at, np.publish_at) <= moment.at
        AND greatest(n.at, np.publish_at) <= coalesce(n.undone_at, 'infinity'))
    ORDER BY s.registration_id, s.id DESC
  ) shown ON shown.registration_id = r.id
  LEFT JOIN LATERAL (
    SELECT DISTINCT ON (s.registration_id) s.registration_id, s.from_programme_id, s.from_class_programme_id
    FROM registration_steps s WHERE s.step = 'moved' AND s.at > moment.at ORDER BY s.registration_id, s.at, s.id
  ) moved ON moved.registration_id = r.id`

/** Whether the registration was accepted at the moment without the reader seeing it. */
const isHiddenAcceptance = sql<boolean>`(r.decision = 'accepted' AND r.decided_at <= moment.at AND NOT ${isPublic}
  OR undone.hides_acceptance) IS TRUE`
const stoodFor = sql`CASE WHEN ${isHiddenAcceptance} THEN coalesce(${firstChoiceOf('r')}, r.programme_id)
  WHEN moved.registration_id IS NULL THEN r.programme_id ELSE moved.from_programme_id END`
const stoodInClass = sql`coalesce(moved.from_class_programme_id, r.class_programme_id)`
export const wasUndone = (step: Step) => sql<boolean>`${step} = ANY (undone.steps)`
export const standsOn = (...steps: Step[]) =>
  sql`(${sql.join(
    steps.map((step) => sql`${times[step]} <= moment.at OR ${wasUndone(step)}`),
    sql` OR `,
  )})`

/** Stage of a registration at the moment. */
export const stage = sql`CASE WHEN ${standsOn('withdrawn', 'cancelled', 'expired')} THEN 'left'
  WHEN ${standsOn('enrolled')} THEN 'enrolled' WHEN ${standsOn('confirmed')} THEN 'confirmed'
  WHEN ${standsOn('not_accepted')} THEN 'not_accepted' WHEN ${standsOn('accepted')} THEN 'accepted'
  WHEN ${standsOn('verified')} THEN 'verified' WHEN ${standsOn('paid')} THEN 'paid'
  WHEN ${standsOn('submitted')} THEN 'submitted' ELSE 'started' END`

/** Full contacts need permission to edit registrations, as in the list of registrations. */
const contact = (value: LookedUp, short: LookedUp): Column => ({
  value,
  kind: 'text',
  masked: { unless: 'pendaftaran-edit', value: short },
})
const person = sql`LEFT JOIN applicants person ON person.id = r.applicant_id`
const ofPerson = (value: Sql): LookedUp => ({
  each: sql`(SELECT ${value} FROM applicants person WHERE person.id = r.applicant_id)`,
  joins: [person],
  joined: value,
})
const ofAccount = (value: Sql): LookedUp => ({
  each: sql`(SELECT ${value} FROM accounts account WHERE account.id = r.account_id)`,
  joins: [sql`LEFT JOIN accounts account ON account.id = r.account_id`],
  joined: value,
})
const schoolName: LookedUp = {
  each: sql`(SELECT school.name FROM applicants person JOIN schools school ON school.id = person.school_id
    WHERE person.id = r.applicant_id)`,
  joins: [person, sql`LEFT JOIN schools school ON school.id = person.school_id`],
  joined: sql`school.name`,
}

/** Columns of registration `r`, for every kind of row. */
export const registrationColumns = {
  code: { value: sql`r.code`, kind: 'text' },
  name: { value: ofPerson(sql`person.full_name`), kind: 'text' },
  phone: contact(ofPerson(sql`person.phone`), ofPerson(maskListedPhoneSql(sql`person.phone`))),
  email: contact(ofAccount(sql`account.email`), ofAccount(maskListedEmailSql(sql`account.email`))),
  school: { value: schoolName, kind: 'text' },
  wave: { value: sql`w.name`, kind: 'text' },
  track: { value: sql`t.name`, kind: 'text' },
} satisfies Facts['columns']

export const registrationPath = { to: sql<string>`'/pendaftaran/' || r.id`, access: 'pendaftaran-view' }

/** Whether stored registration `r` is of one of the waves. */
export const isOfWaves = (ids: readonly string[]) => sql<boolean>`r.wave_id = ANY(${ids}::uuid[])`

/** Year, filters and groups for rows with wave `w`, track `t`, study programme `p` and faculty `f`. */
export const registrationPlaces = {
  year: sql<string>`w.academic_year`,
  filters: { waveId: sql`r.wave_id`, trackId: sql`r.track_id`, facultyId: sql`p.faculty_id`, programmeId: sql`p.id` },
  groups: {
    programme: { key: sql`p.id`, label: sql`p.name` },
    faculty: { key: sql`f.id`, label: sql`f.name` },
    wave: waveGroup,
    track: { key: sql`t.id`, label: sql`t.name` },
  },
} satisfies Partial<Facts>

const places = sql`JOIN waves w ON w.id = r.wave_id LEFT JOIN tracks t ON t.id = r.track_id
  ${joinPublication}`

const owed: LookedUp = {
  each: sql`(SELECT coalesce(sum(b.total - b.paid), 0)::bigint FROM bills b
    WHERE b.registration_id = r.id AND b.status IN ('open', 'partly_paid'))`,
  joins: [
    sql`LEFT JOIN (SELECT b.registration_id, sum(b.total - b.paid)::bigint AS owed FROM bills b
      WHERE b.status IN ('open', 'partly_paid') GROUP BY b.registration_id) owing ON owing.registration_id = r.id`,
  ],
  joined: sql`coalesce(owing.owed, 0)`,
}

const latest = (uploadedAt: Sql) => sql`greatest(r.created_at, r.submitted_at, r.paid_at, r.verified_at, r.tested_at,
  ${decidedAt}, r.confirmed_at, r.enrolled_at, r.closed_at, ${uploadedAt})`
const lastActivityAt: LookedUp = {
  each: latest(sql`(SELECT max(d.uploaded_at) FROM documents d WHERE d.registration_id = r.id)`),
  joins: [
    sql`LEFT JOIN (SELECT d.registration_id, max(d.uploaded_at) AS uploaded_at FROM documents d GROUP BY d.registration_id)
      filed ON filed.registration_id = r.id`,
  ],
  joined: latest(sql`filed.uploaded_at`),
}

const joinsAtMoment = sql`${places} ${history}
  LEFT JOIN study_programmes p ON p.id = ${stoodFor} LEFT JOIN faculties f ON f.id = p.faculty_id
  LEFT JOIN class_programmes c ON c.id = ${stoodInClass}`

/** Stored facts of registrations under the alias `r`, joined as in `registrationFacts`. */
export const storedRegistrations = sql`registration_facts r ${joinsAtMoment}`

/** Facts about registrations, for rows that join something of their own. */
export const joinedRegistrationFacts = {
  from: sql`registrations r ${joinsAtMoment}`,
  // A registration that has moved counts under its former programme only for readers who see that programme.
  scope: (actor) => sql<boolean>`(${visibleTo(actor)} AND ${programmeVisibleTo(actor, 'p.id')})`,
  year: registrationPlaces.year,
  storedOfWaves: isOfWaves,
  filters: { ...registrationPlaces.filters, classProgrammeId: sql`c.id` },
  groups: {
    ...registrationPlaces.groups,
    ...timeGroups,
    year: { key: sql`w.academic_year`, label: sql`w.academic_year`, isOrdered: true },
    classProgramme: { key: sql`c.id`, label: sql`c.name` },
    stage: { key: stage, label: sql`NULL::text`, words: 'stage', isOrdered: true },
  },
  id: sql`r.id`,
  order: sql`r.search_text`,
  search: sql`r.search_text`,
  path: registrationPath,
  columns: {
    ...registrationColumns,
    programme: { value: sql`p.name`, kind: 'text' },
    classProgramme: { value: sql`c.name`, kind: 'text' },
    stage: { value: stage, kind: 'text', words: 'stage' },
    documents: { value: sql`r.documents_state`, kind: 'text', words: 'documents' },
    owed: { value: owed, kind: 'money' },
    submittedAt: { value: sql`r.submitted_at`, kind: 'dateTime' },
    lastActivityAt: { value: lastActivityAt, kind: 'dateTime' },
  },
} satisfies Facts

/** One row per registration, under its study programme and class programme at the moment. */
export const registrationFacts: Facts = { ...joinedRegistrationFacts, stored: storedRegistrations }

/**
 * Whether the step was taken in the period and undone later. A decision is taken at its publication at the earliest.
 */
export const undoneSince = (step: Step) => sql<boolean>`${step} = ANY (undone.steps_since)`

/** Registrations that had taken a step by the moment. */
export const reached = (step: Step, facts: Facts = registrationFacts): Measure => ({
  facts,
  at: times[step],
  undone: undoneSince(step),
  undoneAt: sql`(undone.taken ->> ${sql.lit(step)})::timestamptz`,
  // A decision counts from its publication, which the history does not record.
  ...(facts === registrationFacts && !isDecision(step) && { kept: step }),
})

/** Percentile of days between two steps, for registrations that had taken both by the moment. */
export const daysBetween = (from: Step, to: Step, share: number): Measure => ({
  facts: registrationFacts,
  at: times[to],
  where: sql<boolean>`${times[from]} IS NOT NULL`,
  percentile: { of: sql`extract(epoch FROM ${times[to]} - ${times[from]}) / 86400`, share },
  kind: 'days',
})

const {
  stage: _stage,
  year: _year,
  day: _day,
  week: _week,
  month: _month,
  ...choiceGroups
} = joinedRegistrationFacts.groups

const ofChoice = sql`ON r.id = rc.registration_id ${places}
  JOIN study_programmes p ON p.id = rc.programme_id LEFT JOIN faculties f ON f.id = p.faculty_id
  LEFT JOIN class_programmes c ON c.id = r.class_programme_id`

/** One row per choice of a submitted registration, under the chosen programme. */
const choiceFacts: Facts = {
  ...registrationFacts,
  from: sql`registration_choices rc JOIN registrations r ${ofChoice}`,
  stored: sql`registration_choices rc JOIN registration_facts r ${ofChoice}`,
  groups: choiceGroups,
  id: sql`r.id, rc.position`,
  columns: {
    ...registrationColumns,
    programme: { value: sql`p.name`, kind: 'text' },
    classProgramme: { value: sql`c.name`, kind: 'text' },
    choice: { value: sql`rc.position`, kind: 'number' },
    submittedAt: { value: sql`r.submitted_at`, kind: 'dateTime' },
  },
}

/** Choices of submitted registrations: all, or those at one position. */
export const chosen = (position?: number): Measure => ({
  facts: choiceFacts,
  at: times.submitted,
  ...(position && { where: sql<boolean>`rc.position = ${position}` }),
})
