import { sql } from 'kysely'
import type { SearchHit } from '#domain/search/endpoints.ts'
import { type SearchKind, searchKinds, searchPermissions } from '#domain/search/kinds.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { searches } from './kinds.ts'
import { maxHits } from './search-sql.ts'
import { parseSearch } from './typed.ts'

type Found = SearchHit & { kind: SearchKind; place: number }

/** Kinds an applicant can find: the pages of their registrations show bills and payment numbers too. */
const applicantKinds: readonly SearchKind[] = ['registration', 'bill', 'virtualAccount']

const mayFind = (actor: Actor) => (kind: SearchKind) =>
  isApplicant(actor)
    ? applicantKinds.includes(kind) && actor.permissions.has('pendaftaran-view')
    : searchPermissions[kind].some((permission) => actor.permissions.has(permission))

/**
 * Builds the statement of a search, exported so that tests can read its plan. Null if the actor may find no kind or
 * only apostrophes were typed.
 */
export function searchQuery(actor: Actor, q: string, now: Date) {
  const typed = parseSearch(q)
  if (typed.text === '') return null
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

/** Finds up to five hits of every kind the actor may see, matches at the beginning first. */
export async function searchEverything(db: Db, actor: Actor, q: string, now: Date) {
  const query = searchQuery(actor, q, now)
  const { rows } = query ? await query.execute(db) : { rows: [] }
  rows.sort((a, b) => a.place - b.place)
  return searchKinds.flatMap((kind) => {
    const hits = new Map<string, Found>()
    for (const row of rows) if (row.kind === kind && hits.size < maxHits && !hits.has(row.id)) hits.set(row.id, row)
    return hits.size > 0 ? [{ kind, hits: [...hits.values()] }] : []
  })
}
