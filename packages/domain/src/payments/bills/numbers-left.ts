/** Few numbers of a prefix are left when a bank needs time to give more: a twentieth, between a hundred and ten thousand. */
export function isLow(remaining: number, total: number): boolean {
  return remaining <= Math.max(100, Math.min(10_000, Math.floor(total / 20)))
}
