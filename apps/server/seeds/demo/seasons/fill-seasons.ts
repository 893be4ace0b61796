import { addSeasons } from '#seeds/demo/fill/registrations.ts'
import { demoPassword } from '#seeds/demo/university.ts'
import { hashPassword } from '#server/platform/access/authentication.ts'
import type { Services } from '#server/platform/services.ts'
import { lastDemoNumber } from './demo-numbers.ts'
import { divide, planSeasons } from './plan-seasons.ts'
import { prepareSeasons } from './prepare-seasons.ts'

/** Shares of a large fill's registrations over five years; the last is the current year. */
const weights = [17, 18, 20, 22, 23]

type Fill = { upTo: number; onProgress: (lastNumber: number) => void }

/** Adds invented registrations of five years until the database has `upTo` of them. */
export async function fillSeasons({ db, clock }: Services, { upTo, onProgress }: Fill): Promise<void> {
  const from = (await lastDemoNumber(db)) + 1
  if (from > upTo) return
  const passwordHash = await hashPassword(demoPassword)
  await db.transaction().execute(async (tx) => {
    await prepareSeasons(tx, weights.length - 1)
    const slots = await planSeasons(tx, { from, counts: divide(upTo - from + 1, weights) })
    await addSeasons(tx, { slots, now: clock.now(), passwordHash, onProgress })
  })
}
