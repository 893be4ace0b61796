import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'

/** Bills divided in one transaction, about a tenth of a second. */
const billsAtOnce = 200
/** Below the id of every bill. */
const lowestId = '00000000-0000-0000-0000-000000000000'

/** Divides the money of bills by fee component again after a component got another order. */
export const divideMoneyJob = defineJob({
  name: 'divide-money',
  schedule: '*/5 * * * *',
  data: z.object({}),
  run: divideMoney,
})

/** Returns the number of bills divided. A component whose order changes meanwhile stays for the next run. */
export async function divideMoney({ db }: Pick<Services, 'db'>): Promise<number> {
  const { rows: due } = await sql<{ id: string; askedAt: string }>`
    SELECT fee_component_id AS id, asked_at::text FROM redivisions`.execute(db)
  let divided = 0
  for (const { id, askedAt } of due) {
    for (let last = lowestId; ; ) {
      const { rows } = await sql<{ id: string }>`
        SELECT DISTINCT bill_id AS id FROM bill_lines
        WHERE fee_component_id = ${id} AND bill_id > ${last}::uuid
        ORDER BY bill_id LIMIT ${billsAtOnce}`.execute(db)
      const ids = rows.map((row) => row.id)
      if (ids.length === 0) break
      last = ids.at(-1)!
      divided += ids.length
      await db.transaction().execute((tx) =>
        sql`SELECT keep_bill_movements(id) FROM (
          SELECT id FROM unnest(${ids}::uuid[]) id ORDER BY id OFFSET 0) ordered`.execute(tx),
      )
    }
    await sql`DELETE FROM redivisions WHERE fee_component_id = ${id} AND asked_at = ${askedAt}::timestamptz`.execute(db)
  }
  return divided
}
