import fs from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

const script = new URL('registrations.sql', import.meta.url)

type Fill = { from: number; count: number; now: Date; passwordHash: string }

/** Adds `count` invented applicants from number `from` on, in every status; skips numbers that exist already. */
export async function fillRegistrations(db: Db, { from, count, now, passwordHash }: Fill): Promise<void> {
  const text = await fs.readFile(script, 'utf8')
  await db.transaction().execute(async (tx) => {
    const settings = { from, count, now: now.toISOString(), password_hash: passwordHash }
    for (const [name, value] of Object.entries(settings))
      await sql`SELECT set_config(${`pmb.${name}`}, ${String(value)}, true)`.execute(tx)
    for (const statement of text.split(/;\s*$/m)) if (statement.trim()) await sql.raw(statement).execute(tx)
  })
}
