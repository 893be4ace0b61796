import { sql } from 'kysely'
import { isEmail } from '#domain/accounts/fields.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { cleanLine } from '#entities/define/typed-text.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { nameKeyOf } from './person-key.ts'

/** A person's data as received from event forms, surveys and staff. */
export type GivenLead = {
  name: string
  /** E.164 */
  phone: string | null
  email: string | null
  /** YYYY-MM-DD */
  birthDate: string | null
  schoolId: string | null
  schoolName: string | null
  major: string | null
  programmeId: string | null
  wish: string | null
}

export type LeadOrigin = (
  | { kind: 'event'; eventId: string }
  | { kind: 'survey' | 'staff' | 'file' | 'chat'; eventId?: string }
) & {
  surveyResponseId?: string
  affiliateId?: string | null
  /** Staff account that recorded it. */
  recordedBy?: string
}

export type RecordedLead = GivenLead & {
  origin: LeadOrigin
  consent: { text: string; language: 'id' | 'en'; at: Date }
  now: Date
}

/** Never cuts inside a surrogate pair, which PostgreSQL cannot store. */
const cut = (text: string, max: number) =>
  text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()

const short = (text: string | null, max: number) => (text && cut(cleanLine(text), max)) || null

type Identity = Pick<GivenLead, 'name' | 'phone' | 'birthDate'>

const tidyIdentity = ({ name, phone, birthDate }: Identity) => ({
  name: short(name, 120) ?? '?',
  phone: phone && parsePhone(phone),
  birthDate,
})

/** Normalises whitespace, cuts texts to their columns and stores the phone in the format of accounts. */
function tidy(lead: RecordedLead) {
  const email = lead.email && cleanLine(lead.email).toLowerCase()
  return {
    ...tidyIdentity(lead),
    email: email && isEmail(email) ? email : null,
    schoolId: lead.schoolId,
    schoolName: lead.schoolId ? null : short(lead.schoolName, 150),
    major: short(lead.major, 120),
    programmeId: lead.programmeId,
    wish: (lead.wish && cut(lead.wish.trim(), 1000)) || null,
  }
}

/** Keys by which a lead is found again, strongest first. A name without letters gives no key. */
export function leadKeysOf({ name, phone, birthDate }: Identity) {
  const nameKey = nameKeyOf(name)
  return [...(phone ? [`phone ${phone}`] : []), ...(birthDate && nameKey ? [`person ${nameKey} ${birthDate}`] : [])]
}

/**
 * Makes other requests that record these people wait until the transaction ends. A transaction that records several
 * leads calls it once for all of them before the first, because the sorted order avoids deadlocks.
 */
export const lockLeadKeys = (trx: Tx, people: readonly Identity[]) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('lead ' || key, 0))
    FROM (SELECT DISTINCT key FROM unnest(${people.flatMap((person) => leadKeysOf(tidyIdentity(person)))}::text[]) key
      ORDER BY key) sorted`.execute(trx)

/** Locks the lead that has one of the keys. Follows merges, and notices a deletion committed meanwhile. */
async function lockLeadOf(trx: Tx, keys: string[]): Promise<string | null> {
  for (const key of keys)
    for (;;) {
      const { rows } = await sql<{ id: string; mergedInto: string | null }>`
        SELECT l.id, l.merged_into FROM lead_keys k JOIN leads l ON l.id = k.lead_id
        WHERE k.key = ${key} FOR UPDATE OF l`.execute(trx)
      if (!rows[0]) break
      if (!rows[0].mergedInto) return rows[0].id
    }
  return null
}

/** Gives the lead those keys that no lead has yet. */
export const giveKeys = (trx: Tx, leadId: string, keys: string[]) =>
  sql`INSERT INTO lead_keys (key, lead_id) SELECT key, ${leadId} FROM unnest(${keys}::text[]) key
    ON CONFLICT DO NOTHING`.execute(trx)

/** Marks leads that have any of these keys as possible duplicates of this one, unless staff decided otherwise. */
export const suspectOwnersOf = (trx: Tx, leadId: string, keys: string[], now: Date) =>
  sql`INSERT INTO lead_pairs (lead_id, other_id, at, state)
    SELECT DISTINCT least(k.lead_id, ${leadId}::uuid), greatest(k.lead_id, ${leadId}::uuid), ${now}::timestamptz, 'suspected'
    FROM lead_keys k WHERE k.key = ANY(${keys}::text[]) AND k.lead_id <> ${leadId}
    ON CONFLICT DO NOTHING`.execute(trx)

/** Whether this visit, answer or file row was already recorded for the lead. */
async function isRecorded(trx: Tx, leadId: string, { origin, consent }: RecordedLead) {
  if (origin.kind === 'staff') return false
  let query = trx.selectFrom('leadOrigins').select('id').where('leadId', '=', leadId).where('kind', '=', origin.kind)
  query =
    origin.kind === 'event'
      ? query.where('eventId', '=', origin.eventId)
      : query.where('consentText', '=', consent.text).where('consentedAt', '=', consent.at)
  return (await query.executeTakeFirst()) !== undefined
}

/**
 * Records a consent to be contacted. Merges into the lead with the same phone, or the same name and birth date:
 * existing data stays, gaps are filled. Repeating the same visit or answer changes nothing.
 */
export async function recordLead(trx: Tx, lead: RecordedLead): Promise<{ leadId: string; isNew: boolean }> {
  const { origin, consent, now } = lead
  if (origin.surveyResponseId) {
    const known = await trx
      .selectFrom('leadOrigins')
      .select('leadId')
      .where('surveyResponseId', '=', origin.surveyResponseId)
      .executeTakeFirst()
    if (known) return { leadId: known.leadId, isNew: false }
  }
  const answers = tidy(lead)
  const keys = leadKeysOf(answers)
  await lockLeadKeys(trx, [lead])
  const found = await lockLeadOf(trx, keys)
  const leadId = found ?? (await addLead(trx, answers, now))
  await giveKeys(trx, leadId, keys)
  await suspectOwnersOf(trx, leadId, keys, now)
  if (found && (await isRecorded(trx, leadId, lead))) return { leadId, isNew: false }

  const { rows } = await sql`
    INSERT INTO lead_origins (lead_id, kind, event_id, survey_response_id, affiliate_id, recorded_by, given,
      consent_text, consent_language, consented_at, recorded_at)
    VALUES (${leadId}, ${origin.kind}, ${origin.eventId ?? null}, ${origin.surveyResponseId ?? null},
      ${origin.affiliateId ?? null}, ${origin.recordedBy ?? null}, ${JSON.stringify(answers)}::jsonb,
      ${consent.text}, ${consent.language}, ${consent.at}, ${now})
    ON CONFLICT DO NOTHING RETURNING id`.execute(trx)
  if (found && rows.length > 0) await fillGaps(trx, leadId, answers, lead)
  return { leadId, isNew: !found }
}

/** Adds a phone to a lead. If another lead has it, both are suspected to be one person. */
export async function learnPhone(trx: Tx, leadId: string, number: string, now: Date) {
  const phone = parsePhone(number)
  if (!phone) return
  await sql`UPDATE leads SET phone = ${phone}, updated_at = ${now}, version = version + 1
    WHERE id = ${leadId} AND phone IS NULL AND merged_into IS NULL`.execute(trx)
  const keys = leadKeysOf({ name: '', phone, birthDate: null })
  await giveKeys(trx, leadId, keys)
  await suspectOwnersOf(trx, leadId, keys, now)
}

async function addLead(trx: Tx, answers: ReturnType<typeof tidy>, now: Date) {
  const { id } = await trx
    .insertInto('leads')
    .values({ ...answers, nameKey: nameKeyOf(answers.name), touchedAt: now, createdAt: now, updatedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * A declined or unreachable person who agrees again becomes new; an import or a colleague cannot undo a refusal.
 * Neither can a consent older than the refusal, which may have waited on an offline phone.
 */
async function fillGaps(
  trx: Tx,
  leadId: string,
  answers: ReturnType<typeof tidy>,
  { origin, consent, now }: RecordedLead,
) {
  const reopens = origin.kind === 'event' || origin.kind === 'survey'
  const { rows } = await sql<{ reopened: boolean }>`
    WITH before AS (SELECT id, stage IN ('not_interested', 'unreachable') AND ${reopens} AND ${consent.at} > coalesce(
        (SELECT max(n.at) FROM lead_notes n WHERE n.lead_id = leads.id AND n.kind IN ('stage', 'call')), created_at)
        AS reopened FROM leads WHERE id = ${leadId})
    UPDATE leads SET
      phone = coalesce(phone, ${answers.phone}), email = coalesce(email, ${answers.email}),
      birth_date = coalesce(birth_date, ${answers.birthDate}::date),
      school_id = coalesce(school_id, ${answers.schoolId}::uuid),
      school_name = CASE WHEN coalesce(school_id, ${answers.schoolId}::uuid) IS NULL
        THEN coalesce(school_name, ${answers.schoolName}) END,
      major = coalesce(major, ${answers.major}), programme_id = coalesce(programme_id, ${answers.programmeId}::uuid),
      wish = coalesce(wish, ${answers.wish}),
      stage = CASE WHEN before.reopened THEN 'new' ELSE stage END,
      touched_at = greatest(touched_at, ${now}), updated_at = ${now}, version = version + 1
    FROM before WHERE leads.id = before.id RETURNING before.reopened`.execute(trx)
  if (rows[0]?.reopened)
    await trx.insertInto('leadNotes').values({ leadId, kind: 'stage', stage: 'new', at: now }).execute()
}
