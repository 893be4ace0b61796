import { describe, expect, it } from 'vitest'
import { totalScore } from './total-score.ts'

describe('the total score', () => {
  it.each([
    ['one test', [{ score: 80, maxScore: 100, weight: 1 }], 80],
    [
      'different maxima',
      [
        { score: 80, maxScore: 100, weight: 1 },
        { score: 50, maxScore: 50, weight: 1 },
      ],
      90,
    ],
    [
      'weights',
      [
        { score: 100, maxScore: 100, weight: 3 },
        { score: 0, maxScore: 100, weight: 1 },
      ],
      75,
    ],
    ['a zero is a score', [{ score: 0, maxScore: 100, weight: 1 }], 0],
    [
      'a missing score',
      [
        { score: 80, maxScore: 100, weight: 1 },
        { score: null, maxScore: 100, weight: 1 },
      ],
      null,
    ],
    [
      'a missing score that counts for nothing',
      [
        { score: 80, maxScore: 100, weight: 1 },
        { score: null, maxScore: 100, weight: 0 },
      ],
      80,
    ],
    ['no tests', [], null],
  ])('%s', (_situation, scores, total) => expect(totalScore(scores)).toBe(total))
})
