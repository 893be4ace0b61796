import { sql } from 'kysely'
import { takeSlots, waitingTimes } from '#domain/campaigns/pace.ts'
import { mustGet } from '#domain/must.ts'
import { countInDay, usedOfDay } from '#server/modules/messaging/handovers/day-counts.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Settings } from '#server/platform/settings.ts'

type SendingLimits = Pick<Settings, 'mailsPerMinute' | 'mailsPerMinutePerDomain' | 'mailsPerDay'>

/** How soon the sender checks again after the daily limit is used up. */
const lookAgainMs = 5_000

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

type Mails<T> = {
  sendable: T[]
  /** Mails without a free slot for their domain, each with the time for the next try. */
  postponed: { mail: T; until: Date }[]
  waitMs: number
}

/**
 * Reserves slots of the mail server and of the recipients' domains, within the daily limit. Postpones a mail only if
 * its domain has no free slot.
 */
export async function takeMailSlots<T extends { address: string }>(
  tx: Tx,
  campaignId: string,
  mails: readonly T[],
  limits: SendingLimits,
  now: Date,
): Promise<Mails<T>> {
  const mailsByDomain = Map.groupBy(mails, ({ address }) => domainOf(address))
  // Locks in name order, so that two senders cannot deadlock.
  const names = ['mail', ...[...mailsByDomain.keys()].map((domain) => `mail:${domain}`)].toSorted()
  const { rows } = await sql<{ name: string; nextSlotAt: Date | null }>`
    INSERT INTO sending_paces (name) SELECT name FROM unnest(${names}::text[]) WITH ORDINALITY n (name, at) ORDER BY at
    ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING name, next_slot_at`.execute(tx)
  const nextSlots = new Map(rows.map(({ name, nextSlotAt }) => [name, nextSlotAt]))
  const serverSlot = mustGet(nextSlots, 'mail')
  const dayLeft = limits.mailsPerDay - (await usedOfDay(tx, 'mail', now))
  const all = takeSlots(serverSlot, limits.mailsPerMinute, Math.min(mails.length, Math.max(0, dayLeft)), now)
  const serverWaitMs = dayLeft <= 0 ? lookAgainMs : Math.max(1, all.nextSlotAt.getTime() - now.getTime())
  if (all.count === 0) return { sendable: [], postponed: [], waitMs: serverWaitMs }

  const sendable: T[] = []
  const advances: { name: string; next_slot_at: Date }[] = []
  const late: { domain: string; mails: T[]; nextSlotAt: Date }[] = []
  for (const [domain, ofDomain] of mailsByDomain) {
    const most = Math.min(ofDomain.length, all.count - sendable.length)
    const { count, nextSlotAt } = takeSlots(
      mustGet(nextSlots, `mail:${domain}`),
      limits.mailsPerMinutePerDomain,
      most,
      now,
    )
    sendable.push(...ofDomain.slice(0, count))
    if (count > 0) advances.push({ name: `mail:${domain}`, next_slot_at: nextSlotAt })
    // Mails that only lack a slot of the server stay due.
    if (count < most) late.push({ domain, mails: ofDomain.slice(count), nextSlotAt })
  }
  if (sendable.length > 0) {
    const { nextSlotAt } = takeSlots(serverSlot, limits.mailsPerMinute, sendable.length, now)
    advances.push({ name: 'mail', next_slot_at: nextSlotAt })
  }
  await sql`UPDATE sending_paces p SET next_slot_at = c.next_slot_at
    FROM json_to_recordset(${JSON.stringify(advances)}::json) AS c (name text, next_slot_at timestamptz)
    WHERE p.name = c.name`.execute(tx)
  await countInDay(tx, 'mail', sendable.length, now)
  const postponed = await postponeLate(tx, campaignId, late, limits)
  return { sendable, postponed, waitMs: sendable.length < mails.length ? serverWaitMs : 0 }
}

/**
 * Gives each mail a later time, after mails of the same campaign and domain that were postponed earlier. The caller has
 * locked the domains' rows in `sending_paces`.
 */
async function postponeLate<T>(
  tx: Tx,
  campaignId: string,
  late: readonly { domain: string; mails: readonly T[]; nextSlotAt: Date }[],
  { mailsPerMinutePerDomain }: SendingLimits,
): Promise<Mails<T>['postponed']> {
  if (late.length === 0) return []
  const domains = late.map(({ domain }) => domain)
  const waiting = await tx
    .selectFrom('campaignDomains')
    .select(['domain', 'postponedTo'])
    .where('campaignId', '=', campaignId)
    .where('domain', 'in', domains)
    .execute()
  const ends = new Map(waiting.map(({ domain, postponedTo }) => [domain, postponedTo]))
  const lines = late.map(({ domain, mails, nextSlotAt }) => {
    const times = waitingTimes(nextSlotAt, ends.get(domain) ?? null, mailsPerMinutePerDomain, mails.length)
    return {
      domain,
      postponedTo: times.at(-1)!,
      postponed: mails.map((mail, index) => ({ mail, until: times[index]! })),
    }
  })
  await tx
    .insertInto('campaignDomains')
    .values(lines.map(({ domain, postponedTo }) => ({ campaignId, domain, postponedTo })))
    .onConflict((conflict) =>
      conflict
        .columns(['campaignId', 'domain'])
        .doUpdateSet(({ ref }) => ({ postponedTo: ref('excluded.postponedTo') })),
    )
    .execute()
  return lines.flatMap(({ postponed }) => postponed)
}
