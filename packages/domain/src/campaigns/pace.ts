const secondMs = 1_000
const minuteMs = 60 * secondMs

/** Most unused time that may be caught up, so a sender that looks every 500 ms uses every slot. */
const creditMs = 900

/**
 * Milliseconds between slots. Counts 61 seconds per minute to make room for `creditMs`, so no minute exceeds the limit.
 */
const gapMs = (perMinute: number) => (minuteMs + secondMs) / perMinute

export type Slots = {
  /** Messages that may be sent now. */
  count: number
  /** Time of the next free slot. */
  nextSlotAt: Date
}

/** Takes up to `most` of the slots due by now. No minute gets more than `perMinute`. */
export function takeSlots(nextSlotAt: Date | null, perMinute: number, most: number, now: Date): Slots {
  const gap = gapMs(perMinute)
  const startMs = Math.max(nextSlotAt?.getTime() ?? 0, now.getTime() - creditMs)
  const passedMs = now.getTime() - startMs
  const count = passedMs < 0 ? 0 : Math.min(most, Math.floor(passedMs / gap) + 1)
  return { count, nextSlotAt: new Date(Math.ceil(startMs + count * gap)) }
}

/**
 * When messages without a slot may try again: at future slots, after messages of the same campaign that wait already.
 * Messages of several campaigns may get the same time; one of them gets the slot.
 */
export function waitingTimes(nextSlotAt: Date, postponedTo: Date | null, perMinute: number, count: number): Date[] {
  const gap = gapMs(perMinute)
  const startMs = Math.max(nextSlotAt.getTime(), (postponedTo?.getTime() ?? 0) + gap)
  return Array.from({ length: count }, (_, index) => new Date(Math.ceil(startMs + index * gap)))
}

/** Length of the rolling day for daily limits. */
export const dayHours = 24

const bucketMs = 10 * minuteMs

/** Start of the ten-minute bucket that `at` falls into. The count of a rolling day is the sum of its buckets. */
export const bucketOf = (at: Date) => new Date(Math.floor(at.getTime() / bucketMs) * bucketMs)
