import type { Language } from '#entities/define/language.ts'
import { rupiah, shortDate } from '#locales/format.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { bankReferenceOf } from '#server/platform/bank-reference.ts'
import { logoBytes } from '#server/platform/branding.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newPdf } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { getBilledRegistration } from './visible-bills.ts'

type Entry = {
  at: Date
  what: 'bill' | 'payment' | 'reversal' | 'refund'
  reference: string
  /** Kind of bill, or the channel of the payment. */
  about: string | null
  debit: number
  credit: number
}

/**
 * Bills, payments and refunds of a registration in chronological order, in whole rupiah with the balance after each
 * line. Cancelled bills are left out. Money counts from the day it was received, even while it waits.
 */
async function entriesOf(services: Services, db: Db, registrationId: string) {
  const [bills, payments, refunds] = await Promise.all([
    db
      .selectFrom('bills')
      .select(['number', 'kind', 'total', 'issuedAt'])
      .where('registrationId', '=', registrationId)
      .where('status', '<>', 'cancelled')
      .execute(),
    db
      .selectFrom('payments as p')
      .innerJoin('bills as b', 'b.id', 'p.billId')
      .leftJoin('virtualAccounts as v', 'v.id', 'p.virtualAccountId')
      .select(['p.receiptNumber', 'p.amount', 'p.receivedAt', 'p.reversedAt', 'p.provider', 'p.channel', 'v.bank'])
      .select(['p.providerReference', 'p.reference'])
      .where('b.registrationId', '=', registrationId)
      .execute(),
    db
      .selectFrom('refunds as f')
      .innerJoin('payments as p', 'p.id', 'f.paymentId')
      .innerJoin('bills as b', 'b.id', 'p.billId')
      .select(['f.number', 'f.amount', 'f.createdAt'])
      .where('b.registrationId', '=', registrationId)
      .execute(),
  ])
  const entries: Entry[] = [
    ...bills.map(({ number, kind, total, issuedAt }) => ({
      at: issuedAt,
      what: 'bill' as const,
      reference: number,
      about: kind,
      debit: total,
      credit: 0,
    })),
    ...payments.flatMap((payment) => {
      const { receiptNumber, amount, receivedAt, reversedAt, provider, channel, bank } = payment
      const reference = receiptNumber ?? bankReferenceOf(payment) ?? ''
      const channelName = bank ? bankName(services, bank) : (channel ?? provider)
      const came: Entry = { at: receivedAt, what: 'payment', reference, about: channelName, debit: 0, credit: amount }
      return reversedAt
        ? [came, { at: reversedAt, what: 'reversal' as const, reference, about: channelName, debit: amount, credit: 0 }]
        : [came]
    }),
    ...refunds.map(({ number, amount, createdAt }) => ({
      at: createdAt,
      what: 'refund' as const,
      reference: number,
      about: null,
      debit: amount,
      credit: 0,
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  let balance = 0
  return entries.map((entry) => {
    balance += entry.debit - entry.credit
    return { ...entry, balance }
  })
}

/** The statement of account of a registration the actor may see. */
export async function readStatement(services: Services, actor: Actor, id: string) {
  await getBilledRegistration(services.db, actor, id)
  const lines = await entriesOf(services, services.db, id)
  return {
    lines: lines.map((line) => ({ ...line, at: line.at.toISOString() })),
    balance: lines.at(-1)?.balance ?? 0,
  }
}

/** The statement of account as an A4 page. */
export async function statementPdf(services: Services, actor: Actor, id: string, language: Language) {
  const { db } = services
  const registration = await getBilledRegistration(db, actor, id)
  const lines = await entriesOf(services, db, id)
  const settings = await getSettings(db)
  const t = sentences(language)
  const pdf = await newPdf({
    title: t('bills:statement.title'),
    settings,
    logo: await logoBytes(services, settings),
    footer: `${registration.code} · ${settings.universityName}`,
    pageWord: (page, of) => t('bills:receipt.page', { page, of }),
  })
  pdf.facts([
    [t('bills:receipt.from'), registration.applicantName],
    [t('bills:receipt.registration'), registration.code],
    [t('bills:statement.balance'), rupiah(lines.at(-1)?.balance ?? 0)],
  ])
  pdf.table(
    [
      { label: t('bills:statement.date'), width: 68 },
      { label: t('bills:statement.what'), width: 187 },
      { label: t('bills:statement.debit'), width: 75, align: 'right' },
      { label: t('bills:statement.credit'), width: 75, align: 'right' },
      { label: t('bills:statement.balance'), width: 75, align: 'right' },
    ],
    lines.map(({ at, what, reference, debit, credit, balance }) => [
      shortDate(at.toISOString(), language),
      `${t(`bills:statement.kind.${what}`)} ${reference}`,
      debit ? rupiah(debit) : '',
      credit ? rupiah(credit) : '',
      rupiah(balance),
    ]),
  )
  return { code: registration.code, bytes: await pdf.bytes() }
}
