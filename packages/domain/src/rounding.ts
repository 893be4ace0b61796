/**
 * `part` of `whole` of an amount in whole rupiah, half a rupiah rounded up. Every percentage and share of money comes
 * from here, so that no page shows another rupiah than the one that is booked. Reckoned in BigInt: no amount is too large.
 */
export function shareOf(amount: number, part: number | bigint, whole: number | bigint): number {
  const [money, of, by] = [BigInt(amount), BigInt(part), BigInt(whole)]
  if (money < 0n || of < 0n || by <= 0n)
    throw new RangeError('a share is taken of whole rupiah, not of less than nothing')
  return Number((2n * money * of + by) / (2n * by))
}

/** 100 %, in hundredths of a percent. */
export const wholeInBasisPoints = 10_000

/** Hundredths of a percent in a decimal such as `12.5`, read digit by digit; RangeError beyond two decimals. */
export function basisPointsOf(percent: number | string): number {
  const [, ones, decimals = ''] = /^(\d+)(?:\.(\d{0,2})0*)?$/.exec(String(percent)) ?? []
  if (ones === undefined) throw new RangeError(`"${percent}" is not a percentage with two decimals`)
  return Number(ones) * 100 + Number(decimals.padEnd(2, '0'))
}

/** Rupiah of a percentage with up to two decimals. */
export const percentOf = (amount: number, percent: number | string) =>
  shareOf(amount, basisPointsOf(percent), wholeInBasisPoints)
