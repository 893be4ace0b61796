import { isDeepStrictEqual } from 'node:util'
import type { Effect } from '#domain/payments/approvals/effect-fields.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import type { ApprovalHandler, Question } from './ask-approval.ts'

/** The same question about the bill that has replaced the question's bill. */
export async function followBill<Q extends Question>(tx: Tx, question: Q): Promise<Q> {
  if (!question.billId) return question
  const standing = await tx
    .selectFrom('bills as b')
    .innerJoin('bills as o', (join) =>
      join.onRef('o.registrationId', '=', 'b.registrationId').onRef('o.kind', '=', 'b.kind'),
    )
    .select('o.id')
    .where('b.id', '=', question.billId)
    .where('o.status', '<>', 'cancelled')
    .executeTakeFirst()
  return standing ? { ...question, billId: standing.id } : question
}

/** The current effect of approving a stored request. It has no form fields, so field errors are thrown as 409. */
export async function currentEffect(context: Omit<Context, 'actor'>, handler: ApprovalHandler, question: Question) {
  const { tx } = context
  try {
    return await handler.effect(context, await followBill(tx, question))
  } catch (error) {
    const [first] = error instanceof AppError && error.fields ? Object.values(error.fields).flat() : []
    if (!first) throw error
    throw typeof first === 'string' ? conflict(first) : conflict(first.code, first.params)
  }
}

/** Whether a stored effect, which went through JSON, equals the current one. */
export const isSameEffect = (stored: unknown, current: Effect) =>
  isDeepStrictEqual(stored, JSON.parse(JSON.stringify(current)))
