import type { Services } from '#server/platform/services.ts'
import { demoSeeds, historySeeds, referenceSeeds, testSeeds } from './index.ts'

const sets = { reference: referenceSeeds, test: testSeeds, demo: demoSeeds, history: historySeeds }

export async function runSeeds(services: Services, setName: keyof typeof sets) {
  for (const seed of sets[setName]) await seed(services.db, services)
}
