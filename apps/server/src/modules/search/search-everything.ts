import { sql } from 'kysely'
import type { SearchHit } from '#domain/search/endpoints.ts'
import { type SearchKind, searchKinds, searchPermissions } from '#domain/search/kinds.ts'
import { parseSearch } from '#domain/search/typed.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { searches } from './kinds.ts'
import { mostHits } from './search-sql.ts'

type Found = SearchHit & { kind: SearchKind; place: number }

/** What an applicant finds is on the pages of the own registrations, which show bills and payment numbers too. */
const ofApplicants: readonly SearchKind[] = ['registration', 'bill', 'virtualAccount']

const mayFind = (actor: Actor) => (kind: SearchKind) =>
  isApplicant(actor)
    ? ofApplicants.includes(kind) && actor.permissions.has('pendaftaran-view')
    : searchPermissions[kind].some((permission) => actor.permissions.has(permission))

/** The one statement of a search, apart so that tests can ask PostgreSQL for its plan; null when nobody is to be asked. */
export function searchQuery(actor: Actor, q: string, now: Date) {
  const typed = parseSearch(q)
  const selects = searchKinds
    .filter(mayFind(actor))
    .map((kind) => searches[kind]({ actor, typed, now }))
    .filter((select) => select !== null)
  if (selects.length === 0) return null
  return sql<Found>`${sql.join(
    selects.map((select) => sql`(${select})`),
    sql` UNION ALL `,
  )}`
}

/** Five of every kind the actor may see, the ones beginning with what was typed first. */
export async function searchEverything(db: Db, actor: Actor, q: string, now: Date) {
  const query = searchQuery(actor, q, now)
  const { rows } = query ? await query.execute(db) : { rows: [] }
  rows.sort((a, b) => a.place - b.place)
  return searchKinds.flatMap((kind) => {
    const hits = new Map<string, Found>()
    for (const row of rows) if (row.kind === kind && hits.size < mostHits && !hits.has(row.id)) hits.set(row.id, row)
    return hits.size > 0 ? [{ kind, hits: [...hits.values()] }] : []
  })
}
