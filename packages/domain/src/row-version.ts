import { z } from 'zod'

const maxStored = 2_147_483_646

/**
 * Row version before a change. One above the `integer` column's maximum is read as that maximum, and so is refused as
 * stale.
 */
export const rowVersion = z
  .int()
  .min(0)
  .overwrite((version) => Math.min(version, maxStored))
