import { createHash } from 'node:crypto'
import pg from 'pg'

/** A pool whose statements are named by their text, so that PostgreSQL parses and plans each once per connection. */
export function namedStatements() {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
  const names = new Map<string, string>()
  return (text: string, values: unknown[] = []) => {
    const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 24)
    names.set(text, name)
    return pool.query({ name, text, values })
  }
}
