import { sql } from 'kysely'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { goesOn, joinsOfRegistration, ofRegistration, withStored } from './of-registration.ts'

/**
 * Joins the required files `x` of registrations `r`, and driving licences of people who drive. A licence belongs to an
 * account and counts for each of its registrations. Files are looked up per registration, so that PostgreSQL reads those
 * of one year only.
 */
const files = sql`
  LEFT JOIN (SELECT g.id AS registration_id, CASE WHEN l.file_id IS NULL THEN 'empty' ELSE l.status END AS status,
      CASE WHEN l.file_id IS NOT NULL THEN l.updated_at END AS uploaded_at, l.reviewed_at, l.reviewed_by, l.class, l.expires_on
    FROM driving_licences l JOIN registrations g ON g.account_id = l.account_id WHERE l.drives) k ON k.registration_id = r.id
  CROSS JOIN LATERAL (
    SELECT d.registration_id, 'document' AS kind, d.name, d.status, d.uploaded_at, d.reviewed_at, d.reviewed_by,
      NULL::text AS class, NULL::date AS expires_on
    FROM documents d WHERE d.registration_id = r.id AND d.required
    UNION ALL
    SELECT k.registration_id, 'licence', NULL, k.status, k.uploaded_at, k.reviewed_at, k.reviewed_by, k.class, k.expires_on
    WHERE k.registration_id IS NOT NULL) x`

type FileState = 'missing' | 'to_review' | 'approved' | 'rejected' | 'deferred' | 'waived' | 'expired'

/** The earlier time: a review also updates the licence, so the later time may not be an upload. */
const arrivedAt = sql`least(x.uploaded_at, x.reviewed_at)`
const state = sql`CASE WHEN x.expires_on < (moment.at AT TIME ZONE moment.zone)::date THEN 'expired'
  WHEN x.reviewed_at > moment.at AND ${arrivedAt} <= moment.at THEN 'to_review'
  WHEN x.reviewed_at > moment.at OR ${arrivedAt} > moment.at OR x.status = 'empty' THEN 'missing'
  WHEN x.status = 'uploaded' THEN 'to_review' ELSE x.status END`

/** One row per required file of a registration and per driving licence of its applicant. */
const fileFacts: Facts = {
  ...ofRegistration,
  ...withStored((registrations) => sql`${registrations} r ${files} ${joinsOfRegistration}`),
  only: goesOn,
  groups: {
    ...ofRegistration.groups,
    fileKind: { key: sql`x.kind`, label: sql`NULL::text`, words: 'fileKind' },
    fileState: { key: state, label: sql`NULL::text`, words: 'fileState' },
    licenceClass: { key: sql`x.class`, label: sql`x.class` },
  },
  id: sql`x.registration_id, x.kind, x.name`,
  order: sql`r.search_text, x.kind, x.name`,
  columns: {
    ...ofRegistration.columns,
    fileKind: { value: sql`x.kind`, kind: 'text', words: 'fileKind' },
    file: { value: sql`x.name`, kind: 'text' },
    licenceClass: { value: sql`x.class`, kind: 'text' },
    expiresOn: { value: sql`x.expires_on::text`, kind: 'date' },
    fileState: { value: state, kind: 'text', words: 'fileState' },
    since: { value: sql`coalesce(x.reviewed_at, x.uploaded_at, r.submitted_at)`, kind: 'dateTime' },
    reviewer: { value: sql`(SELECT a.name FROM accounts a WHERE a.id = x.reviewed_by)`, kind: 'text' },
  },
}

/** Files of submitted registrations that have not ended: all, or those in one of the states. */
export const requiredFiles = (...states: FileState[]): Measure => ({
  facts: fileFacts,
  ...(states.length > 0 && { where: sql<boolean>`${state} = ANY(${states}::text[])` }),
})
