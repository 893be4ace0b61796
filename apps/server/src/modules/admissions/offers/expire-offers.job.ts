import { sql } from 'kysely'
import { z } from 'zod'
import { closeRegistration } from '#server/modules/admissions/steps/close-registration.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { offerDueAt } from './offer-due.ts'

const batchSize = 200
/** Offers overdue for more days than this expire without a message. */
const tellForDays = 7
const dayMs = 86_400_000

/** Expires offers that were announced and not answered before their deadline; their places go to the reserve lists. */
export const expireOffersJob = defineJob({
  name: 'expire-offers',
  schedule: '*/10 * * * *',
  data: z.object({}),
  run: async (services) => {
    let expired = 0
    let afterId = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const ids = await findPassed(services, afterId)
      for (const id of ids) if (await expireIfPassed(services, id)) expired++
      if (ids.length < batchSize) return expired
      afterId = ids.at(-1)!
    }
  },
})

const isUnanswered = (now: Date) => sql<boolean>`(r.status = 'decided' AND r.decision = 'accepted'
  AND r.result_told_at >= r.decided_at AND ${isPublished(now)} AND ${offerDueAt} <= ${now})`

async function findPassed({ db, clock }: Services, afterId: string) {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM registrations r WHERE r.id > ${afterId}::uuid AND ${isUnanswered(clock.now())}
    ORDER BY r.id LIMIT ${batchSize}`.execute(db)
  return rows.map((row) => row.id)
}

/** Checks again under the registration's lock: the applicant may just have answered, or staff extended the deadline. */
const expireIfPassed = (services: Services, id: string) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    await sql`SELECT FROM registrations WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx)
    const now = services.clock.now()
    const { rows } = await sql<{ dueAt: Date }>`
      SELECT ${offerDueAt} AS due_at FROM registrations r WHERE r.id = ${id} AND ${isUnanswered(now)}`.execute(tx)
    if (!rows[0]) return false
    const quiet = rows[0].dueAt.getTime() < now.getTime() - tellForDays * dayMs
    await closeRegistration(context, id, { action: 'expireOffer', reason: 'not answered in time', quiet })
    return true
  })
