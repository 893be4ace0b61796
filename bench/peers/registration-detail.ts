import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'
import { registrationFacts } from './registration-facts.ts'

/** The page of one registration written by hand: its facts in one statement, and the settings that its card needs. */
const query = namedStatements()
const facts = registrationFacts('r.id = $2')
const settings = `SELECT key, value FROM settings`

const app = Fastify()
app.get<{ Querystring: { id: string } }>('/', async ({ query: { id } }) => {
  const [found, values] = await Promise.all([query(facts, [new Date(), id]), query(settings)])
  const { cardShare } = Object.fromEntries(values.rows.map(({ key, value }) => [key, value]))
  return { data: { ...found.rows[0], cardShare } }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
