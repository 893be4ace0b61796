import { sql } from 'kysely'
import { bucketOf, dayHours, takeSlots, waitingTimes } from '#domain/campaigns/pace.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { SendingLimits } from './limits.ts'

const minuteMs = 60_000
const dayMs = dayHours * 60 * minuteMs
/** A budget that is used up is looked at again after this time at the latest. */
const lookAgainMs = 5_000

/** How many may go now, and when asking again makes sense. */
type Allowance = { count: number; waitMs: number }

/** What a rolling day has used under a name. The buckets of ten minutes are few, however much was sent. */
async function usedOfDay(tx: Tx, name: string, now: Date): Promise<number> {
  const { rows } = await sql<{ taken: number }>`SELECT coalesce(sum(taken), 0)::int AS taken FROM sending_counts
    WHERE name = ${name} AND at >= ${bucketOf(new Date(now.getTime() - dayMs))}`.execute(tx)
  return rows[0]!.taken
}

const countInDay = (tx: Tx, name: string, taken: number, now: Date) =>
  taken > 0 &&
  sql`INSERT INTO sending_counts (name, at, taken) VALUES (${name}, ${bucketOf(now)}, ${taken})
    ON CONFLICT (name, at) DO UPDATE SET taken = sending_counts.taken + excluded.taken`.execute(tx)

/** Domain of an address, in the form under which its pace is kept. */
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

type Mails<T> = {
  /** May go now. */
  sendable: T[]
  /** Found no slot of their domain, each with the time at which it may try again. */
  postponed: { mail: T; until: Date }[]
  waitMs: number
}

/** Takes slots of the mail server and of the recipients' domains, under the row locks of both. */
export async function takeMailSlots<T extends { address: string }>(
  tx: Tx,
  mails: readonly T[],
  limits: SendingLimits,
  now: Date,
): Promise<Mails<T>> {
  const mailsByDomain = Map.groupBy(mails, ({ address }) => domainOf(address))
  // In order of the name, so that two senders cannot wait for each other.
  const names = ['mail', ...[...mailsByDomain.keys()].map((domain) => `mail:${domain}`)].toSorted()
  const { rows } = await sql<{ name: string; nextSlotAt: Date | null; postponedTo: Date | null }>`
    INSERT INTO sending_paces (name) SELECT name FROM unnest(${names}::text[]) WITH ORDINALITY n (name, at) ORDER BY at
    ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING name, next_slot_at, postponed_to`.execute(tx)
  const pacesByName = new Map(rows.map((row) => [row.name, row]))
  const server = pacesByName.get('mail')!
  const dayLeft = limits.mailsPerDay - (await usedOfDay(tx, 'mail', now))
  const all = takeSlots(server.nextSlotAt, limits.mailsPerMinute, Math.min(mails.length, Math.max(0, dayLeft)), now)
  const serverWaitMs = dayLeft <= 0 ? lookAgainMs : Math.max(1, all.nextSlotAt.getTime() - now.getTime())
  if (all.count === 0) return { sendable: [], postponed: [], waitMs: serverWaitMs }

  const sendable: T[] = []
  const postponed: Mails<T>['postponed'] = []
  const changed = new Map<string, { nextSlotAt: Date | null; postponedTo: Date | null }>()
  for (const [domain, ofDomain] of mailsByDomain) {
    const name = `mail:${domain}`
    const pace = pacesByName.get(name)!
    const most = Math.min(ofDomain.length, all.count - sendable.length)
    const slots = takeSlots(pace.nextSlotAt, limits.mailsPerMinutePerDomain, most, now)
    sendable.push(...ofDomain.slice(0, slots.count))
    // Those that the server had no slot for stay due.
    const late = slots.count < most ? ofDomain.slice(slots.count) : []
    const times = waitingTimes(pace.postponedTo, limits.mailsPerMinutePerDomain, late.length, now)
    postponed.push(...late.map((mail, index) => ({ mail, until: times[index]! })))
    if (slots.count + late.length > 0)
      changed.set(name, {
        nextSlotAt: slots.count > 0 ? slots.nextSlotAt : pace.nextSlotAt,
        postponedTo: times.at(-1) ?? pace.postponedTo,
      })
  }
  if (sendable.length > 0) {
    const taken = takeSlots(server.nextSlotAt, limits.mailsPerMinute, sendable.length, now)
    changed.set('mail', { nextSlotAt: taken.nextSlotAt, postponedTo: null })
  }
  const changes = [...changed].map(([name, { nextSlotAt, postponedTo }]) => ({
    name,
    next_slot_at: nextSlotAt,
    postponed_to: postponedTo,
  }))
  await sql`UPDATE sending_paces p SET next_slot_at = c.next_slot_at, postponed_to = c.postponed_to
    FROM json_to_recordset(${JSON.stringify(changes)}::json) AS c (name text, next_slot_at timestamptz,
      postponed_to timestamptz) WHERE p.name = c.name`.execute(tx)
  await countInDay(tx, 'mail', sendable.length, now)
  return { sendable, postponed, waitMs: sendable.length < mails.length ? serverWaitMs : 0 }
}

const peopleOf = (connectionId: string) => `whatsapp:${connectionId}`

/** Counts people whom a connection writes to; those it wrote to within a day count already. */
export async function countPeople(tx: Tx, connectionId: string, phones: readonly string[], now: Date) {
  const dayAgo = new Date(now.getTime() - dayMs)
  const { rows } = await sql`INSERT INTO whatsapp_people (connection_id, phone, counted_at)
    SELECT ${connectionId}, phone, ${now} FROM unnest(${[...new Set(phones)].toSorted()}::text[]) AS phone
    ON CONFLICT (connection_id, phone) DO UPDATE SET counted_at = excluded.counted_at
      WHERE whatsapp_people.counted_at <= ${dayAgo}
    RETURNING phone`.execute(tx)
  await countInDay(tx, peopleOf(connectionId), rows.length, now)
}

/**
 * Takes slots of a WhatsApp connection for messages to these phones, in their order, under the lock of its row: the
 * slots of its minute and the messages of its day, which single messages take too, and the people of a rolling day.
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
    .select('phone')
    .where('connectionId', '=', connectionId)
    .where('countedAt', '>', new Date(now.getTime() - dayMs))
    .where(sql<boolean>`phone = ANY(${phones}::text[])`)
    .execute()
  const known = new Set(counted.map(({ phone }) => phone))
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
