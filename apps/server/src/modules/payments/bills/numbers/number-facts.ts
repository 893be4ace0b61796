import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { remainingOn } from '#server/modules/payments/bills/remaining.ts'
import type { Db } from '#server/platform/database/database.ts'

type Named = { number: string; virtualAccountId?: string | undefined }

/** A provider's number with its bill, payer and remaining amount. The portal's own id is tried before the digits. */
export async function findNumber(db: Db, provider: string, { number, virtualAccountId }: Named) {
  const found = await db
    .selectFrom('virtualAccounts as v')
    .innerJoin('bills as b', 'b.id', 'v.billId')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select([
      'v.id',
      'v.number',
      'v.bank',
      'v.status',
      'v.amountType',
      'v.expiresAt',
      'v.installmentId',
      'b.id as billId',
      'b.number as billNumber',
      'b.status as billStatus',
      'b.kind',
      'b.total',
      'b.paid',
      'a.fullName as payerName',
    ])
    .where('v.provider', '=', provider)
    .where((eb) => (virtualAccountId ? eb('v.id', '=', virtualAccountId) : eb('v.number', '=', number)))
    .executeTakeFirst()
  if (!found) return undefined
  const parts = await db
    .selectFrom('installments')
    .select(['id', 'amount', 'paid'])
    .where('billId', '=', found.billId)
    .execute()
  return { ...found, remaining: isOwed(found.billStatus) ? remainingOn(found, found, parts) : 0 }
}
