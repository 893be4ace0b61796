import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'

export const seatStatuses = ['held', 'booked', 'attended', 'absent', 'released'] as const
export type SeatStatus = (typeof seatStatuses)[number]

/** Transitions of a seat. A seat counts against the session's capacity until released. */
export const seatTransitions = {
  book: { from: ['held'], to: 'booked' },
  attend: { from: ['booked', 'attended', 'absent'], to: 'attended' },
  miss: { from: ['booked', 'attended', 'absent'], to: 'absent' },
  release: { from: ['held', 'booked'], to: 'released' },
  /** Staff excuse an absence and give a seat in another session. */
  excuse: { from: ['absent'], to: 'released' },
} as const satisfies Record<string, { from: readonly SeatStatus[]; to: SeatStatus }>

/** Minutes a draft holds a seat. */
export const holdMinutes = 15

/** A draft holds a seat for some minutes; booking is possible from submission to decision. */
export const seatStatusFor = (status: RegistrationStatus): 'held' | 'booked' | null => {
  if (status === 'draft') return 'held'
  return status === 'submitted' || status === 'paid' || status === 'verified' ? 'booked' : null
}

/** Scores can be recorded until the decision. */
export const scoresOpenIn = ['submitted', 'paid', 'verified'] as const satisfies RegistrationStatus[]

export const sessionStates = ['open', 'full', 'not_yet', 'closed'] as const
export type SessionState = (typeof sessionStates)[number]

type Window = { bookingOpensAt: Date | null; bookingClosesAt: Date | null; startsAt: Date; seatsLeft: number }

/** End of booking: the closing time, or the start of the test if earlier. */
export const bookingEnds = (session: Pick<Window, 'bookingClosesAt' | 'startsAt'>) =>
  session.bookingClosesAt && session.bookingClosesAt < session.startsAt ? session.bookingClosesAt : session.startsAt

export function sessionState(session: Window, now: Date): SessionState {
  if (now >= bookingEnds(session)) return 'closed'
  if (session.bookingOpensAt && now < session.bookingOpensAt) return 'not_yet'
  return session.seatsLeft > 0 ? 'open' : 'full'
}
