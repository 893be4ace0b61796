import Fastify from 'fastify'
import { permissionSlugs } from '#domain/access/permissions.ts'
import { searchQuery } from '#server/modules/search/search-everything.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { connect } from '#server/platform/database/database.ts'
import { spotlightQueries } from '../spotlight-queries.ts'
import { namedStatements } from './named-statements.ts'

/**
 * The global search written by hand: only Fastify, pg and the product's SQL. That SQL depends on the query, so it is
 * read from the product once, before the first request.
 */
const { db, pool: unused } = connect(process.env.DATABASE_URL!)
const actor = { ...systemActor, permissions: permissionSlugs }
const statements = new Map(
  spotlightQueries.map((q): [string, { text: string; values: unknown[] }] => {
    const { sql, parameters } = searchQuery(actor, q, new Date())!.compile(db)
    return [q, { text: sql, values: [...parameters] }]
  }),
)
await unused.end()

const query = namedStatements()
const app = Fastify()
app.get<{ Querystring: { q: string } }>('/', async ({ query: asked }) => {
  const { text, values } = statements.get(asked.q)!
  const { rows } = await query(text, values)
  return { data: Object.entries(Object.groupBy(rows, (row) => row.kind)).map(([kind, hits]) => ({ kind, hits })) }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
