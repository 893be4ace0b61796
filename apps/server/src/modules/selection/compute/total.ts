/** A score in ten-thousandths (-Infinity for none) with its weight in hundredths. */
type Weighted = { score: number; weight: number; passMark: number | null }

/** Result of an application's scores: a total in hundredths, or the reason why there is none. */
export type Total = { total: number; reason: null } | { total: number | null; reason: 'no_score' | 'below_minimum' }

/**
 * Weighted mean of the scores, in hundredths, rounded half up; 0 without weights. A test with a weight or pass mark
 * needs a score. `minimum` is the lowest total in hundredths.
 */
export function totalOf(scores: readonly Weighted[], minimum: number | null): Total {
  const counted = scores.filter(({ weight, passMark }) => weight > 0 || passMark !== null)
  if (counted.some(({ score }) => score === -Infinity)) return { total: null, reason: 'no_score' }
  const weights = counted.reduce((sum, { weight }) => sum + weight, 0)
  const points = counted.reduce((sum, { score, weight }) => sum + score * weight, 0)
  // Integers throughout, so that the verifier's SQL agrees to the last digit.
  const total = weights === 0 ? 0 : Math.floor((points + 50 * weights) / (100 * weights))
  const belowMark = counted.some(({ score, passMark }) => passMark !== null && score < passMark)
  return belowMark || (minimum !== null && total < minimum)
    ? { total, reason: 'below_minimum' }
    : { total, reason: null }
}
