import { describe, expect, it } from 'vitest'
import { registrationStatuses } from '#domain/admissions/registration-status.ts'
import { bookingEnds, seatStatuses, seatStatusFor, seatTransitions, sessionState } from './seat-status.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
const session = { bookingOpensAt: at(8), bookingClosesAt: at(12), startsAt: at(15), seatsLeft: 3 }

describe('a session', () => {
  it.each([
    ['before booking opens', at(7), session, 'not_yet'],
    ['at the minute it opens', at(8), session, 'open'],
    ['with no seat left', at(9), { ...session, seatsLeft: 0 }, 'full'],
    ['at the minute booking closes', at(12), session, 'closed'],
    ['closed and full', at(13), { ...session, seatsLeft: 0 }, 'closed'],
    [
      'without its own times, before it begins',
      at(14),
      { ...session, bookingOpensAt: null, bookingClosesAt: null },
      'open',
    ],
    [
      'without its own times, when it begins',
      at(15),
      { ...session, bookingOpensAt: null, bookingClosesAt: null },
      'closed',
    ],
  ])('%s', (_situation, now, session, state) => expect(sessionState(session, now)).toBe(state))

  it('cannot be booked after it began, whatever the booking window says', () =>
    expect(bookingEnds({ bookingClosesAt: at(20), startsAt: at(15) })).toEqual(at(15)))
})

it('a draft holds, a submitted registration books, a decided one does neither', () =>
  expect(registrationStatuses.map((status) => [status, seatStatusFor(status)])).toEqual([
    ['draft', 'held'],
    ['submitted', 'booked'],
    ['paid', 'booked'],
    ['verified', 'booked'],
    ['decided', null],
    ['confirmed', null],
    ['enrolled', null],
    ['withdrawn', null],
    ['cancelled', null],
    ['expired', null],
  ]))

it('every seat status except the first can be reached', () => {
  const reachable = new Set<string>(Object.values(seatTransitions).map(({ to }) => to))
  expect(seatStatuses.filter((status) => !reachable.has(status))).toEqual(['held'])
})
