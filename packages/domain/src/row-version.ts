import { z } from 'zod'

const maxStored = 2_147_483_646

/** Row version before a change; one above the `integer` column is read as its maximum, and so is outdated like any other. */
export const rowVersion = z
  .int()
  .min(0)
  .overwrite((version) => Math.min(version, maxStored))
