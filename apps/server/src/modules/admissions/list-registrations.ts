import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { listRegistrations as call } from '#domain/admissions/endpoints.ts'
import type { RegistrationRow } from '#domain/admissions/schemas.ts'
import type { Actor } from '#server/platform/authorization.ts'
import { type Db, likePattern } from '#server/platform/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { refusingCursor } from '#server/platform/page.ts'
import { isApplicant, seesAll, visibleTo } from '#server/platform/row-scope.ts'
import { queueCondition } from './registration-queues.ts'
import { isPublished } from './visible-registrations.ts'

type Query = z.output<typeof call.query>
type Condition = RawBuilder<unknown>

/** Beyond this a total is estimated, so that no list costs a full scan. */
const exactTotalLimit = 10_000

/** Fewer letters find everybody, so they are not searched for. */
const searchMinimum = 2

const sorts = {
  newest: { column: sql`r.created_at`, type: sql`timestamptz`, direction: sql`DESC`, after: sql`<` },
  oldest: { column: sql`r.created_at`, type: sql`timestamptz`, direction: sql`ASC`, after: sql`>` },
  // The search text begins with the name.
  name: { column: sql`r.search_text`, type: sql`text`, direction: sql`ASC`, after: sql`>` },
  code: { column: sql`r.code`, type: sql`text`, direction: sql`ASC`, after: sql`>` },
} as const

/** `0812…` is stored as `+62812…`. */
const typed = (q: string) => {
  const digits = q.replace(/[\s.-]/g, '')
  return /^0\d+$/.test(digits) ? digits.replace(/^0/, '62') : q.toLowerCase()
}

/** The status as the reader may know it: to an applicant a decision does not exist before it is published. */
const shownStatusSql = (now: Date) =>
  sql`CASE WHEN r.status = 'decided' AND NOT ${isPublished(now)} THEN 'verified' ELSE r.status END`

function conditionsOf(actor: Actor, query: Query, now: Date): Condition[] {
  const own = isApplicant(actor)
  const decision: Condition = own ? sql`CASE WHEN ${isPublished(now)} THEN r.decision END` : sql`r.decision`
  const { q, waveId, trackId, programmeId, status, result, documents, queue } = query
  return [
    ...(seesAll(actor) ? [] : [visibleTo(actor)]),
    ...(waveId ? [sql`r.wave_id = ${waveId}`] : []),
    ...(trackId ? [sql`r.track_id = ${trackId}`] : []),
    ...(programmeId
      ? [
          own
            ? sql`EXISTS (SELECT FROM registration_choices rc WHERE rc.registration_id = r.id AND rc.programme_id = ${programmeId})`
            : sql`r.programme_id = ${programmeId}`,
        ]
      : []),
    ...(status ? [own ? sql`${shownStatusSql(now)} = ${status}` : sql`r.status = ${status}`] : []),
    ...(result === 'undecided'
      ? [sql`${own ? shownStatusSql(now) : sql`r.status`} IN ('paid', 'verified')`]
      : result
        ? [result === 'waiting' ? sql`${decision} IS NULL` : sql`${decision} = ${result}`]
        : []),
    ...(documents ? [sql`r.documents_state = ${documents}`] : []),
    // To an applicant a queue would tell of a decision before it is published.
    ...(queue && !own ? [queueCondition(queue, now)] : []),
    ...(q && q.length >= searchMinimum ? [sql`r.search_text LIKE ${likePattern(typed(q))}`] : []),
  ]
}

const whereAll = (conditions: Condition[]) =>
  conditions.length > 0 ? sql`WHERE ${sql.join(conditions, sql` AND `)}` : sql``

type Row = Omit<RegistrationRow, 'createdAt' | 'submittedAt' | 'result'> & {
  createdAt: Date
  submittedAt: Date | null
  published: boolean
  cursor: string
}

/** Whether phone numbers are shown in full. */
const seesPhones = (actor: Actor) => isApplicant(actor) || actor.permissions.has('pendaftaran-edit')
const masked = (phone: string | null) => phone && `${phone.slice(0, 6)}****${phone.slice(-3)}`

/** The page of the list under the rows' own indexes first; names are joined to those few rows only. */
export function pageQuery(actor: Actor, query: Query, now: Date) {
  const { column, type, direction, after } = sorts[query.sort]
  const conditions = conditionsOf(actor, query, now)
  if (query.after) {
    const [value, id] = readCursor(query.after)
    conditions.push(sql`(${column}, r.id) ${after} (${value}::${type}, ${id}::uuid)`)
  }
  const programme = isApplicant(actor)
    ? sql`(SELECT p.name FROM registration_choices rc JOIN study_programmes p ON p.id = rc.programme_id
        WHERE rc.registration_id = r.id AND rc.position = 1)`
    : sql`p.name`
  // Few rows are an applicant's own; the list of staff does not look for bills.
  const feeOwed = isApplicant(actor)
    ? sql`r.paid_at IS NOT NULL AND EXISTS (SELECT FROM bills b WHERE b.registration_id = r.id
        AND b.kind = 'registration_fee' AND b.status IN ('open', 'partly_paid'))`
    : sql`false`
  return sql<Row>`
    SELECT r.id, r.code, a.full_name AS name, a.phone, w.name AS wave, t.name AS track, c.name AS class_programme,
      ${programme} AS programme, r.status, r.decision, r.documents_state, r.created_at, r.submitted_at,
      ${feeOwed} AS fee_owed,
      ${column}::text AS cursor, coalesce(pub.publish_at <= ${now}, false) AS published
    FROM (SELECT * FROM registrations r ${whereAll(conditions)}
      ORDER BY ${column} ${direction}, r.id ${direction} LIMIT ${query.per_page + 1}) r
    JOIN applicants a ON a.id = r.applicant_id
    JOIN waves w ON w.id = r.wave_id
    JOIN tracks t ON t.id = r.track_id
    JOIN class_programmes c ON c.id = r.class_programme_id
    LEFT JOIN study_programmes p ON p.id = r.programme_id
    LEFT JOIN result_publications pub ON pub.wave_id = r.wave_id AND pub.track_id = r.track_id
    ORDER BY ${column} ${direction}, r.id ${direction}`
}

export async function listRegistrations(db: Db, actor: Actor, query: Query, now: Date) {
  const own = isApplicant(actor)
  const [{ rows }, { total, isEstimate }] = await Promise.all([
    pageQuery(actor, query, now).execute(db).catch(refusingCursor(query.after)),
    countRegistrations(db, conditionsOf(actor, query, now)),
  ])
  const hasMore = rows.length > query.per_page
  if (hasMore) rows.pop()
  const last = rows.at(-1)
  const phones = seesPhones(actor)
  return {
    data: rows.map((row) => ({
      id: row.id,
      code: row.code,
      name: row.name,
      phone: phones ? row.phone : masked(row.phone),
      wave: row.wave,
      track: row.track,
      classProgramme: row.classProgramme,
      programme: row.programme,
      status: own && row.status === 'decided' && !row.published ? ('verified' as const) : row.status,
      result: row.decision && row.published ? (row.decision as 'accepted' | 'not_accepted') : ('waiting' as const),
      decision: own ? null : row.decision,
      documentsState: row.documentsState,
      feeOwed: row.feeOwed,
      createdAt: row.createdAt.toISOString(),
      submittedAt: row.submittedAt ? row.submittedAt.toISOString() : null,
    })),
    meta: {
      total,
      total_is_estimate: isEstimate,
      next: hasMore && last ? writeCursor(last.cursor, last.id) : null,
    },
  }
}

async function countRegistrations(db: Db, conditions: Condition[]) {
  const matching = sql`FROM registrations r ${whereAll(conditions)}`
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${exactTotalLimit + 1}) counted`.execute(db)
  const { total } = rows[0]!
  if (total <= exactTotalLimit) return { total, isEstimate: false }
  const plan = await sql<Record<string, [{ Plan: { 'Plan Rows': number } }]>>`
    EXPLAIN (FORMAT JSON) SELECT 1 ${matching}`.execute(db)
  const estimate = Object.values(plan.rows[0]!)[0]![0].Plan['Plan Rows']
  return { total: Math.max(estimate, total), isEstimate: true }
}

export const writeCursor = (value: string, id: string) => Buffer.from(JSON.stringify([value, id])).toString('base64url')

export function readCursor(cursor: string): [value: string, id: string] {
  try {
    const [value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(id)) return [value, id]
  } catch {}
  throw invalid({ after: 'invalid_input' })
}
