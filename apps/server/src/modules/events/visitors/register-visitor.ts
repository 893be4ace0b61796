import { sql } from 'kysely'
import type { z } from 'zod'
import { registrationStateOf, type VisitorState } from '#domain/events/events.ts'
import type { registerVisitor as registerCall } from '#domain/events/public-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { newTicketCode } from '#server/modules/events/ticket-code.ts'
import { nameKeyOf } from '#server/modules/leads/person-key.ts'
import { recordLead } from '#server/modules/leads/record-lead.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { takePlace } from './places.ts'
import { tellTypedVisitor } from './tell-visitors.ts'

type Input = z.output<typeof registerCall.body>
type Registered = { code: string | null; state: VisitorState | null; sentAgain: boolean }

/** Pause before a ticket is sent again, so that a stranger typing a phone number causes few messages. */
const sendAgainPauseMs = 3_600_000

/**
 * Registers a visitor or puts them on the waiting list. A person the event already knows by name and phone gets the
 * ticket by message, to the address given first; the response reveals nothing beyond what was typed.
 */
export const registerVisitor = (services: Services, slug: string, input: Input): Promise<Registered> =>
  inTransaction(services, systemActor, async (context) => {
    const { tx, now } = context
    const event = await lockOpenEvent(tx, slug, input.sessionId, now)
    const phone = parsePhone(input.phone)
    if (!phone) throw invalid({ phone: 'phone_invalid' })
    const same = await tx
      .selectFrom('eventVisitors')
      .select(['eventId', 'code', 'state', 'phone', 'nameKey'])
      .where('id', '=', input.id)
      .executeTakeFirst()
    if (same) {
      // Staff and check-in helpers know ids too, so the ticket also requires the name and phone number.
      if (same.eventId !== event.id || same.phone !== phone || same.nameKey !== nameKeyOf(input.name))
        throw conflict('event_visitor_of_other')
      return { code: same.code, state: same.state as VisitorState, sentAgain: false }
    }
    const affiliateId = await findAffiliate(tx, input.ref)
    const added = await addVisitor(tx, {
      id: input.id,
      event,
      sessionId: input.sessionId,
      name: input.name,
      phone,
      email: input.email.toLowerCase() || null,
      school: input.school,
      grade: input.grade,
      wish: input.wish,
      language: input.language,
      consentText: await consentText(tx, input.language),
      affiliateId,
      now,
    })
    if (!added) {
      await sendAgain(context, event.id, phone, input.name)
      return { code: null, state: null, sentAgain: true }
    }
    const isPlaced = await takePlace(tx, input.sessionId)
    const state = isPlaced ? 'registered' : 'waiting'
    if (isPlaced) await tx.updateTable('eventVisitors').set({ state }).where('id', '=', input.id).execute()
    await tellTypedVisitor(context, isPlaced ? 'event-ticket' : 'event-waiting', input.id)
    return { code: added.code, state, sentAgain: false }
  })

/** The consent text a visitor agrees to, stored with the visitor. */
export const consentText = async (tx: Tx, language: Language) =>
  sentences(language)('events:public.consent', { university: (await getSettings(tx)).universityName })

/** The event of a slug while registration is open; its lock prevents a concurrent cancellation. */
async function lockOpenEvent(tx: Tx, slug: string, sessionId: string, now: Date) {
  const event = await tx
    .selectFrom('events')
    .select(['id', 'status', 'schoolId', 'registrationOpens', 'registrationCloses'])
    .where('slug', '=', slug.toLowerCase())
    .where('status', '<>', 'draft')
    .forShare()
    .executeTakeFirst()
  if (!event) throw notFound('event')
  const session = await tx
    .selectFrom('eventSessions')
    .select(['id', 'startsAt', 'endsAt'])
    .where('id', '=', sessionId)
    .where('eventId', '=', event.id)
    .executeTakeFirst()
  if (!session) throw invalid({ sessionId: 'not_found' })
  const state = registrationStateOf({ ...event, status: event.status, sessions: [session] }, now)
  if (state === 'not_yet') throw conflict('event_not_open_yet')
  if (state !== 'open') throw conflict('event_registration_closed')
  return event
}

/** Id of the active affiliate with this code; null if there is none. */
export const findAffiliate = async (tx: Tx, code: string | null) =>
  code
    ? ((await sql<{ id: string }>`SELECT id FROM affiliates WHERE active AND lower(code) = lower(${code})`.execute(tx))
        .rows[0]?.id ?? null)
    : null

type NewVisitor = {
  id: string
  event: { id: string; schoolId: string | null }
  sessionId: string
  name: string
  phone: string | null
  email: string | null
  school: string
  grade: Input['grade']
  wish: string
  language: Language
  /** Null if the visitor did not agree to be contacted. */
  consentText: string | null
  affiliateId: string | null
  now: Date
  walkIn?: boolean
}

/**
 * Adds a visitor waiting for a place, and a lead if they agreed; undefined if the event already has this person. At a
 * school visit, visitors who name no school get its school.
 */
export async function addVisitor(tx: Tx, visitor: NewVisitor) {
  const { id, event, now, affiliateId, language } = visitor
  const { name } = visitor
  const schoolId = visitor.school ? null : event.schoolId
  const added = await tx
    .insertInto('eventVisitors')
    .values({
      id,
      eventId: event.id,
      sessionId: visitor.sessionId,
      code: newTicketCode(),
      name,
      nameKey: nameKeyOf(name),
      phone: visitor.phone,
      email: visitor.email,
      schoolId,
      schoolName: visitor.school || null,
      grade: visitor.grade,
      wish: visitor.wish || null,
      language,
      consentText: visitor.consentText,
      consentedAt: visitor.consentText === null ? null : now,
      state: 'waiting',
      walkIn: visitor.walkIn ?? false,
      affiliateId,
      createdAt: now,
    })
    .onConflict((same) => same.doNothing())
    .returning(['id', 'code'])
    .executeTakeFirst()
  if (!added || visitor.consentText === null || !visitor.phone) return added
  const { leadId } = await recordLead(tx, {
    name,
    phone: visitor.phone,
    email: visitor.email,
    birthDate: null,
    schoolId,
    schoolName: visitor.school || null,
    major: null,
    programmeId: null,
    wish: visitor.wish || null,
    origin: { kind: 'event', eventId: event.id, affiliateId },
    consent: { text: visitor.consentText, language, at: now },
    now,
  })
  await tx.updateTable('eventVisitors').set({ leadId }).where('id', '=', id).execute()
  return added
}

async function sendAgain(context: Omit<Context, 'actor'>, eventId: string, phone: string, name: string) {
  const { tx, now } = context
  const { rows } = await sql<{ id: string; state: VisitorState }>`
    UPDATE event_visitors SET sent_again_at = ${now}
    WHERE event_id = ${eventId} AND phone = ${phone} AND name_key = ${nameKeyOf(name)} AND state <> 'cancelled'
      AND (sent_again_at IS NULL OR sent_again_at <= ${new Date(now.getTime() - sendAgainPauseMs)})
    RETURNING id, state`.execute(tx)
  for (const { id, state } of rows)
    await tellTypedVisitor(context, state === 'waiting' ? 'event-waiting' : 'event-ticket', id)
}
