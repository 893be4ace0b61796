import { bookingEnds, sessionStates } from '#domain/testing/seat-status.ts'

/** Session states for staff: those of booking, and those that end it. */
export const staffSessionStates = [...sessionStates, 'over', 'cancelled', 'inactive'] as const
export type StaffSessionState = (typeof staffSessionStates)[number]

type Facts = {
  active: boolean
  cancelledAt: Date | null
  bookingOpensAt: Date | null
  bookingClosesAt: Date | null
  startsAt: Date
  endsAt: Date
  capacity: number
  taken: number
}

export function staffSessionState(session: Facts, now: Date): StaffSessionState {
  if (session.cancelledAt) return 'cancelled'
  if (now >= session.endsAt) return 'over'
  if (!session.active) return 'inactive'
  if (now >= bookingEnds(session)) return 'closed'
  if (session.bookingOpensAt && now < session.bookingOpensAt) return 'not_yet'
  return session.taken < session.capacity ? 'open' : 'full'
}
