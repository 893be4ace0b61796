import { seedRoles } from './roles/seed-roles.ts'
import type { Seed } from './run-seeds.ts'

/** Every database gets these, in this order. */
export const referenceSeeds: readonly Seed[] = [seedRoles]

/** Only the embedded demo database gets these. */
export const demoSeeds: readonly Seed[] = []
