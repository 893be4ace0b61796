import fs from 'node:fs/promises'
import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

/** Runs a script of several statements, which reads its parameters from the transaction's settings `pmb.*`. */
export async function runScript(tx: Tx, script: URL, settings: Record<string, string | number> = {}): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql`SELECT set_config(${`pmb.${name}`}, ${String(value)}, true)`.execute(tx)
  const text = await fs.readFile(script, 'utf8')
  for (const statement of text.split(/;\s*$/m)) if (statement.trim()) await sql.raw(statement).execute(tx)
}
