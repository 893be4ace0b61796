import { sql } from 'kysely'
import { isOverdue, isOwed } from '#domain/payments/bills/bill-status.ts'
import { isOpen } from '#domain/payments/bills/virtual-account-status.ts'
import { type LinkEnd, type PaymentPage, paymentPage } from '#domain/payments/links/payment-page.ts'
import { takesAmount } from '#domain/payments/providers/pay-ways.ts'
import type { Language } from '#entities/define/language.ts'
import { allocatedOf } from '#server/modules/payments/bills/allocated.ts'
import { accountView } from '#server/modules/payments/bills/list-bills.ts'
import type { VirtualAccount } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { nextPayment, remainingOn } from '#server/modules/payments/bills/remaining.ts'
import { banksOf, choicesAmong } from '#server/modules/payments/providers/index.ts'
import { isPublished, programmeUnlessHidden } from '#server/platform/access/decision-scope.ts'
import { initialsOf } from '#server/platform/access/masks.ts'
import { logoPath } from '#server/platform/branding.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { linkIdOf } from './links.ts'

/** A genuine link with its bill; undefined for a text that is no link. */
export async function findLinkedBill(services: Services, token: string) {
  const { db, clock } = services
  const linkId = linkIdOf(services, token)
  if (!linkId) return undefined
  const shownProgramme = programmeUnlessHidden(sql<boolean>`NOT ${isPublished(clock.now())}`)
  return db
    .selectFrom('paymentLinks as l')
    .innerJoin('bills as b', 'b.id', 'l.billId')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['l.id as linkId', 'l.takenBackAt', 'b.id', 'b.kind', 'b.status', 'b.total', 'b.paid', 'b.dueAt'])
    .select(['r.status as registrationStatus', 'a.fullName'])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('bills as n')
            .select('n.id')
            .whereRef('n.registrationId', '=', 'b.registrationId')
            .whereRef('n.kind', '=', 'b.kind')
            .where('n.status', '<>', 'cancelled'),
        )
        .as('standing'),
      eb
        .selectFrom('studyProgrammes as p')
        .select(
          sql<Record<Language, string>>`jsonb_build_object('id', p.name, 'en', coalesce(p.name_en, p.name))`.as(
            'names',
          ),
        )
        .where('p.id', '=', shownProgramme)
        .as('programme'),
    ])
    .where('l.id', '=', linkId)
    .executeTakeFirst()
}
export type LinkedBill = NonNullable<Awaited<ReturnType<typeof findLinkedBill>>>

/** Why the link shows no bill; null if it shows one. */
export function endOf(bill: LinkedBill | undefined): LinkEnd | null {
  if (!bill) return 'broken'
  if (bill.takenBackAt) return 'taken_back'
  if (bill.status !== 'cancelled') return null
  if (bill.standing) return 'replaced'
  return bill.registrationStatus === 'expired' ? 'expired' : 'cancelled'
}

export async function readUniversity({ db }: Pick<Services, 'db'>) {
  const { universityName: name, phone, email, logoFileId } = await getSettings(db)
  return { name, phone, email, logo: logoFileId && logoPath(logoFileId) }
}

/** What the page of a bill shows. Reads this bill only, and drops every field that `paymentPage` does not declare. */
export async function readPaymentPage(services: Services, bill: LinkedBill, language: Language): Promise<PaymentPage> {
  const { db, clock } = services
  const now = clock.now()
  const [university, banks, parts, accounts, payments] = await Promise.all([
    readUniversity(services),
    banksOf(services),
    db.selectFrom('installments').selectAll().where('billId', '=', bill.id).orderBy('position').execute(),
    db.selectFrom('virtualAccounts').selectAll().where('billId', '=', bill.id).orderBy('createdAt').execute(),
    db
      .selectFrom('payments')
      .select(['id', 'amount', 'waitingAmount', 'refundedAmount', 'receiptNumber', 'paidAt', 'status'])
      .where('billId', '=', bill.id)
      .where('status', '<>', 'reversed')
      .orderBy('paidAt')
      .execute(),
  ])
  const views = accounts.map((account: VirtualAccount) =>
    accountView(services, account, remainingOn(account, bill, parts)),
  )
  const number = views.filter(({ status }) => isOpen(status)).at(-1) ?? null
  const owed = isOwed(bill.status)
  const { amount, dueAt, position } = nextPayment(bill, parts)
  return paymentPage.parse({
    ...bill,
    university,
    initials: initialsOf(bill.fullName),
    programme: bill.programme?.[language] ?? null,
    owed: owed
      ? {
          amount,
          dueAt,
          overdue: isOverdue({ status: bill.status, dueAt }, now),
          instalment: position === null ? null : { position, count: parts.length },
        }
      : null,
    waiting: payments.reduce((sum, { waitingAmount }) => sum + waitingAmount, 0),
    number: owed ? number : null,
    numberExpired: owed && !number && views.some(({ status }) => status === 'expired'),
    banks: owed ? choicesAmong(banks).filter(({ way }) => takesAmount(way, amount)) : [],
    receipts: payments.flatMap(({ id, receiptNumber, paidAt, ...sums }) =>
      receiptNumber ? { paymentId: id, number: receiptNumber, amount: allocatedOf(sums), paidAt } : [],
    ),
  })
}

/** The newest open number of the bill, to ask its bank about. */
export const findOpenNumber = ({ db }: Pick<Services, 'db'>, billId: string) =>
  db
    .selectFrom('virtualAccounts')
    .selectAll()
    .where('billId', '=', billId)
    .where('status', '=', 'active')
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
