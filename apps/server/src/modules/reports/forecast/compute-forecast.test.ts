import { describe, expect, it } from 'vitest'
import { fc } from '#testing/properties.ts'
import {
  type EarlierSeason,
  type ForecastCell,
  findCommonRate,
  forecastSeason,
  quantileOf,
  shrinkRate,
  testOnSeason,
} from './compute-forecast.ts'

const season = (year: string) =>
  fc.tuple(fc.nat(400), fc.nat(200), fc.nat(300)).map(
    ([open, enrolled, later]): EarlierSeason => ({
      year,
      submitted: open + enrolled,
      enrolled,
      enrolledFinally: enrolled + later,
    }),
  )
const cell = fc.record({
  open: fc.nat(500),
  enrolled: fc.nat(200),
  last: season('2025/2026'),
  before: season('2024/2025'),
})
const cells = fc.array(cell, { minLength: 1, maxLength: 12 }).map((list): ForecastCell[] =>
  list.map(({ open, enrolled, last, before }, index) => ({
    key: `${index}`,
    submitted: open + enrolled,
    enrolled,
    earlier: [last, before],
  })),
)

describe('a forecast', () => {
  it('lies within its range, and never below the number enrolled', () => {
    fc.assert(
      fc.property(cells, (list) => {
        const found = forecastSeason(list)
        if (!found) return
        const sum = list.reduce((total, { enrolled }) => total + enrolled, 0)
        for (const [enrolled, { low, expected, high }] of [
          ...list.map(({ key, enrolled }) => [enrolled, found.lines.get(key)!] as const),
          [sum, found.total] as const,
        ]) {
          expect(low).toBeGreaterThanOrEqual(enrolled)
          expect(low).toBeLessThanOrEqual(expected)
          expect(high).toBeGreaterThanOrEqual(expected)
        }
      }),
    )
  })

  it('expects in total the sum over programmes, except for rounding', () => {
    fc.assert(
      fc.property(cells, (list) => {
        const found = forecastSeason(list)
        if (!found) return
        const sum = [...found.lines.values()].reduce((total, { expected }) => total + expected, 0)
        expect(Math.abs(found.total.expected - sum)).toBeLessThanOrEqual(list.length / 2 + 0.5)
      }),
    )
  })

  it('does not depend on the order of programmes or seasons', () => {
    fc.assert(
      fc.property(cells, (list) => {
        const turned = list.map((one) => ({ ...one, earlier: [...one.earlier].reverse() })).reverse()
        const [one, two] = [forecastSeason(list), forecastSeason(turned)]
        expect(two?.total).toEqual(one?.total)
        for (const [key, line] of one?.lines ?? []) expect(two!.lines.get(key)).toEqual(line)
      }),
    )
  })

  it('grows with the number of open registrations', () => {
    fc.assert(
      fc.property(cells, fc.integer({ min: 1, max: 300 }), (list, more) => {
        const [first, ...rest] = list as [ForecastCell, ...ForecastCell[]]
        const found = forecastSeason(list)
        const grown = forecastSeason([{ ...first, submitted: first.submitted + more }, ...rest])
        if (!found || !grown) return
        expect(grown.lines.get(first.key)!.expected).toBeGreaterThanOrEqual(found.lines.get(first.key)!.expected)
      }),
    )
  })

  it('is missing if no earlier season had a registration on this day', () => {
    expect(forecastSeason([{ key: 'a', submitted: 10, enrolled: 2, earlier: [] }])).toBeNull()
    const empty = { year: '2025/2026', submitted: 0, enrolled: 0, enrolledFinally: 30 }
    expect(forecastSeason([{ key: 'a', submitted: 10, enrolled: 2, earlier: [empty] }])).toBeNull()
  })

  it('equals the number enrolled once seasons no longer change', () => {
    const over = { year: '2025/2026', submitted: 100, enrolled: 60, enrolledFinally: 60 }
    const found = forecastSeason([{ key: 'a', submitted: 120, enrolled: 70, earlier: [over] }])
    expect(found!.lines.get('a')).toEqual({ expected: 70, low: 70, high: 70 })
  })

  it('uses the common rate for a programme without history', () => {
    const earlier = { year: '2025/2026', submitted: 200, enrolled: 0, enrolledFinally: 80 }
    const found = forecastSeason([
      { key: 'old', submitted: 200, enrolled: 0, earlier: [earlier] },
      { key: 'new', submitted: 50, enrolled: 0, earlier: [] },
    ])
    expect(found!.lines.get('new')!.expected).toBe(20)
  })
})

describe('the rate of a programme', () => {
  const common = { rate: 0.4, strength: 30, yearVariance: 0.02, later: 400 }

  it('lies between its own and the common rate, nearer to its own the more registrations it had', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.nat(500),
        fc.integer({ min: 2, max: 20 }),
        (open, later, times) => {
          const own = later / open
          const { mean } = shrinkRate(common, { open, later })
          expect(mean).toBeGreaterThanOrEqual(Math.min(own, common.rate) - 1e-9)
          expect(mean).toBeLessThanOrEqual(Math.max(own, common.rate) + 1e-9)
          const larger = shrinkRate(common, { open: open * times, later: later * times })
          expect(Math.abs(larger.mean - own)).toBeLessThanOrEqual(Math.abs(mean - own) + 1e-9)
          expect(larger.variance).toBeLessThanOrEqual(
            shrinkRate(common, { open, later }).variance + 1e-9 + larger.mean / 30,
          )
        },
      ),
    )
  })

  it('is pulled less to the common rate where programmes really differ', () => {
    const with_ = (laters: number[]) =>
      findCommonRate(
        laters.map((later) => ({
          earlier: [{ year: '2025/2026', submitted: 100, enrolled: 0, enrolledFinally: later }],
        })),
      )!.strength
    expect(with_([10, 50, 90, 20])).toBeLessThan(20)
    expect(with_([40, 41, 39, 40])).toBe(1e6)
  })
})

describe('the range', () => {
  it('covers eight of ten seasons, if seasons follow the model', () => {
    const random = seeded(7)
    const [common, strength, spread] = [0.5, 25, 0.15]
    let [held, all] = [0, 0]
    for (let run = 0; run < 150; run++) {
      const rates = Array.from({ length: 12 }, () => gamma(random, strength * common) / strength)
      const years = Array.from({ length: 4 }, () => gamma(random, 1 / spread ** 2) * spread ** 2)
      const laterOf = (open: number, rate: number, year: number) => poisson(random, open * rate * year)
      const list = rates.map((rate, index): ForecastCell => {
        const open = 5 + Math.floor(random() * 120)
        const earlier = [1, 2, 3].map((back) => ({
          year: `${2026 - back}/${2027 - back}`,
          submitted: open,
          enrolled: 0,
          enrolledFinally: laterOf(open, rate, years[back]!),
        }))
        return { key: `${index}`, submitted: open, enrolled: 0, earlier }
      })
      const found = forecastSeason(list)!
      for (const [index, { key, submitted }] of list.entries()) {
        const came = laterOf(submitted, rates[index]!, years[0]!)
        const { low, high } = found.lines.get(key)!
        all++
        if (came >= low && came <= high) held++
      }
    }
    expect(held / all).toBeGreaterThan(0.75)
    expect(held / all).toBeLessThan(0.92)
  })

  it('leaves the stated share on each side', () => {
    expect(quantileOf(0, 0, 0.9)).toBe(0)
    expect([quantileOf(100, 100, 0.1), quantileOf(100, 100, 0.9)]).toEqual([87, 113])
    expect(quantileOf(20_000, 20_000 + 4_000_000, 0.5)).toBeGreaterThan(19_000)
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 3_000, noNaN: true }),
        fc.double({ min: 1, max: 60, noNaN: true }),
        (mean, times) => {
          const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantileOf(mean, mean * times, share)) as [
            number,
            number,
            number,
          ]
          expect(low).toBeLessThanOrEqual(middle)
          expect(middle).toBeLessThanOrEqual(high)
          expect(Number.isFinite(high)).toBe(true)
        },
      ),
    )
  })
})

describe('the backtest on last year', () => {
  const seasons = (last: number): EarlierSeason[] => [
    { year: '2025/2026', submitted: 100, enrolled: 10, enrolledFinally: last },
    { year: '2024/2025', submitted: 100, enrolled: 10, enrolledFinally: 55 },
  ]

  it('uses only the seasons before last year', () => {
    const one = testOnSeason([{ key: 'a', submitted: 500, enrolled: 0, earlier: seasons(30) }], '2025/2026')
    const two = testOnSeason([{ key: 'a', submitted: 5, enrolled: 1, earlier: seasons(90) }], '2025/2026')
    expect(one).toEqual(two)
    expect(one!.total.expected).toBe(55)
  })

  it('is missing if last year is the first season', () => {
    expect(
      testOnSeason([{ key: 'a', submitted: 5, enrolled: 1, earlier: seasons(30).slice(0, 1) }], '2025/2026'),
    ).toBeNull()
  })
})

/** A small generator that draws the same seasons every time. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return (state + 0.5) / 4_294_967_296
  }
}

function normal(random: () => number) {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
}

/** Gamma with mean and variance `shape`, by Marsaglia and Tsang. */
function gamma(random: () => number, shape: number): number {
  const [d, c] = [shape - 1 / 3, 1 / Math.sqrt(9 * (shape - 1 / 3))]
  for (;;) {
    const x = normal(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

function poisson(random: () => number, mean: number): number {
  const least = Math.exp(-mean)
  let [count, product] = [0, random()]
  while (product > least) {
    count++
    product *= random()
  }
  return count
}
