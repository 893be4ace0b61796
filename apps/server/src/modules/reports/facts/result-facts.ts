import { sql } from 'kysely'
import type { Facts, Measure, Sql } from '#server/modules/reports/report.ts'
import {
  decidedAt,
  isPublic,
  publicAt,
  reached,
  registrationFacts,
  shownRefusalAt,
  standsOn,
  undoneSince,
  wasUndone,
} from './registration-facts.ts'

/** The decision at the moment that the reader may see. */
const result = sql`CASE WHEN ${standsOn('not_accepted')} THEN 'not_accepted' WHEN ${standsOn('accepted')} THEN 'accepted' END`
/**
 * Publication of the decision at the moment. A future publication only for readers who may see unpublished decisions.
 */
const publishedAt = sql`coalesce(CASE WHEN r.decided_at <= moment.at AND ${publicAt} IS NOT NULL AND ${isPublic}
  THEN greatest(r.decided_at, ${publicAt}) END, undone.published_at, ${shownRefusalAt})`
/** The selection run behind the decision at the moment that the reader may see; null if staff decided by hand. */
const decidingRun = sql`CASE WHEN undone.decided_at IS NOT NULL THEN undone.selection_run_id
  WHEN r.decided_at <= moment.at AND ${isPublic} THEN (SELECT s.selection_run_id FROM registration_steps s
    WHERE s.registration_id = r.id AND s.step = r.decision AND s.undone_at IS NULL)
  WHEN ${shownRefusalAt} IS NOT NULL THEN shown.selection_run_id END`
const isAnswered = sql<boolean>`coalesce(r.confirmed_at <= moment.at OR r.closed_at <= moment.at
  OR ${wasUndone('confirmed')}, false)`
/** When a public offer ended without a place. The end of a hidden offer would reveal the decision. */
const endedAs = (status: 'withdrawn' | 'expired') => sql`CASE WHEN r.status = ${status} AND r.closed_from = 'decided'
  AND r.decision = 'accepted' AND ${publicAt} <= moment.at THEN r.closed_at END`

/** One row per registration with its decision. */
const resultFacts: Facts = {
  ...registrationFacts,
  only: sql<boolean>`(r.decided_at IS NOT NULL OR undone.registration_id IS NOT NULL
    OR shown.registration_id IS NOT NULL)`,
  groups: { ...registrationFacts.groups, result: { key: result, label: sql`NULL::text`, words: 'result' } },
  columns: {
    ...registrationFacts.columns,
    result: { value: result, kind: 'text', words: 'result' },
    // Rank for the programme of the row.
    rank: {
      value: sql`(SELECT e.rank FROM selection_entries e
        WHERE e.registration_id = r.id AND e.programme_id = p.id AND e.selection_run_id = ${decidingRun})`,
      kind: 'number',
    },
    decidedAt: { value: sql`coalesce(${decidedAt}, undone.decided_at)`, kind: 'dateTime' },
    publishedAt: { value: publishedAt, kind: 'dateTime' },
    confirmedAt: { value: sql`r.confirmed_at`, kind: 'dateTime' },
    declinedAt: { value: endedAs('withdrawn'), kind: 'dateTime' },
    expiredAt: { value: endedAs('expired'), kind: 'dateTime' },
  },
}

/** Registrations with a decision that the reader may see. */
export const decided: Measure = {
  facts: resultFacts,
  at: decidedAt,
  undone: sql<boolean>`(${undoneSince('accepted')} OR ${undoneSince('not_accepted')})`,
}

/** Decisions of one kind, or confirmed offers. */
export const resulted = (step: 'accepted' | 'not_accepted' | 'confirmed'): Measure => ({
  ...reached(step),
  facts: resultFacts,
})

const since = (at: Sql): Measure => ({ facts: resultFacts, at })

export const published = since(publishedAt)
export const declined = since(endedAs('withdrawn'))
export const offerExpired = since(endedAs('expired'))

/** Published offers without an answer at the moment. */
export const unanswered: Measure = {
  ...since(publishedAt),
  where: sql<boolean>`((r.decision = 'accepted' AND r.decided_at <= moment.at AND ${publicAt} <= moment.at
    OR ${wasUndone('accepted')} AND undone.published_at IS NOT NULL) AND NOT ${isAnswered})`,
}
