type Score = { score: number | null; maxScore: number; weight: number }

/** Weighted mean out of 100, two decimals; null while a weighted test has no score. */
export function totalScore(scores: readonly Score[]): number | null {
  const scored = scores.filter((score) => score.weight > 0 && score.maxScore > 0)
  if (scored.length === 0 || scored.some(({ score }) => score === null)) return null
  const weights = scored.reduce((sum, { weight }) => sum + weight, 0)
  const points = scored.reduce((sum, { score, maxScore, weight }) => sum + (score! / maxScore) * weight, 0)
  return Math.round((points / weights) * 10_000) / 100
}
