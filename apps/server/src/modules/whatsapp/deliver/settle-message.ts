import type { Selectable } from 'kysely'
import { keepTryingMs, maxAttempts, retryWaitMs, whatsappProblems } from '#domain/whatsapp/problems.ts'
import { clearProblem, noteProblem, waitForHelpMs } from '#server/modules/whatsapp/connections/connection-problem.ts'
import type { HeldElsewhere } from '#server/modules/whatsapp/providers/index.ts'
import type { Handover } from '#server/modules/whatsapp/providers/provider.ts'
import { applyReports } from '#server/modules/whatsapp/reports.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { pauseConnection } from './pace.ts'
import { postponeMessage } from './postpone-message.ts'

export type Message = Selectable<Database['messages']>
export type Connection = Selectable<Database['whatsappConnections']>
export type Outcome = Handover | HeldElsewhere

const secondMs = 1_000
/** Another process holds the phone's lease: one of its jobs will soon claim the message. */
const waitForHolderMs = 3 * secondMs

/**
 * Writes the outcome of a message: sent, failed with its problem, or due again later. Stores a problem of the
 * connection there, so that waiting messages do not run into it.
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
  const postpone = (waitMs: number) => postponeMessage(tx, services, messageId, new Date(now.getTime() + waitMs))

  if ('providerMessageId' in outcome) {
    // A report may have been stored earlier: its status stays.
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
  const updateQueued = update.where('status', '=', 'queued')
  if ('elsewhere' in outcome) {
    await updateQueued.set({ attempts: attempts - 1, claimedUntil: null, handedAt: null }).execute()
    await postpone(waitForHolderMs)
    return
  }
  const { problem, detail = null } = outcome
  const remedy = whatsappProblems[problem]
  const isTooOld = now.getTime() - message.createdAt.getTime() > keepTryingMs
  const isGivenUp = remedy === 'give_up' || isTooOld || (remedy === 'retry' && attempts >= maxAttempts)
  const { numUpdatedRows } = await updateQueued
    .set({
      error: problem,
      errorDetail: detail,
      claimedUntil: null,
      slotAt: null,
      ...(connection && { connectionId: connection.id }),
      ...(isGivenUp && { status: 'failed' as const }),
    })
    .executeTakeFirst()
  if (connection && remedy === 'wait') await noteProblem(tx, connection, problem, detail, now)
  if (connection) await pauseConnection(tx, connection.id, problem, now)
  if (numUpdatedRows === 0n || isGivenUp) return
  await postpone(remedy === 'wait' ? waitForHelpMs : retryWaitMs(attempts))
}
