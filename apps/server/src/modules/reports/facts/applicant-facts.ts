import { sql } from 'kysely'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { storedProfile } from './of-registration.ts'
import { joinedRegistrationFacts, storedRegistrations, times } from './registration-facts.ts'
import { agreements, schoolGroups } from './school-groups.ts'

/**
 * A place is paid for once the first instalment of the re-registration bill is paid, or the whole bill if it has none.
 * If the settings let a student number be issued earlier, its issue counts. Registrations without a bill are joined by
 * their own id, which no instalment has: PostgreSQL would put all rows with a null key into one batch of a hash join
 * and split it for minutes.
 */
const fixedPayment = sql`
  LEFT JOIN bills rb ON rb.registration_id = r.id AND rb.kind = 're_registration' AND rb.status <> 'cancelled'
  LEFT JOIN installments ri ON ri.bill_id = coalesce(rb.id, r.id) AND ri.position = 1
  LEFT JOIN students st ON st.registration_id = r.id
  CROSS JOIN LATERAL (SELECT least(CASE WHEN ri.id IS NULL THEN rb.paid_at ELSE ri.paid_at END, st.issued_at) AS at) fix`
const storedPayment = sql`LEFT JOIN paid_places pp ON pp.registration_id = r.id
  CROSS JOIN LATERAL (SELECT least(pp.paid_at, r.numbered_at) AS at) fix`
const fixedAt = sql`fix.at`

const joinsOfProfile = sql`LEFT JOIN schools s ON s.id = a.school_id LEFT JOIN cities sc ON sc.id = s.city_id
  LEFT JOIN provinces sp ON sp.id = sc.province_id LEFT JOIN ethnic_groups eg ON eg.id = a.ethnic_group_id
  ${agreements}`

/** One row per registration with its applicant, school and first instalment. */
export const applicantFacts: Facts = {
  ...joinedRegistrationFacts,
  from: sql`${joinedRegistrationFacts.from} JOIN applicants a ON a.id = r.applicant_id ${joinsOfProfile} ${fixedPayment}`,
  stored: sql`${storedRegistrations} ${storedProfile} ${joinsOfProfile} ${storedPayment}`,
  filters: { ...joinedRegistrationFacts.filters, provinceId: sql`sp.id`, cityId: sql`sc.id` },
  groups: {
    ...joinedRegistrationFacts.groups,
    province: { key: sql`sp.id`, label: sql`sp.name` },
    city: { key: sql`sc.id`, label: sql`sc.name` },
    ...schoolGroups,
    ethnicGroup: { key: sql`eg.id`, label: sql`eg.name` },
  },
  columns: {
    ...joinedRegistrationFacts.columns,
    school: { value: sql`s.name`, kind: 'text' },
    city: { value: sql`sc.name`, kind: 'text' },
    province: { value: sql`sp.name`, kind: 'text' },
    fixedAt: { value: fixedAt, kind: 'dateTime' },
    npm: { value: sql`st.npm`, kind: 'text' },
    paidTuition: { value: sql`rb.paid`, kind: 'money' },
    plan: { value: sql`(SELECT l.name FROM installment_plans l WHERE l.id = rb.installment_plan_id)`, kind: 'text' },
    nextDueAt: {
      value: sql`CASE WHEN rb.status IN ('open', 'partly_paid') THEN coalesce((SELECT min(n.due_at) FROM installments n
        WHERE n.bill_id = rb.id AND n.paid < n.amount), rb.due_at) END`,
      kind: 'dateTime',
    },
    sponsored: { value: sql`(rb.status = 'guaranteed')::text`, kind: 'text', words: 'yesNo' },
  },
}

/** Registrations whose place was paid for by the moment. */
export const fixBayar: Measure = { facts: applicantFacts, at: fixedAt }

/** Submitted registrations of applicants without an ethnic group. */
export const withoutEthnicGroup: Measure = {
  facts: applicantFacts,
  at: times.submitted,
  where: sql<boolean>`eg.id IS NULL`,
}
