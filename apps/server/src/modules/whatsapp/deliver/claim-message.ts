import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { chatAnswerEvent } from '#server/modules/messaging/queue-whatsapp.ts'
import { waitForHelpMs } from '#server/modules/whatsapp/connections/connection-problem.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { countPeople } from './campaign-pace.ts'
import { takeSlot } from './pace.ts'
import { postponeMessage } from './postpone-message.ts'
import { type Connection, type Message, settleMessage } from './settle-message.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
/** Milliseconds after which a process that has not settled a claimed message counts as dead. */
const claimMs = 2 * minuteMs

/** Event of test messages; they always use the connection they test. */
export const testEvent = 'whatsapp-test'

export type Claim = { message: Message; connection: Connection }

/**
 * Claims a message for this process until `claimed_until`. Returns undefined if the message must not go out now:
 * another process claimed it, it is not due, the pace of its connection allows it only later, or the connection is
 * known not to work.
 */
export async function claimMessage(tx: Tx, services: Services, messageId: string): Promise<Claim | undefined> {
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
  // The message was postponed; another job sends it.
  if (message.dueAt && message.dueAt > now) return
  if (message.claimedUntil && message.claimedUntil > now) {
    await postponeMessage(tx, services, messageId, new Date(message.claimedUntil.getTime() + secondMs))
    return
  }
  const connection = await connectionFor(tx, message)
  const knownProblem = connection ? findKnownProblem(connection, now) : 'no_connection'
  if (knownProblem) {
    await settleMessage(tx, services, message, connection, { problem: knownProblem })
    return
  }
  const slot = await takeSlot(tx, connection!, message.slotAt, now)
  const isDue = slot <= now
  const claimedMessage = await tx
    .updateTable('messages')
    .set({
      connectionId: connection!.id,
      slotAt: slot,
      ...(isDue && {
        attempts: message.attempts + 1,
        claimedUntil: new Date(now.getTime() + claimMs),
        handedAt: now,
      }),
    })
    .where('id', '=', messageId)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isDue) await countPeople(tx, connection!.id, [message.toAddress], now)
  if (isDue) return { message: claimedMessage, connection: connection! }
  await postponeMessage(tx, services, messageId, slot)
}

/**
 * Locks the connection of a message, because its pace changes: tests and answers of the chat use the one they name, every
 * other message the default.
 */
const connectionFor = (tx: Tx, { event, connectionId }: Message) =>
  tx
    .selectFrom('whatsappConnections')
    .selectAll()
    .where((eb) =>
      connectionId && (event === testEvent || event === chatAnswerEvent)
        ? eb('id', '=', connectionId)
        : eb('isDefault', '=', eb.lit(true)),
    )
    .forUpdate()
    .executeTakeFirst()

/** Recent problem of a connection, so that not every waiting message runs into it. */
function findKnownProblem(
  { active, kind, problem, problemAt, state }: Connection,
  now: Date,
): WhatsappProblem | undefined {
  if (!active) return 'inactive'
  if (kind === 'device' && state !== 'open') return 'not_connected'
  const isRecent = problemAt && now.getTime() - problemAt.getTime() < waitForHelpMs
  return problem && isRecent ? (problem as WhatsappProblem) : undefined
}
