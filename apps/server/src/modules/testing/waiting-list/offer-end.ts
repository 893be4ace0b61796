/** Shortest time an applicant gets to answer an offer. */
export const shortestOfferMs = 30 * 60_000

type Moments = {
  now: Date
  bookingEndsAt: Date
  startsAt: Date
  /** When an unpaid registration fee is due; null if there is none. */
  feeDueAt: Date | null
}
type OfferRules = { testOfferHours: number; testOfferStopHours: number }

/**
 * When an offer made now would end; null if none can be made, because booking ends, the session starts or the
 * registration fee is due too soon.
 */
export function offerEnd({ now, bookingEndsAt, startsAt, feeDueAt }: Moments, rules: OfferRules): Date | null {
  const end = Math.min(
    now.getTime() + rules.testOfferHours * 3_600_000,
    bookingEndsAt.getTime(),
    startsAt.getTime() - rules.testOfferStopHours * 3_600_000,
    feeDueAt?.getTime() ?? Number.POSITIVE_INFINITY,
  )
  return end - now.getTime() >= shortestOfferMs ? new Date(end) : null
}
