import { z } from 'zod'

/** Row version before a change; at most the maximum of an `integer` column. */
export const rowVersion = z.int().min(0).max(2_147_483_647)
