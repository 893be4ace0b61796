import { seedDemo } from './demo/index.ts'
import { seedMessagePlaceholders } from './message-placeholders.ts'
import { seedReference } from './reference.ts'
import { seedRegions } from './regions.ts'
import { seedRoles } from './roles/seed-roles.ts'
import type { Seed } from './seed.ts'

/** Every database gets these, in this order. */
export const referenceSeeds: readonly Seed[] = [
  seedRoles,
  seedMessagePlaceholders,
  seedReference,
  (db) => seedRegions(db),
]

/** Tests get the same lists, and of the country only the city of Jakarta Pusat. */
export const testSeeds: readonly Seed[] = [
  seedRoles,
  seedMessagePlaceholders,
  seedReference,
  (db) => seedRegions(db, ['31.71']),
]

/** Only the embedded demo database gets these. */
export const demoSeeds: readonly Seed[] = [(_db, services) => seedDemo(services)]
