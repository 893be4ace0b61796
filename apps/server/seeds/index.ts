import { seedDemoCampaigns } from './demo/campaigns.ts'
import { seedDemo } from './demo/index.ts'
import { seedDemoSeasons } from './demo/seasons/index.ts'
import { keepFirstDays } from './demo/seasons/keep-days.ts'
import { seedLetters } from './letters.ts'
import { seedMessagePlaceholders } from './message-placeholders.ts'
import { seedOpening } from './opening.ts'
import { seedReference } from './reference.ts'
import { seedRegions } from './regions.ts'
import { seedRoles } from './roles/seed-roles.ts'
import type { Seed } from './seed.ts'

/** Seeds of every database, in this order. */
export const referenceSeeds: readonly Seed[] = [
  seedRoles,
  seedMessagePlaceholders,
  seedReference,
  seedLetters,
  (db) => seedRegions(db),
]

/** Seeds of test databases: the same, with Jakarta Pusat as the only city and registration open. */
export const testSeeds: readonly Seed[] = [
  seedRoles,
  seedMessagePlaceholders,
  seedReference,
  seedLetters,
  (db) => seedRegions(db, ['31.71']),
  seedOpening,
]

/** Seeds of the embedded demo database only. */
export const demoSeeds: readonly Seed[] = [(_db, services) => seedDemo(services), seedOpening]

/** Seeds after those of the demo database: what its university has from earlier years. */
export const historySeeds: readonly Seed[] = [
  (_db, services) => seedDemoSeasons(services),
  (_db, services) => keepFirstDays(services),
  (_db, services) => seedDemoCampaigns(services),
]
