type Score = { score: number | null; maxScore: number; weight: number }

/** Weighted mean out of 100, two decimals; null while a weighted test has no score. */
export function totalScore(scores: readonly Score[]): number | null {
  let [points, weights] = [0, 0]
  for (const { score, maxScore, weight } of scores) {
    if (weight <= 0 || maxScore <= 0) continue
    if (score === null) return null
    points += (score / maxScore) * weight
    weights += weight
  }
  return weights === 0 ? null : Math.round((points / weights) * 10_000) / 100
}
