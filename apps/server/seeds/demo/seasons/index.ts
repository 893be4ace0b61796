import { sql } from 'kysely'
import { addSeasons } from '#seeds/demo/fill/registrations.ts'
import { runScript } from '#seeds/demo/fill/run-script.ts'
import { demoPassword } from '#seeds/demo/university.ts'
import { settleRegistration } from '#server/modules/affiliates/settle/settle-registration.ts'
import { templateDrafts } from '#server/modules/opening/starting-rows.ts'
import { hashPassword } from '#server/platform/access/authentication.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { lastDemoNumber } from './demo-numbers.ts'
import { planSeasons } from './plan-seasons.ts'
import { prepareSeasons } from './prepare-seasons.ts'

/**
 * Number of applicants added per season: two complete seasons, and the current season's applicants beyond those of the
 * test demo.
 */
const counts = [1_850, 2_050, 1_640]

/**
 * Adds to the demo university two complete earlier seasons and a full current one, with discounts, agreements,
 * templates, answers, jackets and everything else that takes time to accumulate.
 */
export async function seedDemoSeasons({ db, clock }: Services): Promise<void> {
  const passwordHash = await hashPassword(demoPassword)
  await db.transaction().execute(async (tx) => {
    await addTemplates(tx)
    await prepareSeasons(tx, counts.length - 1)
    const from = (await lastDemoNumber(tx)) + 1
    const slots = await planSeasons(tx, { from, counts })
    // Rebuilding the indexes of a database that is already large takes longer than writing the rows with them.
    const isLarge = from < 50_000
    await addSeasons(tx, { slots, detailed: true, isLarge, now: clock.now(), passwordHash })
    await runScript(tx, new URL('extras.sql', import.meta.url))
  })
  await settleReferrals({ db })
}

const addTemplates = (tx: Tx) =>
  tx
    .insertInto('messageTemplates')
    .values(templateDrafts.map(({ values }) => values))
    .onConflict((same) => same.doNothing())
    .execute()

/** Computes the commission earned by steps since the first rule, at the time of the last step. */
async function settleReferrals({ db }: Pick<Services, 'db'>) {
  const { rows } = await sql<{ id: string; last: Date }>`
    SELECT r.id, greatest(r.submitted_at, r.paid_at, r.enrolled_at, r.closed_at) AS last FROM registrations r
    WHERE r.referral_code IS NOT NULL AND r.submitted_at IS NOT NULL AND NOT EXISTS (SELECT FROM referrals f WHERE f.registration_id = r.id)
    ORDER BY 2, 1`.execute(db)
  await db.transaction().execute(async (tx) => {
    for (const { id, last } of rows) await settleRegistration(tx, id, last)
    await tx
      .deleteFrom('commissionDue')
      .where(
        'registrationId',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
  })
}
