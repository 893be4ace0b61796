const secondMs = 1_000
const minuteMs = 60 * secondMs

/** Unused time that may be made up for, so that a sender that looks every half second uses every slot. */
const creditMs = 900

/** Milliseconds between two slots. A minute counts 61 seconds, which leaves room for the credit: no minute gets more. */
const gapMs = (perMinute: number) => (minuteMs + secondMs) / perMinute

export type Slots = {
  /** Messages that may go now. */
  count: number
  /** Time of the first slot that is left. */
  nextSlotAt: Date
}

/** Takes the slots that have come, `most` of them at most; never more than `perMinute` fall into any minute. */
export function takeSlots(nextSlotAt: Date | null, perMinute: number, most: number, now: Date): Slots {
  const gap = gapMs(perMinute)
  const startMs = Math.max(nextSlotAt?.getTime() ?? 0, now.getTime() - creditMs)
  const passedMs = now.getTime() - startMs
  const count = passedMs < 0 ? 0 : Math.min(most, Math.floor(passedMs / gap) + 1)
  return { count, nextSlotAt: new Date(Math.ceil(startMs + count * gap)) }
}

/**
 * Times at which messages that found no slot may try again: those of the slots that are left, behind the messages of their
 * campaign that wait already. Messages of several campaigns may have the same time; one of them gets the slot.
 */
export function waitingTimes(nextSlotAt: Date, postponedTo: Date | null, perMinute: number, count: number): Date[] {
  const gap = gapMs(perMinute)
  const startMs = Math.max(nextSlotAt.getTime(), (postponedTo?.getTime() ?? 0) + gap)
  return Array.from({ length: count }, (_, index) => new Date(Math.ceil(startMs + index * gap)))
}

/** Hours over which the people or mails of a day are counted. */
export const dayHours = 24

const bucketMs = 10 * minuteMs

/** Start of the ten minutes under which something is counted; counts of a rolling day are the sum of its buckets. */
export const bucketOf = (at: Date) => new Date(Math.floor(at.getTime() / bucketMs) * bucketMs)
