import type { Db } from '#server/platform/database/database.ts'
import { isDiskFull } from '#server/platform/postgres/start-error.ts'
import type { Services } from '#server/platform/services.ts'
import { demoSeeds, historySeeds, referenceSeeds, regionSeeds, testSeeds } from './index.ts'
import { runSeed } from './seed.ts'

const sets = {
  reference: referenceSeeds,
  regions: regionSeeds,
  test: testSeeds,
  demo: demoSeeds,
  history: historySeeds,
}
export type SeedSet = keyof typeof sets

/** Runs a set of seeds as the owner of the tables; throws the error of the first that fails. */
export async function runSeeds(services: Services, setName: SeedSet): Promise<void> {
  for (const seed of sets[setName]) await runSeed(services, seed)
}

export const forgetSeedFailures = (owner: Db) => owner.deleteFrom('seedFailures').execute()

/**
 * Runs a set of seeds at a start. A failed seed leaves nothing behind and is tried again at the next start; it is
 * logged and shown on /settings/health, later seeds are skipped, and false is returned.
 */
export async function seedAtStart(services: Services, setName: SeedSet): Promise<boolean> {
  for (const seed of sets[setName]) {
    try {
      await runSeed(services, seed)
    } catch (error) {
      if (isDiskFull(error)) throw error
      services.log.error({ err: error, seed: seed.name }, 'a seed failed; the server starts without its rows')
      const failure = { failedAt: services.clock.now(), problem: String(error).slice(0, 500) }
      await services.db
        .insertInto('seedFailures')
        .values({ name: seed.name, ...failure })
        .onConflict((same) => same.column('name').doUpdateSet(failure))
        .execute()
      return false
    }
  }
  return true
}
