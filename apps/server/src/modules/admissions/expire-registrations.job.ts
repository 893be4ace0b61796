import { sql } from 'kysely'
import { z } from 'zod'
import { lockBillOfKind } from '#server/modules/payments/bills/change/standing-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { AppError } from '#server/platform/errors.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { closeRegistration } from './steps/close-registration.ts'

const batchSize = 200

/**
 * Expires drafts whose window has closed and unpaid registrations whose payment is overdue. If the payment is held for
 * a fraud review, the registration waits for the outcome.
 */
export const expireRegistrationsJob = defineJob({
  name: 'expire-registrations',
  schedule: '*/10 * * * *',
  data: z.object({}),
  run: async (services) => {
    let expired = 0
    let afterId = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const ids = await findOverdue(services, afterId)
      for (const id of ids) if (await expireIfOverdue(services, id)) expired++
      if (ids.length < batchSize) return expired
      afterId = ids.at(-1)!
    }
  },
})

const isOverdue = (now: Date) => sql`(
  (r.status = 'draft' AND coalesce(
    (SELECT d.closes_at FROM track_details d
     WHERE d.track_id = r.track_id AND d.wave_id = r.wave_id AND d.entry_level_id = r.entry_level_id),
    (SELECT w.closes_at FROM waves w WHERE w.id = r.wave_id)) <= ${now})
  OR (r.status = 'submitted' AND EXISTS (SELECT FROM bills b WHERE b.registration_id = r.id
    AND b.kind = 'registration_fee' AND b.status = 'open' AND b.paid = 0 AND b.due_at <= ${now})
    AND NOT EXISTS (SELECT FROM payments p JOIN bills o ON o.id = p.bill_id
      WHERE o.registration_id = r.id AND p.waiting_amount > 0 AND p.waiting_reason = 'fraud_review')))`

async function findOverdue({ db, clock }: Services, afterId: string) {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM registrations r
    WHERE r.status IN ('draft', 'submitted') AND r.id > ${afterId}::uuid AND ${isOverdue(clock.now())}
    ORDER BY r.id LIMIT ${batchSize}`.execute(db)
  return rows.map((row) => row.id)
}

/** Checks again under the locks of registration and bill: the applicant may just have submitted or paid. */
const expireIfOverdue = (services: Services, id: string) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    await sql`SELECT FROM registrations WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx)
    await lockBillOfKind(tx, id, 'registration_fee')
    const { rows } = await sql`
      SELECT FROM registrations r WHERE r.id = ${id} AND ${isOverdue(services.clock.now())}`.execute(tx)
    if (rows.length === 0) return false
    try {
      await closeRegistration(context, id, { action: 'expire', reason: 'not completed in time' })
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'wrong_status') return false
      throw error
    }
  })
