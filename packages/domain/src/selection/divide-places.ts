/**
 * Divides places by percentages (Hamilton's method): each part gets the whole places of its share; places left by
 * rounding go to the largest remainders, earlier parts before later ones. If the parts add up to less than 100 percent,
 * places stay undivided.
 */
export function dividePlaces(places: number, percents: readonly number[]): number[] {
  const exact = percents.map((percent) => (places * percent) / 100)
  const parts = exact.map(Math.floor)
  const total = Math.floor(exact.reduce((sum, part) => sum + part, 0) + 1e-9)
  const byRemainder = exact
    .map((part, index) => ({ index, remainder: part - parts[index]! }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  const left = total - parts.reduce((sum, part) => sum + part, 0)
  for (const { index } of byRemainder.slice(0, left)) parts[index]!++
  return parts
}
