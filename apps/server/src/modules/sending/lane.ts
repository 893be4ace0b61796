import type { Channel } from '#domain/campaigns/campaigns.ts'
import {
  campaignsWithDue,
  type DueCampaign,
  findMaker,
  pauseByProduct,
  pauseWaiting,
  seesSomebodyOf,
  skipOutsiders,
} from '#server/modules/campaigns/claim/lifecycle.ts'
import { advanceHandovers } from '#server/modules/messaging/handovers/advance-handovers.ts'
import type { Claim, Claims } from '#server/modules/messaging/handovers/claims.ts'
import { lastAwaited, urgencies } from '#server/modules/messaging/urgency.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import type { Share } from './claim-messages.ts'
import type { Outcome } from './hand-over.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs

/** Interval between looks for work while something is due. A paused campaign stops at the next look. */
const lookMs = 500
/** Without anything due, a lane sleeps until it is woken. */
const untilWoken = Number.POSITIVE_INFINITY
/** Pause of a campaign after a failed claim. Other campaigns continue. */
const troubleMs = 30 * secondMs
/** How long a lane remembers whether a campaign's maker may send. */
const permissionMs = 2 * secondMs
/** Most claims that campaigns may save up while messages wait. */
const mostSharesKept = 20
/** How long a channel rests after failing. The rest doubles with each failure. */
const restsMs = { first: 5 * secondMs, longest: minuteMs }
/** Pause before a channel that cannot work, for example without a connection, is checked again. */
const knownRestMs = secondMs
/** Shortest time between two writes of the reason to waiting messages. */
const noteMs = 10 * secondMs
/** A channel that is down this long pauses its waiting campaigns. */
export const downMs = 5 * minuteMs

/** Single messages of a lane, as opposed to campaigns. */
type MessageParts = {
  /** Urgency of the most urgent due message; undefined if none is due. */
  mostUrgent(): Promise<number | undefined>
  claim(context: Context, share: Share): Promise<Claims>
  /** Stores on due messages why the channel is down. */
  note(words: string): Promise<unknown>
}

/** Parts of a lane that differ by channel. `words` say why the channel is down. */
export type LaneParts = {
  channel: Channel
  /**
   * Checks the channel. Returns how many calls may run in parallel and how many of them for campaigns; or why the
   * channel is down; or `elsewhere` if another process holds its phone.
   */
  prepare(): Promise<{ workers: number; campaigns?: number } | { words: string } | { elsewhere: true }>
  /** Claims recipients of a campaign; missing if the lane sends no campaigns. */
  claim?(context: Context, campaignId: string, most: number): Promise<Claims>
  messages?: MessageParts
  call(claim: Claim): Promise<Outcome>
  /** Runs in the transaction that records the answers, for example to store a problem of the connection. */
  record?(context: Context, answers: readonly Answer[]): Promise<unknown>
}

export type Answer = { claim: Claim; outcome: Outcome; begunAtMs: number }

/** Whether PostgreSQL refused a value (class 22) or a constraint (class 23): a retry would fail too. */
const isRefusedValue = (error: unknown) => /^2[23]/.test((error as { code?: string }).code ?? '')

const reached = (outcome: Outcome) => outcome.kind === 'news' && outcome.news.state !== 'returned'

/**
 * Sends what is due on one channel: messages by urgency, and recipients of all running campaigns in turn. Each call
 * begins right after its claim is committed, so a killed process leaves at most one unanswered message per worker.
 * While messages wait, campaigns get at most every third claim.
 */
export function createLane(services: Services, parts: LaneParts, signal: AbortSignal) {
  const { db, clock, log } = services
  const answers: Answer[] = []
  const permissions = new Map<string, { may: boolean; readAtMs: number }>()
  const troubles = new Map<string, number>()
  let busy = 0
  let busyOfCampaigns = 0
  let workers = Number.POSITIVE_INFINITY
  let campaignWorkers = Number.POSITIVE_INFINITY
  /** Claims open to campaigns while messages wait: one for every two messages. */
  let campaignsShare = 0
  let notedAtMs = Number.NEGATIVE_INFINITY
  let endSleep = () => {}
  let isWoken = false
  let down: { since: Date; restMs: number; fromMs: number; words: string } | undefined

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = ms === untilWoken ? undefined : setTimeout(resolve, ms)
      endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
      if (answers.length > 0 || isWoken) endSleep()
    })

  function startCall(claim: Claim) {
    busy++
    if (!claim.ofMessage) busyOfCampaigns++
    const begunAtMs = performance.now()
    // A stopping process gives back claims whose call has not begun.
    const work: Promise<Outcome> = signal.aborted
      ? Promise.resolve({ kind: 'news', news: { id: claim.handoverId, state: 'returned', at: clock.now() } })
      : parts.call(claim)
    work
      .catch((error): Outcome => {
        log.error({ err: error, handover: claim.handoverId }, 'a message could not be handed over')
        return { kind: 'unknown' }
      })
      .then((outcome) => {
        answers.push({ claim, outcome, begunAtMs })
        endSleep()
      })
  }

  /**
   * Records the answers so far in one transaction; they stay in memory until it succeeds. If PostgreSQL refuses a
   * value, records each answer on its own and drops the refused one, whose handover waits for a report or the end of
   * its lease.
   */
  async function record(known = answers.slice()) {
    const now = clock.now()
    const news = known.flatMap(({ claim, outcome }) =>
      outcome.kind === 'news'
        ? [outcome.news]
        : outcome.kind === 'down'
          ? [
              {
                id: claim.handoverId,
                state: 'returned' as const,
                at: now,
                words: outcome.words,
                problem: outcome.problem,
              },
            ]
          : [],
    )
    try {
      await inTransaction(services, systemActor, async (context) => {
        await advanceHandovers(context, news)
        await parts.record?.(context, known)
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
    busyOfCampaigns -= known.filter(({ claim }) => !claim.ofMessage).length
    // A call that began before the rest does not show whether the channel works now.
    const outcomes = known.filter(({ begunAtMs }) => begunAtMs > (down?.fromMs ?? 0)).map(({ outcome }) => outcome)
    const failure = outcomes.find(({ kind }) => kind === 'down')
    if (failure?.kind === 'down') rest(failure.words)
    else if (outcomes.some(reached)) down = undefined
  }

  function rest(words: string, knownMs?: number) {
    const nextMs = Math.min(Math.max(restsMs.first, (down?.restMs ?? 0) * 2), restsMs.longest)
    const restMs = knownMs ?? nextMs
    down = { since: down?.since ?? clock.now(), restMs, fromMs: performance.now(), words }
  }

  /** Pauses campaigns whose channel has been down for `downMs`. Resumed campaigns get the same time again. */
  async function pauseIfDown() {
    if (!parts.claim || !down || clock.now().getTime() - down.since.getTime() < downMs) return
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
      if (await maySend(campaign))
        return await inTransaction(services, systemActor, (context) => parts.claim!(context, campaign.id, most))
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

  type Turn = { seen: number; waitMs: number }

  /** Starts the claimed calls and adds them to the turn. Returns their number. */
  function startCalls({ claims, seen, waitMs }: Claims, turn: Turn) {
    for (const claim of claims) startCall(claim)
    if (waitMs > 0) turn.waitMs = Math.min(turn.waitMs, waitMs)
    else turn.seen += seen
    turn.seen += claims.length
    return claims.length
  }

  /** Splits the free workers among campaigns with a due recipient and claims for each. Returns the number of claims. */
  async function claimCampaigns(campaigns: readonly DueCampaign[], most: number, turn: Turn) {
    let free = most
    // Starts at a random campaign: in a fixed order, one of two campaigns would get every slot of a slow domain.
    const first = Math.floor(Math.random() * campaigns.length)
    const inTurn = [...campaigns.slice(first), ...campaigns.slice(0, first)]
    for (const [index, campaign] of inTurn.entries()) {
      if (free <= 0 || signal.aborted) break
      free -= startCalls(await claimOf(campaign, Math.ceil(free / (inTurn.length - index))), turn)
    }
    return most - free
  }

  /** Claims messages. Returns their number and whether more within the share wait for a worker or for the pace. */
  async function claimMessages(messages: MessageParts, share: Share, turn: Turn) {
    if (share.most <= 0 || signal.aborted) return { count: 0, wait: share.most <= 0 }
    const claimed = await inTransaction(services, systemActor, (context) => messages.claim(context, share))
    const count = startCalls(claimed, turn)
    return { count, wait: claimed.seen > count || claimed.seen === share.most }
  }

  const campaignsFree = () => campaignWorkers - busyOfCampaigns

  /**
   * Claims messages and, within `campaignsShare`, recipients of campaigns. Messages that somebody awaits at a screen
   * come first. Returns the number of claims and whether messages wait.
   */
  async function claimBoth(messages: MessageParts, campaigns: readonly DueCampaign[], free: number, turn: Turn) {
    const share = campaigns.length > 0 ? Math.floor(campaignsShare) : 0
    let count = 0
    if (share > 0) {
      const awaited = await claimMessages(messages, { most: free, lastUrgency: lastAwaited }, turn)
      if (awaited.wait) return awaited
      const campaignClaims = await claimCampaigns(
        campaigns,
        Math.min(free - awaited.count, share, campaignsFree()),
        turn,
      )
      campaignsShare -= campaignClaims
      count = awaited.count + campaignClaims
    }
    const all = await claimMessages(messages, { most: free - count, lastUrgency: urgencies.other }, turn)
    campaignsShare = all.wait ? Math.min(campaignsShare + all.count / 2, mostSharesKept) : 0
    return { count: count + all.count, wait: all.wait }
  }

  async function claimMore(): Promise<Turn> {
    const idle = { seen: 0, waitMs: lookMs }
    if (busy >= workers) return idle
    await pauseIfDown()
    const restLeftMs = down ? down.fromMs + down.restMs - performance.now() : 0
    if (restLeftMs > 0) return { seen: 0, waitMs: Math.min(lookMs, restLeftMs) }
    const { messages } = parts
    const mostUrgent = await messages?.mostUrgent()
    const campaigns = parts.claim ? await campaignsWithDue(db, parts.channel, clock.now()) : []
    // A lane whose channel failed stays awake until `pauseIfDown` forgets the failure; otherwise the failure would still
    // count hours later, and pause the next campaign at once.
    if (campaigns.length === 0 && mostUrgent === undefined)
      return { seen: 0, waitMs: down && parts.claim ? lookMs : untilWoken }
    const state = await parts.prepare()
    if ('elsewhere' in state) return idle
    if ('words' in state) {
      rest(state.words, knownRestMs)
      if (messages && performance.now() - notedAtMs > noteMs) {
        notedAtMs = performance.now()
        await messages.note(state.words)
      }
      return { seen: 0, waitMs: knownRestMs }
    }
    // One call at a time probes a channel that was down.
    workers = down ? 1 : state.workers
    campaignWorkers = Math.min(workers, state.campaigns ?? workers)
    let free = workers - busy
    if (free <= 0) return idle
    const turn: Turn = { seen: 0, waitMs: lookMs }
    let doMessagesWait = false
    if (messages && mostUrgent !== undefined) {
      const claimed = await claimBoth(messages, campaigns, free, turn)
      free -= claimed.count
      doMessagesWait = claimed.wait
    }
    if (!doMessagesWait && campaigns.length > 0) await claimCampaigns(campaigns, Math.min(free, campaignsFree()), turn)
    return turn
  }

  return {
    channel: parts.channel,

    /** Looks for due work at once. */
    wake() {
      isWoken = true
      endSleep()
    },

    /** Runs until the signal aborts; with `untilIdle`, until nothing is left to do now. */
    async run({ untilIdle = false } = {}) {
      for (;;) {
        try {
          if (answers.length > 0) await record()
          isWoken = false
          if (signal.aborted) {
            if (busy === 0) return
            await sleep(lookMs)
            continue
          }
          const { seen, waitMs } = await claimMore()
          if (untilIdle && seen === 0 && busy === 0) return
          if (seen === 0 || (busy > 0 && answers.length === 0)) await sleep(seen === 0 ? waitMs : 20)
        } catch (error) {
          log.error({ err: error, channel: parts.channel }, 'sending was interrupted')
          if (untilIdle) throw error
          await new Promise((resolve) => setTimeout(resolve, secondMs))
        }
      }
    },
  }
}
