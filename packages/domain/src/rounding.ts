/**
 * `amount × part / whole` in whole rupiah, half a rupiah rounded up. All percentages and shares of money are calculated
 * here, so pages and books never differ by a rupiah. BigInt avoids overflow.
 */
export function shareOf(amount: number, part: number | bigint, whole: number | bigint): number {
  const [money, partUnits, wholeUnits] = [BigInt(amount), BigInt(part), BigInt(whole)]
  if (money < 0n || partUnits < 0n || wholeUnits <= 0n)
    throw new RangeError('a share is taken of whole rupiah, not of less than nothing')
  return Number((2n * money * partUnits + wholeUnits) / (2n * wholeUnits))
}

/** 100 % in hundredths of a percent. */
export const wholeInBasisPoints = 10_000

/** Hundredths of a percent in a decimal such as `12.5`, read digit by digit; RangeError for more than two decimals. */
export function basisPointsOf(percent: number | string): number {
  const [, wholePercent, decimals = ''] = /^(\d+)(?:\.(\d{0,2})0*)?$/.exec(String(percent)) ?? []
  if (wholePercent === undefined) throw new RangeError(`"${percent}" is not a percentage with two decimals`)
  return Number(wholePercent) * 100 + Number(decimals.padEnd(2, '0'))
}

/** Rupiah for a percentage with up to two decimals. */
export const percentOf = (amount: number, percent: number | string) =>
  shareOf(amount, basisPointsOf(percent), wholeInBasisPoints)
