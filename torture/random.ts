/** A random generator that repeats its sequence for the same seed, so that a plan can be repeated. */
export type Random = {
  /** At least 0, below 1. */
  next(): number
  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  shuffle<T>(list: T[]): T[]
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    whole,
    pick: (from) => from[whole(0, from.length - 1)]!,
    shuffle(list) {
      for (let last = list.length - 1; last > 0; last--) {
        const other = whole(0, last)
        ;[list[last], list[other]] = [list[other]!, list[last]!]
      }
      return list
    },
  }
}
