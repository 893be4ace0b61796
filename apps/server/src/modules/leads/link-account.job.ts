import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { addNote } from './change-lead.ts'
import { linkIdOf } from './lead-link.ts'

/**
 * Links the account that signed up by a lead's link, if it has the lead's phone or e-mail. The link may have been
 * forwarded, and another person must not get the lead's data; in that case only a note tells staff about the sign-up.
 */
export const linkLeadAccountJob = defineJob({
  name: 'link-lead-account',
  on: 'account.opened-by-lead',
  data: z.object({ accountId: z.uuid(), token: z.string().max(80) }),
  async run(services, { accountId, token }) {
    const now = services.clock.now()
    const linkId = linkIdOf(services, token)
    await services.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string; own: boolean; linked: boolean }>`
        SELECT l.id, l.account_id IS NOT NULL AS linked, coalesce(l.email = a.email_lower, false)
          OR EXISTS (SELECT FROM lead_keys k WHERE k.lead_id = l.id AND k.key = 'phone ' || a.phone) AS own
        FROM leads l CROSS JOIN accounts a
        WHERE l.link_id = ${linkId}::uuid AND l.link_expires_at > ${now} AND l.merged_into IS NULL AND a.id = ${accountId}
        FOR UPDATE OF l`.execute(tx)
      const [lead] = rows
      if (!lead || lead.linked) return
      if (lead.own)
        await sql`UPDATE leads SET account_id = ${accountId}, touched_at = ${now}, updated_at = ${now}, version = version + 1
          WHERE id = ${lead.id}`.execute(tx)
      // Preselects the programme the person named in the first registration.
      if (lead.own)
        await sql`INSERT INTO study_intents (account_id, programme_ids, updated_at)
          SELECT ${accountId}, ARRAY[p.id], ${now} FROM leads l JOIN study_programmes p ON p.id = l.programme_id AND p.active
          WHERE l.id = ${lead.id} ON CONFLICT DO NOTHING`.execute(tx)
      await addNote(tx, lead.id, null, { kind: 'account', text: lead.own ? 'linked' : 'other' }, now)
    })
  },
})
