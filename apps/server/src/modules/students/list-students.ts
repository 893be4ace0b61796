import { sql } from 'kysely'
import type { z } from 'zod'
import type { listStudents as call, StudentRow } from '#domain/students/endpoints.ts'
import { readCursor, writeCursor } from '#server/modules/admissions/list-registrations.ts'
import { numberUnlocks } from '#server/modules/payments/unlock.ts'
import type { Actor } from '#server/platform/authorization.ts'
import { type Db, likePattern } from '#server/platform/database.ts'
import { refusingCursor } from '#server/platform/page.ts'
import { visibleTo } from '#server/platform/row-scope.ts'

type Query = z.output<typeof call.query>
type Row = Omit<StudentRow, 'issuedAt' | 'unlocked'> & { issuedAt: Date | null; cursor: string }

const exactTotalLimit = 10_000

/** Confirmed applicants and students, newest registration first. */
export async function listStudents(db: Db, actor: Actor, query: Query, now: Date) {
  const { q, waveId, programmeId, status } = query
  const conditions = [
    status ? sql`r.status = ${status}` : sql`r.status IN ('confirmed', 'enrolled')`,
    visibleTo(actor),
    ...(waveId ? [sql`r.wave_id = ${waveId}`] : []),
    ...(programmeId ? [sql`r.programme_id = ${programmeId}`] : []),
    ...(q && q.length >= 2
      ? [
          sql`(r.search_text LIKE ${likePattern(q.toLowerCase())}
            OR EXISTS (SELECT FROM students s WHERE s.registration_id = r.id AND s.npm LIKE ${likePattern(q)}))`,
        ]
      : []),
  ]
  const page = query.after
    ? (([at, id]) => sql`(r.created_at, r.id) < (${at}::timestamptz, ${id}::uuid)`)(readCursor(query.after))
    : sql`true`
  const where = sql.join(conditions, sql` AND `)
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      SELECT r.id AS registration_id, r.code, a.full_name AS name, p.name AS programme, w.name AS wave, r.status,
        s.npm, s.issued_at, r.created_at::text AS cursor
      FROM (SELECT * FROM registrations r WHERE ${where} AND ${page}
        ORDER BY r.created_at DESC, r.id DESC LIMIT ${query.per_page + 1}) r
      JOIN applicants a ON a.id = r.applicant_id
      JOIN study_programmes p ON p.id = r.accepted_programme_id
      JOIN waves w ON w.id = r.wave_id
      LEFT JOIN students s ON s.registration_id = r.id
      ORDER BY r.created_at DESC, r.id DESC`
      .execute(db)
      .catch(refusingCursor(query.after)),
    sql<{ total: number }>`SELECT count(*)::int AS total FROM (
      SELECT 1 FROM registrations r WHERE ${where} LIMIT ${exactTotalLimit + 1}) counted`.execute(db),
  ])
  const hasMore = rows.length > query.per_page
  if (hasMore) rows.pop()
  const last = rows.at(-1)
  const { total } = counted.rows[0]!
  const confirmed = rows.filter(({ status: at }) => at !== 'enrolled').map(({ registrationId }) => registrationId)
  const unlocks = await numberUnlocks(db, confirmed, now)
  return {
    data: rows.map(({ cursor: _, ...row }) => ({
      ...row,
      unlocked: row.status === 'enrolled' || unlocks.get(row.registrationId)?.missing === 0,
    })),
    meta: {
      total: Math.min(total, exactTotalLimit),
      total_is_estimate: total > exactTotalLimit,
      next: hasMore && last ? writeCursor(last.cursor, last.registrationId) : null,
    },
  }
}
