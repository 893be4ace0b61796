import { z } from 'zod'
import type { Db } from '#server/platform/database/database.ts'

const limitsSchema = z.object({
  mailsPerMinute: z.int().min(1).max(100_000).catch(600).default(600),
  /** To one domain of recipients, which takes more from nobody it does not know well. */
  mailsPerMinutePerDomain: z.int().min(1).max(100_000).catch(120).default(120),
  mailsPerDay: z.int().min(1).max(10_000_000).catch(20_000).default(20_000),
  quietHours: z.boolean().catch(true).default(true),
})

export type SendingLimits = z.output<typeof limitsSchema>

/** How fast campaigns may send, as the general settings say. */
export async function sendingLimits(db: Db): Promise<SendingLimits> {
  const rows = await db
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('key', 'in', Object.keys(limitsSchema.shape))
    .execute()
  return limitsSchema.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}
