import { advanceHandovers } from '#server/modules/messaging/handovers/advance-handovers.ts'
import type { Services } from '#server/platform/services.ts'

const batchSize = 500

/**
 * Handovers whose lease ran out are uncertain: the process that had them died between its call and its record, or Meta
 * said nothing of them for an hour. Nobody is sent to a second time; a later report still settles them.
 */
export async function settleLeases({ db, clock }: Services) {
  for (let count = batchSize; count === batchSize; ) {
    const now = clock.now()
    const overdue = await db
      .selectFrom('campaignHandovers')
      .select('id')
      .where('state', '=', 'handed')
      .where('leasedUntil', '<', now)
      .orderBy('leasedUntil')
      .limit(batchSize)
      .execute()
    count = overdue.length
    const news = overdue.map(({ id }) => ({ id, state: 'uncertain' as const, at: now }))
    if (count > 0) await db.transaction().execute((tx) => advanceHandovers(tx, news, now))
  }
}
