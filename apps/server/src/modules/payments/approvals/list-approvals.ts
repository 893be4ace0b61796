import { sql } from 'kysely'
import { type approvalKinds, kindsWithoutSum, whyNotDecide } from '#domain/payments/approvals/approvals.ts'
import { listApprovals } from '#domain/payments/approvals/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { type Db, likePattern } from '#server/platform/database/database.ts'
import { downloadUrl } from '#server/platform/files/stored-files.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { askerColumns } from './approval-askers.ts'
import { approvedBefore } from './approved-before.ts'

const requests = (db: Db) =>
  db
    .selectFrom('approvalRequests as q')
    .leftJoin('registrations as r', 'r.id', 'q.registrationId')
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('bills as b', 'b.id', 'q.billId')
    .leftJoin('files as f', 'f.id', 'q.fileId')
    .innerJoin('accounts as asker', 'asker.id', 'q.requestedBy')
    .leftJoin('accounts as decider', 'decider.id', 'q.decidedBy')

export const approvalColumns = [
  'q.id',
  'q.kind',
  'q.status',
  'q.amount',
  'q.reason',
  'q.details',
  'q.paymentId',
  'q.requestedBy',
  'q.requestedAt',
  'q.decidedBy',
  'q.decidedAt',
  'q.decisionReason',
  'q.fileId',
  'f.name as fileName',
  'asker.name as askerName',
  'decider.name as deciderName',
  'b.number as billNumber',
  'r.id as registrationId',
  'r.code as registrationCode',
  'a.fullName as applicantName',
] as const

/** Requests of registrations the actor may see, newest first, each with the reason why the actor may not decide it. */
export const serveApprovals = (app: App, services: Services) =>
  serveList(app, services, listApprovals, {
    from: () => requests(services.db),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      status: 'q.status',
      kind: 'q.kind',
      requestedBy: 'q.requestedBy',
      from: sinceDay('q.requestedAt'),
      to: untilDay('q.requestedAt'),
      q:
        (q, { actor }) =>
        (eb) =>
          eb.or([
            eb('b.number', 'like', likePattern(q.toUpperCase()).slice(1)),
            eb('q.registrationId', 'in', (inner) =>
              inner
                .selectFrom('registrations')
                .select('id')
                .where(registrationMatches(actor, q, 'registrations')),
            ),
          ]),
    },
    columns: (rows) => rows.select(approvalColumns).select(stateColumns),
    sorts: {
      requestedAt: { by: sql`q.requested_at`, type: 'timestamptz' },
      amount: { by: sql`q.amount`, type: 'bigint' },
    },
    id: sql`q.id`,
    toRows: async (found, { connection, actor }) => {
      const limits = await limitsOf(connection, actor)
      const mayDecide = actor.permissions.has('persetujuan-update')
      return found.map((row) => ({
        ...briefOf(row),
        amount: kindsWithoutSum.includes(row.kind) ? null : row.amount,
        applicant: row.applicantName ?? row.about,
        askedBy: row.askerName,
        approvedBefore: row.approvedBefore,
        about: row.about,
        details: row.details as Record<string, unknown>,
        billNumber: row.billNumber,
        paymentId: row.paymentId,
        proof: row.fileId ? { url: downloadUrl(services, actor, row.fileId), name: row.fileName! } : null,
        registrationId: row.registrationId,
        registrationCode: row.registrationCode,
        applicantName: row.applicantName,
        whyNot: mayDecide ? whyNotDecide(row, actor.accountId, limits.get(row.kind)) : ('no_permission' as const),
      }))
    },
  })

/**
 * Label of a request without a registration: text of a statement line, a bank's id, or the name of an account or
 * connection.
 */
const about = sql<
  string | null
>`coalesce(q.effect ->> 'statementWords', q.effect ->> 'connection', q.details ->> 'name',
  CASE q.kind WHEN 'held_amount' THEN q.effect ->> 'reference' END)`.as('about')

/** Columns computed for every request of the list. */
const stateColumns = [approvedBefore.as('approvedBefore'), about, ...askerColumns] as const

type ApprovalFound = Awaited<ReturnType<typeof findOne>>
const findOne = (db: Db) => requests(db).select(approvalColumns).select(stateColumns).executeTakeFirstOrThrow()

export const briefOf = (
  row: Omit<
    ApprovalFound,
    | 'approvedBefore'
    | 'about'
    | 'askedBy'
    | 'lineAskedBy'
    | 'billNumber'
    | 'registrationId'
    | 'registrationCode'
    | 'applicantName'
  >,
) => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  amount: row.amount,
  reason: row.reason,
  requestedBy: { id: row.requestedBy, name: row.askerName },
  requestedAt: row.requestedAt.toISOString(),
  decidedBy: row.decidedBy ? { id: row.decidedBy, name: row.deciderName! } : null,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decisionReason: row.decisionReason,
})

/** Every request about a payment, newest first. */
export async function approvalsOfPayment(db: Db, paymentId: string) {
  const rows = await requests(db)
    .select(approvalColumns)
    .where('q.paymentId', '=', paymentId)
    .orderBy('q.requestedAt', 'desc')
    .execute()
  return rows.map(briefOf)
}

async function limitsOf(db: Db, actor: Actor) {
  const rows = await db
    .selectFrom('approvalLimits')
    .select(['kind', 'most'])
    .where('roleId', '=', actor.role.id)
    .execute()
  return new Map(rows.map(({ kind, most }) => [kind as (typeof approvalKinds)[number], most]))
}
