/**
 * Whether few numbers are left, early enough for a bank to assign more: a twentieth of the range, but between a hundred
 * and ten thousand.
 */
export function isLow(remaining: number, total: number): boolean {
  return remaining <= Math.max(100, Math.min(10_000, Math.floor(total / 20)))
}
