import type { Selectable } from 'kysely'
import type { ApprovalKind } from '#domain/payments/approvals/approvals.ts'
import type { Effect } from '#domain/payments/approvals/effect-fields.ts'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'

export type ApprovalRequest = Selectable<Database['approvalRequests']>

/** The content of a request, stored or not yet stored. */
export type Question = Pick<
  ApprovalRequest,
  | 'kind'
  | 'registrationId'
  | 'billId'
  | 'paymentId'
  | 'statementLineId'
  | 'paymentAlertId'
  | 'bankAccountId'
  | 'providerAccountId'
  | 'amount'
  | 'details'
  | 'fileId'
  | 'reason'
>

/** Columns that name what a request is about. */
type Subject = 'billId' | 'paymentId' | 'statementLineId' | 'paymentAlertId'
type QuestionAbout<S extends Subject> = Question & Record<S, string>
export type RequestAbout<S extends Subject> = ApprovalRequest & Record<S, string>

/** Callbacks of the server for requests of one kind, which name at least the subjects `S`. */
export type ApprovalHandler<S extends Subject = never> = {
  /** Permission to ask, also after the effect has changed. */
  permission: string
  /**
   * Locks every row that asking reads and approving changes, in the order of docs/money.md. Runs before the row of the
   * request is locked or inserted. Locking a row twice is harmless.
   */
  lock(tx: Tx, question: QuestionAbout<S>): Promise<void>
  /**
   * Throws if the actor may neither ask nor approve. Runs after `lock`, so the rows it reads stay unchanged until the
   * commit.
   */
  guard?(tx: Tx, actor: Actor, question: QuestionAbout<S>): Promise<void>
  /**
   * The effect of approving now; throws an AppError if approving is impossible. Only reads: either `lock` has run, or
   * nothing is written afterwards. `amount` is stored with the request and compared with the limit of the deciding
   * role.
   */
  effect(context: Omit<Context, 'actor'>, question: QuestionAbout<S>): Promise<Effect>
  /** Carries out an approved request whose effect has not changed. */
  apply(context: Context, request: RequestAbout<S>): Promise<void>
  /** Moves rows stored beside a request to the request that replaces it. */
  renewed?(tx: Tx, fromRequestId: string, toRequestId: string): Promise<void>
  /** Payments, requests and statement lines similar to the request, shown to the deciding account. */
  lookAlikes?(context: Context, request: RequestAbout<S>): Promise<LookAlike[]>
  /** Runs after the commit of an approval. */
  committed?(services: Services): void
}

/** A handler of requests that always name these subjects; a request without one of them throws. */
export function approvalAbout<S extends Subject>(subjects: readonly S[], handler: ApprovalHandler<S>): ApprovalHandler {
  const namesAll = <Q extends Question>(question: Q): question is Q & Record<S, string> =>
    subjects.every((subject) => question[subject] !== null)
  const named = <Q extends Question>(question: Q) => {
    if (!namesAll(question)) throw new Error(`A request of kind ${question.kind} needs ${subjects.join(' and ')}`)
    return question
  }
  return {
    ...handler,
    lock: (tx, question) => handler.lock(tx, named(question)),
    guard: async (tx, actor, question) => handler.guard?.(tx, actor, named(question)),
    effect: (context, question) => handler.effect(context, named(question)),
    apply: (context, request) => handler.apply(context, named(request)),
    lookAlikes: async (context, request) => (await handler.lookAlikes?.(context, named(request))) ?? [],
  }
}

/**
 * Handlers of all kinds of requests. `approval-kinds.ts` builds this record, because the room `approvals` may not
 * import the rooms of the kinds.
 */
export type ApprovalHandlers = Readonly<Record<ApprovalKind, ApprovalHandler>>

/** `amount` is left out if the effect derives it. */
type Wish = { kind: ApprovalKind; reason: string } & Partial<Omit<Question, 'kind' | 'reason'>>

export const questionOf = ({
  kind,
  registrationId = null,
  billId = null,
  paymentId = null,
  statementLineId = null,
  paymentAlertId = null,
  bankAccountId = null,
  providerAccountId = null,
  amount = 0,
  details = {},
  fileId = null,
  reason,
}: Wish): Question => ({
  kind,
  registrationId,
  billId,
  paymentId,
  statementLineId,
  paymentAlertId,
  bankAccountId,
  providerAccountId,
  amount,
  details,
  fileId,
  reason,
})

/**
 * Stores a request with its current effect for another account to decide; 409 while a request of the same kind about
 * the same bill or payment is pending. `renews` is the request that this one replaces.
 */
export async function askApproval(
  context: Context,
  handler: ApprovalHandler,
  question: Question,
  renews: string | null = null,
): Promise<{ id: string }> {
  const { tx, services, actor } = context
  await handler.lock(tx, question)
  await handler.guard?.(tx, actor, question)
  const effect = await handler.effect(context, question)
  const values = { ...question, amount: effect.amount }
  const request = await tx
    .insertInto('approvalRequests')
    .values({
      ...values,
      details: JSON.stringify(question.details),
      effect: JSON.stringify(effect),
      renews,
      requestedBy: actor.accountId,
      requestedAt: services.clock.now(),
    })
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!request) throw conflict('already_requested')
  if (renews) await handler.renewed?.(tx, renews, request.id)
  await recordAudit(tx, actor, {
    action: renews ? 'approval.renew' : 'approval.ask',
    on: { approval: request.id },
    after: { ...values, effect, ...(renews && { renews }) },
    reason: question.reason,
  })
  return request
}
