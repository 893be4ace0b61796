import { type RawBuilder, sql } from 'kysely'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { Actor } from './authorization.ts'

/*
 * A decision is public from the time of publication of its wave and track. Until then only staff who decide or publish
 * see it; for everyone else status, result and study programme are those of the undecided registration. Lists, pages,
 * search, dashboards and reports read these three through the functions of this file. The places left of a programme are
 * the exception: they count acceptances before their publication, so that nobody pays for a programme that is full. They
 * tell how many were accepted, not who; so do refusals of steps that a decision rules out.
 */

/** Whether the actor sees decisions before their publication; the system does. */
export const seesUnpublished = (actor: Actor) =>
  actor.accountId === '' ||
  (actor.scope.kind !== 'own' &&
    (actor.permissions.has('pendaftaran-decide') || actor.permissions.has('pendaftaran-publish')))

/** Actions of the audit log that reveal a decision. */
export const decisionActions = ['accept', 'reject', 'revertDecision'].map((action) => `registration.${action}`)

/** Whether the actor sees the decision of a registration; applicants see a result instead. */
export const seesDecision = (actor: Actor, published: boolean) =>
  seesUnpublished(actor) || (published && actor.scope.kind !== 'own')

/** Whether a time of publication has come. */
export const isPast = (publishAt: Date | null, now: Date) => publishAt !== null && publishAt <= now

/** Whether the result of the registration `alias` is public at a time, or at the time of an SQL expression; null is no time. */
export const isPublished = (
  now: Date | RawBuilder<Date> | null,
  alias = 'r',
): RawBuilder<boolean> => sql<boolean>`EXISTS (
  SELECT FROM result_publications rp
  WHERE rp.wave_id = ${sql.ref(`${alias}.wave_id`)} AND rp.track_id = ${sql.ref(`${alias}.track_id`)}
    AND rp.publish_at <= ${now})`

type Decided = { status: RegistrationStatus; verifiedAt: Date | null; published: boolean }

/** Status without the decision: a registration may be refused before its verification. */
export const publicStatus = ({ status, verifiedAt, published }: Decided): RegistrationStatus =>
  status !== 'decided' || published ? status : verifiedAt ? 'verified' : 'paid'

export const statusFor = (actor: Actor, registration: Decided): RegistrationStatus =>
  seesUnpublished(actor) ? registration.status : publicStatus(registration)

/** Result as applicants see it. */
export const publicResult = ({
  decision,
  published,
}: {
  decision: 'accepted' | 'not_accepted' | null
  published: boolean
}): ShownResult => (decision && published ? decision : 'waiting')

/** Status of the decided registration `r` before its decision; the SQL twin of `publicStatus`. */
export const statusBeforeDecision = sql<RegistrationStatus>`CASE WHEN r.verified_at IS NOT NULL THEN 'verified' ELSE 'paid' END`

/** The column of `publicStatus`, for the registration `r`. */
export const publicStatusSql = (now: Date): RawBuilder<RegistrationStatus> =>
  sql<RegistrationStatus>`CASE WHEN r.status <> 'decided' OR ${isPublished(now)} THEN r.status
        ELSE ${statusBeforeDecision} END`

/** The column of `statusFor`, for the registration `r`. */
export const statusSql = (actor: Actor, now: Date): RawBuilder<RegistrationStatus> =>
  seesUnpublished(actor) ? sql<RegistrationStatus>`r.status` : publicStatusSql(now)

/** Whether `statusSql` is one of the statuses; the first condition is for the index. */
export function statusIn(actor: Actor, now: Date, statuses: readonly RegistrationStatus[]): RawBuilder<boolean> {
  const listOf = (values: readonly string[]) => sql.join(values.map((status) => sql`${status}`))
  const decisionMatters = ['paid', 'verified', 'decided'].some((status) => (statuses as string[]).includes(status))
  if (seesUnpublished(actor) || !decisionMatters) return sql<boolean>`r.status IN (${listOf(statuses)})`
  return sql<boolean>`(r.status IN (${listOf([...new Set([...statuses, 'decided'])])})
    AND ${statusSql(actor, now)} IN (${listOf(statuses)}))`
}

/** Whether the registration `r` has the decision, as far as the actor sees it; `waiting` is none. */
export function decisionIs(actor: Actor, now: Date, result: ShownResult): RawBuilder<boolean> {
  const all = seesUnpublished(actor)
  if (result !== 'waiting')
    return all ? sql<boolean>`r.decision = ${result}` : sql<boolean>`(r.decision = ${result} AND ${isPublished(now)})`
  return all ? sql<boolean>`r.decision IS NULL` : sql<boolean>`(r.decision IS NULL OR NOT ${isPublished(now)})`
}

/** First choice of the registration `alias`. */
export const firstChoiceOf = (alias: string) =>
  sql`(SELECT rc.programme_id FROM registration_choices rc
    WHERE rc.registration_id = ${sql.ref(`${alias}.id`)} AND rc.position = 1)`

/** Study programme of the registration `r`: an unpublished acceptance for another programme leaves the first choice. */
export const programmeSql = (actor: Actor, now: Date): RawBuilder<string | null> =>
  seesUnpublished(actor) ? sql<string | null>`r.programme_id` : publicProgramme(now, 'r')

const publicProgramme = (now: Date | null, alias: string) =>
  programmeUnlessHidden(sql<boolean>`NOT ${isPublished(now, alias)}`, alias)

/** Study programme of the registration `alias`, with a condition that says whether the decision is hidden from the reader. */
export const programmeUnlessHidden = (hidden: RawBuilder<boolean>, alias = 'r'): RawBuilder<string | null> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<
    string | null
  >`CASE WHEN ${column('decision')} = 'accepted' AND ${column('status')} NOT IN ('confirmed', 'enrolled')
    AND ${hidden} THEN coalesce(${firstChoiceOf(alias)}, ${column('programme_id')}) ELSE ${column('programme_id')} END`
}

/** Whether `programmeSql` is the study programme. */
export const programmeIs = (actor: Actor, now: Date, programmeId: string): RawBuilder<boolean> =>
  seesUnpublished(actor) ? sql<boolean>`r.programme_id = ${programmeId}` : publicProgrammeIn([programmeId], now)

/**
 * Whether the public study programme of the registration `alias` is one of the programmes; both sides of the OR have an
 * index, and PostgreSQL reads the list of hidden acceptances once, and only if the first side is false for some row.
 */
export function publicProgrammeIn(programmeIds: readonly string[], now: Date | null, alias = 'r'): RawBuilder<boolean> {
  const isOneOfThem = (column: RawBuilder<unknown>) =>
    programmeIds.length === 1 ? sql`${column} = ${programmeIds[0]}` : sql`${column} = ANY(${programmeIds}::uuid[])`
  return sql<boolean>`((${isOneOfThem(sql.ref(`${alias}.programme_id`))} AND ${isOneOfThem(publicProgramme(now, alias))})
    OR ${sql.ref(`${alias}.id`)} = ANY(ARRAY(
      SELECT h.id FROM registration_choices k JOIN registrations h ON h.id = k.registration_id
      WHERE ${isOneOfThem(sql`k.programme_id`)} AND k.position = 1 AND h.decision = 'accepted'
        AND h.status NOT IN ('confirmed', 'enrolled') AND h.programme_id <> k.programme_id AND NOT ${isPublished(now, 'h')})))`
}
