import { sql } from 'kysely'
import { rejectReasons } from '#domain/documents/reject-reasons.ts'
import { type Facts, type Measure, timeGroups } from '#server/modules/reports/report.ts'
import { goesOn, joinsOfRegistration, ofRegistration, withStored } from './of-registration.ts'

type DocumentState = 'missing' | 'to_review' | 'approved' | 'rejected' | 'deferred' | 'waived'

/** State at the moment, from the times of the last upload and the last review. */
const state = sql`CASE WHEN d.reviewed_at > moment.at AND d.uploaded_at <= moment.at THEN 'to_review'
  WHEN d.reviewed_at > moment.at OR d.uploaded_at > moment.at OR d.status = 'empty' THEN 'missing'
  WHEN d.status = 'uploaded' THEN 'to_review' ELSE d.status END`

const daysWaiting = sql`extract(epoch FROM moment.at - d.uploaded_at) / 86400`
/** A predefined reason of reviewers; `other` for any text of their own. */
const reason = sql`CASE WHEN ${state} = 'rejected'
  THEN CASE WHEN d.reject_reason = ANY(${[...rejectReasons]}::text[]) THEN d.reject_reason ELSE 'other' END END`

const file = { key: sql`d.name COLLATE "C"`, label: sql<string>`d.name COLLATE "C"` }

/** One row per file that a registration needs, and per optional file that was uploaded. */
const documentFacts: Facts = {
  ...ofRegistration,
  ...withStored(
    (registrations) => sql`documents d JOIN ${registrations} r ON r.id = d.registration_id ${joinsOfRegistration}`,
  ),
  only: sql<boolean>`((d.required OR d.status <> 'empty') AND ${goesOn})`,
  groups: {
    ...ofRegistration.groups,
    file,
    documentState: { key: state, label: sql`NULL::text`, words: 'documentState' },
    reason: { key: reason, label: sql`NULL::text`, words: 'reason' },
  },
  id: sql`d.id`,
  columns: {
    ...ofRegistration.columns,
    file: { value: sql`d.name`, kind: 'text' },
    documentState: { value: state, kind: 'text', words: 'documentState' },
    reason: { value: reason, kind: 'text', words: 'reason' },
    uploadedAt: { value: sql`d.uploaded_at`, kind: 'dateTime' },
    daysWaiting: { value: sql`CASE WHEN ${state} = 'to_review' THEN floor(${daysWaiting}) END`, kind: 'number' },
    reviewedAt: { value: sql`d.reviewed_at`, kind: 'dateTime' },
    reviewer: { value: sql`(SELECT a.name FROM accounts a WHERE a.id = d.reviewed_by)`, kind: 'text' },
    dueOn: { value: sql`coalesce(d.deferred_until, d.due_on)::text`, kind: 'date' },
  },
}

/** Files of submitted registrations that have not ended: all, or those in a state. */
export const documents = (as?: DocumentState): Measure => ({
  facts: documentFacts,
  ...(as && { where: sql<boolean>`${state} = ${as}` }),
})

/** Days that the oldest file has waited for its review. */
export const oldestDocument: Measure = {
  ...documents('to_review'),
  aggregate: { of: daysWaiting, by: 'maximum' },
  kind: 'days',
}

/** One row per review. `reviews` leaves out those that were undone. */
const reviewFacts: Facts = {
  ...ofRegistration,
  ...withStored(
    (
      registrations,
    ) => sql`document_reviews v JOIN documents d ON d.id = v.document_id JOIN ${registrations} r ON r.id = d.registration_id
    JOIN accounts u ON u.id = v.reviewer_id ${joinsOfRegistration}`,
  ),
  groups: {
    ...ofRegistration.groups,
    file,
    reviewer: { key: sql`u.id`, label: sql`u.name` },
    day: timeGroups.day,
  },
  id: sql`v.id`,
  order: sql`v.reviewed_at DESC`,
  columns: {
    ...ofRegistration.columns,
    file: { value: sql`d.name`, kind: 'text' },
    review: { value: sql`v.action`, kind: 'text', words: 'review' },
    reviewedAt: { value: sql`v.reviewed_at`, kind: 'dateTime' },
    reviewer: { value: sql`u.name`, kind: 'text' },
  },
}

/** Reviews in the period that were not undone, by any reviewer. */
export const reviews: Measure = { facts: reviewFacts, at: sql`v.reviewed_at`, where: sql<boolean>`v.undone_at IS NULL` }
