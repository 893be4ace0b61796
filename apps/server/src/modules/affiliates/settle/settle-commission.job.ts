import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { settleRegistration } from './settle-registration.ts'

/** Computes the commission of registrations whose step or money has changed; each in a transaction of its own. */
export const settleCommissionJob = defineJob({
  name: 'settle-commission',
  schedule: '* * * * *',
  data: z.object({}),
  run: (services) => settleCommission(services),
})

/** Returns the number of entries written. */
export async function settleCommission({ db, clock }: Services): Promise<number> {
  let written = 0
  for (;;) {
    const found = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number; registrationId: string }>`
        SELECT id, registration_id FROM commission_due ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx)
      const [due] = rows
      if (!due) return false
      // Rows that other transactions add meanwhile stay, and are computed after their commit.
      await sql`DELETE FROM commission_due WHERE id IN (SELECT id FROM commission_due
        WHERE registration_id = ${due.registrationId} FOR UPDATE SKIP LOCKED)`.execute(tx)
      written += await settleRegistration(tx, due.registrationId, clock.now())
      return true
    })
    if (!found) return written
  }
}
