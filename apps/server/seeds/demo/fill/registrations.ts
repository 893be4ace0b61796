import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { analyzeFilledTables, refuseBrokenRows, suspendRules } from './large-fill.ts'
import { runScript } from './run-script.ts'

const script = (name: string) => new URL(name, import.meta.url)

type Common = { now: Date; passwordHash: string }

/**
 * Adds `count` invented applicants of the waves around now, from number `from` on, in every status, in one transaction.
 */
export const fillRegistrations = (
  db: Db,
  { from, count, now, passwordHash }: Common & { from: number; count: number },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await runScript(tx, script('helpers.sql'), { triggers: 'on' })
    await runScript(tx, script('people-of-present.sql'), { from, count, now: now.toISOString() })
    await runScript(tx, script('rows.sql'), { password_hash: passwordHash })
  })

/** Applicants of one wave: `count` of them, numbered from `from` on. */
export type Slot = {
  code: string
  from: number
  count: number
  /** Number of the wave's test sessions that are already full. */
  skippedSessions?: number
}

export type SeasonFill = Common & {
  slots: readonly Slot[]
  /**
   * Whether a programme's places limit its offers, some applicants came through an affiliate, and there are refunds and
   * discounts approved by two people. Too slow for a million rows without indexes.
   */
  detailed?: boolean
  /** Applicants written at once; more of them make a large fill. */
  batchRows?: number
  /** Whether to suspend the rules of whole tables, which is faster from some thousand rows on. */
  isLarge?: boolean
  onProgress?: (lastNumber: number) => void
}

/** Maximum number of batches of a large fill, because each batch searches whole tables. */
const maxBatches = 5

/**
 * Adds applicants of whole waves up to now; skips existing numbers. Call after `prepareSeasons`, in the same
 * transaction.
 */
export async function addSeasons(
  tx: Tx,
  {
    slots,
    batchRows = 20_000,
    isLarge = slots.reduce((sum, { count }) => sum + count, 0) > batchRows,
    onProgress,
    ...values
  }: SeasonFill,
) {
  const count = slots.reduce((sum, slot) => sum + slot.count, 0)
  const suspended = isLarge ? await suspendRules(tx) : []
  await runScript(tx, script('helpers.sql'), {
    triggers: isLarge ? 'off' : 'on',
    now: values.now.toISOString(),
    password_hash: values.passwordHash,
    detailed: values.detailed ? 'on' : 'off',
  })
  for (const batch of batchesOf(slots, Math.max(batchRows, Math.ceil(count / maxBatches)))) {
    await runScript(tx, script('people-of-seasons.sql'), { waves: JSON.stringify(batch) })
    await runScript(tx, script('rows.sql'))
    if (values.detailed) await runScript(tx, script('exceptions.sql'))
    // An index cannot be built on a table with pending deferred checks.
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
    await sql`SET CONSTRAINTS ALL DEFERRED`.execute(tx)
    onProgress?.(Math.max(...batch.map((slot) => slot.from + slot.count)) - 1)
  }
  if (isLarge) {
    await refuseBrokenRows(tx)
    await sql.raw(suspended.join(';\n')).execute(tx)
    await sql`SELECT fill_report_facts()`.execute(tx)
  }
  await analyzeFilledTables(tx, { registrations: count })
}

/** Divides the slots into batches of at most `rows` applicants; a batch has each slot at most once. */
export function batchesOf(slots: readonly Slot[], rows: number): Required<Slot>[][] {
  const batches: Required<Slot>[][] = []
  let free = 0
  for (const { skippedSessions = 0, ...slot } of slots)
    for (let done = 0; done < slot.count; ) {
      if (free === 0) {
        batches.push([])
        free = rows
      }
      const count = Math.min(free, slot.count - done)
      batches.at(-1)!.push({ ...slot, skippedSessions, from: slot.from + done, count })
      done += count
      free -= count
    }
  return batches
}
