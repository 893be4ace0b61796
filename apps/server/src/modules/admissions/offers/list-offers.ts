import { sql } from 'kysely'
import { listOffers } from '#domain/admissions/lists.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { serveList } from '#server/list/serve-list.ts'
import { isPublished, resultPublicSince } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { offerDueAt, offerDueBy } from './offer-due.ts'

const statusesOf = {
  open: ['decided'],
  confirmed: ['confirmed', 'enrolled'],
  declined: ['withdrawn'],
  expired: ['expired'],
  cancelled: ['cancelled'],
} as const

const answerOf = sql<keyof typeof statusesOf>`CASE r.status WHEN 'decided' THEN 'open' WHEN 'withdrawn' THEN 'declined'
  WHEN 'expired' THEN 'expired' WHEN 'cancelled' THEN 'cancelled' ELSE 'confirmed' END`
const seenAt = (now: Date) =>
  sql<Date | null>`CASE WHEN r.result_seen_at >= ${resultPublicSince(now)} THEN r.result_seen_at END`
const remindedAt = sql<Date | null>`CASE WHEN r.offer_reminded_at >= r.decided_at THEN r.offer_reminded_at END`
const reserveRank = sql<number | null>`(SELECT p.rank FROM reserve_places p WHERE p.registration_id = r.id
  AND p.programme_id = r.accepted_programme_id AND p.offered_at IS NOT NULL ORDER BY p.offered_at DESC LIMIT 1)`
const fromReserve = sql<boolean>`EXISTS (SELECT FROM reserve_places p WHERE p.registration_id = r.id AND p.offered_at IS NOT NULL)`

/** Lists published acceptances the actor may see; applicants see their own. */
export const serveOffers = (app: App, services: Services) =>
  serveList(app, services, listOffers, {
    from: () => services.db.selectFrom('registrations as r').where('r.decision', '=', 'accepted'),
    // IS TRUE keeps PostgreSQL from joining publications, of which it expects so few that it would join and sort all
    // offers instead of walking their order.
    scope: ({ actor, now }) => [visibleTo(actor), sql<boolean>`(${isPublished(now)} IS TRUE)`],
    filters: {
      q: (q, { actor }) => registrationMatches(actor, q),
      answer: (answer) => (eb) => eb('r.status', 'in', statusesOf[answer]),
      waveId: 'r.waveId',
      trackId: 'r.trackId',
      programmeId: 'r.acceptedProgrammeId',
      // The plain conditions on columns let PostgreSQL read the few rows of a partial index.
      seen: (seen, { now }) =>
        seen === 'true'
          ? sql<boolean>`(r.result_seen_at IS NOT NULL AND (${seenAt(now)}) IS NOT NULL)`
          : sql<boolean>`(r.result_seen_at IS NULL OR (${seenAt(now)}) IS NULL)`,
      reminded: (reminded) =>
        reminded === 'true'
          ? sql<boolean>`(r.offer_reminded_at IS NOT NULL AND (${remindedAt}) IS NOT NULL)`
          : sql<boolean>`(${remindedAt}) IS NULL`,
      fromReserve: (reserve) => (reserve === 'true' ? fromReserve : sql<boolean>`NOT ${fromReserve}`),
      dueUntil: (day) => offerDueBy(universityCalendar().endOfDay(day)),
    },
    columns: (rows, { now }) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('waves as w', 'w.id', 'r.waveId')
        .innerJoin('tracks as t', 't.id', 'r.trackId')
        .innerJoin('classProgrammes as c', 'c.id', 'r.classProgrammeId')
        .leftJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
        .select(['r.id', 'r.code', 'a.fullName as name', 'a.phone', 'p.name as programme', 'c.name as classProgramme'])
        .select(['w.name as wave', 't.name as track', 'r.confirmedAt'])
        .select([
          answerOf.as('answer'),
          offerDueAt.as('dueAt'),
          seenAt(now).as('seenAt'),
          remindedAt.as('remindedAt'),
          reserveRank.as('reserveRank'),
        ]),
    sorts: {
      newest: { by: sql`r.created_at`, type: 'timestamptz' },
      // `search_text` begins with the name.
      name: { by: sql`r.search_text`, type: 'text' },
    },
    id: sql`r.id`,
  })
