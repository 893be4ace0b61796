import { sql } from 'kysely'
import type { LeadStage } from '#domain/leads/leads.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { addNote } from './change-lead.ts'

const sorted = (id: string, otherId: string) => [id, otherId].sort() as [string, string]

/**
 * When leads merge, the later stage in this list wins: one refusal counts for the person, and a person reached once is
 * not unreachable.
 */
const byWeight: readonly LeadStage[] = ['unreachable', 'new', 'contacted', 'interested', 'registered', 'not_interested']

/**
 * Takes over origins, notes and keys of another lead and fills gaps from it. The other row stays and points to this
 * one, so that events and surveys still find the person. Repeating it, or doing it from both sides at once, changes
 * nothing more.
 */
export const merge = ({ db, clock }: Services, actor: Actor, id: string, otherId: string) =>
  db.transaction().execute(async (tx) => {
    if (id === otherId) throw invalid({ otherId: 'invalid_input' })
    const now = clock.now()
    const leads = await tx
      .selectFrom('leads')
      .selectAll()
      .where('id', 'in', [id, otherId])
      .orderBy('id')
      .forUpdate()
      .execute()
    const lead = leads.find((row) => row.id === id)
    const other = leads.find((row) => row.id === otherId)
    if (!lead || !other) throw notFound('lead')
    if (other.mergedInto === id) return { id }
    if (lead.mergedInto === otherId) return { id: otherId }
    if (lead.mergedInto || other.mergedInto) throw conflict('lead_merged')

    await tx
      .updateTable('leadOrigins')
      .set((eb) => ({ leadId: id, mergedFrom: eb.fn.coalesce('mergedFrom', eb.val(otherId)) }))
      .where('leadId', '=', otherId)
      .execute()
    await tx.updateTable('leadNotes').set({ leadId: id }).where('leadId', '=', otherId).execute()
    await tx.updateTable('leadKeys').set({ leadId: id }).where('leadId', '=', otherId).execute()
    await tx.updateTable('leads').set({ mergedInto: id }).where('mergedInto', '=', otherId).execute()
    // Keep the link already sent to the person working.
    const link = lead.linkId ? lead : other
    const stage = byWeight.indexOf(other.stage) > byWeight.indexOf(lead.stage) ? other.stage : lead.stage
    const isLinked = stage !== 'not_interested'
    const isCalled = stage === 'new' || stage === 'contacted' || stage === 'interested'
    await tx
      .updateTable('leads')
      .set({
        mergedInto: id,
        linkId: null,
        linkExpiresAt: null,
        accountId: null,
        nextContactOn: null,
        version: other.version + 1,
        updatedAt: now,
      })
      .where('id', '=', otherId)
      .execute()
    await tx
      .updateTable('leads')
      .set({
        phone: lead.phone ?? other.phone,
        email: lead.email ?? other.email,
        birthDate: lead.birthDate ?? other.birthDate,
        schoolId: lead.schoolId ?? other.schoolId,
        schoolName: lead.schoolId || other.schoolId ? null : (lead.schoolName ?? other.schoolName),
        major: lead.major ?? other.major,
        programmeId: lead.programmeId ?? other.programmeId,
        wish: lead.wish ?? other.wish,
        ownerId: lead.ownerId ?? other.ownerId,
        accountId: lead.accountId ?? other.accountId,
        linkId: isLinked ? link.linkId : null,
        linkExpiresAt: isLinked ? link.linkExpiresAt : null,
        linkMisses: link.linkMisses,
        stage,
        nextContactOn: isCalled ? (lead.nextContactOn ?? other.nextContactOn) : null,
        createdAt: sql<Date>`least(created_at, ${other.createdAt})`,
        touchedAt: now,
        updatedAt: now,
        version: lead.version + 1,
      })
      .where('id', '=', id)
      .execute()
    await tx
      .deleteFrom('leadPairs')
      .where((eb) => eb.or([eb('leadId', '=', otherId), eb('otherId', '=', otherId)]))
      .execute()
    await addNote(tx, id, actor, { kind: 'merge' }, now)
    await recordAudit(tx, actor, { action: 'lead.merge', on: { lead: id }, after: { merged: otherId } })
    return { id }
  })

/** Records that two leads are different people, so that they are not suggested again. */
export const apart = ({ db, clock }: Services, actor: Actor, id: string, otherId: string) =>
  db.transaction().execute(async (tx) => {
    if (id === otherId) throw invalid({ otherId: 'invalid_input' })
    const [leadId, second] = sorted(id, otherId)
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM leads WHERE id IN (${id}, ${otherId}) AND merged_into IS NULL`.execute(tx)
    if (theOnly(rows).count < 2) throw notFound('lead')
    const verdict = { state: 'different', byId: actor.accountId, at: clock.now() } as const
    await tx
      .insertInto('leadPairs')
      .values({ leadId, otherId: second, ...verdict })
      .onConflict((pair) => pair.columns(['leadId', 'otherId']).doUpdateSet(verdict))
      .execute()
    await recordAudit(tx, actor, { action: 'lead.keepApart', on: { lead: id }, after: { other: otherId } })
    return { id }
  })
