import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { demoSeeds, referenceSeeds, testSeeds } from './index.ts'

/** Adds missing rows only; may run on every start. */
export type Seed = (db: Db, services: Services) => Promise<void>

const sets = { reference: referenceSeeds, test: testSeeds, demo: demoSeeds }

export async function runSeeds(services: Services, setName: keyof typeof sets) {
  for (const seed of sets[setName]) await seed(services.db, services)
}
