import { describe, expect, it } from 'vitest'
import { fc } from '#testing/properties.ts'
import { attendanceOf, type ScanKind, scanKinds, serverTimeOf } from './attendance.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 1, minute))
const scan = (kind: ScanKind, minute: number) => ({ kind, at: at(minute) })

describe('attendance', () => {
  it.each([
    ['no scan', [], 'booked', null, null],
    ['an arrival', [scan('arrive', 5)], 'attended', 5, null],
    ['two arrivals: the first counts', [scan('arrive', 9), scan('arrive', 5)], 'attended', 5, null],
    ['an absence', [scan('absent', 30)], 'absent', null, null],
    ['an arrival outweighs a later absence', [scan('absent', 30), scan('arrive', 5)], 'attended', 5, null],
    ['leaving', [scan('arrive', 5), scan('leave', 40), scan('leave', 50)], 'attended', 5, 50],
    ['leaving before the arrival was merged', [scan('leave', 40)], 'booked', null, null],
    ['a cancelled arrival', [scan('arrive', 5), scan('cancel', 6)], 'booked', null, null],
    ['a cancelled absence', [scan('absent', 5), scan('cancel', 6)], 'booked', null, null],
    ['an arrival after a cancellation', [scan('arrive', 5), scan('cancel', 6), scan('arrive', 7)], 'attended', 7, null],
    ['corrected to absent', [scan('arrive', 5), scan('cancel', 6), scan('absent', 6)], 'absent', null, null],
  ] as const)('%s', (_situation, scans, status, arrived, left) =>
    expect(attendanceOf(scans)).toEqual({
      status,
      arrivedAt: arrived === null ? null : at(arrived),
      leftAt: left === null ? null : at(left),
    }),
  )

  it('is the same in whatever order the phones send', () => {
    const scans = fc.array(
      fc.record({ kind: fc.constantFrom(...scanKinds), at: fc.integer({ min: 0, max: 9 }).map(at) }),
    )
    const shuffled = scans.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(attendanceOf(other)).toEqual(attendanceOf(list))
      }),
    )
  })
})

it.each([
  ['a right clock', at(5), at(30), at(30), at(5)],
  ['a clock an hour slow', at(5), at(30), at(90), at(65)],
  ['a clock an hour fast', at(65), at(90), at(30), at(5)],
  ['a clock set back after the scan is never later than now', at(40), at(10), at(30), at(30)],
])('%s', (_situation, deviceAt, sentAt, receivedAt, expected) =>
  expect(serverTimeOf(deviceAt, sentAt, receivedAt)).toEqual(expected),
)
