import { z } from 'zod'
import { whatsappQueued } from '#server/modules/messaging/queue-whatsapp.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { claimMessage } from './claim-message.ts'
import { sendMessage } from './send-message.ts'
import { type Outcome, settleMessage } from './settle-message.ts'

/*
 * A message is claimed, sent and settled. Its times, in the order in which they are written:
 * - `due_at`: not sent before; every postponement moves it and adds a job that starts then.
 * - `slot_at`: its slot in the pace of the connection; stays while it waits, cleared after a failure.
 * - `claimed_until`: until then one process has it; later that process counts as dead and another may claim it.
 * - `handed_at`: last time it was handed to the provider; the limit per minute of a connection counts these.
 * - `sent_at`: the provider accepted it.
 * - `delivered_at`: the provider reported that it reached the phone; `reports.ts` writes it.
 */

const minuteMs = 60_000

/**
 * Sends a queued WhatsApp message and then every other due message, so that the pace of the connection limits a full
 * queue, not that of the job queue.
 */
export const deliverWhatsappJob = defineJob({
  name: 'deliver-whatsapp',
  on: whatsappQueued,
  data: z.object({ messageId: z.uuid() }),
  async run(services, { messageId }) {
    await deliver(services, messageId)
    await deliverDue(services)
  },
})

/**
 * Sends a message through the present default connection. Temporary failures postpone it, each time longer; permanent
 * ones fail it with the problem.
 */
async function deliver(services: Services, messageId: string) {
  const { db, log } = services
  const claim = await db.transaction().execute((tx) => claimMessage(tx, services, messageId))
  if (!claim) return
  const { message, connection } = claim
  const outcome = await sendMessage(services, claim).catch((error): Outcome => {
    log.error({ err: error, messageId }, 'a WhatsApp message could not be handed over')
    return { problem: 'provider_down' }
  })
  await db.transaction().execute((tx) => settleMessage(tx, services, message, connection, outcome))
}

/** Milliseconds a job spends on other messages that are due. */
const maxRunMs = minuteMs
const timers = new WeakMap<Services, NodeJS.Timeout>()

/**
 * Sends every due message, then sets a timer for the next one; if the process dies, the messages' own jobs send them.
 */
async function deliverDue(services: Services) {
  const { db, clock, config, log } = services
  const queuedMessages = db
    .selectFrom('messages')
    .where('channel', '=', 'whatsapp')
    .where('status', '=', 'queued')
    .orderBy('dueAt')
  const startMs = performance.now()
  while (performance.now() - startMs < maxRunMs) {
    const dueMessages = await queuedMessages.select('id').where('dueAt', '<=', clock.now()).limit(20).execute()
    for (const { id } of dueMessages) await deliver(services, id)
    if (dueMessages.length === 0) break
  }
  if (!config.runJobs) return
  const next = await queuedMessages.select('dueAt').where('dueAt', 'is not', null).limit(1).executeTakeFirst()
  clearTimeout(timers.get(services))
  if (!next?.dueAt) return
  const waitMs = next.dueAt.getTime() - clock.now().getTime()
  // A message due later than in five minutes has a job that starts then.
  if (waitMs > 5 * minuteMs) return
  const deliverLater = () =>
    deliverDue(services).catch((error) => log.warn({ err: error }, 'WhatsApp messages that are due were not looked at'))
  timers.set(services, setTimeout(deliverLater, Math.max(waitMs, 50)).unref())
}
