import crypto from 'node:crypto'
import type { Channel } from '#domain/campaigns/campaigns.ts'
import { quietUntil } from '#domain/campaigns/quiet-hours.ts'
import { mustGet } from '#domain/must.ts'
import { optOutAddresses } from '#server/modules/campaigns/opt-out-token.ts'
import {
  type Claim,
  type Claims,
  type Connection,
  leaseMs,
  reportedLeaseMs,
} from '#server/modules/messaging/handovers/claims.ts'
import { takeWhatsappSlots } from '#server/modules/whatsapp/pace.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import {
  addressOn,
  type Campaign,
  type Candidate,
  type Change,
  lockDue,
  lockRunning,
  type NewHandover,
  obstacleOf,
  passOver,
  postpone,
  postponeQuiet,
  writeChanges,
  writeHandovers,
} from './candidates.ts'
import { composeCampaignMail, fillTexts, fillWhatsapp, type Texts, whatsappOptOut } from './compose.ts'
import { takeMailSlots } from './mail-pace.ts'

/** How soon the sender retries a campaign that `lockRunning` could not lock. */
const heldMs = 100

const textsOf = (campaign: Campaign) => campaign as unknown as Texts

type Batch = {
  channel: Channel
  candidates: readonly Candidate[]
  settings: Pick<Settings, 'quietHours'>
  now: Date
}

/**
 * Sorts a batch into recipients to send to now (`ready`) and recipients to skip or move to another channel (`changes`).
 * Postpones recipients in quiet hours.
 */
async function sortCandidates<T>(
  tx: Tx,
  campaign: Campaign,
  { channel, candidates, settings, now }: Batch,
  fill: (candidate: Candidate, address: string) => T | undefined,
) {
  const changes: Change[] = []
  const ready: { candidate: Candidate; address: string; filled: T }[] = []
  const quietZones = new Map<string, Date | null>()
  const endOfQuiet = (timeZone: string) => {
    if (!settings.quietHours || campaign.ignoresQuietHours) return null
    if (!quietZones.has(timeZone)) quietZones.set(timeZone, quietUntil(now, timeZone))
    return mustGet(quietZones, timeZone)
  }
  for (const candidate of candidates) {
    const obstacle = obstacleOf(candidate)
    const address = addressOn(candidate, channel)
    if (obstacle || address === null)
      changes.push(passOver(candidate, obstacle ?? { reason: 'no_address', isFinal: false }, now))
    // Inbox messages ignore quiet hours, because no phone rings for them.
    else if (channel === 'inbox' || !endOfQuiet(candidate.timeZone)) {
      const filled = fill(candidate, address)
      if (filled === undefined) changes.push(passOver(candidate, { reason: 'value_missing', isFinal: true }, now))
      else ready.push({ candidate, address, filled })
    }
  }
  for (const [timeZone, until] of quietZones) if (until) await postponeQuiet(tx, campaign.id, timeZone, until, now)
  return { changes, ready }
}

const handed = ({ number, channels, attempts }: Candidate, handoverId: string): Change => ({
  number,
  state: 'handed',
  reason: null,
  channels,
  dueAt: null,
  attempts: attempts + 1,
  handoverId,
})

const none: Claims = { claims: [], seen: 0, waitMs: heldMs }

/** Claims up to `most` due mails of a campaign for this process, which sends them after the commit. */
export async function claimMails(
  { tx, services, now }: Omit<Context, 'actor'>,
  campaignId: string,
  most: number,
): Promise<Claims> {
  const campaign = await lockRunning(tx, campaignId)
  if (!campaign) return none
  const candidates = await lockDue(tx, campaign, { channel: 'email', most, now })
  if (candidates.length === 0) return { claims: [], seen: 0, waitMs: 0 }
  const settings = await getSettings(tx)
  const texts = textsOf(campaign)
  const { changes, ready } = await sortCandidates(
    tx,
    campaign,
    { channel: 'email', candidates, settings, now },
    (candidate) => fillTexts(texts, candidate, settings),
  )
  const slots = await takeMailSlots(tx, campaignId, ready, settings, now)
  const claims: Claim[] = []
  const handovers: NewHandover[] = []
  for (const { candidate, filled, address } of slots.sendable) {
    const handoverId = crypto.randomUUID()
    const { language } = candidate
    const mail = composeCampaignMail(services, settings, {
      handoverId,
      address,
      language,
      purpose: texts.purpose,
      ...filled,
    })
    claims.push({ handoverId, language, channel: 'email', mail })
    changes.push(handed(candidate, handoverId))
    handovers.push(handoverOf(candidate, { id: handoverId, channel: 'email', address, until: leaseMs, now }))
  }
  for (const { mail, until } of slots.postponed) changes.push(postpone(mail.candidate, until))
  await writeChanges(tx, campaignId, changes, now)
  await writeHandovers(tx, campaignId, handovers, now)
  return { claims, seen: candidates.length, waitMs: slots.waitMs }
}

type HandoverParts = { id: string; channel: Channel; address: string; until: number; now: Date; connectionId?: string }

const handoverOf = (
  { number }: Candidate,
  { id, channel, address, until, now, connectionId = undefined }: HandoverParts,
): NewHandover => ({
  id,
  number,
  channel,
  connectionId: connectionId ?? null,
  address,
  state: 'handed',
  leasedUntil: new Date(now.getTime() + until),
})

/** Claims up to `most` due WhatsApp messages of a campaign for this process, to be sent through `connection`. */
export async function claimWhatsapp(
  { tx, services, now }: Omit<Context, 'actor'>,
  campaignId: string,
  most: number,
  connection: Connection,
): Promise<Claims> {
  const campaign = await lockRunning(tx, campaignId)
  if (!campaign) return none
  const candidates = await lockDue(tx, campaign, { channel: 'whatsapp', most, now, connectionId: connection.id })
  if (candidates.length === 0) return { claims: [], seen: 0, waitMs: 0 }
  const settings = await getSettings(tx)
  const texts = textsOf(campaign)
  const isCloud = connection.kind === 'cloud'
  const sorted = await sortCandidates(
    tx,
    campaign,
    { channel: 'whatsapp', candidates, settings, now },
    (candidate, address) => {
      const { language } = candidate
      const optOut = whatsappOptOut(
        { ...texts, isCloud, language },
        (purpose) => optOutAddresses(services, { address, purpose }).page,
      )
      return fillWhatsapp(texts, candidate, settings, optOut)
    },
  )
  const { changes } = sorted
  const ready = sorted.ready.filter(({ candidate, filled }) => {
    if (filled.template || candidate.isWindowOpen || !isCloud) return true
    changes.push(passOver(candidate, { reason: 'window_closed', isFinal: false }, now))
    return false
  })
  const phones = ready.map(({ address }) => address)
  const slots = ready.length > 0 ? await takeWhatsappSlots(tx, connection.id, phones, now) : { count: 0, waitMs: 0 }
  const claims: Claim[] = []
  const handovers: NewHandover[] = []
  const until = isCloud ? reportedLeaseMs : leaseMs
  for (const { candidate, address, filled } of ready.slice(0, slots.count)) {
    const handoverId = crypto.randomUUID()
    const { language, isWindowOpen } = candidate
    const message = { id: handoverId, to: address, language, ...filled, windowOpen: isWindowOpen }
    claims.push({ handoverId, language, channel: 'whatsapp', message })
    changes.push(handed(candidate, handoverId))
    handovers.push(
      handoverOf(candidate, {
        id: handoverId,
        channel: 'whatsapp',
        address,
        until,
        now,
        connectionId: connection.id,
      }),
    )
  }
  await writeChanges(tx, campaignId, changes, now)
  await writeHandovers(tx, campaignId, handovers, now)
  return { claims, seen: candidates.length, waitMs: slots.waitMs }
}

/** Event name of campaign messages in the inbox and the outbox. */
export const campaignEvent = 'note'

/**
 * Writes up to `most` due messages of a campaign to inboxes. Message and handover commit together, so no outcome is
 * uncertain.
 */
export async function fillInboxes(
  { tx, now }: Omit<Context, 'actor'>,
  campaignId: string,
  most: number,
): Promise<Claims> {
  const campaign = await lockRunning(tx, campaignId)
  if (!campaign) return none
  const candidates = await lockDue(tx, campaign, { channel: 'inbox', most, now })
  if (candidates.length === 0) return { claims: [], seen: 0, waitMs: 0 }
  const settings = await getSettings(tx)
  const { changes, ready } = await sortCandidates(
    tx,
    campaign,
    { channel: 'inbox', candidates, settings, now },
    (candidate) => fillTexts(textsOf(campaign), candidate, settings),
  )
  const written = ready.map((one) => ({ ...one, id: crypto.randomUUID() }))
  if (written.length > 0)
    await tx
      .insertInto('messages')
      .values(
        written.map(({ candidate, address, filled }) => ({
          accountId: address,
          channel: 'inbox' as const,
          event: campaignEvent,
          language: candidate.language,
          ...filled,
          status: 'sent' as const,
          createdAt: now,
          sentAt: now,
        })),
      )
      .execute()
  changes.push(...written.map(({ candidate, id }) => ({ ...handed(candidate, id), state: 'delivered' as const })))
  await writeChanges(tx, campaignId, changes, now)
  await writeHandovers(
    tx,
    campaignId,
    written.map(({ candidate: { number }, id }) => ({
      id,
      number,
      channel: 'inbox',
      connectionId: null,
      address: null,
      state: 'delivered',
      leasedUntil: null,
    })),
    now,
  )
  return { claims: [], seen: candidates.length, waitMs: 0 }
}
