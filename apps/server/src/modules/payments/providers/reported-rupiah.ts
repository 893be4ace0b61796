import { z } from 'zod'

/**
 * Rupiah in a gateway's JSON. Beyond 2^53 a number only approximates the written digits, and may be infinite. It is
 * accepted so that the amount is held, because the gateway would repeat a refused report without end.
 */
export const reportedRupiah = z
  .unknown()
  .refine(
    (amount): amount is number =>
      typeof amount === 'number' && amount >= 1 && (Number.isInteger(amount) || amount === Infinity),
  )
