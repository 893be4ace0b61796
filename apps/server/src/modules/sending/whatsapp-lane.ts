import { type WhatsappProblem, whatsappProblems } from '#domain/whatsapp/problems.ts'
import { claimWhatsapp } from '#server/modules/campaigns/claim/claim.ts'
import type { Claim, Connection } from '#server/modules/messaging/handovers/claims.ts'
import { applyStoredReports } from '#server/modules/messaging/handovers/whatsapp-reports.ts'
import { clearProblem, noteProblem, waitForHelpMs } from '#server/modules/whatsapp/connections/connection-problem.ts'
import type { Connection as ConnectionRow } from '#server/modules/whatsapp/connections/find-connections.ts'
import { pauseConnection } from '#server/modules/whatsapp/pace.ts'
import { findProvider } from '#server/modules/whatsapp/providers/index.ts'
import type { WhatsappProvider } from '#server/modules/whatsapp/providers/provider.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { boundScope, claimMessagesByWhatsapp, defaultScope, mostUrgentDue, noteWaiting } from './claim-messages.ts'
import { handWhatsapp, type Outcome } from './hand-over.ts'
import type { LaneParts } from './lane.ts'
import { showInOutbox } from './outbox.ts'

/** Parallel calls by kind of connection. A linked phone sends one message at a time. */
const workersOf = {
  cloud: { workers: 28, campaigns: 24 },
  log: { workers: 28, campaigns: 24 },
  device: { workers: 1 },
} as const

type Link = { connection: Connection; provider: WhatsappProvider }

/**
 * Lane for the messages bound to a connection. Without `boundTo`, lane of the default connection. If the default
 * changes, a claimed message still uses the connection of its claim.
 */
export function whatsappLane(services: Services, boundTo?: string): LaneParts {
  const { db, clock } = services
  const scope = boundTo === undefined ? defaultScope : boundScope(boundTo)
  let current: Link | undefined
  let connectionId: string | null = null
  const currentLink = () => {
    if (!current) throw new Error('The lane has no connection')
    return current
  }
  const linksByClaim = new WeakMap<Claim, Link>()
  const linkOf = (claim: Claim) => {
    const link = linksByClaim.get(claim)
    if (!link) throw new Error('The claim is of no connection')
    return link
  }
  const linked = <T extends { claims: Claim[] }>(claimed: T, link: Link) => {
    for (const claim of claimed.claims) linksByClaim.set(claim, link)
    return claimed
  }
  return {
    channel: 'whatsapp',
    async prepare() {
      current = undefined
      const connection = await db
        .selectFrom('whatsappConnections')
        .selectAll()
        .where((eb) => (boundTo === undefined ? eb('isDefault', '=', eb.lit(true)) : eb('id', '=', boundTo)))
        .executeTakeFirst()
      connectionId = connection?.id ?? null
      if (!connection) return { words: 'no_connection' }
      if (!connection.active) return { words: 'inactive' }
      const provider = findProvider(services, connection)
      if ('elsewhere' in provider) return provider
      if ('problem' in provider) return { words: provider.problem }
      const known = recentProblem(connection, clock.now())
      if (known) return { words: known }
      current = { connection, provider }
      // Until a Cloud API connection has worked once, messages are sent one at a time.
      return connection.kind === 'cloud' && !connection.checkedAt ? { workers: 1 } : workersOf[connection.kind]
    },
    messages: {
      mostUrgent: () => mostUrgentDue(db, scope, clock.now()),
      async claim(context, share) {
        const link = currentLink()
        return linked(
          await claimMessagesByWhatsapp(context, share, {
            scope,
            connection: link.connection,
          }),
          link,
        )
      },
      note: (words) => noteWaiting(db, scope, words, connectionId, clock.now()),
    },
    ...(boundTo === undefined && {
      async claim(context: Context, campaignId: string, most: number) {
        const link = currentLink()
        return linked(await claimWhatsapp(context, campaignId, most, link.connection), link)
      },
    }),
    async call(claim) {
      if (claim.channel !== 'whatsapp') throw new Error('no message of WhatsApp')
      const { provider, connection } = linkOf(claim)
      const isPhone = connection.kind === 'device'
      // A message keeps its id in all attempts, and receivers see a repeated id from a linked phone once.
      const how = {
        provider,
        reports: connection.kind === 'cloud',
        showsOnce: isPhone && claim.ofMessage !== undefined,
      }
      return handWhatsapp(services, how, claim.message)
    },
    async record(context, answers) {
      const answersByLink = Map.groupBy(answers, ({ claim }) => linkOf(claim))
      // In id order, so that two senders cannot deadlock.
      const inOrder = [...answersByLink].toSorted(([a], [b]) => (a.connection.id < b.connection.id ? -1 : 1))
      for (const [{ connection }, ofLink] of inOrder) {
        const outcomes = ofLink.map(({ outcome }) => outcome)
        await recordConnection(context, connection, outcomes)
        if (connection.kind === 'log') await showInOutbox(context.tx, ofLink, clock.now())
      }
    },
  }
}

/**
 * A problem that staff must fix, if stored less than `waitForHelpMs` ago. After that time the connection is tried
 * again.
 */
function recentProblem({ problem, problemAt }: ConnectionRow, now: Date): WhatsappProblem | undefined {
  if (!problem || !problemAt || now.getTime() - problemAt.getTime() >= waitForHelpMs) return undefined
  const known = problem as WhatsappProblem
  return whatsappProblems[known] === 'wait' ? known : undefined
}

/** Stores or clears the connection's problem, and applies reports that came before the answer and lack our id. */
async function recordConnection(context: Omit<Context, 'actor'>, connection: Connection, outcomes: readonly Outcome[]) {
  const { tx, services } = context
  const now = services.clock.now()
  const messageIds = outcomes.flatMap((outcome) =>
    outcome.kind === 'news' && 'providerMessageId' in outcome.news && outcome.news.providerMessageId
      ? [outcome.news.providerMessageId]
      : [],
  )
  await applyStoredReports(context, messageIds)
  const problems = new Set<WhatsappProblem>()
  for (const outcome of outcomes) {
    if (outcome.kind === 'unknown' || !outcome.problem) continue
    problems.add(outcome.problem)
    if (outcome.kind === 'down') await noteProblem(tx, connection, outcome.problem, outcome.words || null, now)
  }
  for (const problem of problems) await pauseConnection(tx, connection.id, problem, now)
  if (messageIds.length > 0 && problems.size === 0) await clearProblem(tx, connection.id, now)
}
