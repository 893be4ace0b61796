import { describe, expect, it } from 'vitest'
import { runs } from '#testing/form.ts'
import { fc } from '#testing/properties.ts'
import { type Applications, placeApplicants } from './place.ts'
import type { PlaceGroup } from './place-group.ts'
import { rankApplications } from './rank.ts'

type Wish = { group: number; score: number; eligible?: boolean; heldByHand?: boolean }
type Case = { groups: PlaceGroup[]; applicants: Wish[][]; firstChoicesFirst?: boolean }

const programme = (places: number, more: Partial<PlaceGroup> = {}): PlaceGroup => ({
  parent: null,
  places,
  spillTurn: null,
  ties: 'strict',
  ...more,
})

function columnsOf({ groups, applicants, firstChoicesFirst = false }: Case): Applications & { score: Float64Array } {
  const all = applicants.flatMap((wishes, applicant) =>
    wishes.map((wish, index) => ({ ...wish, applicant, wish: index + 1 })),
  )
  const group = Int32Array.from(all, (row) => row.group)
  const score = Float64Array.from(all, (row) => row.score)
  // Where ties are not allowed, the applicant's number decides.
  const lot = Float64Array.from(all, (row) => -row.applicant)
  return {
    applicant: Int32Array.from(all, (row) => row.applicant),
    group,
    score,
    eligible: Uint8Array.from(all, (row) => (row.eligible === false ? 0 : 1)),
    heldByHand: Uint8Array.from(all, (row) => (row.heldByHand ? 1 : 0)),
    ...rankApplications({
      group,
      wish: Int32Array.from(all, (row) => row.wish),
      criteria: groups.map(({ ties }) => (ties === 'strict' ? [score, lot] : [score])),
      firstChoicesFirst,
    }),
  }
}

/** By applicant: the group of the place, or null. */
function place(selection: Case): (number | null)[] {
  const columns = columnsOf(selection)
  const { placed } = placeApplicants(selection.groups, columns)
  return selection.applicants.map((_, index) => {
    const application = placed[index] ?? -1
    return application === -1 ? null : columns.group[application]!
  })
}

describe('places by rank', () => {
  it('go to the best applicants, who get their earliest wish with room', () => {
    expect(
      place({
        groups: [programme(1), programme(1)],
        applicants: [
          [
            { group: 0, score: 70 },
            { group: 1, score: 70 },
          ],
          [{ group: 0, score: 90 }],
          [
            { group: 0, score: 60 },
            { group: 1, score: 60 },
          ],
        ],
      }),
    ).toEqual([1, 0, null])
  })

  it('go to first choices first if the university says so', () => {
    const selection: Case = {
      groups: [programme(1), programme(1)],
      applicants: [
        [
          { group: 0, score: 80 },
          { group: 1, score: 80 },
        ],
        [{ group: 0, score: 90 }],
        [{ group: 1, score: 50 }],
      ],
    }
    expect(place(selection)).toEqual([1, 0, null])
    expect(place({ ...selection, firstChoicesFirst: true })).toEqual([null, 0, 1])
  })

  it('are not given below a minimum, even if they stay empty', () => {
    expect(place({ groups: [programme(2)], applicants: [[{ group: 0, score: 10, eligible: false }]] })).toEqual([null])
  })

  it('held manually come before any score, even beyond the places', () => {
    const held = { group: 0, score: 0, eligible: false, heldByHand: true }
    expect(place({ groups: [programme(1)], applicants: [[{ group: 0, score: 99 }], [held]] })).toEqual([null, 0])
    expect(place({ groups: [programme(0)], applicants: [[{ group: 0, score: 99 }], [held]] })).toEqual([null, 0])
  })

  it('are given to all or to none of those who tie at the last place', () => {
    const applicants = [90, 80, 80, 80, 70].map((score) => [{ group: 0, score }])
    expect(place({ groups: [programme(2, { ties: 'all' })], applicants })).toEqual([0, 0, 0, 0, null])
    expect(place({ groups: [programme(2, { ties: 'none' })], applicants })).toEqual([0, null, null, null, null])
    expect(place({ groups: [programme(2)], applicants })).toEqual([0, 0, null, null, null])
  })

  it('left empty by a track go to the next track in turn, and to no track without a turn', () => {
    const groups = [
      programme(4),
      programme(2, { parent: 0, spillTurn: 2 }),
      programme(1, { parent: 0, spillTurn: 1 }),
      programme(1, { parent: 0, spillTurn: null }),
    ]
    const wishes = (counts: number[]) =>
      counts.flatMap((count, index) => Array.from({ length: count }, (_, n) => [{ group: index + 1, score: 90 - n }]))
    const perTrack = (counts: number[]) => {
      const result = place({ groups, applicants: wishes(counts) })
      return [1, 2, 3].map((track) => result.filter((group) => group === track).length)
    }
    expect(perTrack([5, 5, 5])).toEqual([2, 1, 1])
    expect(perTrack([0, 5, 5])).toEqual([0, 3, 1])
    expect(perTrack([3, 1, 0])).toEqual([3, 1, 0])
    expect(perTrack([0, 0, 5])).toEqual([0, 0, 1])
  })

  it('for parts larger than their whole are refused', () => {
    expect(() => place({ groups: [programme(1), programme(2, { parent: 0 })], applicants: [] })).toThrow(RangeError)
  })

  it('stay empty if nobody applies', () => {
    expect(place({ groups: [programme(3)], applicants: [] })).toEqual([])
  })
})

const tieRules = fc.constantFrom<PlaceGroup['ties']>('strict', 'all', 'none')

/** Two to four programmes, some divided into tracks with places that spill, and applicants with up to four wishes. */
const selections = fc
  .array(
    fc.record({
      tracks: fc.array(fc.record({ places: fc.nat(3), turn: fc.option(fc.nat(3)), ties: tieRules }), { maxLength: 3 }),
      spare: fc.nat(2),
      ties: tieRules,
    }),
    { minLength: 1, maxLength: 4 },
  )
  .chain((programmes) => {
    const groups: PlaceGroup[] = []
    const leaves: number[] = []
    for (const { tracks, spare, ties } of programmes) {
      const parent =
        groups.push(
          programme(
            tracks.reduce((sum, { places }) => sum + places, spare),
            { ties },
          ),
        ) - 1
      if (tracks.length === 0) leaves.push(parent)
      for (const [index, { places, turn, ties: rule }] of tracks.entries())
        leaves.push(
          groups.push({ parent, places, spillTurn: turn === null ? null : turn * 10 + index, ties: rule }) - 1,
        )
    }
    const wish = fc.record({
      group: fc.constantFrom(...leaves),
      score: fc.nat(4),
      eligible: fc.boolean().map((drawn) => drawn || leaves.length > 2),
    })
    return fc.record({
      groups: fc.constant(groups),
      applicants: fc.array(fc.uniqueArray(wish, { selector: ({ group }) => group, maxLength: 4 }), { maxLength: 14 }),
      firstChoicesFirst: fc.boolean(),
    })
  })

/**
 * Slow reference by the definition: everyone applies for the next wish, and each programme keeps the best of all who
 * ever applied; limits only rise.
 */
function placeByDefinition({ groups, applicants, firstChoicesFirst }: Required<Case>): (number | null)[] {
  const parts = groups.map((_, index) => groups.flatMap(({ parent }, part) => (parent === index ? [part] : [])))
  const key = (person: number, group: number) => {
    const wish = applicants[person]!.findIndex((row) => row.group === group)
    const { score } = applicants[person]![wish]!
    const tie = [firstChoicesFirst ? -wish : 0, score]
    return groups[group]!.ties === 'strict' ? [...tie, -person] : tie
  }
  const compare = (a: number[], b: number[]) => {
    const at = a.findIndex((value, index) => value !== b[index])
    return at === -1 ? 0 : b[at]! - a[at]!
  }
  const next = applicants.map(() => 0)
  const everAsked = groups.map(() => [] as number[])
  for (;;) {
    const demandOf = (group: number): number =>
      parts[group]!.length === 0
        ? everAsked[group]!.length
        : parts[group]!.reduce(
            (sum, part) =>
              sum +
              (groups[part]!.spillTurn === null ? Math.min(demandOf(part), groups[part]!.places) : demandOf(part)),
            0,
          )
    const holders = groups.map(() => [] as number[])
    const give = (group: number, count: number) => {
      if (parts[group]!.length === 0) {
        const inOrder = everAsked[group]!.toSorted((a, b) => compare(key(a, group), key(b, group)))
        const last = inOrder[count - 1]
        const beyond = inOrder[count]
        const ties = last !== undefined && beyond !== undefined && compare(key(last, group), key(beyond, group)) === 0
        holders[group] = inOrder.filter((person, index) => {
          if (!ties || groups[group]!.ties === 'strict') return index < count
          const order = compare(key(person, group), key(last!, group))
          return groups[group]!.ties === 'all' ? order <= 0 : order < 0
        })
        return
      }
      const own = parts[group]!.map((part) => Math.min(demandOf(part), groups[part]!.places))
      let left = count - own.reduce((sum, value) => sum + value, 0)
      const turns = parts[group]!.map((part, index) => ({ part, index, turn: groups[part]!.spillTurn }))
      for (const { part, index } of turns.filter(({ turn }) => turn !== null).sort((a, b) => a.turn! - b.turn!)) {
        const more = Math.min(left, demandOf(part) - own[index]!)
        own[index]! += more
        left -= more
      }
      for (const [index, part] of parts[group]!.entries()) give(part, own[index]!)
    }
    for (const [index, { parent, places }] of groups.entries()) if (parent === null) give(index, places)
    const placedIn = applicants.map((_, person) => holders.findIndex((people) => people.includes(person)))
    let hasChanged = false
    for (const [person, wishes] of applicants.entries()) {
      if (placedIn[person] !== -1) continue
      while (next[person]! < wishes.length) {
        const wish = wishes[next[person]!++]!
        if (wish.eligible === false) continue
        everAsked[wish.group]!.push(person)
        hasChanged = true
        break
      }
    }
    if (!hasChanged) return placedIn.map((group) => (group === -1 ? null : group))
  }
}

describe('any selection', () => {
  it('gives the places that the definition gives', () => {
    fc.assert(
      fc.property(selections, (selection) => {
        expect(place(selection)).toEqual(placeByDefinition(selection))
      }),
      { numRuns: runs(300) },
    )
  })

  it('does not depend on the order of the applicants, unless lots decide', () => {
    fc.assert(
      fc.property(selections, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (drawn, numbers) => {
        const groups = drawn.groups.map((group) => ({
          ...group,
          ties: group.ties === 'strict' ? ('all' as const) : group.ties,
        }))
        const order = drawn.applicants
          .map((_, index) => ({ index, at: numbers.next().value }))
          .sort((a, b) => a.at - b.at)
        const shuffled = place({ ...drawn, groups, applicants: order.map(({ index }) => drawn.applicants[index]!) })
        const expected = place({ ...drawn, groups })
        expect(order.map(({ index }, position) => [index, shuffled[position]]).sort()).toEqual(
          expected.map((group, index) => [index, group]).sort(),
        )
      }),
      { numRuns: runs(100) },
    )
  })

  it('never hurts a higher-scored applicant, if no ties are left', () => {
    fc.assert(
      fc.property(selections, fc.nat(), fc.nat(), (drawn, whom, more) => {
        const groups = drawn.groups.map((group) => ({ ...group, ties: 'strict' as const }))
        const selection = { ...drawn, groups, firstChoicesFirst: false }
        if (drawn.applicants.length === 0) return
        const person = whom % drawn.applicants.length
        const better = drawn.applicants.map((wishes, index) =>
          index === person ? wishes.map((wish) => ({ ...wish, score: wish.score + (more % 5) })) : wishes,
        )
        const wishNumber = (group: number | null) => {
          const found = drawn.applicants[person]!.findIndex((wish) => wish.group === group)
          return found === -1 ? Number.POSITIVE_INFINITY : found
        }
        const before = wishNumber(place(selection)[person]!)
        expect(wishNumber(place({ ...selection, applicants: better })[person]!)).toBeLessThanOrEqual(before)
      }),
      { numRuns: runs(100) },
    )
  })
})
