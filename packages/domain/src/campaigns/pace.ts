const secondMs = 1_000
const minuteMs = 60 * secondMs

/**
 * A slot is the time at which one message may be sent. A missed slot can still be used for `creditMs`. If `creditMs`
 * were below the sender's interval of 500 ms, slots would be lost.
 */
const creditMs = 900

/**
 * Milliseconds between slots. Spreads the slots of a minute over 61 seconds, because missed slots that are used late
 * could otherwise exceed the limit per minute.
 */
const gapMs = (perMinute: number) => (minuteMs + secondMs) / perMinute

export type Slots = {
  /** Messages that may be sent now. */
  count: number
  nextSlotAt: Date
}

/** Takes up to `most` due slots, and at most `perMinute` within any minute. */
export function takeSlots(nextSlotAt: Date | null, perMinute: number, most: number, now: Date): Slots {
  const gap = gapMs(perMinute)
  const startMs = Math.max(nextSlotAt?.getTime() ?? 0, now.getTime() - creditMs)
  const passedMs = now.getTime() - startMs
  const count = passedMs < 0 ? 0 : Math.min(most, Math.floor(passedMs / gap) + 1)
  return { count, nextSlotAt: new Date(Math.ceil(startMs + count * gap)) }
}

/**
 * Times of the next attempts for `count` messages that got no slot, one gap apart. The times come after `postponedTo`,
 * the latest time already given to messages of the same campaign and mail domain.
 */
export function waitingTimes(nextSlotAt: Date, postponedTo: Date | null, perMinute: number, count: number): Date[] {
  const gap = gapMs(perMinute)
  const startMs = Math.max(nextSlotAt.getTime(), (postponedTo?.getTime() ?? 0) + gap)
  return Array.from({ length: count }, (_, index) => new Date(Math.ceil(startMs + index * gap)))
}

/** Length of the rolling day to which daily limits apply. */
export const dayHours = 24

const bucketMs = 10 * minuteMs

/** Start of the ten-minute bucket that `at` falls into. The count of a rolling day is the sum of its buckets. */
export const bucketOf = (at: Date) => new Date(Math.floor(at.getTime() / bucketMs) * bucketMs)
