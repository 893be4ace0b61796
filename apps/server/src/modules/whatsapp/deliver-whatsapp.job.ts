import type { Selectable } from 'kysely'
import { z } from 'zod'
import {
  keepTryingFor,
  maxAttempts,
  type WhatsappProblem,
  waitAfter,
  whatsappProblems,
} from '#domain/whatsapp/problems.ts'
import type { Database, Tx } from '#server/platform/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { whatsappQueued } from '../messaging/queue-whatsapp.ts'
import { clearProblem, noteProblem } from './connection-problem.ts'
import { holdBack, takeSlot } from './pace.ts'
import { type Elsewhere, findProvider } from './providers/index.ts'
import type { Handover, Outgoing } from './providers/provider.ts'
import { applyReports } from './reports.ts'

type Message = Selectable<Database['messages']>
type Connection = Selectable<Database['whatsappConnections']>

const second = 1_000
const minute = 60 * second
/** A process that has not finished with a message after this long is taken for gone. */
const claimFor = 2 * minute
/** Between looks at a connection that somebody has to put right. */
const waitForHelp = 10 * minute
/** Another process speaks for the phone: soon one of its own jobs will take the message. */
const waitForHolder = 3 * second

/** Event of test messages; they stay with the connection they test. */
export const testEvent = 'whatsapp-test'

/**
 * Hands a queued WhatsApp message over, and after it whatever else is due, so that a full queue goes at the pace of its
 * connection and not at that of the job queue.
 */
export const deliverWhatsapp = defineJob({
  name: 'deliver-whatsapp',
  on: whatsappQueued,
  data: z.object({ messageId: z.uuid() }),
  async run(services, { messageId }) {
    await deliver(services, messageId)
    await deliverDue(services)
  },
})

/**
 * One message, through the default connection of that moment. One process claims it; what the provider cannot take now
 * waits for its own time, each time longer; what can never arrive is given up with its reason.
 */
async function deliver(services: Services, messageId: string) {
  const { db, log } = services
  const claimed = await db.transaction().execute((tx) => claim(tx, services, messageId))
  if (!claimed) return
  const { message, connection } = claimed
  const outcome = await send(services, claimed).catch((error): Outcome => {
    log.error({ err: error, messageId }, 'a WhatsApp message could not be handed over')
    return { problem: 'provider_down' }
  })
  await db.transaction().execute((tx) => settle(tx, services, message, connection, outcome))
}

/** How long one job goes on with what others queued. */
const atMost = minute
const timers = new WeakMap<Services, NodeJS.Timeout>()

/** Whatever is due now, and then a look at the clock for what is due next; the jobs of the messages stand behind it. */
async function deliverDue(services: Services) {
  const { db, clock, config, log } = services
  const waiting = db
    .selectFrom('messages')
    .where('channel', '=', 'whatsapp')
    .where('status', '=', 'queued')
    .orderBy('dueAt')
  const begun = performance.now()
  while (performance.now() - begun < atMost) {
    const due = await waiting.select('id').where('dueAt', '<=', clock.now()).limit(20).execute()
    for (const { id } of due) await deliver(services, id)
    if (due.length === 0) break
  }
  if (!config.runJobs) return
  const next = await waiting.select('dueAt').where('dueAt', 'is not', null).limit(1).executeTakeFirst()
  clearTimeout(timers.get(services))
  if (!next?.dueAt) return
  const wait = next.dueAt.getTime() - clock.now().getTime()
  // A job comes along by itself for what is further away.
  if (wait > 5 * minute) return
  const later = () =>
    deliverDue(services).catch((error) => log.warn({ err: error }, 'WhatsApp messages that are due were not looked at'))
  timers.set(services, setTimeout(later, Math.max(wait, 50)).unref())
}

/** The message is due then: for whoever looks by the clock, and by a job for when nobody does. */
async function postpone(tx: Tx, services: Services, messageId: string, at: Date) {
  await tx.updateTable('messages').set({ dueAt: at }).where('id', '=', messageId).execute()
  await services.jobs.enqueue(tx, deliverWhatsapp, { messageId }, { startAfter: at })
}

type Outcome = Handover | Elsewhere
type Claimed = { message: Message; connection: Connection }

async function claim(tx: Tx, services: Services, messageId: string): Promise<Claimed | undefined> {
  const now = services.clock.now()
  const message = await tx
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('channel', '=', 'whatsapp')
    .where('status', '=', 'queued')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!message?.toAddress) return
  // Its time was moved: another job stands behind that.
  if (message.dueAt && message.dueAt > now) return
  if (message.claimedUntil && message.claimedUntil > now) {
    await postpone(tx, services, messageId, new Date(message.claimedUntil.getTime() + second))
    return
  }
  const connection = await connectionFor(tx, message)
  const known = connection ? standsInTheWay(connection, now) : 'no_connection'
  if (known) {
    await settle(tx, services, message, connection, { problem: known })
    return
  }
  const slot = await takeSlot(tx, connection!, message.slotAt, now)
  const goes = slot <= now
  const changed = await tx
    .updateTable('messages')
    .set({
      connectionId: connection!.id,
      slotAt: slot,
      ...(goes && {
        attempts: message.attempts + 1,
        claimedUntil: new Date(now.getTime() + claimFor),
        handedAt: now,
      }),
    })
    .where('id', '=', messageId)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (goes) return { message: changed, connection: connection! }
  await postpone(tx, services, messageId, slot)
}

/** A test stays with its connection; everything else goes through the default one, locked for the sake of its pace. */
const connectionFor = (tx: Tx, { event, connectionId }: Message) =>
  tx
    .selectFrom('whatsappConnections')
    .selectAll()
    .where((eb) =>
      event === testEvent && connectionId ? eb('id', '=', connectionId) : eb('isDefault', '=', eb.lit(true)),
    )
    .forUpdate()
    .executeTakeFirst()

/** What is known to be wrong with a connection, so that not every waiting message has to find it out again. */
function standsInTheWay(
  { active, kind, problem, problemAt, state }: Connection,
  now: Date,
): WhatsappProblem | undefined {
  if (!active) return 'inactive'
  if (kind === 'device' && state !== 'open') return 'not_connected'
  const fresh = problemAt && now.getTime() - problemAt.getTime() < waitForHelp
  return problem && fresh ? (problem as WhatsappProblem) : undefined
}

async function send(services: Services, { message, connection }: Claimed): Promise<Outcome> {
  const provider = findProvider(services, connection)
  return 'send' in provider ? provider.send(await outgoing(services, message, connection)) : provider
}

async function outgoing({ db, clock }: Services, message: Message, { id }: Connection): Promise<Outgoing> {
  const opened = await db
    .selectFrom('whatsappWindows')
    .select('lastAt')
    .where('connectionId', '=', id)
    .where('phone', '=', message.toAddress!)
    .executeTakeFirst()
  return {
    id: message.id,
    to: message.toAddress!,
    language: message.language,
    text: [message.body, message.link].filter(Boolean).join('\n\n'),
    template: message.providerTemplate as Outgoing['template'],
    windowOpen: opened !== undefined && clock.now().getTime() - opened.lastAt.getTime() < 24 * 60 * minute,
  }
}

async function settle(
  tx: Tx,
  services: Services,
  message: Message,
  connection: Connection | undefined,
  outcome: Outcome,
) {
  const { id: messageId, attempts } = message
  const now = services.clock.now()
  const update = tx.updateTable('messages').where('id', '=', messageId)
  const again = (wait: number) => postpone(tx, services, messageId, new Date(now.getTime() + wait))

  if ('providerMessageId' in outcome) {
    // A report may have come before this: what it said stays.
    await update
      .set((eb) => ({
        status: eb
          .case()
          .when('status', '=', 'queued')
          .then('sent' as const)
          .else(eb.ref('status'))
          .end(),
        providerMessageId: eb.fn.coalesce('providerMessageId', eb.val(outcome.providerMessageId)),
        sentAt: eb.fn.coalesce('sentAt', eb.val(now)),
        error: eb.case().when('status', '=', 'queued').then(null).else(eb.ref('error')).end(),
        errorDetail: eb.case().when('status', '=', 'queued').then(null).else(eb.ref('errorDetail')).end(),
        claimedUntil: null,
      }))
      .execute()
    if (outcome.providerMessageId) await applyReports(tx, outcome.providerMessageId)
    if (connection) await clearProblem(tx, connection.id, now)
    return
  }
  const queued = update.where('status', '=', 'queued')
  if ('elsewhere' in outcome) {
    await queued.set({ attempts: attempts - 1, claimedUntil: null, handedAt: null }).execute()
    await again(waitForHolder)
    return
  }
  const { problem, detail = null } = outcome
  const remedy = whatsappProblems[problem]
  const tooOld = now.getTime() - message.createdAt.getTime() > keepTryingFor
  const givenUp = remedy === 'give_up' || tooOld || (remedy === 'retry' && attempts >= maxAttempts)
  const { numUpdatedRows } = await queued
    .set({
      error: problem,
      errorDetail: detail,
      claimedUntil: null,
      slotAt: null,
      ...(connection && { connectionId: connection.id }),
      ...(givenUp && { status: 'failed' as const }),
    })
    .executeTakeFirst()
  if (connection && remedy === 'wait') await noteProblem(tx, connection, problem, detail, now)
  if (connection && problem in pauses)
    await holdBack(tx, connection.id, new Date(now.getTime() + pauses[problem as keyof typeof pauses]))
  if (numUpdatedRows === 0n || givenUp) return
  await again(remedy === 'wait' ? waitForHelp : waitAfter(attempts))
}

/** How long a whole connection rests when its provider says that it was too much. */
const pauses = { too_fast: minute, spam_limit: 10 * minute } as const
