import { setImmediate as breathe } from 'node:timers/promises'

/** Yields the rows in slices of at most `size`, letting other requests run in between. */
export async function* slicesOf<T>(rows: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < rows.length; start += size) {
    if (start > 0) await breathe()
    yield rows.slice(start, start + size)
  }
}
