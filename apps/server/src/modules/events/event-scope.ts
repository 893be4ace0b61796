import { type RawBuilder, sql } from 'kysely'
import type { EventStatus } from '#domain/events/events.ts'
import { findOwnAffiliate } from '#server/modules/affiliates/own-affiliate.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isLimited } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { forbidden, notFound } from '#server/platform/errors.ts'

export type EventReader = {
  actor: Actor
  /** May change events and read full names and phones; false for roles limited to some programmes. */
  mayUpdate: boolean
  /** Sees all events and visitors; affiliates see only their own. */
  seesAll: boolean
  affiliateId: string | null
}

/** Holders of `afiliator-saya` are affiliates: without permission to write, they see only events they take part in. */
export async function eventReaderOf(db: Db, actor: Actor): Promise<EventReader> {
  const mayUpdate = actor.permissions.has('event-afiliator-update') && !isLimited(actor)
  const seesAll =
    mayUpdate || actor.permissions.has('event-afiliator-create') || !actor.permissions.has('afiliator-saya')
  return { actor, mayUpdate, seesAll, affiliateId: (await findOwnAffiliate(db, actor)) ?? null }
}

/** Events `e` the reader sees; affiliates see no drafts. */
export const eventsOf = ({ seesAll, affiliateId }: EventReader): RawBuilder<boolean> =>
  seesAll
    ? sql<boolean>`true`
    : sql<boolean>`(e.status <> 'draft' AND EXISTS (SELECT FROM event_affiliates own
        WHERE own.event_id = e.id AND own.affiliate_id = ${affiliateId}::uuid))`

/** Visitors `v` the reader sees; affiliates see those they brought. */
export const visitorsOf = ({ seesAll, affiliateId }: EventReader): RawBuilder<boolean> =>
  seesAll ? sql<boolean>`true` : sql<boolean>`v.affiliate_id = ${affiliateId}::uuid`

/** 404 if the reader does not see the event. */
export async function getVisibleEvent(db: Db, reader: EventReader, id: string) {
  const event = await db
    .selectFrom('events as e')
    .selectAll()
    .where('e.id', '=', id)
    .where(eventsOf(reader))
    .executeTakeFirst()
  if (!event) throw notFound('event')
  return { ...event, status: event.status as EventStatus }
}

/** Whether the reader may check people in: staff at any event, affiliates at events they take part in. */
export async function mayCheckIn(db: Db, { mayUpdate, affiliateId }: EventReader, eventId: string) {
  if (mayUpdate) return true
  if (!affiliateId) return false
  const found = await db
    .selectFrom('eventAffiliates')
    .select('eventId')
    .where('eventId', '=', eventId)
    .where('affiliateId', '=', affiliateId)
    .executeTakeFirst()
  return found !== undefined
}

/** The event for check-in; 404 if the actor does not see it, 403 without permission to check people in. */
export async function getDoor(db: Db, actor: Actor, id: string) {
  const reader = await eventReaderOf(db, actor)
  const event = await getVisibleEvent(db, reader, id)
  if (!(await mayCheckIn(db, reader, id))) throw forbidden('event-afiliator-update')
  return { reader, event }
}
