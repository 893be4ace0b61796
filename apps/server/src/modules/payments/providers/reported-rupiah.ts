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

/**
 * The amount as written with its currency, if that is not the rupiah; no currency means rupiah. Such money has no amount
 * in the books: it is read as infinite, so it is held above any maximum and can only be dismissed.
 */
export function foreignMoney(currency: unknown, told: unknown): string | undefined {
  const named = String(currency ?? '').trim()
  return named === '' || named.toUpperCase() === 'IDR' ? undefined : `${String(told).slice(0, 30)} ${named}`
}
