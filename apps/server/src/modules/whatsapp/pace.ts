import { sql } from 'kysely'
import { dayHours, takeSlots } from '#domain/campaigns/pace.ts'
import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { countInDay, usedOfDay } from '#server/modules/messaging/handovers/day-counts.ts'
import type { Tx } from '#server/platform/database/database.ts'

const dayMs = dayHours * 3_600_000
/** How soon a used-up daily budget is checked again. */
const lookAgainMs = 5_000

/** How many messages may be sent now, and how long to wait before asking again. */
type Allowance = { count: number; waitMs: number }

const peopleOf = (connectionId: string) => `whatsapp:${connectionId}`

/** Counts the people a connection writes to. People it wrote to within the last 24 hours are counted already. */
async function countPeople(tx: Tx, connectionId: string, addresses: readonly string[], now: Date) {
  const dayAgo = new Date(now.getTime() - dayMs)
  const { rows } = await sql`INSERT INTO whatsapp_people (connection_id, address, counted_at)
    SELECT ${connectionId}, address, ${now} FROM unnest(${[...new Set(addresses)].toSorted()}::text[]) AS address
    ON CONFLICT (connection_id, address) DO UPDATE SET counted_at = excluded.counted_at
      WHERE whatsapp_people.counted_at <= ${dayAgo}
    RETURNING address`.execute(tx)
  await countInDay(tx, peopleOf(connectionId), rows.length, now)
}

/**
 * Takes slots of a WhatsApp connection for messages to these phones, in order, under the lock of its row. Limits:
 * messages per minute, messages per day, and people within 24 hours.
 */
export async function takeWhatsappSlots(
  tx: Tx,
  connectionId: string,
  phones: readonly string[],
  now: Date,
): Promise<Allowance> {
  const pace = await tx
    .selectFrom('whatsappConnections')
    .select(['perMinute', 'perDay', 'nextSlotAt', 'dayStartedAt', 'dayCount'])
    .where('id', '=', connectionId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!pace) return { count: 0, waitMs: lookAgainMs }
  const dayIsOver = !pace.dayStartedAt || now.getTime() >= pace.dayStartedAt.getTime() + dayMs
  const dayCount = dayIsOver ? 0 : pace.dayCount
  const peopleLeft = pace.perDay - (await usedOfDay(tx, peopleOf(connectionId), now))
  const counted = await tx
    .selectFrom('whatsappPeople')
    .select('address')
    .where('connectionId', '=', connectionId)
    .where('countedAt', '>', new Date(now.getTime() - dayMs))
    .where(sql<boolean>`address = ANY(${phones}::text[])`)
    .execute()
  const known = new Set(counted.map(({ address }) => address))
  let most = Math.min(phones.length, Math.max(0, pace.perDay - dayCount))
  const fresh = new Set<string>()
  for (const [index, phone] of phones.slice(0, most).entries()) {
    if (!known.has(phone)) fresh.add(phone)
    if (fresh.size <= peopleLeft) continue
    most = index
    break
  }
  if (most <= 0) return { count: 0, waitMs: lookAgainMs }
  const slots = takeSlots(pace.nextSlotAt, pace.perMinute, most, now)
  const waitMs = Math.max(1, slots.nextSlotAt.getTime() - now.getTime())
  if (slots.count === 0) return { count: 0, waitMs }
  await tx
    .updateTable('whatsappConnections')
    .set({
      nextSlotAt: slots.nextSlotAt,
      dayStartedAt: dayIsOver ? now : pace.dayStartedAt,
      dayCount: dayCount + slots.count,
    })
    .where('id', '=', connectionId)
    .execute()
  await countPeople(tx, connectionId, phones.slice(0, slots.count), now)
  return { count: slots.count, waitMs: slots.count < phones.length ? waitMs : 0 }
}

const minuteMs = 60_000

/** How long a whole connection pauses after its provider reported too many messages. */
const pausesMs = { too_fast: minuteMs, spam_limit: 10 * minuteMs } as const

/** Pauses a connection if the problem says that it sent too much. */
export async function pauseConnection(tx: Tx, connectionId: string, problem: WhatsappProblem, now: Date) {
  if (problem !== 'too_fast' && problem !== 'spam_limit') return
  const until = new Date(now.getTime() + pausesMs[problem])
  await tx
    .updateTable('whatsappConnections')
    .set((eb) => ({ nextSlotAt: eb.fn('greatest', [eb.fn.coalesce('nextSlotAt', eb.val(until)), eb.val(until)]) }))
    .where('id', '=', connectionId)
    .execute()
}
