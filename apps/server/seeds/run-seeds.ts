import type { Db } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'
import { demoSeeds, referenceSeeds } from './index.ts'

/** Adds what is missing; may run on every start. */
export type Seed = (db: Db, services: Services) => Promise<void>

export async function runSeeds(services: Services, which: 'reference' | 'demo') {
  for (const seed of which === 'demo' ? demoSeeds : referenceSeeds) await seed(services.db, services)
}
