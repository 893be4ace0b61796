/**
 * Divides places by percentages: each part gets the whole places of its share, and what rounding leaves goes to the largest
 * remainders, the first part first (Hamilton's method). Parts of less than 100 percent together leave places undivided.
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
