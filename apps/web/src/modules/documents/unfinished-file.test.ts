import { expect, test } from 'vitest'
import { mayContinue } from './unfinished-file.ts'

const hour = 3_600_000
const keptAt = (version: number, ago = hour) => ({
  data: { file: new File(['x'], 'rapor.jpg'), version },
  savedAt: new Date(Date.now() - ago).toISOString(),
})

test.each([
  ['the document is the one it was chosen for', keptAt(3), 3, true],
  ['another device sent a newer file', keptAt(3), 4, false],
  ['it arrived and was rejected', keptAt(3), 5, false],
  // The server compares again.
  ['the list on the screen is older', keptAt(3), 2, true],
  ['it is older than a day', keptAt(3, 25 * hour), 3, false],
])('an unfinished file goes on by itself: %s', (_situation, snapshot, version, expected) => {
  expect(mayContinue(snapshot, version)).toBe(expected)
})
