import { sql } from 'kysely'
import type { RegistrationQueue, RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { missingProfileFields } from '#domain/applicants/profile.ts'
import { theOnly } from '#domain/must.ts'
import { type ProfileAnswerRow, profileAnswerColumns, withConsent } from '#server/modules/applicants/profile.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesUnpublished, statusSql } from '#server/platform/access/decision-scope.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import { compiledStatement } from '#server/platform/database/compiled-statement.ts'
import type { Db } from '#server/platform/database/database.ts'
import { answerOnce } from '#server/platform/kept-answers.ts'
import type { Services } from '#server/platform/services.ts'
import { settingsColumn, toSettings } from '#server/platform/settings.ts'
import { registrationsOf } from './registrations/load-registrations.ts'
import { queueCondition } from './registrations/registration-queues.ts'
import { showOnDashboard } from './registrations/show-registration.ts'

export const readDashboard = (services: Services, actor: Actor) =>
  isApplicant(actor) ? applicantDashboard(services, actor) : staffDashboard(services, actor)

const hasStudyIntent = async (db: Db, accountId: string) =>
  (await db
    .selectFrom('studyIntents')
    .select('accountId')
    .where('accountId', '=', accountId)
    .where((eb) => eb.or([eb('trackId', 'is not', null), eb(sql`cardinality(programme_ids)`, '>', 0)]))
    .executeTakeFirst()) !== undefined

type Inbox = { messages: InboxMessage<Date>[]; unread: number }
type InboxMessage<Time> = {
  id: string
  event: string
  subject: string
  body: string
  link: string | null
  createdAt: Time
  readAt: Time | null
}
type InboxRow = { messages: InboxMessage<string>[] | null; unread: number }

/** The account's five newest messages and the number of unread ones, for `toInbox`. */
const inboxColumns = (accountId: string) => sql`
  (SELECT json_agg(m) FROM (SELECT id, event, subject, body, link, created_at AS "createdAt", read_at AS "readAt"
    FROM messages WHERE account_id = ${accountId} AND channel = 'inbox' ORDER BY created_at DESC LIMIT 5) m) AS messages,
  (SELECT count(*)::int FROM messages
    WHERE account_id = ${accountId} AND channel = 'inbox' AND read_at IS NULL) AS unread`

const toInbox = ({ messages, unread }: InboxRow): Inbox => ({
  messages: (messages ?? []).map(({ createdAt, readAt, ...message }) => ({
    ...message,
    createdAt: new Date(createdAt),
    readAt: readAt === null ? null : new Date(readAt),
  })),
  unread,
})

type OfAccount = { accountId: string }
const readInbox = compiledStatement<OfAccount, InboxRow>(({ accountId }) => sql`SELECT ${inboxColumns(accountId)}`)

type OwnRow = ProfileAnswerRow & InboxRow & { fullName: string | null; hasProfile: boolean; settings: string | null }

/** What an applicant's dashboard shows besides registrations, and the settings. */
const readOwn = compiledStatement<OfAccount, OwnRow>(
  ({ accountId }) => sql`
    SELECT a.id IS NOT NULL AS has_profile, ${profileAnswerColumns}, ${settingsColumn} AS settings, ${inboxColumns(accountId)}
    FROM accounts u LEFT JOIN applicants a ON a.account_id = u.id WHERE u.id = ${accountId}`,
)

async function ownFacts(db: Db, accountId: string, now: Date) {
  const row = theOnly(await readOwn(db, { accountId }))
  // Sets the calendar by which the applicant is of age.
  const settings = toSettings(row.settings)
  const profile = row.hasProfile ? withConsent(row, now) : {}
  return {
    settings,
    name: row.fullName,
    hasProfile: row.hasProfile,
    profile,
    profiles: new Map([[accountId, profile]]),
    inbox: toInbox(row),
  }
}

async function applicantDashboard({ db, clock }: Services, actor: Actor) {
  const now = clock.now()
  const pending = ownFacts(db, actor.accountId, now)
  const [own, registrations] = await Promise.all([pending, registrationsOf(db, actor, now, pending)])
  return {
    kind: 'applicant' as const,
    name: own.name ?? actor.name,
    hasProfile: own.hasProfile,
    missingProfileFields: missingProfileFields(own.profile) as string[],
    hasStudyIntent: registrations.length === 0 && (await hasStudyIntent(db, actor.accountId)),
    registrations: registrations.map((loaded) => showOnDashboard(loaded, now)),
    ...own.inbox,
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
  const [inbox, openWaves] = await Promise.all([
    readInbox(db, { accountId: actor.accountId }),
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
    ...toInbox(theOnly(inbox)),
  }
}
