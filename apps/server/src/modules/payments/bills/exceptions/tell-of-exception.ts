import { isSettled } from '#domain/payments/bills/bill-status.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { owedTexts } from '#server/modules/payments/bills/owed-texts.ts'
import type { Context } from '#server/platform/use-case.ts'

/** Sends the payer the bill after an approved exception: the bill itself, or the bill that replaced it. */
export async function tellOfException(context: Omit<Context, 'actor'>, billId: string) {
  const { tx } = context
  const bill = await tx
    .selectFrom('bills as b')
    .innerJoin('bills as o', (join) =>
      join.onRef('o.registrationId', '=', 'b.registrationId').onRef('o.kind', '=', 'b.kind'),
    )
    .selectAll('b')
    .where('o.id', '=', billId)
    .where('b.status', '<>', 'cancelled')
    .executeTakeFirst()
  if (!bill) return
  const textsOf = await owedTexts(tx, [bill])
  await notify(context, {
    accountId: bill.accountId,
    event: isSettled(bill.status) ? 'bill-let-off' : 'bill-changed',
    params: (language) => ({ number: bill.number, ...textsOf(bill, language) }),
    link: `/pendaftaran/${bill.registrationId}/pembayaran`,
  })
}
