import { sql } from 'kysely'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { missingProfileFields } from '#domain/applicants/profile.ts'
import { dayInJakarta, startOfDay } from '#domain/days.ts'
import { profileOf } from '#server/modules/applicants/profile.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'
import { registrationsOf } from './load-registrations.ts'
import { showOnDashboard } from './show-registration.ts'
import { isApplicant, isPublished, visibleTo } from './visible-registrations.ts'

const day = 86_400_000

export const readDashboard = (services: Services, actor: Actor) =>
  isApplicant(actor) ? applicantDashboard(services, actor) : staffDashboard(services, actor)

async function inbox(db: Db, accountId: string) {
  const [messages, unread] = await Promise.all([
    db
      .selectFrom('messages')
      .select(['id', 'event', 'subject', 'body', 'link', 'createdAt', 'readAt'])
      .where('accountId', '=', accountId)
      .where('channel', '=', 'inbox')
      .orderBy('createdAt', 'desc')
      .limit(5)
      .execute(),
    db
      .selectFrom('messages')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('accountId', '=', accountId)
      .where('channel', '=', 'inbox')
      .where('readAt', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return { messages, unread: Number(unread.count) }
}

async function applicantDashboard({ db, clock }: Services, actor: Actor) {
  const now = clock.now()
  const [profile, intent, registrations, letters] = await Promise.all([
    profileOf(db, actor.accountId, now),
    db
      .selectFrom('studyIntents')
      .select(['waveId', 'trackId', 'classProgrammeId', 'programmeIds'])
      .where('accountId', '=', actor.accountId)
      .executeTakeFirst(),
    registrationsOf(db, actor, now),
    inbox(db, actor.accountId),
  ])
  return {
    kind: 'applicant' as const,
    name: profile?.fullName ?? actor.name,
    hasProfile: profile !== null,
    missingProfileFields: missingProfileFields(profile ?? {}) as string[],
    intent: intent ?? null,
    registrations: registrations.map((loaded) => showOnDashboard(loaded, now)),
    ...letters,
  }
}

type Counts = {
  newToday: number
  documentsToReview: number
  waitingForDecision: number
  waitingForConfirmation: number
}

/** Counts of the waves that are going on or ended lately, each from an index. */
async function staffDashboard({ db, clock }: Services, actor: Actor) {
  const now = clock.now()
  const [letters, openWaves] = await Promise.all([
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
  const nothing = { newToday: 0, documentsToReview: 0, waitingForDecision: 0, waitingForConfirmation: 0 }
  const sees = actor.permissions.has('pendaftaran-view')
  const recent = sql`r.wave_id IN (SELECT id FROM waves WHERE active AND closes_at > ${new Date(now.getTime() - 180 * day)})`
  const [byStatus, counts] = sees
    ? await Promise.all([
        sql<{ status: RegistrationStatus; count: number }>`
          SELECT r.status, count(*)::int AS count FROM registrations r
          WHERE ${recent} AND ${visibleTo(actor)} GROUP BY r.status`.execute(db),
        sql<Counts>`SELECT
          (SELECT count(*)::int FROM registrations r
            WHERE r.created_at >= ${startOfDay(dayInJakarta(now))} AND ${visibleTo(actor)}) AS new_today,
          (SELECT count(*)::int FROM registrations r WHERE r.documents_state = 'to_review'
            AND r.status IN ('submitted', 'paid', 'verified') AND ${recent} AND ${visibleTo(actor)}) AS documents_to_review,
          (SELECT count(*)::int FROM registrations r
            WHERE r.status = 'verified' AND ${recent} AND ${visibleTo(actor)}) AS waiting_for_decision,
          (SELECT count(*)::int FROM registrations r WHERE r.status = 'decided' AND r.decision = 'accepted'
            AND ${recent} AND ${isPublished(now)} AND ${visibleTo(actor)}) AS waiting_for_confirmation`.execute(db),
      ])
    : [{ rows: [] }, { rows: [nothing] }]
  return {
    kind: 'staff' as const,
    name: actor.name,
    byStatus: byStatus.rows,
    ...(counts.rows[0] ?? nothing),
    openWaves,
    ...letters,
  }
}
