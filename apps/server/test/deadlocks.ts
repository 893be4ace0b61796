import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

/** Deadlocks PostgreSQL has broken in this database; its connections report them up to a second late. */
export async function countDeadlocks({ db }: Pick<TestApp, 'db'>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  const { rows } = await sql<{ deadlocks: number }>`SELECT deadlocks::int FROM pg_stat_database
    WHERE datname = current_database()`.execute(db)
  return rows[0]!.deadlocks
}
