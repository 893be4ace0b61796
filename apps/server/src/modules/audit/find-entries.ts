import { sql } from 'kysely'
import { auditKinds, readingActions } from '#domain/audit/kinds.ts'
import type { listAudit } from '#domain/audit/lists.ts'
import type { FiltersOf } from '#domain/list.ts'
import { entities } from '#entities/index.ts'
import { audit as words } from '#locales/en/audit.ts'
import type { FilterRules } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import { decisionActions, isPublished } from '#server/platform/access/decision-scope.ts'
import { contains, type Database, type Db } from '#server/platform/database/database.ts'
import { withoutSecrets } from '#server/platform/sensitive.ts'

type AuditFilter = FiltersOf<typeof listAudit>

const entitySteps = Object.keys(words.entityActions)
const stepsOf = (subject: string): string[] =>
  Object.keys((words.actions as Record<string, object>)[subject] ?? {}).map((step) => `${subject}.${step}`)

/** Lists every action of a kind, so that the index on actions can be used. */
function actionsOf(kind: NonNullable<AuditFilter['kind']>): string[] {
  if (kind === 'reading') return [...readingActions]
  const ownActions = auditKinds[kind].flatMap(stepsOf)
  if (kind !== 'master') return ownActions
  return [...ownActions, ...entities.flatMap(({ slug }) => entitySteps.map((step) => `${slug}.${step}`))]
}

/** Keeps only actions that have entries: the planner estimates a few rows for each of the others, which adds up. */
async function findRecorded(db: Db, actions: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`SELECT one.action FROM unnest(${actions}::text[]) AS one (action)
    CROSS JOIN LATERAL (SELECT FROM audit_log WHERE audit_log.action = one.action LIMIT 1) found`.execute(db)
  return rows.map(({ action }) => action)
}

/** Filters of the entries. */
export const entryFilters = (db: Db): FilterRules<typeof listAudit, Database, 'auditLog'> => ({
  subjectType: 'auditLog.subjectType',
  subjectId: 'auditLog.subjectId',
  actorId: 'auditLog.actorId',
  action: 'auditLog.action',
  ip: 'auditLog.ip',
  kind: async (kind) => {
    const actions = await findRecorded(db, actionsOf(kind))
    return (eb) => eb('auditLog.action', '=', sql<string>`ANY(${actions}::text[])`)
  },
  from: sinceDay('auditLog.at'),
  to: untilDay('auditLog.at'),
  q: async (q) => {
    const people = await findPeople(db, q)
    return (eb) =>
      eb.or([eb('auditLog.actorId', '=', sql<string>`ANY(${people}::uuid[])`), eb('auditLog.subjectId', '=', q)])
  },
})

/** Account ids that match the search; there are far fewer accounts than entries. */
async function findPeople(db: Db, q: string) {
  const people = await db
    .selectFrom('accounts')
    .select('id')
    .where((eb) => eb.or([contains('name', q), eb('emailLower', '=', q.toLowerCase())]))
    .limit(200)
    .execute()
  return people.map(({ id }) => id)
}

/** Leaves out unpublished decisions, and status changes from or to such a decision. */
export const hidesUnpublished = (now: Date) => sql<boolean>`NOT EXISTS (SELECT FROM registrations r
  WHERE r.id = CASE WHEN audit_log.subject_type = 'registration'
      AND (audit_log.action = ANY(${decisionActions}::text[])
        OR 'decided' IN (audit_log.before ->> 'status', audit_log.after ->> 'status')) THEN audit_log.subject_id::uuid END
    AND NOT ${isPublished(now)} AND (r.hidden_since IS NULL OR audit_log.at >= r.hidden_since))`

/** Masks secrets in entries written before secrets were left out of them. */
export const snapshotsOf = (row: { before: unknown; after: unknown; subjectType: string; action: string }) => ({
  before: withoutSecrets(row.before, row.subjectType, row.action),
  after: withoutSecrets(row.after, row.subjectType, row.action),
})

export const entryColumns = [
  'auditLog.id',
  'auditLog.at',
  'auditLog.actorId',
  'auditLog.actorName',
  'auditLog.roleName',
  'auditLog.actingAsName',
  'auditLog.action',
  'auditLog.subjectType',
  'auditLog.subjectId',
  'auditLog.before',
  'auditLog.after',
  'auditLog.reason',
  'auditLog.ip',
  'auditLog.requestId',
] as const
