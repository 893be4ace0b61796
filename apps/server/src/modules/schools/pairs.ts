import { type RawBuilder, sql } from 'kysely'
import { mustGet, theOnly } from '#domain/must.ts'
import type { ComparedSchool, SchoolPair } from '#domain/schools/endpoints.ts'
import { listPairs } from '#domain/schools/lists.ts'
import type { Language } from '#entities/define/language.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import { schoolPatterns } from '#server/platform/school-words.ts'
import type { Services } from '#server/platform/services.ts'
import { referencesOf } from './references.ts'
import { briefColumns, briefJoins, briefSchools } from './schools-sql.ts'

type PairRow = { id: string; lowId: string; highId: string; similarity: number; dismissed: boolean }

/** Maximum number of schools compared side by side. */
const maxSideBySide = 6

/** Whether a school's search words contain the typed text. */
export const matchesName = (id: RawBuilder<unknown>, q: string) => {
  const like = schoolPatterns(q).map((pattern) => sql`f.words LIKE ${pattern}`)
  return like.length > 0
    ? sql<boolean>`${id} IN (SELECT f.school_id FROM school_search f WHERE ${sql.join(like, sql` AND `)})`
    : sql<boolean>`true`
}

/** Lists pairs of schools that may be the same. */
export const servePairs = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listPairs, {
    from: () => db.selectFrom('schoolPairs as p'),
    scope: 'everyone',
    filters: {
      q: (q) => (eb) => eb.or([matchesName(sql`p.low_id`, q), matchesName(sql`p.high_id`, q)]),
      dismissed: {
        find: (dismissed) => (eb) => eb('p.dismissed', '=', dismissed === 'true'),
        unset: () => (eb) => eb('p.dismissed', '=', false),
      },
      cityId: 'p.cityId',
      proposed: (proposed) =>
        sql<boolean>`${proposed === 'true' ? sql`` : sql`NOT`} EXISTS (SELECT FROM schools s WHERE s.id IN (p.low_id, p.high_id) AND NOT s.verified)`,
    },
    columns: (rows) => rows.select(['p.id', 'p.lowId', 'p.highId', 'p.similarity', 'p.dismissed']),
    sorts: { similarity: { by: sql`p.similarity`, type: 'integer' } },
    id: sql`p.id`,
    toRows: async (found, { connection }) =>
      (await withSchools(connection, found)).map((pair) => ({
        ...pair,
        first: nameWithNumber(pair.a),
        second: nameWithNumber(pair.b),
        decision: pair.dismissed ? ('dismissed' as const) : ('open' as const),
      })),
  })
}

/** Names a school in exports. */
export const nameWithNumber = ({ name, npsn }: { name: string; npsn: string }) => `${name} (${npsn})`

/** Adds the schools; the better one of each pair comes first: verified, with a real number, with an address. */
async function withSchools(db: Db, rows: readonly PairRow[]): Promise<SchoolPair[]> {
  const schools = await briefSchools(
    db,
    rows.flatMap(({ lowId, highId }) => [lowId, highId]),
  )
  return rows.map(({ id, lowId, highId, similarity, dismissed }) => {
    const both = [mustGet(schools, lowId), mustGet(schools, highId)]
    const [a, b] = both.sort((one, other) => rank(one) - rank(other)) as [SchoolPair['a'], SchoolPair['b']]
    return { id, similarity, dismissed, city: a.city, a, b }
  })
}

export const isProvisional = (npsn: string) => /^NP/i.test(npsn)
const rank = ({ verified, npsn, address }: SchoolPair['a']) =>
  (verified ? 0 : 4) + (isProvisional(npsn) ? 2 : 0) + (address ? 0 : 1)

export async function getPair(db: Db, id: string): Promise<SchoolPair> {
  const row = await db
    .selectFrom('schoolPairs')
    .select(['id', 'lowId', 'highId', 'similarity', 'dismissed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('pair')
  return theOnly(await withSchools(db, [row]))
}

/** Reads a pair, and further schools similar to either of the two. */
export async function readPair(db: Db, id: string, language: Language) {
  const pair = await getPair(db, id)
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT CASE WHEN p.low_id = w.id THEN p.high_id ELSE p.low_id END AS id
    FROM unnest(${[pair.a.id, pair.b.id]}::uuid[]) w (id)
    JOIN school_pairs p ON (p.low_id = w.id OR p.high_id = w.id) AND NOT p.dismissed AND p.similarity >= ${pair.similarity}
    LIMIT ${maxSideBySide}`.execute(db)
  const ids = [...new Set([pair.a.id, pair.b.id, ...rows.map((row) => row.id)])].slice(0, maxSideBySide)
  return { pair, schools: await sideBySide(db, ids, language) }
}

/** Facts for choosing the school to keep, in the order of `ids`. */
export async function sideBySide(db: Db, ids: readonly string[], language: Language): Promise<ComparedSchool[]> {
  const [{ rows }, references] = await Promise.all([
    sql<Omit<ComparedSchool, 'references' | 'createdAt'> & { createdAt: Date }>`
      SELECT ${briefColumns}, s.created_at, u.name AS proposed_by,
        coalesce((SELECT jsonb_agg(jsonb_build_object('npsn', a.npsn, 'name', a.name) ORDER BY a.npsn)
          FROM school_aliases a WHERE a.school_id = s.id AND lower(a.npsn) <> lower(s.npsn)), '[]') AS aliases
      FROM schools s ${briefJoins} LEFT JOIN accounts u ON u.id = s.proposed_by
      WHERE s.id = ANY(${ids}::uuid[])`.execute(db),
    referencesOf(db, ids, language),
  ])
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [{ ...row, createdAt: row.createdAt.toISOString(), references: references.get(id) ?? [] }] : []
  })
}

/** Marks a pair as different schools, or reverts that. */
export async function dismissPair({ db, clock }: Services, actor: Actor, id: string, dismissed: boolean) {
  await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('schoolPairs')
      .set({
        dismissed,
        dismissedBy: dismissed ? actor.accountId : null,
        dismissedAt: dismissed ? clock.now() : null,
      })
      .where('id', '=', id)
      .where('dismissed', '<>', dismissed)
      .returning(['lowId', 'highId'])
      .executeTakeFirst()
    if (!changed) return
    const action = dismissed ? 'school.not-duplicate' : 'school.maybe-duplicate'
    await recordAudit(tx, actor, {
      action,
      on: { 'sma-nama': changed.lowId },
      after: { schoolId: changed.lowId, otherId: changed.highId },
    })
  })
  return getPair(db, id)
}
