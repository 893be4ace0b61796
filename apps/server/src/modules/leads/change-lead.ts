import { sql } from 'kysely'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import type { LeadDetails } from '#domain/leads/endpoints.ts'
import {
  type CallResult,
  callEffects,
  isOpen,
  type LeadAction,
  type LeadStage,
  type StaffLeadAction,
  transitionOf,
} from '#domain/leads/leads.ts'
import { theOnly } from '#domain/must.ts'
import { parsePhone } from '#entities/define/phone.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { giveLink } from './lead-link.ts'
import { findOwners } from './lead-owners.ts'
import { lockLead } from './lock-lead.ts'
import { nameKeyOf } from './person-key.ts'
import { giveKeys, leadKeysOf, recordLead, suspectOwnersOf } from './record-lead.ts'

// Audit log entries outlive a lead, so they contain fields, stages and ids, never personal data.

/** 422 if the school or study programme does not exist. */
async function refuseUnknown(tx: Tx, { schoolId, programmeId }: Pick<LeadDetails, 'schoolId' | 'programmeId'>) {
  const { rows } = await sql<{ school: boolean; programme: boolean }>`
    SELECT ${schoolId}::uuid IS NULL OR EXISTS (SELECT FROM schools WHERE id = ${schoolId}) AS school,
      ${programmeId}::uuid IS NULL OR EXISTS (SELECT FROM study_programmes WHERE id = ${programmeId}) AS programme`.execute(
    tx,
  )
  const { school, programme } = theOnly(rows)
  if (!school || !programme)
    throw invalid({ ...(!school && { schoolId: 'not_found' }), ...(!programme && { programmeId: 'not_found' }) })
}

const orNull = (text: string | null) => text?.trim() || null

type NewLead = LeadDetails & { consentHow: string; consentOn: string }

/** Adds a person whose consent staff recorded. */
export const addByHand = ({ db, clock }: Services, actor: Actor, lead: NewLead, language: 'id' | 'en') =>
  db.transaction().execute(async (tx) => {
    await refuseUnknown(tx, lead)
    const now = clock.now()
    const at = universityCalendar().startOfDay(lead.consentOn)
    if (at > now) throw invalid({ consentOn: 'in_the_future' })
    const { leadId: id, isNew } = await recordLead(tx, {
      ...lead,
      phone: lead.phone ? parsePhone(lead.phone) : null,
      email: orNull(lead.email),
      origin: { kind: 'staff', recordedBy: actor.accountId },
      consent: { text: lead.consentHow, language, at },
      now,
    })
    await recordAudit(tx, actor, { action: 'lead.add', on: { lead: id }, after: { isNew } })
    return { id, isNew }
  })

export const changeDetails = (
  { db, clock }: Services,
  actor: Actor,
  id: string,
  body: LeadDetails & { version: number },
) =>
  db.transaction().execute(async (tx) => {
    const before = await lockLead(tx, id)
    if (before.version !== body.version) throw conflict('stale_version')
    await refuseUnknown(tx, body)
    const now = clock.now()
    const after = {
      name: body.name.replace(/\s+/g, ' '),
      phone: body.phone ? parsePhone(body.phone) : null,
      email: orNull(body.email),
      birthDate: body.birthDate,
      schoolId: body.schoolId,
      schoolName: body.schoolId ? null : orNull(body.schoolName),
      major: orNull(body.major),
      programmeId: body.programmeId,
      wish: orNull(body.wish),
    }
    const changed = (Object.keys(after) as (keyof typeof after)[]).filter((key) => after[key] !== before[key])
    if (changed.length === 0) return { id }
    await tx
      .updateTable('leads')
      .set({ ...after, nameKey: nameKeyOf(after.name), updatedAt: now, touchedAt: now, version: before.version + 1 })
      .where('id', '=', id)
      .execute()
    const keys = leadKeysOf(after)
    const oldKeys = leadKeysOf(before).filter((key) => !keys.includes(key))
    await tx
      .deleteFrom('leadKeys')
      .where('leadId', '=', id)
      .where('key', 'in', [...oldKeys, ''])
      .execute()
    await giveKeys(tx, id, keys)
    await suspectOwnersOf(tx, id, keys, now)
    await addNote(tx, id, actor, { kind: 'details' }, now)
    await recordAudit(tx, actor, { action: 'lead.change', on: { lead: id }, after: { fields: changed } })
    return { id }
  })

type Note = {
  kind: 'note' | 'call' | 'stage' | 'owner' | 'details' | 'merge' | 'link' | 'account'
  text?: string | null
  result?: CallResult
  stage?: LeadStage
  day?: string | null
  ownerId?: string | null
}

export const addNote = (tx: Tx, leadId: string, actor: Pick<Actor, 'accountId'> | null, note: Note, at: Date) =>
  tx
    .insertInto('leadNotes')
    .values({ leadId, byId: actor?.accountId ?? null, at, ...note })
    .execute()

export const writeNote = ({ db, clock }: Services, actor: Actor, id: string, text: string) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    await lockLead(tx, id)
    await addNote(tx, id, actor, { kind: 'note', text }, now)
    await touch(tx, id, now)
    return { id }
  })

const touch = (tx: Tx, id: string, now: Date) =>
  tx.updateTable('leads').set({ touchedAt: now, updatedAt: now }).where('id', '=', id).execute()

/**
 * Changes the stage by a transition of the table; a finished lead loses its next contact. 409 if the stage does not
 * allow the action.
 */
export async function moveLead(tx: Tx, lead: { id: string; stage: LeadStage }, action: LeadAction, now: Date) {
  const { from, to } = transitionOf(action)
  if (!from.includes(lead.stage)) throw conflict('wrong_status')
  await tx
    .updateTable('leads')
    .set((eb) => ({
      stage: to,
      ...(!isOpen(to) && { nextContactOn: null }),
      // An old link must not ask a person who declined to register.
      ...(to === 'not_interested' && { linkId: null, linkExpiresAt: null }),
      touchedAt: now,
      updatedAt: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', lead.id)
    .execute()
  return to
}

type Move = { action: StaffLeadAction; reason: string | null }

export const changeStage = ({ db, clock }: Services, actor: Actor, id: string, { action, reason }: Move) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const lead = await lockLead(tx, id)
    const stage = await moveLead(tx, lead, action, now)
    await addNote(tx, id, actor, { kind: 'stage', stage, text: reason || null }, now)
    await recordAudit(tx, actor, {
      action: `lead.${action}`,
      on: { lead: id },
      before: { stage: lead.stage },
      after: { stage },
    })
    return { id }
  })

type Call = { result: CallResult; nextContactOn: string | null; text: string | null }

/** Records a call; its result decides stage, next contact and link. */
export const recordCall = ({ db, clock }: Services, actor: Actor, id: string, { result, nextContactOn, text }: Call) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const lead = await lockLead(tx, id)
    if (!isOpen(lead.stage)) throw conflict('wrong_status')
    const { action, againInDays } = callEffects[result]
    const today = universityCalendar().dayOf(now)
    if (nextContactOn && nextContactOn < today) throw invalid({ nextContactOn: 'document_date_past' })
    const stage =
      action && transitionOf(action).from.includes(lead.stage) ? await moveLead(tx, lead, action, now) : lead.stage
    const day = isOpen(stage) ? (nextContactOn ?? (againInDays === null ? null : shiftDay(today, againInDays))) : null
    await tx
      .updateTable('leads')
      .set({ nextContactOn: day, ownerId: lead.ownerId ?? actor.accountId, touchedAt: now, updatedAt: now })
      .where('id', '=', id)
      .execute()
    if (result === 'wants_link' && !(lead.linkExpiresAt && lead.linkExpiresAt > now)) await giveLink(tx, id, now)
    await addNote(tx, id, actor, { kind: 'call', result, day, text: text || null }, now)
    if (stage !== lead.stage) await addNote(tx, id, actor, { kind: 'stage', stage }, now)
    await recordAudit(tx, actor, { action: 'lead.call', on: { lead: id }, after: { result, stage } })
    return { id }
  })

type Plan = { ownerId: string | null; nextContactOn: string | null }

export const planContact = ({ db, clock }: Services, actor: Actor, id: string, { ownerId, nextContactOn }: Plan) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const lead = await lockLead(tx, id)
    if (ownerId && ownerId !== lead.ownerId && !(await findOwners(tx)).some((owner) => owner.id === ownerId))
      throw invalid({ ownerId: 'not_found' })
    if (nextContactOn && !isOpen(lead.stage)) throw conflict('wrong_status')
    if (ownerId === lead.ownerId && nextContactOn === lead.nextContactOn) return { id }
    await tx
      .updateTable('leads')
      .set({ ownerId, nextContactOn, touchedAt: now, updatedAt: now, version: lead.version + 1 })
      .where('id', '=', id)
      .execute()
    await addNote(tx, id, actor, { kind: 'owner', ownerId, day: nextContactOn }, now)
    await recordAudit(tx, actor, { action: 'lead.plan', on: { lead: id }, after: { ownerId, nextContactOn } })
    return { id }
  })

/**
 * Gives the reader the unowned lead that has waited longest. Skips rows locked by other callers, so no two get the same
 * lead.
 */
export const takeNext = ({ db, clock }: Services, actor: Actor) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const today = universityCalendar().dayOf(now)
    const { rows } = await sql<{ id: string }>`
      UPDATE leads SET owner_id = ${actor.accountId}, next_contact_on = coalesce(next_contact_on, ${today}::date),
        updated_at = ${now}, version = version + 1
      WHERE id = (SELECT id FROM leads
        WHERE owner_id IS NULL AND merged_into IS NULL AND stage IN ('new', 'contacted', 'interested')
          AND (next_contact_on IS NULL OR next_contact_on <= ${today})
        ORDER BY next_contact_on NULLS LAST, created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id`.execute(tx)
    const [lead] = rows
    if (!lead) return null
    await addNote(tx, lead.id, actor, { kind: 'owner', ownerId: actor.accountId, day: today }, now)
    await recordAudit(tx, actor, { action: 'lead.take', on: { lead: lead.id } })
    return lead
  })
