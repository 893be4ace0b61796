const secondMs = 1_000
const minuteMs = 60 * secondMs

/** How long a missed slot may still be used: longer than the sender's interval of 500 ms, so that no slot is lost. */
const creditMs = 900

/**
 * Milliseconds between slots. Slots are spread over 61 seconds instead of 60, so that slots caught up within `creditMs`
 * cannot push a minute above its limit.
 */
const gapMs = (perMinute: number) => (minuteMs + secondMs) / perMinute

export type Slots = {
  /** Messages that may be sent now. */
  count: number
  nextSlotAt: Date
}

/** Takes up to `most` slots that are due. No minute gets more than `perMinute` slots. */
export function takeSlots(nextSlotAt: Date | null, perMinute: number, most: number, now: Date): Slots {
  const gap = gapMs(perMinute)
  const startMs = Math.max(nextSlotAt?.getTime() ?? 0, now.getTime() - creditMs)
  const passedMs = now.getTime() - startMs
  const count = passedMs < 0 ? 0 : Math.min(most, Math.floor(passedMs / gap) + 1)
  return { count, nextSlotAt: new Date(Math.ceil(startMs + count * gap)) }
}

/**
 * When `count` messages that got no slot try again: one per gap, after the messages that the campaign postponed before
 * (the last one to `postponedTo`). Messages of two campaigns may get the same time; then only one message gets the
 * slot.
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
