import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Adds what is missing; may run on every start. */
export type Seed = (db: Db, services: Services) => Promise<void>
