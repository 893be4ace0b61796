/**
 * Whether tests run in their whole form, as started by `npm run test:all`: every combination, property tests tenfold.
 */
export const isWhole = process.env.TEST_FORM === 'whole'

const dayMs = 86_400_000

/** Seed of the quick form's draws: the UTC day number, or TEST_SEED to repeat another day's run. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Date.now() / dayMs))

/** Runs of a property test; ten times as many in the whole form. */
export const runs = (quick: number) => (isWhole ? quick * 10 : quick)

/** Numbers from 0 to below 1, determined by seed and name (xorshift32). */
export function randomOf(name: string): () => number {
  let state = seed | 0 || 1
  for (const character of name) state = (Math.imul(state, 31) + character.charCodeAt(0)) | 0
  state ||= 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** The same elements in an order determined by seed and name. */
export function shuffled<T>(name: string, all: readonly T[]): T[] {
  const random = randomOf(name)
  const result = [...all]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[result[last], result[other]] = [result[other]!, result[last]!]
  }
  return result
}

/**
 * All elements in the whole form; in the quick form at most `count`, different ones each day, in their original order.
 */
export function sampleOf<T>(name: string, all: readonly T[], count: number): T[] {
  if (isWhole || all.length <= count) return [...all]
  const chosen = new Set(shuffled(name, [...all.keys()]).slice(0, count))
  return all.filter((_, index) => chosen.has(index))
}
