import { describe, expect, it } from 'vitest'
import type { SelectionTies } from '#domain/selection/rules.ts'
import { fc } from '#testing/properties.ts'
import { type SelectionQuota, selectApplicants, states } from './select.ts'
import { totalOf } from './total.ts'

type Wish = { quota: number; total: number; scores?: number[]; state?: number }
type Case = {
  quotas: SelectionQuota[]
  applicants: { lot: number; wishes: Wish[] }[]
  firstChoicesFirst?: boolean
  reservePercent?: number
}

const programme = (
  places: number,
  ties: SelectionTies = 'lot',
  more: Partial<SelectionQuota> = {},
): SelectionQuota => ({
  parent: null,
  places,
  spillTurn: null,
  ties,
  ...more,
})

/** By applicant, by choice. */
function select({ quotas, applicants, firstChoicesFirst = false, reservePercent = 0 }: Case) {
  const all = applicants.flatMap(({ lot, wishes }, applicant) =>
    wishes.map((wish, index) => ({ ...wish, lot, applicant, wish: index + 1 })),
  )
  const width = Math.max(0, ...all.map(({ scores = [] }) => scores.length))
  const output = selectApplicants({
    quotas,
    firstChoicesFirst,
    reservePercent,
    columns: {
      applicant: Int32Array.from(all, (row) => row.applicant),
      wish: Int32Array.from(all, (row) => row.wish),
      quota: Int32Array.from(all, (row) => row.quota),
      state: Uint8Array.from(all, (row) => row.state ?? states.open),
      total: Float64Array.from(all, (row) => row.total),
      scores: Array.from({ length: width }, (_, criterion) =>
        Float64Array.from(all, (row) => row.scores?.[criterion] ?? -Infinity),
      ),
      lot: Float64Array.from(all, (row) => row.lot),
    },
  })
  return applicants.map((_, applicant) =>
    all.flatMap((row, index) =>
      row.applicant === applicant
        ? [{ placed: output.placed[index] === 1, rank: output.rank[index]!, reserve: output.reserveRank[index]! }]
        : [],
    ),
  )
}
const placesOf = (selection: Case) => select(selection).map((wishes) => wishes.findIndex(({ placed }) => placed))

describe('a selection', () => {
  it('ranks only applications that take part', () => {
    const [first, left, second] = select({
      quotas: [programme(1)],
      applicants: [
        { lot: 1, wishes: [{ quota: 0, total: 90 }] },
        { lot: 2, wishes: [{ quota: 0, total: 80, state: states.out }] },
        { lot: 3, wishes: [{ quota: 0, total: 70 }] },
      ],
    })
    expect([first![0]!.rank, left![0]!.rank, second![0]!.rank]).toEqual([1, 0, 2])
  })

  it.each([
    ['all', [0, 0, 0, -1], [1, 2, 2, 4]],
    ['none', [0, -1, -1, -1], [1, 2, 2, 4]],
    ['lot', [0, -1, 0, -1], [1, 3, 2, 4]],
    ['next', [0, 0, -1, -1], [1, 2, 3, 4]],
  ] as const)('settles a tie at the last place by the rule "%s"', (ties, places, ranks) => {
    const selection: Case = {
      quotas: [programme(2, ties)],
      applicants: [
        { lot: 9, wishes: [{ quota: 0, total: 90, scores: [1] }] },
        { lot: 8, wishes: [{ quota: 0, total: 80, scores: [7] }] },
        { lot: 7, wishes: [{ quota: 0, total: 80, scores: [6] }] },
        { lot: 6, wishes: [{ quota: 0, total: 10, scores: [9] }] },
      ],
    }
    expect(placesOf(selection)).toEqual(places)
    expect(select(selection).map(([wish]) => wish!.rank)).toEqual(ranks)
  })

  it('draws lots if the criteria leave a tie', () => {
    expect(
      placesOf({
        quotas: [programme(1, 'next')],
        applicants: [
          { lot: 5, wishes: [{ quota: 0, total: 80, scores: [7] }] },
          { lot: 4, wishes: [{ quota: 0, total: 80, scores: [7] }] },
        ],
      }),
    ).toEqual([-1, 0])
  })

  it('lists the reserve by rank, ties by lot, without anyone who has a place', () => {
    const found = select({
      quotas: [programme(1, 'none'), programme(1)],
      reservePercent: 200,
      applicants: [
        { lot: 1, wishes: [{ quota: 0, total: 90 }] },
        { lot: 3, wishes: [{ quota: 0, total: 80 }] },
        { lot: 2, wishes: [{ quota: 0, total: 80 }] },
        {
          lot: 4,
          wishes: [
            { quota: 0, total: 85 },
            { quota: 1, total: 85 },
          ],
        },
        { lot: 5, wishes: [{ quota: 0, total: 60 }] },
      ],
    })
    expect(found.map(([wish]) => wish!.reserve)).toEqual([0, 2, 1, 0, 0])
  })

  it('keeps manually held places, even with the lowest score', () => {
    expect(
      placesOf({
        quotas: [programme(1)],
        applicants: [
          { lot: 1, wishes: [{ quota: 0, total: 90 }] },
          { lot: 2, wishes: [{ quota: 0, total: 10, state: states.held }] },
        ],
      }),
    ).toEqual([-1, 0])
  })

  it('gives the over-offer to the tracks in turn', () => {
    const quotas = [
      programme(4),
      programme(2, 'lot', { parent: 0, spillTurn: 2 }),
      programme(1, 'lot', { parent: 0, spillTurn: 1 }),
    ]
    const applicants = [1, 1, 1, 2, 2].map((quota, index) => ({ lot: index, wishes: [{ quota, total: 50 - index }] }))
    expect(placesOf({ quotas, applicants })).toEqual([0, 0, -1, 0, 0])
  })
})

const ties = fc.constantFrom<SelectionTies>('next', 'lot')
const selections = fc.record({
  quotas: fc.array(fc.record({ places: fc.nat(4), ties }), { minLength: 1, maxLength: 4 }),
  applicants: fc.array(
    fc.record({
      wishes: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
      total: fc.nat(6),
      score: fc.nat(3),
      out: fc.boolean(),
    }),
    { maxLength: 14 },
  ),
  firstChoicesFirst: fc.boolean(),
  reservePercent: fc.constantFrom(0, 50, 300),
})
type Drawn = typeof selections extends fc.Arbitrary<infer T> ? T : never

const caseOf = ({ quotas, applicants, ...rest }: Drawn): Case => ({
  ...rest,
  quotas: quotas.map(({ places, ties }) => programme(places, ties)),
  applicants: applicants.map(({ wishes, total, score, out }, index) => ({
    lot: (index * 7919) % 104729,
    wishes: wishes
      .filter((quota) => quota < quotas.length)
      .map((quota) => ({ quota, total, scores: [score], state: out ? states.out : states.open })),
  })),
})

describe('any selection', () => {
  it('is stable: no waiting applicant outranks a placed one, and no place stays empty', () =>
    fc.assert(
      fc.property(selections, (drawn) => {
        const selection = caseOf(drawn)
        const found = select(selection)
        selection.quotas.forEach(({ places }, quota) => {
          const entries = selection.applicants.flatMap(({ wishes }, applicant) =>
            wishes.flatMap((wish, index) => {
              const own = found[applicant]!
              const place = own.findIndex(({ placed }) => placed)
              return wish.quota === quota && own[index]!.rank > 0
                ? [{ ...own[index]!, waits: place === -1 || place > index }]
                : []
            }),
          )
          const placed = entries.filter((entry) => entry.placed)
          const waiting = entries.filter((entry) => !entry.placed && entry.waits)
          expect(placed.length).toBeLessThanOrEqual(places)
          if (waiting.length > 0) expect(placed.length).toBe(places)
          const worst = Math.max(0, ...placed.map(({ rank }) => rank))
          for (const { rank } of waiting) expect(rank).toBeGreaterThan(worst)
        })
      }),
    ))

  it('repeats exactly, in any order of applicants', () =>
    fc.assert(
      fc.property(
        selections.chain((drawn) =>
          fc.tuple(
            fc.constant(drawn),
            fc.shuffledSubarray([...drawn.applicants.keys()], { minLength: drawn.applicants.length }),
          ),
        ),
        ([drawn, order]) => {
          const selection = caseOf(drawn)
          const found = select(selection)
          expect(select(selection)).toEqual(found)
          const shuffled = select({ ...selection, applicants: order.map((index) => selection.applicants[index]!) })
          expect(shuffled).toEqual(order.map((index) => found[index]))
        },
      ),
    ))

  it('never harms a higher total', () =>
    fc.assert(
      fc.property(selections, fc.nat(), fc.integer({ min: 1, max: 9 }), (drawn, who, more) => {
        const selection = caseOf(drawn)
        if (selection.applicants.length === 0) return
        const index = who % selection.applicants.length
        const raised = structuredClone(selection)
        for (const wish of raised.applicants[index]!.wishes) wish.total += more
        const place = (at: number) => (at === -1 ? Number.POSITIVE_INFINITY : at)
        expect(place(placesOf(raised)[index]!)).toBeLessThanOrEqual(place(placesOf(selection)[index]!))
      }),
    ))
})

describe('a total', () => {
  const score = (points: number, weight: number, passMark: number | null = null) => ({
    score: points * 10_000,
    weight: weight * 100,
    passMark: passMark === null ? null : passMark * 10_000,
  })

  it('is the weighted mean in hundredths, rounded half up', () => {
    expect(totalOf([score(80, 1), score(70, 2)], null)).toEqual({ total: 7333, reason: null })
    expect(totalOf([score(0.005, 1)], null).total).toBe(1)
  })

  it('needs a score for every test with a weight or pass mark', () => {
    expect(totalOf([score(-Infinity, 1)], null)).toEqual({ total: null, reason: 'no_score' })
    expect(totalOf([score(-Infinity, 0, 10)], null).reason).toBe('no_score')
    expect(totalOf([score(50, 1), score(-Infinity, 0)], null).reason).toBeNull()
  })

  it('is refused below a pass mark or the minimum, but not exactly at it', () => {
    expect(totalOf([score(60, 1, 60)], 6000).reason).toBeNull()
    expect(totalOf([score(59.99, 1, 60)], null).reason).toBe('below_minimum')
    expect(totalOf([score(60, 1)], 6001).reason).toBe('below_minimum')
  })
})
