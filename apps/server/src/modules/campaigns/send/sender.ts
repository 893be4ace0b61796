import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { applyStoredReports } from '#server/modules/messaging/handovers/whatsapp-reports.ts'
import { clearProblem, noteProblem } from '#server/modules/whatsapp/connections/connection-problem.ts'
import { pauseConnection } from '#server/modules/whatsapp/deliver/pace.ts'
import { findProvider } from '#server/modules/whatsapp/providers/index.ts'
import type { WhatsappProvider } from '#server/modules/whatsapp/providers/provider.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { mailsAtOnce } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import { type Claim, type Connection, campaignEvent, claimMails, claimWhatsapp, fillInboxes } from './claim.ts'
import { handMail, handWhatsapp, type Outcome } from './hand-over.ts'
import { type Answer, createLane, type LaneParts } from './lane.ts'
import { finishDone, startDue } from './lifecycle.ts'
import { settleLeases } from './settle-leases.ts'

const tickMs = 1_000
/** Ticks between looks for run-out leases. */
const ticksPerSweep = 5
/** Calls to WhatsApp at a time; a linked phone writes one message after the other. */
const workersOf = { cloud: 24, log: 24, device: 1 } as const
const inboxesAtOnce = 500
/** A process that stops waits this long for calls that are on their way. */
const patienceMs = 15_000

const mailLane = (services: Services): LaneParts => ({
  channel: 'email',
  prepare: async () => ({ workers: mailsAtOnce }),
  claim: (tx, campaignId, most) => claimMails(tx, services, campaignId, most),
  async call(claim) {
    if (claim.channel !== 'email') throw new Error('no mail')
    return handMail(services, claim.handoverId, claim.mail)
  },
  record: async (tx, answers) => services.mail.kind === 'outbox' && showInOutbox(tx, answers, services.clock.now()),
})

const inboxLane = (services: Services): LaneParts => ({
  channel: 'inbox',
  prepare: async () => ({ workers: inboxesAtOnce }),
  claim: (tx, campaignId, most) => fillInboxes(tx, services, campaignId, most),
  call: async () => ({ kind: 'unknown' }),
})

/** The lane of the default connection, which may change while it runs: a call uses the connection of its claim. */
function whatsappLane(services: Services): LaneParts {
  type Link = { connection: Connection; provider: WhatsappProvider }
  let current: Link | undefined
  const linksByClaim = new WeakMap<Claim, Link>()
  return {
    channel: 'whatsapp',
    async prepare() {
      current = undefined
      const connection = await services.db
        .selectFrom('whatsappConnections')
        .selectAll()
        .where('isDefault', '=', true)
        .executeTakeFirst()
      if (!connection) return { words: 'no_connection' }
      if (!connection.active) return { words: 'inactive' }
      const provider = findProvider(services, connection)
      if ('elsewhere' in provider) return provider
      if ('problem' in provider) return { words: provider.problem }
      current = { connection, provider }
      return { workers: workersOf[connection.kind] }
    },
    async claim(tx, campaignId, most) {
      const link = current!
      const claimed = await claimWhatsapp(tx, services, campaignId, most, link.connection)
      for (const claim of claimed.claims) linksByClaim.set(claim, link)
      return claimed
    },
    async call(claim) {
      if (claim.channel !== 'whatsapp') throw new Error('no message of WhatsApp')
      const { provider, connection } = linksByClaim.get(claim)!
      return handWhatsapp(services, provider, claim.message, connection.kind === 'cloud')
    },
    async record(tx, answers) {
      const answersByLink = Map.groupBy(answers, ({ claim }) => linksByClaim.get(claim)!)
      // In order of the id, so that two senders cannot wait for each other.
      const inOrder = [...answersByLink].toSorted(([a], [b]) => (a.connection.id < b.connection.id ? -1 : 1))
      for (const [{ connection }, ofLink] of inOrder) {
        const outcomes = ofLink.map(({ outcome }) => outcome)
        await recordConnection(tx, services, connection, outcomes)
        if (connection.kind === 'log') await showInOutbox(tx, ofLink, services.clock.now())
      }
    },
  }
}

/** Writes what outcomes say of the connection, and reports that came before the answer without our id. */
async function recordConnection(tx: Tx, services: Services, connection: Connection, outcomes: readonly Outcome[]) {
  const now = services.clock.now()
  const messageIds = outcomes.flatMap((outcome) =>
    outcome.kind === 'news' && 'providerMessageId' in outcome.news && outcome.news.providerMessageId
      ? [outcome.news.providerMessageId]
      : [],
  )
  await applyStoredReports(tx, messageIds, now)
  const problems = new Set<WhatsappProblem>()
  for (const outcome of outcomes) {
    if (outcome.kind === 'unknown' || !outcome.problem) continue
    problems.add(outcome.problem)
    if (outcome.kind === 'down') await noteProblem(tx, connection, outcome.problem, outcome.words || null, now)
  }
  for (const problem of problems) await pauseConnection(tx, connection.id, problem, now)
  if (messageIds.length > 0 && problems.size === 0) await clearProblem(tx, connection.id, now)
}

/** Writes accepted messages to the built-in outbox, which is where they arrive when no real channel is set up. */
async function showInOutbox(tx: Tx, answers: readonly Answer[], now: Date) {
  const messages = answers
    .filter(({ outcome }) => outcome.kind === 'news' && outcome.news.state === 'accepted')
    .map(({ claim }) => ({
      channel: claim.channel,
      toAddress: claim.channel === 'email' ? claim.mail.to : claim.message.to,
      event: campaignEvent,
      language: claim.language,
      subject: claim.channel === 'email' ? claim.mail.subject : '',
      body: claim.channel === 'email' ? claim.mail.text : claim.message.text,
      status: 'sent' as const,
      createdAt: now,
      sentAt: now,
    }))
  if (messages.length > 0) await tx.insertInto('messages').values(messages).execute()
}

const lanesOf = (services: Services, signal: AbortSignal) =>
  [mailLane(services), whatsappLane(services), inboxLane(services)].map((parts) => createLane(services, parts, signal))

/** Sends campaigns in this process until it is stopped; any number of processes may do so on one database. */
export function startSending(services: Services) {
  const { log } = services
  const stopping = new AbortController()
  let wake = () => {}
  let ticks = 0
  async function tick() {
    while (!stopping.signal.aborted) {
      try {
        await startDue(services)
        if (ticks++ % ticksPerSweep === 0) await settleLeases(services)
        await finishDone(services)
      } catch (error) {
        log.error({ err: error }, 'campaigns were not looked after')
      }
      if (stopping.signal.aborted) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, tickMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const work = Promise.all([tick(), ...lanesOf(services, stopping.signal).map((lane) => lane.run())])
  return {
    async stop() {
      stopping.abort()
      wake()
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        work,
        new Promise((resolve) => {
          timer = setTimeout(resolve, patienceMs)
        }),
      ])
      clearTimeout(timer)
    },
  }
}

/** Does what the sender has to do at this moment; for tests, whose clock stands still. */
export async function sendDue(services: Services, signal = new AbortController().signal) {
  const lanes = lanesOf(services, signal)
  await settleLeases(services)
  await startDue(services)
  // A fallback is due on another lane at once.
  for (let round = 0; round < 3; round++) for (const lane of lanes) await lane.run({ untilIdle: true })
  await finishDone(services)
}
