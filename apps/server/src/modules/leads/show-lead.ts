import { sql } from 'kysely'
import type { FullLead } from '#domain/leads/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { contactsFor } from './contacts.ts'
import { hasAccountOfPhone, hasProfileOfPerson, isDuplicate } from './lead-conditions.ts'
import { linkAddress } from './lead-link.ts'

export async function showLead(services: Services, actor: Actor, id: string): Promise<FullLead> {
  const { db, clock } = services
  const now = clock.now()
  const { keepLeadsMonths } = await getSettings(db)
  const lead = await db
    .selectFrom('leads as l')
    .leftJoin('schools as s', 's.id', 'l.schoolId')
    .leftJoin('studyProgrammes as p', 'p.id', 'l.programmeId')
    .leftJoin('accounts as w', 'w.id', 'l.ownerId')
    .selectAll('l')
    .select(['s.name as school', 'p.name as programme', 'w.name as owner'])
    .select([hasAccountOfPhone.as('phoneKnown'), hasProfileOfPerson.as('personKnown')])
    .select(sql<Date>`l.touched_at + make_interval(months => ${keepLeadsMonths})`.as('endsAt'))
    .where('l.id', '=', id)
    .executeTakeFirst()
  if (!lead) throw notFound('lead')
  if (lead.mergedInto) throw conflict('lead_merged')
  const contacts = contactsFor(actor)
  const mayCall = actor.permissions.has('marketing-prospek-update')
  const [origins, notes, duplicates, account] = await Promise.all([
    originsOf(db, id),
    notesOf(db, id),
    duplicatesOf(db, id),
    lead.accountId ? accountOf(db, actor, lead.accountId) : null,
  ])
  return {
    id,
    name: lead.name,
    phone: contacts.phone(lead.phone),
    email: contacts.email(lead.email),
    birthDate: lead.birthDate,
    schoolId: lead.schoolId,
    schoolName: lead.schoolName,
    school: lead.school ?? lead.schoolName,
    major: lead.major,
    programmeId: lead.programmeId,
    programme: lead.programme,
    wish: lead.wish,
    stage: lead.stage,
    ownerId: lead.ownerId,
    owner: lead.owner,
    own: lead.ownerId === actor.accountId,
    nextContactOn: lead.nextContactOn,
    account,
    maybe: lead.accountId
      ? []
      : [...(lead.phoneKnown ? (['phone'] as const) : []), ...(lead.personKnown ? (['person'] as const) : [])],
    link:
      mayCall && lead.linkId && lead.linkExpiresAt && lead.linkExpiresAt > now
        ? { address: linkAddress(services, lead.linkId), expiresAt: lead.linkExpiresAt.toISOString() }
        : null,
    endsAt: lead.endsAt.toISOString(),
    version: lead.version,
    createdAt: lead.createdAt.toISOString(),
    origins: origins.map(({ given, ...origin }) => ({
      ...origin,
      consentedAt: origin.consentedAt.toISOString(),
      name: given.name,
      phone: contacts.phone(given.phone),
      email: contacts.email(given.email),
    })),
    notes: notes.map((note) => ({ ...note, at: note.at.toISOString() })),
    duplicates: duplicates.map((other) => ({
      ...other,
      phone: contacts.phone(other.phone),
      createdAt: other.createdAt.toISOString(),
    })),
  }
}

const originsOf = async (db: Db, id: string) => {
  const rows = await db
    .selectFrom('leadOrigins as o')
    .leftJoin('affiliates as f', 'f.id', 'o.affiliateId')
    .leftJoin('accounts as a', 'a.id', 'o.recordedBy')
    .select(['o.id', 'o.kind', 'o.eventId', 'f.name as affiliate', 'a.name as recordedBy', 'o.given', 'o.consentText'])
    .select(['o.consentedAt', sql<boolean>`o.merged_from IS NOT NULL`.as('merged')])
    .where('o.leadId', '=', id)
    .orderBy('o.consentedAt')
    .orderBy('o.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    given: row.given as { name: string; phone: string | null; email: string | null },
  }))
}

const notesOf = (db: Db, id: string) =>
  db
    .selectFrom('leadNotes as n')
    .leftJoin('accounts as a', 'a.id', 'n.byId')
    .leftJoin('accounts as w', 'w.id', 'n.ownerId')
    .select(['n.id', 'n.kind', 'n.at', 'a.name as by', 'n.text', 'n.result', 'n.stage', 'n.day', 'w.name as owner'])
    .where('n.leadId', '=', id)
    .orderBy('n.at', 'desc')
    .orderBy('n.id')
    .limit(500)
    .execute()

const duplicatesOf = (db: Db, id: string) =>
  db
    .selectFrom('leads as o')
    .innerJoin('leads as l', (join) => join.on('l.id', '=', id))
    .leftJoin('schools as s', 's.id', 'o.schoolId')
    .select(['o.id', 'o.name', 'o.phone', 'o.stage', 'o.createdAt'])
    .select(sql<string | null>`coalesce(s.name, o.school_name)`.as('school'))
    .where(isDuplicate)
    .orderBy('o.createdAt')
    .limit(10)
    .execute()

/** The account that signed up by the link; its registration only for readers who see it. */
async function accountOf(db: Db, actor: Actor, accountId: string) {
  const { rows } = await sql<{ name: string; registrationId: string | null; code: string | null }>`
    SELECT a.name, r.id AS registration_id, r.code FROM accounts a
    LEFT JOIN registrations r ON r.account_id = a.id AND ${actor.permissions.has('pendaftaran-view')} AND ${visibleTo(actor)}
    WHERE a.id = ${accountId} ORDER BY r.created_at DESC NULLS LAST LIMIT 1`.execute(db)
  return rows[0] ?? null
}

/** The account's own data as a lead. */
export async function showOwn(db: Db, accountId: string) {
  const lead = await db
    .selectFrom('leads as l')
    .leftJoin('schools as s', (join) => join.onRef('s.id', '=', 'l.schoolId').on('s.active', '=', true))
    .leftJoin('cities as c', 'c.id', 's.cityId')
    .select(['l.birthDate', 's.id', 's.name', 's.npsn', 's.verified', 's.schoolTypeId', 'c.name as city'])
    .where('l.accountId', '=', accountId)
    .where('l.mergedInto', 'is', null)
    .orderBy('l.createdAt')
    .limit(1)
    .executeTakeFirst()
  if (!lead) return null
  const { birthDate, id, name, npsn, verified, schoolTypeId, city } = lead
  if (!id) return { birthDate, school: null }
  return {
    birthDate,
    school: { id, name: name!, npsn: npsn!, verified: verified!, schoolTypeId: schoolTypeId!, city: city! },
  }
}
