import type { Selectable } from 'kysely'
import { keepTryingFor, maxAttempts, waitAfter, whatsappProblems } from '#domain/whatsapp/problems.ts'
import { clearProblem, noteProblem, waitForHelpMs } from '#server/modules/whatsapp/connections/connection-problem.ts'
import type { Elsewhere } from '#server/modules/whatsapp/providers/index.ts'
import type { Handover } from '#server/modules/whatsapp/providers/provider.ts'
import { applyReports } from '#server/modules/whatsapp/reports.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { holdBack } from './pace.ts'
import { postponeMessage } from './postpone-message.ts'

export type Message = Selectable<Database['messages']>
export type Connection = Selectable<Database['whatsappConnections']>
export type Outcome = Handover | Elsewhere

const second = 1_000
const minute = 60 * second
/** Another process speaks for the phone: soon one of its own jobs will take the message. */
const waitForHolder = 3 * second

/** How long a whole connection rests when its provider says that it was too much. */
const pauses = { too_fast: minute, spam_limit: 10 * minute } as const

/**
 * Writes what came of a message: sent, given up with its reason, or due again later. A problem of the connection is noted
 * on it, so that the messages behind do not have to find it out again.
 */
export async function settleMessage(
  tx: Tx,
  services: Services,
  message: Message,
  connection: Connection | undefined,
  outcome: Outcome,
) {
  const { id: messageId, attempts } = message
  const now = services.clock.now()
  const update = tx.updateTable('messages').where('id', '=', messageId)
  const again = (wait: number) => postponeMessage(tx, services, messageId, new Date(now.getTime() + wait))

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
  await again(remedy === 'wait' ? waitForHelpMs : waitAfter(attempts))
}
