import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { type CampusField, isIdentityField } from '#domain/students/campus/fields.ts'
import { bearerToken } from '#server/platform/access/authentication.ts'
import { hashToken } from '#server/platform/access/tokens.ts'
import { unauthenticated } from '#server/platform/errors.ts'
import { addressOf } from '#server/platform/http/address.ts'
import type { Services } from '#server/platform/services.ts'
import { acceptedPeople, campusExpressions } from './campus-students.ts'

type Values = {
  [K in keyof typeof campusExpressions]: (typeof campusExpressions)[K] extends RawBuilder<infer V> ? V : never
}
type StudentRow = Omit<Values, 'nik' | 'nisn' | 'motherName'> &
  Partial<Pick<Values, 'nik' | 'nisn' | 'motherName'>> & {
    id: string
    position: string
    changedAt: string
    withdrawnNumbers: string[]
  }

type Query = { changedSince?: string | undefined; cursor?: string | undefined; limit: number }

/** Microseconds since 1970 when a student last changed. A Date would round them and lose the order. */
const position = sql<string>`(extract(epoch FROM h.changed_at) * 1000000)::bigint::text`

/** The token of a call; 401 if it is missing, unknown or revoked. Calls with a revoked token are recorded. */
async function readToken({ db, clock }: Services, request: FastifyRequest) {
  const token = bearerToken(request)
  if (!token) throw unauthenticated()
  const found = await db
    .selectFrom('campusTokens')
    .select(['id', 'withIdentity', 'everyProgramme', 'revokedAt'])
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst()
  if (!found) throw unauthenticated()
  if (found.revokedAt) {
    await db
      .insertInto('campusCalls')
      .values({ tokenId: found.id, at: clock.now(), ip: addressOf(request), outcome: 'revoked', students: 0 })
      .execute()
    throw unauthenticated()
  }
  return found
}

/**
 * A page of the students a token may see, in order of their last change; records the call. A change gets its time at
 * the commit, so a reader never misses one that becomes visible later.
 */
export async function readStudents(
  services: Services,
  request: FastifyRequest,
  { changedSince, cursor, limit }: Query,
) {
  const { db, clock } = services
  const token = await readToken(services, request)
  const { npm: _, ...expressions } = campusExpressions
  const fields = Object.entries(expressions).filter(
    ([field]) => token.withIdentity || !isIdentityField(field as CampusField),
  )
  const rows = await acceptedPeople(db)
    .innerJoin('studentChanges as h', 'h.registrationId', 'r.id')
    .select(['r.id', position.as('position')])
    .select(sql<string>`to_char(h.changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('changedAt'))
    .select(sql<string | null>`CASE WHEN r.status = 'enrolled' THEN s.npm END`.as('npm'))
    .select(
      sql<string[]>`ARRAY(SELECT x.npm FROM withdrawn_student_numbers x WHERE x.registration_id = r.id
        ORDER BY x.withdrawn_at)`.as('withdrawnNumbers'),
    )
    .select(fields.map(([field, expression]) => sql`${expression}`.as(field)))
    .$if(!token.everyProgramme, (query) =>
      query.where(
        sql<boolean>`p.id IN (SELECT x.programme_id FROM campus_token_programmes x WHERE x.token_id = ${token.id})`,
      ),
    )
    .$if(changedSince !== undefined, (query) =>
      query.where(sql<boolean>`h.changed_at >= ${changedSince}::text::timestamptz`),
    )
    .$if(cursor !== undefined, (query) =>
      query.where(
        sql<boolean>`h.changed_at > timestamptz 'epoch' + ${cursor}::text::bigint * interval '1 microsecond'`,
      ),
    )
    .orderBy('h.changedAt')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit) as unknown as StudentRow[]
  const last = page.at(-1)
  const now = clock.now()
  await db
    .insertInto('campusCalls')
    .values({
      tokenId: token.id,
      at: now,
      ip: addressOf(request),
      outcome: 'answered',
      changedSince: changedSince ?? null,
      students: page.length,
    })
    .execute()
  await db.updateTable('campusTokens').set({ lastUsedAt: now }).where('id', '=', token.id).execute()
  return {
    data: page.map(({ nik, nisn, motherName, ...row }) => ({
      ...row,
      state: row.npm === null ? ('withdrawn' as const) : ('enrolled' as const),
      identity: token.withIdentity ? { nik: nik ?? null, nisn: nisn ?? null, motherName: motherName ?? null } : null,
    })),
    meta: {
      next: last && rows.length > limit ? last.position : null,
      changedSince: last?.changedAt ?? changedSince ?? null,
    },
  }
}
