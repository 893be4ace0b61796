import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Opens registration unless it has ever been opened. */
export async function seedOpening(db: Db, { clock }: Services): Promise<void> {
  await db
    .insertInto('registrationOpening')
    .values({ openedAt: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
