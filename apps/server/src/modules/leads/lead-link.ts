import { sql } from 'kysely'
import { askedDigits, firstNameOf, linkDays, mostMisses } from '#domain/leads/leads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { idOfSigned, sameText, signedId } from '#server/platform/signed-text.ts'
import { lockLead } from './lock-lead.ts'

type Signer = Pick<Services, 'config'>

const kind = 'lead-link'

/** Sign-up URL of a lead. */
export const linkAddress = (services: Signer, linkId: string) =>
  `${services.config.publicUrl}/sign-up?lead=${signedId(services, kind, linkId)}`

/** Link id in a genuine token; null for any other text. */
export const linkIdOf = (services: Signer, token: string) => idOfSigned(services, kind, token)

/** Gives the lead a new link, which invalidates the earlier one. */
export async function giveLink(tx: Tx, leadId: string, now: Date) {
  await sql`UPDATE leads SET link_id = gen_random_uuid(), link_misses = 0, version = version + 1, updated_at = ${now},
      link_expires_at = ${new Date(now.getTime() + linkDays * 86_400_000)} WHERE id = ${leadId}`.execute(tx)
}

export const renewLink = ({ db, clock }: Services, actor: Actor, id: string) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const lead = await lockLead(tx, id)
    if (lead.stage === 'not_interested') throw conflict('wrong_status')
    await giveLink(tx, id, now)
    await tx.insertInto('leadNotes').values({ leadId: id, kind: 'link', byId: actor.accountId, at: now }).execute()
    await recordAudit(tx, actor, { action: 'lead.link', on: { lead: id } })
    return { id }
  })

export const revokeLink = ({ db, clock }: Services, actor: Actor, id: string) =>
  db.transaction().execute(async (tx) => {
    const lead = await lockLead(tx, id)
    if (!lead.linkId) return { id }
    await tx
      .updateTable('leads')
      .set({ linkId: null, linkExpiresAt: null, updatedAt: clock.now(), version: lead.version + 1 })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'lead.revokeLink', on: { lead: id } })
    return { id }
  })

type Opened = { id: string; name: string; phone: string | null; email: string | null }

/**
 * First name behind a link; with the last digits of the phone, also the data that fills the sign-up form. Counts each
 * attempt before comparing, so parallel guesses cannot pass the limit.
 */
export async function openLink(services: Services, token: string, digits: string | undefined) {
  const { db, clock } = services
  const now = clock.now()
  const linkId = linkIdOf(services, token)
  const isGood = sql`link_id = ${linkId}::uuid AND link_expires_at > ${now} AND merged_into IS NULL
    AND link_misses < ${mostMisses}`
  const { rows } = await (digits
    ? sql<Opened>`UPDATE leads SET link_misses = link_misses + 1 WHERE ${isGood} AND phone IS NOT NULL
        RETURNING id, name, phone, email`
    : sql<Opened>`SELECT id, name, phone, email FROM leads WHERE ${isGood}`
  ).execute(db)
  const [lead] = rows
  if (!lead) throw conflict('lead_link_ended')
  if (digits) {
    if (!sameText(lead.phone!.slice(-askedDigits), digits)) throw invalid({ digits: 'lead_digits_wrong' })
    await sql`UPDATE leads SET link_misses = 0 WHERE id = ${lead.id}`.execute(db)
  }
  const { name, phone, email } = lead
  return {
    firstName: firstNameOf(name),
    hasPhone: phone !== null,
    ref: await affiliateOf(services, lead.id),
    known: digits ? { name, phone, email } : null,
  }
}

/** Code of the affiliate who brought the lead: first or last one, by the same setting as for link visits. */
async function affiliateOf({ db }: Services, leadId: string) {
  const { touchRule } = await getSettings(db)
  const { rows } = await sql<{ code: string }>`
    SELECT f.code FROM lead_origins o JOIN affiliates f ON f.id = o.affiliate_id AND f.active WHERE o.lead_id = ${leadId}
    ORDER BY CASE WHEN ${touchRule} = 'first' THEN o.consented_at END, o.consented_at DESC, o.id LIMIT 1`.execute(db)
  return rows[0]?.code ?? null
}
