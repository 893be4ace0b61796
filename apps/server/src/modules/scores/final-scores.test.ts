import { describe, expect, it } from 'vitest'
import { scoreMethod } from '#domain/scores/methods.ts'
import { fc } from '#testing/properties.ts'
import { finalScores, momentsOf, type RawScore } from './final-scores.ts'

const row = (score: number, more: Partial<RawScore> = {}): RawScore => ({
  score,
  sessionId: null,
  package: null,
  parts: {},
  ...more,
})
const inPackage = (name: string, ...scores: number[]) => scores.map((score) => row(score, { package: name }))
const scoresOf = (outcome: ReturnType<typeof finalScores>) => {
  if ('problem' in outcome) throw new Error(`${outcome.problem} at ${outcome.at}`)
  return outcome.scores
}
const standard = { kind: 'standard', mean: 0, deviation: 1 } as const

describe('the raw score', () => {
  it('stays, or is multiplied by a factor', () => {
    expect(scoresOf(finalScores([row(78.25), row(0)], { kind: 'raw', factor: 1 }))).toEqual([78.25, 0])
    expect(scoresOf(finalScores([row(78.25)], { kind: 'raw', factor: 2 }))).toEqual([156.5])
  })
})

describe('weighted parts', () => {
  const method = { kind: 'weights', weights: { right: 4, wrong: -1 }, constant: 0 } as const

  it('four points for a correct answer and minus one for a wrong one: 40 and 12 make 148', () =>
    expect(scoresOf(finalScores([row(0, { parts: { right: 40, wrong: 12, empty: 8 } })], method))).toEqual([148]))

  it('a score with a missing part has no final score, and the run names the part', () =>
    expect(finalScores([row(1, { parts: { right: 1 } })], method)).toEqual({ problem: 'missing_part', at: 'wrong' }))
})

describe('standard scores', () => {
  it('2, 4, 4, 4, 5, 5, 7, 9 have mean 5 and standard deviation 2', () => {
    const raw = [2, 4, 4, 4, 5, 5, 7, 9].map((score) => row(score))
    expect(scoresOf(finalScores(raw, standard))).toEqual([-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2])
    expect(scoresOf(finalScores(raw, { kind: 'standard', mean: 50, deviation: 10 }))).toEqual([
      35, 45, 45, 45, 50, 50, 60, 70,
    ])
  })

  it('are computed per session and package, so that a hard package is no disadvantage', () => {
    const raw = [
      ...[10, 20].map((score) => row(score, { sessionId: 's1', package: 'A' })),
      ...[60, 80].map((score) => row(score, { sessionId: 's1', package: 'B' })),
      ...[10, 90].map((score) => row(score, { sessionId: 's2', package: 'A' })),
    ]
    expect(scoresOf(finalScores(raw, standard))).toEqual([-1, 1, -1, 1, -1, 1])
  })

  it('a group without spread gets the mean', () =>
    expect(scoresOf(finalScores([row(70), row(70)], { kind: 'standard', mean: 50, deviation: 10 }))).toEqual([50, 50]))
})

describe('linear equating', () => {
  it('of equivalent groups: mean 72 and deviation 10 on the scale of mean 77 and deviation 9 turn 75 into 79.7', () => {
    // Kolen & Brennan, section 2.4: y = 9/10 x + (77 - 9/10 × 72) = 0.9 x + 12.2.
    const raw = [...inPackage('X', 62, 82, 62, 82), row(75, { package: 'X' }), ...inPackage('Y', 68, 86)]
    const x = momentsOf([62, 82, 62, 82, 75])
    const expected = 77 + (9 / x.deviation) * (75 - x.mean)
    expect(scoresOf(finalScores(raw, { kind: 'linear', reference: 'Y', anchor: null }))[4]).toBeCloseTo(expected, 4)
    const exact = scoresOf(
      finalScores([...inPackage('X', 62, 82), ...inPackage('Y', 68, 86)], {
        kind: 'linear',
        reference: 'Y',
        anchor: null,
      }),
    )
    expect(exact).toEqual([0.9 * 62 + 12.2, 0.9 * 82 + 12.2, 68, 86].map((score) => Math.round(score * 1e4) / 1e4))
  })

  it('through common items: a stronger group is not pulled down to the mean of the other', () => {
    const anchored = (name: string, pairs: [score: number, common: number][]) =>
      pairs.map(([score, common]) => row(score, { package: name, parts: { common } }))
    // X: mean 60, deviation 10, common items 14 ± 2. Y: mean 50, deviation 5, common items 10 ± 1.
    // x = 60 → common 14 → y = 50 + 5 × (14 - 10) / 1 = 70; x = 70 → common 16 → y = 80.
    const raw = [
      ...anchored('X', [
        [50, 12],
        [70, 16],
      ]),
      ...anchored('Y', [
        [45, 9],
        [55, 11],
      ]),
    ]
    expect(scoresOf(finalScores(raw, { kind: 'linear', reference: 'Y', anchor: 'common' }))).toEqual([60, 80, 45, 55])
  })

  it.each([
    ['without the reference package', inPackage('X', 1, 2), null, { problem: 'missing_reference', at: 'Y' }],
    [
      'with a package of equal scores',
      [...inPackage('X', 5, 5), ...inPackage('Y', 1, 2)],
      null,
      { problem: 'no_spread', at: 'X' },
    ],
    [
      'without the common items',
      [...inPackage('X', 1, 2), ...inPackage('Y', 1, 2)],
      'common',
      { problem: 'missing_anchor', at: 'X' },
    ],
  ])('%s fails and says where', (_situation, raw, anchor, problem) =>
    expect(finalScores(raw, { kind: 'linear', reference: 'Y', anchor })).toEqual(problem),
  )
})

describe('every method', () => {
  const score = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100)
  const rawScore = fc.record({
    score,
    sessionId: fc.constantFrom('s1', 's2', null),
    package: fc.constantFrom('A', 'B', null),
    parts: fc.record({ right: score, wrong: score }),
  })
  const method = fc.oneof(
    fc.constant(scoreMethod.parse({ kind: 'raw' })),
    fc.constant(scoreMethod.parse({ kind: 'weights', weights: { right: 4, wrong: -1 } })),
    fc.constant(scoreMethod.parse({ kind: 'standard' })),
    fc.constant(scoreMethod.parse({ kind: 'linear', reference: 'A', anchor: null })),
    fc.constant(scoreMethod.parse({ kind: 'linear', reference: 'A', anchor: 'right' })),
  )

  it('gives the same scores in any order of the input', () =>
    fc.assert(
      fc.property(fc.array(rawScore, { minLength: 1, maxLength: 40 }), method, (raw, one) => {
        const [straight, reversed] = [finalScores(raw, one), finalScores(raw.toReversed(), one)]
        if ('problem' in straight) expect('problem' in reversed && reversed.problem).toBe(straight.problem)
        else expect(scoresOf(reversed).toReversed()).toEqual(straight.scores)
      }),
    ))

  it('never ranks a lower raw score above a higher one of the same session and package', () =>
    fc.assert(
      fc.property(
        fc.array(rawScore, { minLength: 1, maxLength: 40 }),
        method.filter(({ kind }) => kind !== 'weights'),
        (raw, one) => {
          const outcome = finalScores(raw, one)
          if ('problem' in outcome) return
          raw.forEach((lower, i) => {
            raw.forEach((higher, j) => {
              if (lower.sessionId !== higher.sessionId || lower.package !== higher.package) return
              if (lower.score <= higher.score) expect(outcome.scores[i]).toBeLessThanOrEqual(outcome.scores[j]!)
            })
          })
        },
      ),
    ))

  it('standard scores of a group with spread have mean 0 and deviation 1', () =>
    fc.assert(
      fc.property(fc.array(score, { minLength: 2, maxLength: 50 }), (values) => {
        fc.pre(momentsOf(values).deviation > 1)
        const { mean, deviation } = momentsOf(
          scoresOf(
            finalScores(
              values.map((value) => row(value)),
              standard,
            ),
          ),
        )
        expect(mean).toBeCloseTo(0, 3)
        expect(deviation).toBeCloseTo(1, 3)
      }),
    ))

  it('linear equating of equivalent groups gives a package the mean and deviation of the reference', () =>
    fc.assert(
      fc.property(
        fc.array(score, { minLength: 2, maxLength: 30 }),
        fc.array(score, { minLength: 2, maxLength: 30 }),
        (x, y) => {
          fc.pre(momentsOf(x).deviation > 1 && momentsOf(y).deviation > 1)
          const equated = scoresOf(
            finalScores([...inPackage('X', ...x), ...inPackage('Y', ...y)], {
              kind: 'linear',
              reference: 'Y',
              anchor: null,
            }),
          )
          expect(momentsOf(equated.slice(0, x.length)).mean).toBeCloseTo(momentsOf(y).mean, 3)
          expect(momentsOf(equated.slice(0, x.length)).deviation).toBeCloseTo(momentsOf(y).deviation, 3)
        },
      ),
    ))
})
