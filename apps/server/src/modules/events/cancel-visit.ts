import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { cancelVisitor, lockSessions } from './visitors/places.ts'

/** Cancels a visit on behalf of staff. Safe to repeat. */
export const cancelVisit = (services: Services, actor: Actor, eventId: string, visitorId: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const sessions = await tx.selectFrom('eventSessions').select('id').where('eventId', '=', eventId).execute()
    if (sessions.length === 0) throw notFound('event')
    await lockSessions(
      tx,
      sessions.map(({ id }) => id),
    )
    const visitor = await tx
      .selectFrom('eventVisitors')
      .select(['id', 'sessionId', 'state', 'extra'])
      .where('id', '=', visitorId)
      .where('eventId', '=', eventId)
      .forUpdate()
      .executeTakeFirst()
    if (!visitor) throw notFound('event visitor')
    if (visitor.state === 'cancelled') return { id: visitorId }
    await cancelVisitor(context, visitor)
    await recordAudit(tx, actor, {
      action: 'event.visit-cancel',
      on: { event: eventId },
      before: { state: visitor.state },
      after: { state: 'cancelled' },
    })
    return { id: visitorId }
  })
