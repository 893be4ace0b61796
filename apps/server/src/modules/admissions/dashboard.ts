import { sql } from 'kysely'
import type { RegistrationQueue, RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { missingProfileFields } from '#domain/applicants/profile.ts'
import { profilesOf } from '#server/modules/applicants/profile.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesUnpublished, statusSql } from '#server/platform/access/decision-scope.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { answerOnce } from '#server/platform/kept-answers.ts'
import type { Services } from '#server/platform/services.ts'
import { registrationsOf } from './registrations/load-registrations.ts'
import { queueCondition } from './registrations/registration-queues.ts'
import { showOnDashboard } from './registrations/show-registration.ts'

export const readDashboard = (services: Services, actor: Actor) =>
  isApplicant(actor) ? applicantDashboard(services, actor) : staffDashboard(services, actor)

/** The account's five newest messages and the number of unread ones. */
async function inbox(db: Db, accountId: string) {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'event', 'subject', 'body', 'link', 'createdAt', 'readAt'])
    .select((eb) =>
      eb
        .selectFrom('messages as m')
        .select((unread) => unread.fn.countAll<number>().as('count'))
        .where('m.accountId', '=', accountId)
        .where('m.channel', '=', 'inbox')
        .where('m.readAt', 'is', null)
        .as('unread'),
    )
    .where('accountId', '=', accountId)
    .where('channel', '=', 'inbox')
    .orderBy('createdAt', 'desc')
    .limit(sql.lit(5))
    .execute()
  return { messages: rows.map(({ unread: _, ...message }) => message), unread: Number(rows[0]?.unread ?? 0) }
}

const hasStudyIntent = async (db: Db, accountId: string) =>
  (await db
    .selectFrom('studyIntents')
    .select('accountId')
    .where('accountId', '=', accountId)
    .where((eb) => eb.or([eb('trackId', 'is not', null), eb(sql`cardinality(programme_ids)`, '>', 0)]))
    .executeTakeFirst()) !== undefined

async function applicantDashboard({ db, clock }: Services, actor: Actor) {
  const now = clock.now()
  const profiles = profilesOf(db, [actor.accountId], now)
  const [found, registrations, messages] = await Promise.all([
    profiles,
    registrationsOf(db, actor, now, profiles),
    inbox(db, actor.accountId),
  ])
  const profile = found.get(actor.accountId)
  return {
    kind: 'applicant' as const,
    name: profile?.fullName ?? actor.name,
    hasProfile: profile !== undefined,
    missingProfileFields: missingProfileFields(profile ?? {}) as string[],
    hasStudyIntent: registrations.length === 0 && (await hasStudyIntent(db, actor.accountId)),
    registrations: registrations.map((loaded) => showOnDashboard(loaded, now)),
    ...messages,
  }
}

type Counts = {
  newToday: number
  documentsToReview: number
  waitingForDecision: number
  waitingForConfirmation: number
}

/** Counts over more registrations than this are kept; smaller ones are cheap to repeat at every read. */
const keepFrom = 1_000

/**
 * The staff dashboard: counts registrations in waves that are open or closed recently. Actors who see the same rows
 * share a count; large counts are kept (`keepFrom`).
 */
async function staffDashboard(services: Services, actor: Actor) {
  const { db, clock } = services
  const now = clock.now()
  const [messages, openWaves] = await Promise.all([
    inbox(db, actor.accountId),
    db
      .selectFrom('waves')
      .select(['id', 'name', 'academicYear', 'closesAt'])
      .where('active', '=', true)
      .where('opensAt', '<=', now)
      .where('closesAt', '>', now)
      .orderBy('closesAt')
      .execute(),
  ])
  const noCounts = { newToday: 0, documentsToReview: 0, waitingForDecision: 0, waitingForConfirmation: 0 }
  const maySeeRegistrations = actor.permissions.has('pendaftaran-view')
  const countOf = (queue: RegistrationQueue, at: Date) =>
    sql`(SELECT count(*)::int FROM registrations r WHERE ${queueCondition(queue, actor, at)} AND ${visibleTo(actor)})`
  const countRegistrations = async (at: Date) => {
    const [byStatus, counts] = await Promise.all([
      sql<{ status: RegistrationStatus; count: number }>`
          SELECT ${statusSql(actor, at)} AS status, count(*)::int AS count FROM registrations r
          WHERE ${queueCondition('current', actor, at)} AND ${visibleTo(actor)} GROUP BY 1`.execute(db),
      sql<Counts>`SELECT ${countOf('today', at)} AS new_today, ${countOf('documents', at)} AS documents_to_review,
          ${countOf('decision', at)} AS waiting_for_decision, ${countOf('confirmation', at)} AS waiting_for_confirmation`.execute(
        db,
      ),
    ])
    return { byStatus: byStatus.rows, ...(counts.rows[0] ?? noCounts) }
  }
  const { answer, computedAt } = maySeeRegistrations
    ? await answerOnce(services, {
        name: 'queues',
        reach: [actor.scope, seesUnpublished(actor)],
        compute: countRegistrations,
        worthKeeping: ({ byStatus }) => byStatus.reduce((sum, { count }) => sum + count, 0) > keepFrom,
      })
    : { answer: { byStatus: [], ...noCounts }, computedAt: now }
  return {
    kind: 'staff' as const,
    name: actor.name,
    ...answer,
    asOf: computedAt,
    openWaves,
    ...messages,
  }
}
