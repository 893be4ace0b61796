import { sql } from 'kysely'
import type { Facts, Measure, Sql } from '#server/modules/reports/report.ts'
import { joinedRegistrationFacts, stage, storedRegistrations, times } from './registration-facts.ts'

/** What a registration waits for, by today's documents, seats and publications; null if it waits for nothing. */
const reason = sql`CASE x.stage
  WHEN 'started' THEN 'submission' WHEN 'submitted' THEN 'registration_fee'
  WHEN 'paid' THEN CASE r.documents_state WHEN 'missing' THEN 'documents_missing' WHEN 'rejected' THEN 'documents_rejected'
    WHEN 'to_review' THEN 'documents_review' ELSE 'verification' END
  WHEN 'verified' THEN CASE WHEN t.has_test AND (r.tested_at IS NULL OR r.tested_at > moment.at)
    THEN CASE WHEN EXISTS (SELECT FROM test_seats ts WHERE ts.registration_id = r.id AND ts.status <> 'released')
      THEN 'test' ELSE 'test_seat' END ELSE 'decision' END
  WHEN 'accepted' THEN 'confirmation' WHEN 'confirmed' THEN 're_registration' END`

const standing = (step: keyof typeof times) => sql`CASE WHEN ${times[step]} <= moment.at THEN ${times[step]} END`

/** When the registration reached its stage. */
const since = sql`greatest(${sql.join(
  (['started', 'submitted', 'paid', 'verified', 'accepted', 'confirmed'] as const).map(standing),
)})`
/** Days in the stage, rounded to the two decimals shown for medians. */
const daysSince = sql`round(extract(epoch FROM moment.at - s.since) / 86400, 2)::float8`
/**
 * Joins stage, time and days `x`, which every figure reads. OFFSET 0 keeps PostgreSQL from computing them again for each
 * figure.
 */
const computedOnce = sql`CROSS JOIN LATERAL (SELECT s.stage, s.since, ${daysSince} AS days
  FROM (SELECT ${stage} AS stage, ${since} AS since OFFSET 0) s OFFSET 0) x`

const days = sql`x.days`
const waitingDays = sql`CASE WHEN ${days} < 3 THEN '0_2' WHEN ${days} < 8 THEN '3_7' WHEN ${days} < 15 THEN '8_14'
  WHEN ${days} < 31 THEN '15_30' ELSE '31' END`
const waits = sql<boolean>`x.stage NOT IN ('left', 'enrolled', 'not_accepted')`

/** One row per registration, with what it waits for and for how long. */
const waitingFacts: Facts = {
  ...joinedRegistrationFacts,
  from: sql`${joinedRegistrationFacts.from} ${computedOnce}`,
  stored: sql`${storedRegistrations} ${computedOnce}`,
  groups: {
    ...joinedRegistrationFacts.groups,
    stage: { ...joinedRegistrationFacts.groups.stage, key: sql`x.stage` },
    waitsFor: { key: reason, label: sql`NULL::text`, words: 'waitsFor', isOrdered: true },
    waitingDays: {
      key: sql`CASE WHEN ${waits} THEN ${waitingDays} END`,
      label: sql`NULL::text`,
      words: 'waitingDays',
      isOrdered: true,
    },
  },
  columns: {
    ...joinedRegistrationFacts.columns,
    stage: { ...joinedRegistrationFacts.columns.stage, value: sql`x.stage` },
    waitsFor: { value: reason, kind: 'text', words: 'waitsFor' },
    since: { value: sql`x.since`, kind: 'dateTime' },
    days: { value: sql`floor(${days})::int`, kind: 'number' },
  },
}

const ofWaiting = { facts: waitingFacts, at: times.started, where: waits }

/** Registrations that wait for their next step. */
export const waiting: Measure = ofWaiting

/** Percentile of the days that registrations have been in their stage. */
export const waitingPercentile = (share: number): Measure => ({
  ...ofWaiting,
  percentile: { of: days, share, decimals: 2 },
  kind: 'days',
})

/** Longest time a registration has been in its stage, in days. */
export const longestWaiting: Measure = { ...ofWaiting, aggregate: { of: days, by: 'maximum' }, kind: 'days' }

/** Registrations that had taken a step, by what they wait for. */
export const reachedWaiting = (step: keyof typeof times): Measure => ({ facts: waitingFacts, at: times[step] as Sql })
