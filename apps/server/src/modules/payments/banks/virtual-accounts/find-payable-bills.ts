import { sql } from 'kysely'
import type { BankUse, PayableBill } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import { amountTypes } from '#domain/payments/providers/amount-types.ts'
import { amountTypesOf } from '#domain/payments/providers/provider-kinds.ts'
import { owedBillsCalled } from '#server/modules/payments/bills/bill-list.ts'
import { banksOf, providersOf } from '#server/modules/payments/providers/index.ts'
import { banksWithUse } from '#server/modules/payments/providers/settings/find-providers.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'

const maxBills = 20

/** Owed bills that match the search text. */
export async function findPayableBills({ db }: Services, actor: Actor, typed: string): Promise<PayableBill[]> {
  const { condition } = await owedBillsCalled(db, actor, typed || undefined)
  const bills = await db
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select([
      'b.id',
      'b.number',
      'b.kind',
      'b.total',
      'b.paid',
      'r.code as registrationCode',
      'a.fullName as applicantName',
    ])
    .where(condition)
    .orderBy('b.issuedAt', 'desc')
    .orderBy('b.id', 'desc')
    .limit(sql.lit(maxBills))
    .execute()
  const parts = await db
    .selectFrom('installments')
    .select(['id', 'billId', 'position', 'amount', 'paid', 'dueAt'])
    .where('billId', 'in', bills.length ? bills.map(({ id }) => id) : [null])
    .whereRef('paid', '<', 'amount')
    .orderBy('position')
    .execute()
  return bills.map(({ total, paid, ...bill }) => ({
    ...bill,
    remaining: total - paid,
    installments: parts
      .filter((part) => part.billId === bill.id)
      .map(({ id, position, amount, paid: already, dueAt }) => ({
        id,
        position,
        remaining: amount - already,
        dueAt: dueAt.toISOString(),
      })),
  }))
}

/** Every bank with numbers, how many it has left, and which questions it supports. */
export async function listBanks(services: Services): Promise<BankUse[]> {
  const [providers, offered, uses, accounts] = await Promise.all([
    providersOf(services),
    banksOf(services),
    banksWithUse(services.db),
    services.db.selectFrom('providerAccounts').select(['code', 'kind']).execute(),
  ])
  return providers.flatMap((provider) => {
    const kind = accounts.find(({ code }) => code === provider.code)?.kind
    return provider.banks.map((bank) => {
      const use = uses.find(({ code }) => code === bank.code)
      return {
        code: bank.code,
        name: bank.name,
        provider: provider.code,
        offered: offered.some(({ code }) => code === bank.code),
        amountType: bank.amountType,
        amountTypes: [...(kind ? amountTypesOf[kind] : amountTypes)],
        remaining: use?.remaining ?? null,
        low: use?.low ?? false,
      }
    })
  })
}
