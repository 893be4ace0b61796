import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { demoSeeds, referenceSeeds, testSeeds } from './index.ts'

/** Adds what is missing; may run on every start. */
export type Seed = (db: Db, services: Services) => Promise<void>

const sets = { reference: referenceSeeds, test: testSeeds, demo: demoSeeds }

export async function runSeeds(services: Services, which: keyof typeof sets) {
  for (const seed of sets[which]) await seed(services.db, services)
}
