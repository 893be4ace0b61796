import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { lostPayments, readRestored } from './read-restored.ts'

type Ending = { note: string; acceptUnanswered?: boolean | undefined }

/**
 * Ends every open restore and settles the alerts about lost payments; 409 while banks have not answered, unless the
 * actor accepts that. Counters created afterwards start at one.
 */
export async function endRestored(services: Services, actor: Actor, { note, acceptUnanswered = false }: Ending) {
  requireWholeView(actor, 'ops_needs_whole_view')
  const restored = await readRestored(services, actor)
  if (!restored) throw notFound('restore')
  const { waiting, refused, notAskable } = restored.questions
  if (waiting > 0 && !acceptUnanswered) throw conflict('banks_not_asked_yet', { waiting })
  const now = services.clock.now()
  return services.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('restores')
      .set({ endedAt: now, endedBy: actor.accountId, note })
      .where('endedAt', 'is', null)
      .returning(['id', 'restoredAt'])
      .execute()
    if (ended.length === 0) throw conflict('wrong_status', { status: 'settled' })
    for (const { id } of ended)
      await recordAudit(tx, actor, {
        action: 'restore.end',
        on: { restore: id },
        after: { waiting, refused, notAskable },
        reason: note,
      })
    const first = new Date(Math.min(...ended.map(({ restoredAt }) => restoredAt.getTime())))
    for (const { id, reference } of await lostPayments(tx, first)) {
      await tx
        .updateTable('paymentAlerts')
        .set({ settledAt: now, settledBy: actor.accountId, note })
        .where('id', '=', id)
        .execute()
      await recordAudit(tx, actor, {
        action: 'virtual-account.settle-alert',
        on: { 'virtual-account': id },
        after: { reference },
        reason: note,
      })
    }
    return { id: restored.id }
  })
}
