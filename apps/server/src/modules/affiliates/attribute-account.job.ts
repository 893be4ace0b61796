import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { networkHash, winnerOf } from './touches.ts'

/**
 * Decides which affiliate a new account came from. The touches of its device become the account's own: one wins, the
 * others are stored as lost. Safe to repeat: decided touches stay unchanged.
 */
export const attributeAccountJob = defineJob({
  name: 'attribute-account',
  on: 'account.opened',
  data: z.object({ accountId: z.uuid(), device: z.uuid(), network: z.string().max(60) }),
  run: (services, { accountId, device, network }) =>
    services.db.transaction().execute(async (tx) => {
      const now = services.clock.now()
      await tx
        .insertInto('accountDevices')
        .values({ accountId, device, network: networkHash(services, network), at: now })
        .onConflict((same) => same.doNothing())
        .execute()
      const won = await winnerOf(tx, device, now)
      if (!won) return
      await sql`UPDATE affiliate_touches SET account_id = ${accountId},
          outcome = CASE WHEN id = ${won.id}::uuid THEN 'won' ELSE 'lost' END
        WHERE device = ${device} AND outcome IS NULL`.execute(tx)
      // Only before the first registration, which copies the code.
      await sql`UPDATE accounts SET referral_code = ${won.code} WHERE id = ${accountId}
        AND NOT EXISTS (SELECT FROM registrations r WHERE r.account_id = ${accountId})`.execute(tx)
    }),
})
