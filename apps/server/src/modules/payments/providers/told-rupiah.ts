import { z } from 'zod'

/**
 * Rupiah as a gateway tells them in JSON. Beyond 2^53 a number is only near what was written, and may not end at all; it is
 * read so that the amount is held, where refusing it would let the gateway repeat it for ever.
 */
export const toldRupiah = z
  .unknown()
  .refine(
    (told): told is number => typeof told === 'number' && told >= 1 && (Number.isInteger(told) || told === Infinity),
  )
