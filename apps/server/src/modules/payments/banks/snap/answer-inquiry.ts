import type { Language } from '#entities/define/language.ts'
import { findNumber } from '#server/modules/payments/bills/numbers/number-facts.ts'
import type { Connection } from '#server/modules/payments/providers/connection.ts'
import type { RawReport, ReportAnswer } from '#server/modules/payments/providers/provider.ts'
import { refuseHeaders, takeExternalId } from '#server/modules/payments/providers/snap/authenticate.ts'
import { answerOf, services as numbers, type SnapCase } from '#server/modules/payments/providers/snap/codes.ts'
import {
  amountText,
  inquiryBody,
  numberOf,
  plainName,
  prefixesOf,
  readBody,
} from '#server/modules/payments/providers/snap/fields.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'

const letters = { closed: 'C', partial: 'I', open: 'O' } as const

type Answered = { outcome: string; answer: ReportAnswer; virtualAccountId?: string }

/** Answers a bank's signed question about a number with the payer's name and the amount to pay. */
export async function answerInquiry(
  services: Services,
  connection: Connection,
  report: RawReport,
  db: Db = services.db,
): Promise<Answered> {
  const refused = refuseHeaders(connection, report, numbers.inquiry)
  if (refused) return { outcome: refused.kind, answer: refused.answer }
  const wrong = (name: SnapCase, more?: string): Answered => ({
    outcome: 'malformed',
    answer: answerOf(numbers.inquiry, name, more),
  })
  const read = readBody(inquiryBody, report.body)
  if ('wrong' in read) return wrong(read.wrong, read.more)
  const { partnerServiceId, virtualAccountNo } = read.json as Record<string, string>
  const { customerNo, inquiryRequestId } = read.told
  const number = numberOf(read.told, prefixesOf(connection.banks))
  if (!number) return wrong('invalidField', '{virtualAccountNo}')
  if ((await takeExternalId(services, connection, report, numbers.inquiry, inquiryRequestId)) === 'used')
    return wrong('conflict')

  const account = await findNumber(db, connection.code, { number })
  const triple = { partnerServiceId, customerNo, virtualAccountNo }
  const found = account && { virtualAccountId: account.id }
  const no = (name: SnapCase, reason: { english: string; indonesia: string }): Answered => ({
    outcome: 'inquiry',
    ...found,
    answer: answerOf(numbers.inquiry, name, undefined, {
      virtualAccountData: { inquiryStatus: '01', inquiryReason: reason, ...triple, inquiryRequestId },
    }),
  })
  if (!account) return no('notFound', { english: 'Not found', indonesia: 'Tidak ditemukan' })
  if (account.remaining === 0 && account.billStatus !== 'cancelled')
    return no('paid', { english: 'Paid', indonesia: 'Sudah dibayar' })
  if (account.status === 'expired' || (account.status === 'active' && account.expiresAt <= services.clock.now()))
    return no('expired', { english: 'Expired', indonesia: 'Kedaluwarsa' })
  if (account.status !== 'active') return no('notFound', { english: 'Not found', indonesia: 'Tidak ditemukan' })
  const amount = amountText(account.amountType === 'open' ? 0 : account.remaining)
  const kind = (language: Language) => sentences(language)(`bills:kind.${account.kind}`).slice(0, 30)
  return {
    outcome: 'inquiry',
    ...found,
    answer: answerOf(numbers.inquiry, 'ok', undefined, {
      virtualAccountData: {
        inquiryStatus: '00',
        inquiryReason: { english: 'Success', indonesia: 'Sukses' },
        ...triple,
        virtualAccountName: plainName(account.payerName),
        inquiryRequestId,
        totalAmount: amount,
        subCompany: '00000',
        billDetails: [
          {
            billNo: account.billNumber.slice(0, 18),
            billDescription: { english: kind('en'), indonesia: kind('id') },
            billSubCompany: '00000',
            billAmount: amount,
          },
        ],
        freeTexts: [],
        virtualAccountTrxType: letters[account.amountType],
        feeAmount: amountText(0),
        additionalInfo: {},
      },
    }),
  }
}
