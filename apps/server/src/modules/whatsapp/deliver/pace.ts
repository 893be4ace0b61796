import { sql } from 'kysely'
import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { Tx } from '#server/platform/database/database.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

type Pace = {
  id: string
  perMinute: number
  perDay: number
  nextSlotAt: Date | null
  dayStartedAt: Date | null
  dayCount: number
}

const latestOf = (...times: (Date | null | undefined)[]) =>
  new Date(Math.max(...times.flatMap((time) => (time ? [time.getTime()] : []))))

/**
 * Time at which a message may go out through a connection whose row the caller has locked. Slots are spread evenly over
 * the minute, so that a thousand messages wait for a thousand different slots and none is checked in vain. After a
 * standstill many slots have passed at once, so the messages sent within the last minute count too.
 */
export async function takeSlot(tx: Tx, pace: Pace, slotAt: Date | null, now: Date): Promise<Date> {
  const { id, perMinute, perDay } = pace
  const { rows } = await sql<{ handed: number; full: Date | null }>`
    SELECT count(*)::int AS handed, (array_agg(handed_at ORDER BY handed_at DESC))[${sql.lit(perMinute)}] AS full
    FROM (SELECT handed_at FROM messages WHERE connection_id = ${id} AND handed_at > ${new Date(now.getTime() - minuteMs)}
      UNION ALL SELECT handed_at FROM campaign_handovers WHERE channel = 'whatsapp' AND connection_id = ${id}
        AND handed_at > ${new Date(now.getTime() - minuteMs)}
      ORDER BY handed_at DESC LIMIT ${perMinute}) recent`.execute(tx)
  const oldestOfMinute = rows[0]!.full
  if (slotAt && slotAt <= now && !oldestOfMinute) return slotAt
  let slot = latestOf(now, pace.nextSlotAt, oldestOfMinute && new Date(oldestOfMinute.getTime() + minuteMs))
  let { dayStartedAt, dayCount } = pace
  if (!dayStartedAt || slot.getTime() >= dayStartedAt.getTime() + dayMs) [dayStartedAt, dayCount] = [slot, 0]
  if (dayCount >= perDay && !slotAt) {
    slot = new Date(dayStartedAt.getTime() + dayMs)
    ;[dayStartedAt, dayCount] = [slot, 0]
  }
  await tx
    .updateTable('whatsappConnections')
    .set({
      nextSlotAt: new Date(slot.getTime() + minuteMs / perMinute),
      dayStartedAt,
      dayCount: slotAt ? dayCount : dayCount + 1,
    })
    .where('id', '=', id)
    .execute()
  return slot
}

/** Sets the earliest time of the next message, after the provider reported too many. */
const holdBack = (tx: Tx, connectionId: string, until: Date) =>
  tx
    .updateTable('whatsappConnections')
    .set((eb) => ({ nextSlotAt: eb.fn('greatest', [eb.fn.coalesce('nextSlotAt', eb.val(until)), eb.val(until)]) }))
    .where('id', '=', connectionId)
    .execute()

/** Milliseconds a whole connection rests after its provider reported too many messages. */
const pausesMs = { too_fast: minuteMs, spam_limit: 10 * minuteMs } as const

/** Lets a connection rest if a problem says that it sent too much. */
export async function pauseConnection(tx: Tx, connectionId: string, problem: WhatsappProblem, now: Date) {
  if (problem === 'too_fast' || problem === 'spam_limit')
    await holdBack(tx, connectionId, new Date(now.getTime() + pausesMs[problem]))
}
