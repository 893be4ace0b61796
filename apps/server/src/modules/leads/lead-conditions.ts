import { type RawBuilder, sql } from 'kysely'
import { endingDays, type LeadCheck, type LeadQueue } from '#domain/leads/leads.ts'

/**
 * Leads `l` and `o` that may be one person: same e-mail; same name without a different school or birth date; or
 * suspected.
 */
export const isDuplicate = sql<boolean>`o.id <> l.id AND o.merged_into IS NULL
  AND (o.email = l.email OR (o.name_key = l.name_key AND coalesce(o.birth_date = l.birth_date, true)
      AND coalesce(o.school_id = l.school_id, true))
    OR EXISTS (SELECT FROM lead_pairs p WHERE p.state = 'suspected'
      AND p.lead_id = least(l.id, o.id) AND p.other_id = greatest(l.id, o.id)))
  AND NOT EXISTS (SELECT FROM lead_pairs p WHERE p.state = 'different'
    AND p.lead_id = least(l.id, o.id) AND p.other_id = greatest(l.id, o.id))`

/** One index lookup per kind of duplicate. A single OR would scan all leads for each lead. */
export const hasDuplicate = sql<boolean>`(EXISTS (SELECT FROM leads o WHERE o.email = l.email AND ${isDuplicate})
  OR EXISTS (SELECT FROM leads o WHERE o.name_key = l.name_key AND ${isDuplicate})
  OR EXISTS (SELECT FROM lead_pairs q JOIN leads o ON o.id = q.other_id WHERE q.lead_id = l.id AND q.state = 'suspected' AND ${isDuplicate})
  OR EXISTS (SELECT FROM lead_pairs q JOIN leads o ON o.id = q.lead_id WHERE q.other_id = l.id AND q.state = 'suspected' AND ${isDuplicate}))`

/** An applicant's account has the phone of lead `l`. Not proof: anybody can type any phone when opening an account. */
export const hasAccountOfPhone = sql<boolean>`EXISTS (SELECT FROM accounts a JOIN roles r ON r.id = a.role_id AND r.name = 'Mahasiswa'
  WHERE a.phone = l.phone)`
/** An applicant profile has the name and birth date of lead `l`. */
export const hasProfileOfPerson = sql<boolean>`EXISTS (SELECT FROM applicants a WHERE a.birth_date = l.birth_date
  AND lower(a.full_name) = lower(l.name))`
export const maybeApplicant = sql<boolean>`(l.account_id IS NOT NULL OR ${hasAccountOfPhone} OR ${hasProfileOfPerson})`

/** Leads `l` that are due to be called. */
export const isDue = (today: string) => sql<boolean>`l.stage IN ('new', 'contacted', 'interested')
  AND (l.next_contact_on <= ${today}::date OR (l.next_contact_on IS NULL AND l.stage = 'new' AND l.owner_id IS NOT NULL))`

export function queueCondition(queue: LeadQueue, accountId: string, today: string): RawBuilder<boolean> {
  switch (queue) {
    case 'my-calls':
      return sql<boolean>`l.owner_id = ${accountId}::uuid AND ${isDue(today)}`
    case 'calls':
      return isDue(today)
    case 'unowned':
      return sql<boolean>`l.owner_id IS NULL AND l.stage IN ('new', 'contacted', 'interested')`
  }
}

export type CheckTime = { today: string; now: Date; keepMonths: number }

export function checkCondition(check: LeadCheck, { today, now, keepMonths }: CheckTime): RawBuilder<boolean> {
  switch (check) {
    case 'overdue':
      return sql<boolean>`${isDue(today)} AND l.next_contact_on < ${today}::date`
    case 'duplicates':
      return hasDuplicate
    case 'applicants':
      return maybeApplicant
    case 'ending':
      return sql<boolean>`l.touched_at < ${now}::timestamptz - make_interval(months => ${keepMonths})
        + make_interval(days => ${endingDays})`
  }
}
