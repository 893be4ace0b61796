import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { decisionActions, isPublished, seesUnpublished } from '#server/platform/access/decision-scope.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getRegistration, publicDecisionOf } from './load-registrations.ts'

/** Audit actions that applicants may read. They see a decision only as the publication of the result. */
const applicantActions = [
  ...[
    'create',
    'edit',
    'submit',
    'settleFee',
    'verify',
    'unverify',
    'confirm',
    'revertConfirmation',
    'enrol',
    'withdrawNumber',
    'withdraw',
  ],
  ...['cancel', 'expire', 'revertWithdrawal', 'change-programme'],
  ...[
    'decline',
    'expireOffer',
    'extendOffer',
    'reopenOffer',
    'reserveOffer',
    'passOn',
    'askProgramme',
    'withdrawProgramme',
    'refuseProgramme',
    'remindOffer',
  ],
].map((step) => `registration.${step}`)
const documentEvents = [
  ...['request', 'upload', 'postpone', 'lapse', 'approve', 'reject', 'waive', 'defer', 'reopen', 'undo'],
].map((event) => `document.${event}`)
const seatEvents = ['test-seat.take', 'test-seat.release']
const staffActions = [...decisionActions, 'registration.note']

/** Actions whose reason the applicant wrote or received. */
const actionsWithPublicReason = [
  ...[
    'withdraw',
    'cancel',
    'expire',
    'withdrawNumber',
    'decline',
    'extendOffer',
    'reopenOffer',
    'askProgramme',
    'refuseProgramme',
    'change-programme',
  ].map((step) => `registration.${step}`),
  'document.reject',
]

type Entry = {
  id: string
  at: Date
  action: string
  actorId: string | null
  actorName: string
  reason: string | null
  title: string | null
}

const maxEntries = 300

type Decided = { wasPublic: boolean; staysShown: boolean }

/** Whether each decision on the registration was ever public, newest first. */
async function decisionsOf(db: Db, id: string, now: Date): Promise<Decided[]> {
  const { rows } = await sql<Decided>`
    SELECT ${isPublished(sql<Date>`least(${now}, k.undone_at)`, 'k')} AS was_public, k.stays_shown
    FROM (SELECT s.*, r.wave_id, r.track_id, r.closed_at FROM registration_steps s JOIN registrations r ON r.id = s.registration_id
      WHERE s.registration_id = ${id} AND s.step IN ('accepted', 'not_accepted')) k
    ORDER BY k.id DESC`.execute(db)
  return rows
}

/**
 * Leaves out decisions that were never public, and their reversals. The reversal of a refusal that stays shown appears
 * once a later decision is public. Both lists are newest first and in the same order.
 */
function withoutUnpublished(entries: readonly Entry[], decisions: readonly Decided[]): Entry[] {
  let next = 0
  return entries.filter(({ action }) => {
    if (!decisionActions.includes(action)) return true
    const decision = decisions[next]
    if (action !== 'registration.revertDecision') {
      next += 1
      return decision?.wasPublic ?? false
    }
    if (!decision?.wasPublic) return false
    return !decision.staysShown || decisions.slice(0, next).some((later) => later.wasPublic)
  })
}

/**
 * Audit entries and messages of a registration, newest first, at most `limit` of each. Messages are assigned by their
 * link.
 */
export async function readTimeline(db: Db, actor: Actor, id: string, now: Date, limit = maxEntries) {
  const { row } = await getRegistration(db, actor, id, now)
  const forApplicant = isApplicant(actor)
  const actions = [...applicantActions, ...documentEvents, ...seatEvents, ...(forApplicant ? [] : staffActions)]
  const [entries, messages] = await Promise.all([
    // Two parts instead of OR: each finds its few entries by the index of subjects.
    sql<Entry>`
      SELECT l.id::text, l.at, l.action, l.actor_id, l.actor_name, l.reason, l.title
      FROM (
        SELECT e.*, NULL::text AS title FROM audit_log e WHERE e.subject_type = 'registration' AND e.subject_id = ${id}
        UNION ALL
        SELECT e.*, d.name FROM documents d JOIN audit_log e ON e.subject_type = 'document' AND e.subject_id = d.id::text
        WHERE d.registration_id = ${id}
      ) l
      WHERE l.action = ANY(${actions}::text[])
      ORDER BY l.id DESC LIMIT ${limit}`.execute(db),
    db
      .selectFrom('messages')
      .select(['id', 'createdAt', 'subject'])
      .where('accountId', '=', row.accountId)
      .where('channel', '=', 'inbox')
      .where('link', 'like', `/pendaftaran/${id}%`)
      .orderBy('createdAt', 'desc')
      .limit(limit)
      .execute(),
  ])
  const kindOfActor = (entry: Entry) =>
    entry.actorId === null ? 'system' : entry.actorId === row.accountId ? (forApplicant ? 'you' : 'applicant') : 'staff'
  const visibleEntries = seesUnpublished(actor)
    ? entries.rows
    : withoutUnpublished(entries.rows, await decisionsOf(db, id, now))
  const result = publicDecisionOf(row)
  const published =
    result?.publishAt && result.decidedAt
      ? [
          {
            id: 'published',
            at: new Date(Math.max(result.publishAt.getTime(), result.decidedAt.getTime())),
            kind: 'action' as const,
            name: 'registration.publish',
            actor: 'system' as const,
            actorName: null,
            reason: null,
            title: null,
          },
        ]
      : []
  return [
    ...published,
    ...visibleEntries.map((entry) => ({
      id: entry.id,
      at: entry.at,
      kind: 'action' as const,
      name: entry.action,
      actor: kindOfActor(entry) as 'you' | 'applicant' | 'staff' | 'system',
      actorName: forApplicant ? null : entry.actorName,
      reason: forApplicant && !actionsWithPublicReason.includes(entry.action) ? null : entry.reason,
      title: entry.title,
    })),
    ...messages.map((message) => ({
      id: message.id,
      at: message.createdAt,
      kind: 'message' as const,
      name: 'message',
      actor: 'system' as const,
      actorName: null,
      reason: null,
      title: message.subject,
    })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime())
}
