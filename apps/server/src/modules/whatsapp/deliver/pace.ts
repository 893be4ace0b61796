import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

const minute = 60_000
const day = 24 * 60 * minute

type Pace = {
  id: string
  perMinute: number
  perDay: number
  nextSlotAt: Date | null
  dayStartedAt: Date | null
  dayCount: number
}

const later = (...times: (Date | null | undefined)[]) =>
  new Date(Math.max(...times.flatMap((time) => (time ? [time.getTime()] : []))))

/**
 * When a message may go out through a connection whose row the caller has locked. Messages are spread evenly over the
 * minute, so that a thousand of them wait for a thousand different moments and none is looked at twice in vain; after a
 * standstill, when many moments have passed at once, what really went out within the last minute counts as well.
 */
export async function takeSlot(tx: Tx, pace: Pace, slotAt: Date | null, now: Date): Promise<Date> {
  const { id, perMinute, perDay } = pace
  const { rows } = await sql<{ handed: number; full: Date | null }>`
    SELECT count(*)::int AS handed, (array_agg(handed_at ORDER BY handed_at DESC))[${sql.lit(perMinute)}] AS full
    FROM (SELECT handed_at FROM messages WHERE connection_id = ${id} AND handed_at > ${new Date(now.getTime() - minute)}
      ORDER BY handed_at DESC LIMIT ${perMinute}) recent`.execute(tx)
  const full = rows[0]!.full
  if (slotAt && slotAt <= now && !full) return slotAt
  let slot = later(now, pace.nextSlotAt, full && new Date(full.getTime() + minute))
  let { dayStartedAt, dayCount } = pace
  if (!dayStartedAt || slot.getTime() >= dayStartedAt.getTime() + day) [dayStartedAt, dayCount] = [slot, 0]
  if (dayCount >= perDay && !slotAt) {
    slot = new Date(dayStartedAt.getTime() + day)
    ;[dayStartedAt, dayCount] = [slot, 0]
  }
  await tx
    .updateTable('whatsappConnections')
    .set({
      nextSlotAt: new Date(slot.getTime() + minute / perMinute),
      dayStartedAt,
      dayCount: slotAt ? dayCount : dayCount + 1,
    })
    .where('id', '=', id)
    .execute()
  return slot
}

/** Nothing more goes out before then: the provider said that it was too much. */
export const holdBack = (tx: Tx, connectionId: string, until: Date) =>
  tx
    .updateTable('whatsappConnections')
    .set((eb) => ({ nextSlotAt: eb.fn('greatest', [eb.fn.coalesce('nextSlotAt', eb.val(until)), eb.val(until)]) }))
    .where('id', '=', connectionId)
    .execute()
