import { sql } from 'kysely'
import { takeSlots, waitingTimes } from '#domain/campaigns/pace.ts'
import { countInDay, usedOfDay } from '#server/modules/messaging/handovers/day-counts.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Settings } from '#server/platform/settings.ts'

type SendingLimits = Pick<Settings, 'mailsPerMinute' | 'mailsPerMinutePerDomain' | 'mailsPerDay'>

/** A budget that is used up is looked at again after this time at the latest. */
const lookAgainMs = 5_000

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
    const slots = takeSlots(server.nextSlotAt, limits.mailsPerMinute, sendable.length, now)
    changed.set('mail', { nextSlotAt: slots.nextSlotAt, postponedTo: null })
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
