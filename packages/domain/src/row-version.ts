import { z } from 'zod'

/** Version of a row that a change was made on; the greatest is that of an `integer` column. */
export const rowVersion = z.int().min(0).max(2_147_483_647)
