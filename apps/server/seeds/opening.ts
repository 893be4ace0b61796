import type { Seed } from './seed.ts'

/** Opens registration unless it has been opened before. */
export const seedOpening: Seed = async (db, { clock }) => {
  await db
    .insertInto('registrationOpening')
    .values({ openedAt: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
