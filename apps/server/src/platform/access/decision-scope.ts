import { type RawBuilder, sql } from 'kysely'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { Actor } from './authorization.ts'

/*
 * A decision becomes public with the first publication of its wave and track, or, if it was written to wait, with the
 * first one after `published_after`. A decision stays hidden if the registration ended before that publication. Until
 * then only staff who decide or publish see the decision. Everyone else sees status, result and study programme of the
 * undecided registration, or of the public refusal that the decision replaces. Lists, pages, search, dashboards and
 * reports read these three fields through this file.
 *
 * Exception: a programme's remaining places count unpublished acceptances, so that nobody pays for a full programme.
 * They reveal how many were accepted, not who. Refusals of steps that a decision rules out reveal no more.
 */

const seeingPermissions = ['pendaftaran-decide', 'pendaftaran-publish']

/**
 * The actor without permission to see unpublished decisions; for choosing recipients of messages about an acceptance.
 */
export const hideUnpublished = (actor: Actor): Actor => ({
  ...actor,
  permissions: new Set([...actor.permissions].filter((slug) => !seeingPermissions.includes(slug))),
})

/** Whether the actor sees decisions before publication. The system actor does. */
export const seesUnpublished = (actor: Actor) =>
  actor.accountId === '' ||
  (actor.scope.kind !== 'own' && seeingPermissions.some((slug) => actor.permissions.has(slug)))

/** Actions of the audit log that reveal a decision. */
export const decisionActions = ['accept', 'reject', 'revertDecision'].map((action) => `registration.${action}`)

/** Whether the actor sees a registration's decision; applicants see a result instead. */
export const seesDecision = (actor: Actor, published: boolean) =>
  seesUnpublished(actor) || (published && actor.scope.kind !== 'own')

/** Whether a publication time has passed. */
export const isPast = (publishAt: Date | null, now: Date) => publishAt !== null && publishAt <= now

type Moment = Date | RawBuilder<Date> | null

const isOfIntake = (alias: string) =>
  sql`rp.wave_id = ${sql.ref(`${alias}.wave_id`)} AND rp.track_id = ${sql.ref(`${alias}.track_id`)}`

/**
 * Whether publication `publication` came before the end of registration `alias`: a publication shows nothing about
 * applicants who withdrew before it, because they never got an offer.
 */
export const precedesEnd = (publication: string, alias: string) =>
  sql<boolean>`(${sql.ref(`${alias}.closed_at`)} IS NULL OR ${sql.ref(`${publication}.publish_at`)} <= ${sql.ref(`${alias}.closed_at`)})`

/** Joins `pub`, the publication that covers the decision of registration `r`. */
export const joinPublication = sql`LEFT JOIN result_publications pub ON pub.wave_id = r.wave_id AND pub.track_id = r.track_id
  AND pub.number = coalesce(r.published_after, 0) + 1 AND ${precedesEnd('pub', 'r')}`

/**
 * Whether the publication for registration `alias` has happened by `now` (a time or an SQL expression; null means
 * never) and before the registration ended. It may have published a decision or the lack of one.
 */
export const isPublished = (now: Moment, alias = 'r'): RawBuilder<boolean> => sql<boolean>`EXISTS (
  SELECT FROM result_publications rp
  WHERE ${isOfIntake(alias)} AND rp.number = coalesce(${sql.ref(`${alias}.published_after`)}, 0) + 1
    AND rp.publish_at <= ${now} AND ${precedesEnd('rp', alias)})`

/** Whether results of the registration's wave and track have been published, with or without a decision for it. */
export const isIntakePublished = (now: Date, alias = 'r') =>
  sql<boolean>`EXISTS (SELECT FROM result_publications rp WHERE ${isOfIntake(alias)} AND rp.publish_at <= ${now})`

/**
 * Whether the adopted selection `run` is public for the wave and track of registration `alias`: results were published
 * after its adoption, or before it and the selection made no decision that waits.
 */
export const isSelectionPublic = (now: Date, run: string, alias = 'r') => {
  const adoptedAt = sql.ref(`${run}.adopted_at`)
  return sql<boolean>`(EXISTS (SELECT FROM result_publications rp
      WHERE ${isOfIntake(alias)} AND rp.publish_at BETWEEN ${adoptedAt} AND ${now})
    OR (${adoptedAt} <= ${now} AND ${isIntakePublished(now, alias)} AND NOT EXISTS (
      SELECT FROM registration_steps taken JOIN registrations o ON o.id = taken.registration_id
      WHERE taken.selection_run_id = ${sql.ref(`${run}.id`)} AND taken.published_after IS NOT NULL
        AND o.track_id = ${sql.ref(`${alias}.track_id`)})))`
}

/**
 * Whether the actor sees the outcome of registration `alias` in selection `run`. Before publication only staff who
 * decide, publish or run selections see it.
 */
export const selectionOutcomeIsVisible = (actor: Actor, now: Date, run: string, alias = 'r'): RawBuilder<boolean> =>
  seesSelections(actor) ? sql<boolean>`true` : sql<boolean>`(${isSelectionPublic(now, run, alias)} IS TRUE)`

/** Whether the actor sees outcomes of unpublished selections. */
export const seesSelections = (actor: Actor) => seesUnpublished(actor) || actor.permissions.has('seleksi-update')

/** Number of the last publication for the wave and track of registration `alias`; null before the first. */
export const lastPublication = (now: Date, alias = 'r') =>
  sql<
    number | null
  >`(SELECT max(rp.number) FROM result_publications rp WHERE ${isOfIntake(alias)} AND rp.publish_at <= ${now})`

/**
 * Joins `pubs`, all publications for the wave and track of row `alias`: number and time of the last, time of the next,
 * and the sum of their versions.
 */
export const joinPublications = (now: Date, alias: string) => sql`CROSS JOIN LATERAL (
  SELECT coalesce(max(rp.number) FILTER (WHERE rp.publish_at <= ${now}), 0)::int AS last,
    max(rp.publish_at) FILTER (WHERE rp.publish_at <= ${now}) AS published_at,
    max(rp.publish_at) FILTER (WHERE rp.publish_at > ${now}) AS publish_at,
    max(rp.announced_at) AS announced_at, coalesce(sum(rp.version), 0)::int AS version
  FROM result_publications rp WHERE ${isOfIntake(alias)}) pubs`

/**
 * Whether the public still sees registration `alias` as refused because the decision that replaces the refusal is
 * unpublished.
 */
const showsRefusal = (now: Moment, alias = 'r') =>
  sql<boolean>`(EXISTS (SELECT FROM shown_refusals x WHERE x.registration_id = ${sql.ref(`${alias}.id`)})
    AND (${sql.ref(`${alias}.decision`)} IS NULL OR NOT ${isPublished(now, alias)}))`

type Decision = 'accepted' | 'not_accepted'

/** SQL column: the decision of registration `r` as the public sees it; null for none. */
export const publicDecision = (now: Moment) =>
  sql<Decision | null>`CASE WHEN r.decision IS NOT NULL AND ${isPublished(now)} THEN r.decision
    WHEN ${showsRefusal(now)} THEN 'not_accepted' END`

/** Time from which everyone sees the result of the registration `r` that they see now; null while it waits. */
export const resultPublicSince = (now: Moment) =>
  sql<Date | null>`CASE WHEN r.decision IS NOT NULL AND ${isPublished(now)} THEN (SELECT greatest(r.decided_at, rp.publish_at)
      FROM result_publications rp WHERE ${isOfIntake('r')} AND rp.number = coalesce(r.published_after, 0) + 1)
    ELSE (SELECT greatest(x.decided_at, x.publish_at) FROM shown_refusals x WHERE x.registration_id = r.id) END`

type Decided = { status: RegistrationStatus; verifiedAt: Date | null; publicDecision: Decision | null }

const decisionStatuses: readonly RegistrationStatus[] = ['paid', 'verified', 'decided']

/** Status without the hidden decision. A registration may be refused before it is verified. */
export const publicStatus = ({ status, verifiedAt, publicDecision }: Decided): RegistrationStatus => {
  if (!decisionStatuses.includes(status)) return status
  if (publicDecision) return 'decided'
  return status !== 'decided' ? status : verifiedAt ? 'verified' : 'paid'
}

export const statusFor = (actor: Actor, registration: Decided): RegistrationStatus =>
  seesUnpublished(actor) ? registration.status : publicStatus(registration)

/** Result as applicants see it. */
export const publicResult = ({ publicDecision }: Pick<Decided, 'publicDecision'>): ShownResult =>
  publicDecision ?? 'waiting'

/** Status of the decided registration `r` before its decision. */
export const statusBeforeDecision = sql<RegistrationStatus>`CASE WHEN r.verified_at IS NOT NULL THEN 'verified' ELSE 'paid' END`

/** SQL column for `publicStatus` of registration `r`. */
export const publicStatusSql = (now: Date): RawBuilder<RegistrationStatus> =>
  sql<RegistrationStatus>`CASE WHEN r.status IN ('paid', 'verified') AND ${showsRefusal(now)} THEN 'decided'
        WHEN r.status <> 'decided' OR ${publicDecision(now)} IS NOT NULL THEN r.status
        ELSE ${statusBeforeDecision} END`

/** SQL column for `statusFor` of registration `r`. */
export const statusSql = (actor: Actor, now: Date): RawBuilder<RegistrationStatus> =>
  seesUnpublished(actor) ? sql<RegistrationStatus>`r.status` : publicStatusSql(now)

/** Ids of the few registrations that may show a replaced refusal, read once per query. */
const withShownRefusal = sql`ANY(ARRAY(SELECT x.registration_id FROM shown_refusals x))`

/** Whether `statusSql` is one of `statuses`. The first condition lets PostgreSQL use the index. */
export function statusIn(actor: Actor, now: Date, statuses: readonly RegistrationStatus[]): RawBuilder<boolean> {
  const listOf = (values: readonly string[]) => sql.join(values.map((status) => sql`${status}`))
  const decisionMatters = decisionStatuses.some((status) => statuses.includes(status))
  if (seesUnpublished(actor) || !decisionMatters) return sql<boolean>`r.status IN (${listOf(statuses)})`
  return sql<boolean>`((r.status IN (${listOf([...new Set([...statuses, 'decided'])])}) OR r.id = ${withShownRefusal})
    AND ${statusSql(actor, now)} IN (${listOf(statuses)}))`
}

/** Whether registration `r` has this decision, as far as the actor may see; `waiting` means none. */
export function decisionIs(actor: Actor, now: Date, result: ShownResult): RawBuilder<boolean> {
  const all = seesUnpublished(actor)
  if (result === 'waiting') return all ? sql<boolean>`r.decision IS NULL` : sql<boolean>`${publicDecision(now)} IS NULL`
  return all
    ? sql<boolean>`r.decision = ${result}`
    : sql<boolean>`((r.decision = ${result} OR r.id = ${withShownRefusal}) AND ${publicDecision(now)} = ${result})`
}

/** First choice of the registration `alias`. */
export const firstChoiceOf = (alias: string) =>
  sql`(SELECT rc.programme_id FROM registration_choices rc
    WHERE rc.registration_id = ${sql.ref(`${alias}.id`)} AND rc.position = 1)`

/**
 * Study programme of registration `r`: the first choice, unless an acceptance for another programme is visible to the
 * actor.
 */
export const programmeSql = (actor: Actor, now: Date): RawBuilder<string | null> =>
  seesUnpublished(actor) ? sql<string | null>`r.programme_id` : publicProgramme(now, 'r')

const publicProgramme = (now: Date | null, alias: string) =>
  programmeUnlessHidden(sql<boolean>`NOT ${isPublished(now, alias)}`, alias)

/**
 * Study programme of registration `alias`; `hidden` is an SQL condition that is true if the reader may not see the
 * decision.
 */
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
 * Whether the public study programme of registration `alias` is in `programmeIds`. Both sides of the OR use an index;
 * PostgreSQL reads the list of hidden acceptances once, and only if some row fails the first side.
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
