import { sql } from 'kysely'
import { feederFieldRules, feederFields } from '#domain/students/feeder/fields.ts'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { feederFieldsOfStudent, feederProblemCount, feederStudents } from '#server/modules/students/feeder/readiness.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { registrationColumns, registrationPlaces } from './registration-facts.ts'

const personalFields = feederFields.filter((name) => feederFieldRules[name].personal)

/** The register that students are sent to. Without a connection, the built-in register of a demo, or the sandbox. */
const sending = sql`LEFT JOIN feeder_connection fc ON true
  LEFT JOIN feeder_sendings x ON x.registration_id = r.id AND x.target = coalesce(fc.target, x.target)`

const joins = sql`LEFT JOIN faculties f ON f.id = p.faculty_id LEFT JOIN class_programmes c ON c.id = r.class_programme_id`

const shared = {
  scope: (actor) => visibleTo(actor),
  search: sql`r.search_text`,
  year: registrationPlaces.year,
  filters: { ...registrationPlaces.filters, classProgrammeId: sql`c.id` },
  path: { to: sql<string>`'/mahasiswa-feeder/' || r.id`, access: 'mahasiswa-feeder-view' },
  columns: {
    npm: { value: sql`s.npm`, kind: 'text' },
    ...registrationColumns,
    programme: { value: sql`p.name`, kind: 'text' },
    classProgramme: { value: sql`c.name`, kind: 'text' },
  },
} satisfies Partial<Facts>

const groups = { ...registrationPlaces.groups, classProgramme: { key: sql`c.id`, label: sql<string>`c.name` } }
const feederField = { key: sql`ff.field`, label: sql<string>`ff.field` }
const feederProblem = { key: sql`ff.problem`, label: sql<null>`NULL::text`, words: 'feederProblem' as const }

/** One row per student with a number, and the outcome of sending the student. */
const studentFacts: Facts = {
  ...shared,
  from: sql`${feederStudents} ${joins} ${sending}`,
  groups,
  id: sql`r.id`,
  order: sql`s.npm`,
  columns: {
    ...shared.columns,
    sentAt: { value: sql`x.sent_at`, kind: 'dateTime' },
    feederDetail: { value: sql`x.detail`, kind: 'text' },
  },
}

/** The same with the number of problems, which costs much more to compute. */
const readinessFacts: Facts = {
  ...studentFacts,
  from: sql`${studentFacts.from} ${feederProblemCount(sql`moment.zone`)}`,
  columns: { ...studentFacts.columns, feederProblemCount: { value: sql`ready.count`, kind: 'number' } },
}

/** One row per field of a student, with its value and problem. */
const fieldFacts: Facts = {
  ...shared,
  from: sql`${feederStudents} ${joins} ${feederFieldsOfStudent(sql`moment.zone`)}`,
  groups: { ...groups, feederField, feederProblem },
  id: sql`r.id, ff.position`,
  order: sql`s.npm, ff.position`,
  columns: {
    ...shared.columns,
    feederField: { value: sql`ff.field`, kind: 'text' },
    feederProblem: { value: sql`ff.problem`, kind: 'text', words: 'feederProblem' },
    feederValue: {
      value: sql`ff.value`,
      kind: 'text',
      masked: {
        unless: 'pendaftaran-profile-identity',
        value: sql`CASE WHEN ff.field = ANY (${personalFields}::text[]) THEN '••••' || right(ff.value, 2) ELSE ff.value END`,
      },
    },
  },
}

const checked = { facts: readinessFacts, at: sql`s.issued_at` } satisfies Measure

/** Students with a number: all, then by readiness and by outcome of sending. */
export const feederStudentsWithNumber: Measure = { facts: studentFacts, at: sql`s.issued_at` }
export const feederReady: Measure = { ...checked, where: sql<boolean>`ready.count = 0` }
export const feederIncomplete: Measure = { ...checked, where: sql<boolean>`ready.count > 0` }
export const feederSent: Measure = { facts: studentFacts, at: sql`x.sent_at` }
export const feederRefused: Measure = { facts: studentFacts, at: sql`x.refused_at` }

/** Fields with a problem, then all fields. */
export const feederProblemsFound: Measure = {
  facts: fieldFacts,
  at: sql`s.issued_at`,
  where: sql<boolean>`ff.problem IS NOT NULL`,
}
export const feederFieldsOfAll: Measure = { facts: fieldFacts, at: sql`s.issued_at` }
