import { z } from 'zod'
import { whatsappQueued } from '#server/modules/messaging/queue-whatsapp.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { claimMessage } from './claim-message.ts'
import { sendMessage } from './send-message.ts'
import { type Outcome, settleMessage } from './settle-message.ts'

/*
 * A message is claimed, sent and settled. Its times, in the order in which they are written:
 * - `due_at`: it is not looked at before; every postponement moves it, and adds a job that starts then.
 * - `slot_at`: its place in the pace of the connection, kept while it waits for it and given back when it failed.
 * - `claimed_until`: until then one process has it; later that process is taken for gone and another may claim it.
 * - `handed_at`: when it was last handed to the provider; the limit per minute of a connection counts these.
 * - `sent_at`: when the provider took it.
 * - `delivered_at`: when the provider reported that it reached the phone; `reports.ts` writes it.
 */

const minute = 60_000

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
  const claimed = await db.transaction().execute((tx) => claimMessage(tx, services, messageId))
  if (!claimed) return
  const { message, connection } = claimed
  const outcome = await sendMessage(services, claimed).catch((error): Outcome => {
    log.error({ err: error, messageId }, 'a WhatsApp message could not be handed over')
    return { problem: 'provider_down' }
  })
  await db.transaction().execute((tx) => settleMessage(tx, services, message, connection, outcome))
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
