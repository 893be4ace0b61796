import { sql } from 'kysely'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { countInTime, countOnce, fewRows } from '#server/list/count-rows.ts'
import type { Sort } from '#server/list/page.ts'
import { serveList, sourceFor } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import {
  decisionIs,
  programmeIs,
  programmeSql,
  publicDecision,
  publicResult,
  seesUnpublished,
  statusFor,
  statusIn,
} from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { isApplicant, seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { queueCondition } from './registration-queues.ts'

/**
 * Registrations with the names to list. Applicants get their first choice as the programme until the result is
 * published.
 */
const allRegistrations = (db: Db, actor: Actor, now: Date) =>
  db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .innerJoin('tracks as t', 't.id', 'r.trackId')
    .innerJoin('classProgrammes as c', 'c.id', 'r.classProgrammeId')
    .leftJoin('studyProgrammes as p', (join) => join.on('p.id', '=', programmeSql(actor, now)))
    .select(['r.id', 'r.code', 'a.fullName as name', 'a.phone', 'w.name as wave', 't.name as track'])
    .select(['c.name as classProgramme', 'r.status', 'r.decision', 'r.verifiedAt', 'r.documentsState'])
    .select(['r.createdAt', 'r.submittedAt'])
    .select([
      publicDecision(now).as('publicDecision'),
      (isApplicant(actor) ? firstChoice : sql<string | null>`p.name`).as('programme'),
      (isApplicant(actor) ? owesFee : sql<boolean>`false`).as('feeOwed'),
      documentsSettled.as('documentsSettled'),
    ])

/** SQL for `requiredDocumentsSettled`; in state `to_review`, the waiting document may be an optional one. */
const documentsSettled = sql<boolean>`(r.documents_state = 'complete' OR (r.documents_state = 'to_review'
  AND NOT EXISTS (SELECT FROM documents d WHERE d.registration_id = r.id AND d.required AND d.stage = 'registration'
    AND d.status NOT IN ('approved', 'waived', 'deferred'))))`
const firstChoice = sql<string | null>`(SELECT p.name FROM registration_choices rc
  JOIN study_programmes p ON p.id = rc.programme_id WHERE rc.registration_id = r.id AND rc.position = 1)`
const owesFee = sql<boolean>`(r.paid_at IS NOT NULL AND EXISTS (SELECT FROM bills b WHERE b.registration_id = r.id
  AND b.kind = 'registration_fee' AND b.status IN ('open', 'partly_paid')))`

const sorts: Record<string, Sort> = {
  createdAt: { by: sql`r.created_at`, type: 'timestamptz' },
  // `search_text` begins with the name.
  name: { by: sql`r.search_text`, type: 'text' },
  code: { by: sql`r.code`, type: 'text' },
}

/** The same sort orders as expressions that no index covers. */
const sortsWithoutIndex: Record<string, Sort> = {
  createdAt: { by: sql`(r.created_at + interval '0')`, type: 'timestamptz' },
  name: { by: sql`(r.search_text || '')`, type: 'text' },
  code: { by: sql`(r.code || '')`, type: 'text' },
}

/** Finds the page by indexes on `registrations`, then joins names to its rows only. */
export const registrationSource = ({ db }: Pick<Services, 'db'>) =>
  sourceFor(listRegistrations, {
    from: () => db.selectFrom('registrations as r'),
    scope: ({ actor }) => (seesAll(actor) ? 'everyone' : visibleTo(actor)),
    filters: {
      waveId: 'r.waveId',
      trackId: 'r.trackId',
      programmeId: (id, { actor, now }) =>
        isApplicant(actor)
          ? sql<boolean>`EXISTS (SELECT FROM registration_choices rc WHERE rc.registration_id = r.id AND rc.programme_id = ${id})`
          : programmeIs(actor, now, id),
      status: (status, { actor, now }) => statusIn(actor, now, [status]),
      result: (result, { actor, now }) =>
        result === 'undecided' ? statusIn(actor, now, ['paid', 'verified']) : decisionIs(actor, now, result),
      documents: 'r.documentsState',
      // Queues would reveal unpublished decisions to applicants.
      queue: (queue, { actor, now }) => (isApplicant(actor) ? undefined : queueCondition(queue, actor, now)),
      q: (q, { actor }) => registrationMatches(actor, q),
    },
    rows: ({ actor, now }) => allRegistrations(db, actor, now),
    sorts,
    // The planner expects matches of a search anywhere in the order. If all are old, a walk from the newest would read
    // every registration, so that few matches are found by trigrams and sorted instead. Two letters make no trigram.
    planFor: async ({ from, filters }) => {
      if (!filters.q || filters.q.length < 3) return {}
      const pendingCount = countOnce(db, sql`${from.select(sql<number>`1`.as('one'))}`, [])
      // A word that needs longer than that is in so many names that a walk soon fills the page.
      const count = await countInTime(pendingCount)
      return { pendingCount, ...(count && count.total <= fewRows && { sorts: sortsWithoutIndex }) }
    },
    id: sql`r.id`,
    toRows: (page, { actor }) =>
      page.map(({ publicDecision, verifiedAt, ...row }) => ({
        ...row,
        status: statusFor(actor, { ...row, verifiedAt, publicDecision }),
        result: publicResult({ publicDecision }),
        decision: isApplicant(actor) ? null : seesUnpublished(actor) ? row.decision : publicDecision,
      })),
  })

export const serveRegistrations = (app: App, services: Services) =>
  serveList(app, services, listRegistrations, registrationSource(services))
