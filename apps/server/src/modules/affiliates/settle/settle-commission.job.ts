import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { settleRegistration } from './settle-registration.ts'

/** Computes the commission of registrations whose step or money has changed, each in its own transaction. */
export const settleCommissionJob = defineJob({
  name: 'settle-commission',
  schedule: '* * * * *',
  data: z.object({}),
  run: (services) => settleCommission(services),
})

/**
 * Returns the number of entries written. A registration whose commission cannot be computed stays due without holding
 * up others. Its error is thrown at the end, so that the job fails visibly.
 */
export async function settleCommission({ db, clock }: Services): Promise<number> {
  const errors: unknown[] = []
  let written = 0
  for (let lastId = 0; ; ) {
    let due: { id: number; registrationId: string } | undefined
    try {
      written += await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ id: number; registrationId: string }>`
          SELECT id, registration_id FROM commission_due WHERE id > ${lastId} ORDER BY id LIMIT 1
          FOR UPDATE SKIP LOCKED`.execute(tx)
        due = rows[0]
        if (!due) return 0
        // Rows that other transactions add meanwhile stay and are computed after their commit.
        await sql`DELETE FROM commission_due WHERE id IN (SELECT id FROM commission_due
          WHERE registration_id = ${due.registrationId} FOR UPDATE SKIP LOCKED)`.execute(tx)
        return settleRegistration(tx, due.registrationId, clock.now())
      })
    } catch (error) {
      if (!due) throw error
      errors.push(error)
    }
    if (!due) break
    lastId = due.id
  }
  if (errors.length > 0) throw errors[0]
  return written
}
