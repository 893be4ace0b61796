import type { Channel } from '#domain/campaigns/campaigns.ts'
import { advanceHandovers } from '#server/modules/messaging/handovers/advance-handovers.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import type { Claim, Claims } from './claim.ts'
import type { Outcome } from './hand-over.ts'
import {
  campaignsWithDue,
  type DueCampaign,
  findMaker,
  pauseByProduct,
  pauseWaiting,
  seesSomebodyOf,
  skipOutsiders,
} from './lifecycle.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs

/** Milliseconds between looks for due recipients; a pause counts after one look. */
const lookMs = 500
/** A campaign whose claim failed is left alone for this time; the others go on. */
const troubleMs = 30 * secondMs
/** The permission of a campaign's maker is read again after this time. */
const permissionMs = 2 * secondMs
/** A channel that does not work rests, each time longer. */
const restsMs = { first: 5 * secondMs, longest: minuteMs }
/** A channel that has not worked for this time pauses the campaigns that wait for it. */
export const downMs = 5 * minuteMs

/** What a channel's lane does; `words` say why the channel does not work. */
export type LaneParts = {
  channel: Channel
  /** Finds out whether the channel works, and how many calls it takes at a time. */
  prepare(): Promise<{ workers: number } | { words: string } | { elsewhere: true }>
  claim(tx: Tx, campaignId: string, most: number): Promise<Claims>
  call(claim: Claim): Promise<Outcome>
  /** Writes what answers say of the channel itself, in the transaction that records them. */
  record?(tx: Tx, answers: readonly Answer[]): Promise<unknown>
}

export type Answer = { claim: Claim; outcome: Outcome; begunAtMs: number }

/** Whether PostgreSQL refused a value, or a row for breaking a constraint: another try changes nothing. */
const isRefusedValue = (error: unknown) => /^2[23]/.test((error as { code?: string }).code ?? '')

/** Whether the channel answered. */
const reached = (outcome: Outcome) => outcome.kind === 'news' && outcome.news.state !== 'returned'

/**
 * Sends the due recipients of one channel for all running campaigns in turn. A recipient is claimed, the claim is
 * committed, and its call begins at once: what a killed process leaves unanswered is one message per worker.
 */
export function createLane(services: Services, parts: LaneParts, signal: AbortSignal) {
  const { db, clock, log } = services
  const answers: Answer[] = []
  const permissions = new Map<string, { may: boolean; readAtMs: number }>()
  const troubles = new Map<string, number>()
  let busy = 0
  let workers = Number.POSITIVE_INFINITY
  let wake = () => {}
  let down: { since: Date; restMs: number; fromMs: number; words: string } | undefined

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (answers.length > 0) wake()
    })

  function begin(claim: Claim) {
    busy++
    const begunAtMs = performance.now()
    // A process that stops gives back what it has not begun.
    const work: Promise<Outcome> = signal.aborted
      ? Promise.resolve({ kind: 'news', news: { id: claim.handoverId, state: 'returned', at: clock.now() } })
      : parts.call(claim)
    work
      .catch((error): Outcome => {
        log.error({ err: error, handover: claim.handoverId }, 'a message of a campaign could not be handed over')
        return { kind: 'unknown' }
      })
      .then((outcome) => {
        answers.push({ claim, outcome, begunAtMs })
        wake()
      })
  }

  /**
   * Writes the answers that have come, the first first, in one transaction; they stay until it succeeds. An answer that
   * PostgreSQL refuses keeps no other from being recorded: its handover waits for a report or the end of its lease.
   */
  async function record(known = answers.slice()) {
    const now = clock.now()
    const news = known.flatMap(({ claim, outcome }) =>
      outcome.kind === 'news'
        ? [outcome.news]
        : outcome.kind === 'down'
          ? [{ id: claim.handoverId, state: 'returned' as const, at: now }]
          : [],
    )
    try {
      await db.transaction().execute(async (tx) => {
        await advanceHandovers(tx, news, now)
        await parts.record?.(tx, known)
      })
    } catch (error) {
      if (!isRefusedValue(error)) throw error
      if (known.length > 1) {
        for (const answer of known) await record([answer])
        return
      }
      log.error({ err: error, handover: known[0]!.claim.handoverId }, 'an answer to a message could not be recorded')
    }
    answers.splice(0, known.length)
    busy -= known.length
    // Calls that began before the rest say nothing of the channel since.
    const outcomes = known.filter(({ begunAtMs }) => begunAtMs > (down?.fromMs ?? 0)).map(({ outcome }) => outcome)
    const failure = outcomes.find(({ kind }) => kind === 'down')
    if (failure?.kind === 'down') rest(failure.words)
    else if (outcomes.some(reached)) down = undefined
  }

  function rest(words: string) {
    const restMs = down ? Math.min(down.restMs * 2, restsMs.longest) : restsMs.first
    down = { since: down?.since ?? clock.now(), restMs, fromMs: performance.now(), words }
  }

  /** Pauses what waits for a channel that has been down for long; resumed campaigns get as much time again. */
  async function pauseIfDown() {
    if (!down || clock.now().getTime() - down.since.getTime() < downMs) return
    const { words, since } = down
    down = undefined
    await pauseWaiting(services, parts.channel, words, since)
  }

  async function maySend(campaign: DueCampaign) {
    const known = permissions.get(campaign.id)
    if (known && performance.now() - known.readAtMs < permissionMs) return known.may
    const maker = await findMaker(db, campaign, clock.now())
    const may = maker !== undefined && (await seesSomebodyOf(db, campaign, maker))
    if (may) await skipOutsiders(db, campaign, maker, clock.now())
    permissions.set(campaign.id, { may, readAtMs: performance.now() })
    return may
  }

  async function claimOf(campaign: DueCampaign, most: number): Promise<Claims> {
    const none = { claims: [], seen: 0, waitMs: lookMs }
    if ((troubles.get(campaign.id) ?? 0) > performance.now()) return none
    try {
      if (await maySend(campaign)) return await db.transaction().execute((tx) => parts.claim(tx, campaign.id, most))
      await db
        .transaction()
        .execute((tx) =>
          pauseByProduct(tx, campaign.id, 'rights_lost', 'The maker may no longer send to this audience.', clock.now()),
        )
    } catch (error) {
      troubles.set(campaign.id, performance.now() + troubleMs)
      log.error({ err: error, campaign: campaign.id }, 'recipients of a campaign could not be claimed')
    }
    return none
  }

  /** Claims for every campaign with somebody due, each its share of the free workers. */
  async function claimMore(): Promise<{ seen: number; waitMs: number }> {
    if (busy >= workers) return { seen: 0, waitMs: lookMs }
    await pauseIfDown()
    const restLeftMs = down ? down.fromMs + down.restMs - performance.now() : 0
    if (restLeftMs > 0) return { seen: 0, waitMs: Math.min(lookMs, restLeftMs) }
    const campaigns = await campaignsWithDue(db, parts.channel, clock.now())
    if (campaigns.length === 0) return { seen: 0, waitMs: lookMs }
    const state = await parts.prepare()
    if ('elsewhere' in state) return { seen: 0, waitMs: lookMs }
    if ('words' in state) {
      rest(state.words)
      return { seen: 0, waitMs: lookMs }
    }
    // One message tries a channel that did not work.
    workers = down ? 1 : state.workers
    let free = workers - busy
    if (free <= 0) return { seen: 0, waitMs: lookMs }
    let seen = 0
    let waitMs = lookMs
    // By lot: in a fixed order, one of two campaigns would get every slot of a slow domain.
    const first = Math.floor(Math.random() * campaigns.length)
    const inTurn = [...campaigns.slice(first), ...campaigns.slice(0, first)]
    for (const [index, campaign] of inTurn.entries()) {
      if (free <= 0 || signal.aborted) break
      const claimed = await claimOf(campaign, Math.ceil(free / (inTurn.length - index)))
      for (const claim of claimed.claims) begin(claim)
      free -= claimed.claims.length
      if (claimed.waitMs > 0) waitMs = Math.min(waitMs, claimed.waitMs)
      else seen += claimed.seen
      seen += claimed.claims.length
    }
    return { seen, waitMs }
  }

  return {
    /** Runs until the signal comes; with `untilIdle` until nothing is left to do at this moment. */
    async run({ untilIdle = false } = {}) {
      for (;;) {
        try {
          if (answers.length > 0) await record()
          if (signal.aborted) {
            if (busy === 0) return
            await sleep(lookMs)
            continue
          }
          const { seen, waitMs } = await claimMore()
          if (untilIdle && seen === 0 && busy === 0) return
          if (seen === 0 || (busy > 0 && answers.length === 0)) await sleep(seen === 0 ? waitMs : 20)
        } catch (error) {
          log.error({ err: error, channel: parts.channel }, 'sending of campaigns was interrupted')
          if (untilIdle) throw error
          await new Promise((resolve) => setTimeout(resolve, secondMs))
        }
      }
    },
  }
}
