import { createHash } from 'node:crypto'
import pg from 'pg'

const names = new Map<string, string>()
function nameOf(text: string) {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 24)
  names.set(text, name)
  return name
}

const connect = () => new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

export type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>

/** A pool whose statements are named by their text, so that PostgreSQL parses and plans each once per connection. */
export function namedStatements(): Query {
  const pool = connect()
  return (text, values = []) => pool.query({ name: nameOf(text), text, values })
}

/** Runs work in transactions with such named statements. */
export function namedTransactions() {
  const pool = connect()
  return async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      const result = await work((text, values = []) => client.query({ name: nameOf(text), text, values }))
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  }
}
