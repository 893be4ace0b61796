import type { Services } from '#server/platform/services.ts'
import { demoSeeds, referenceSeeds, testSeeds } from './index.ts'

const sets = { reference: referenceSeeds, test: testSeeds, demo: demoSeeds }

export async function runSeeds(services: Services, which: keyof typeof sets) {
  for (const seed of sets[which]) await seed(services.db, services)
}
