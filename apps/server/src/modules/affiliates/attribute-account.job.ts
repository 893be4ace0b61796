import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { networkHash, winnerOf } from './touches.ts'

/**
 * Decides by whom a new account came: the touches of its device are its own from now on, one of them has won and the
 * others are kept as lost. Safe to repeat: touches that were decided stay as they are.
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
      // Before the first registration, which takes the code over.
      await sql`UPDATE accounts SET referral_code = ${won.code} WHERE id = ${accountId}
        AND NOT EXISTS (SELECT FROM registrations r WHERE r.account_id = ${accountId})`.execute(tx)
    }),
})
