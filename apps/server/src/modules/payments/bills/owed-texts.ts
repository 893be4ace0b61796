import type { Language } from '#entities/define/language.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import type { Db } from '#server/platform/database/database.ts'

type Bill = { id: string; total: number; paid: number; dueAt: Date | null }

/**
 * Reads the first unpaid instalment of each bill. Returns a function that gives the message placeholders of a bill:
 * `next` and its deadline `due`, and `remaining`, all that is left to pay. Without instalments, `next` is all of it.
 */
export async function owedTexts(db: Db, bills: readonly Pick<Bill, 'id'>[]) {
  const rows = await db
    .selectFrom('installments')
    .distinctOn('billId')
    .select(({ eb }) => ['billId', eb('amount', '-', eb.ref('paid')).as('amount'), 'dueAt'])
    .where(
      'billId',
      'in',
      bills.map(({ id }) => id),
    )
    .whereRef('paid', '<', 'amount')
    .orderBy('billId')
    .orderBy('position')
    .execute()
  const nextOf = new Map(rows.map(({ billId, ...next }) => [billId, next]))
  return ({ id, total, paid, dueAt }: Bill, language: Language) => {
    const remaining = total - paid
    const next = nextOf.get(id) ?? { amount: remaining, dueAt }
    return {
      // A discount on the bill may leave less than its instalments add up to.
      next: rupiah(Math.min(next.amount, remaining)),
      due: next.dueAt ? dateTime(next.dueAt, language) : '-',
      remaining: rupiah(remaining),
    }
  }
}
