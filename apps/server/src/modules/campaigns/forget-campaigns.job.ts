import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { keepSheetDays } from '#domain/campaigns/campaigns.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { getSettings } from '#server/platform/settings.ts'
import { goneCondition } from './gone-people.ts'

const dayMs = 86_400_000

/** Erases the personal data of recipients `r`. Keeps their states, because the campaign's counts need them. */
async function eraseRecipients(tx: Tx, isConcerned: RawBuilder<boolean>) {
  await sql`UPDATE handovers h SET address = NULL, detail = NULL FROM campaign_recipients r
    WHERE h.campaign_id = r.campaign_id AND h.number = r.number AND ${isConcerned}`.execute(tx)
  await sql`UPDATE campaign_recipients r SET name = '', phone = NULL, email = NULL, values = '{}', detail = NULL,
      account_id = NULL, registration_id = NULL, source_id = NULL
    WHERE ${isConcerned}`.execute(tx)
}

const audienceOfCampaign = sql`(SELECT c.audience FROM campaigns c WHERE c.id = r.campaign_id)`

/**
 * Nightly: deletes old sheets that no campaign needs, and erases recipients of campaigns that ended long ago. Also
 * erases recipients for whom `goneCondition` is true.
 */
export const forgetCampaignsJob = defineJob({
  name: 'forget-campaigns',
  schedule: '50 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    const { keepMessagesDays } = await getSettings(db)
    const sheetLimit = new Date(now.getTime() - keepSheetDays * dayMs)
    // A campaign needs its sheet until `keepSheetDays` after its end, and a draft until `keepSheetDays` after its last
    // change.
    await sql`DELETE FROM campaign_sheets s WHERE s.created_at < ${sheetLimit}
      AND NOT EXISTS (SELECT FROM campaigns c WHERE c.sheet_id = s.id
        AND coalesce(c.ended_at, CASE WHEN c.state = 'draft' THEN c.updated_at END, 'infinity') >= ${sheetLimit})`.execute(
      db,
    )
    const limit = new Date(now.getTime() - keepMessagesDays * dayMs)
    const old = await db
      .selectFrom('campaigns')
      .select('id')
      .where('endedAt', '<', limit)
      .where('forgottenAt', 'is', null)
      .execute()
    for (const { id } of old)
      await db.transaction().execute(async (tx) => {
        // A retry that commits first clears `ended_at`, so the recipients stay. Later retries get 409.
        const { numUpdatedRows } = await tx
          .updateTable('campaigns')
          .set((eb) => ({ forgottenAt: now, version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .where('endedAt', '<', limit)
          .executeTakeFirst()
        if (numUpdatedRows) await eraseRecipients(tx, sql<boolean>`r.campaign_id = ${id}`)
      })
    await db.transaction().execute((tx) => eraseRecipients(tx, goneCondition(audienceOfCampaign)))
  },
})
