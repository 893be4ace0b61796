import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { waitForHelpMs } from '#server/modules/whatsapp/connections/connection-problem.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { takeSlot } from './pace.ts'
import { postponeMessage } from './postpone-message.ts'
import { type Connection, type Message, settleMessage } from './settle-message.ts'

const second = 1_000
const minute = 60 * second
/** A process that has not finished with a message after this long is taken for gone. */
const claimFor = 2 * minute

/** Event of test messages; they stay with the connection they test. */
export const testEvent = 'whatsapp-test'

export type Claimed = { message: Message; connection: Connection }

/**
 * Takes a message for this process until `claimed_until`. Returns nothing when the message is not to be handed over now:
 * another process has it, its time or its connection's pace lies ahead, or the connection is known not to work.
 */
export async function claimMessage(tx: Tx, services: Services, messageId: string): Promise<Claimed | undefined> {
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
    await postponeMessage(tx, services, messageId, new Date(message.claimedUntil.getTime() + second))
    return
  }
  const connection = await connectionFor(tx, message)
  const known = connection ? standsInTheWay(connection, now) : 'no_connection'
  if (known) {
    await settleMessage(tx, services, message, connection, { problem: known })
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
  await postponeMessage(tx, services, messageId, slot)
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
  const fresh = problemAt && now.getTime() - problemAt.getTime() < waitForHelpMs
  return problem && fresh ? (problem as WhatsappProblem) : undefined
}
