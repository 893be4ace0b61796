import crypto from 'node:crypto'
import type { NotNull } from 'kysely'
import QRCode from 'qrcode'
import type { Language } from '#entities/define/language.ts'
import { amountInWords, dateTime, longDate, rupiah } from '#locales/format.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { initialsOf, maskName } from '#server/platform/access/masks.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { logoBytes } from '#server/platform/branding.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { newPdf } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'

/** Receipts name the valid bill: the bill the payment arrived for, or the bill that replaced it. */
const receiptQuery = (services: Services) =>
  services.db
    .selectFrom('payments as p')
    .leftJoin('virtualAccounts as v', 'v.id', 'p.virtualAccountId')
    .innerJoin('bills as o', 'o.id', 'p.billId')
    .leftJoin('bills as s', (join) =>
      join
        .onRef('s.registrationId', '=', 'o.registrationId')
        .onRef('s.kind', '=', 'o.kind')
        .on('s.status', '<>', 'cancelled'),
    )
    .innerJoin('bills as b', (join) => join.on('b.id', '=', (eb) => eb.fn.coalesce('s.id', 'o.id')))
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select([
      'p.id',
      'p.receiptNumber',
      'p.amount',
      'p.refundedAmount',
      'p.reversedAt',
      'p.reference',
      'p.waitingAmount',
      'p.paidAt',
      'p.channel',
      'p.providerReference',
      'p.virtualAccountNumber',
      'v.bank',
      'b.id as billId',
      'b.number as billNumber',
      'b.kind',
      'b.total',
      'b.paid',
      'b.status',
      'r.code',
      'a.fullName as payer',
    ])
    .where('p.receiptNumber', 'is not', null)
    .$narrowType<{ receiptNumber: NotNull }>()

type Receipt = NonNullable<Awaited<ReturnType<ReturnType<typeof receiptQuery>['executeTakeFirst']>>>

/**
 * Rupiah of a receipt: what the payment gave to bills without what was refunded. A reversed payment keeps its sum; its
 * receipt says that it was reversed.
 */
const receivedOf = ({ amount, waitingAmount, refundedAmount }: Receipt) => amount - waitingAmount - refundedAmount

/** The code printed on a receipt: payment id and a seal that only the server can make. */
export function receiptCode(secretKey: string, paymentId: string): string {
  const id = Buffer.from(paymentId.replaceAll('-', ''), 'hex')
  const seal = crypto.createHmac('sha256', secretKey).update('receipt').update(id).digest().subarray(0, 12)
  return Buffer.concat([id, seal]).toString('base64url')
}

function paymentIdOf(secretKey: string, code: string): string | null {
  const bytes = Buffer.from(code, 'base64url')
  if (bytes.length !== 28) return null
  const id = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return crypto.timingSafeEqual(Buffer.from(receiptCode(secretKey, id)), Buffer.from(bytes.toString('base64url')))
    ? id
    : null
}

export async function verifyReceipt(services: Services, code: string) {
  const id = paymentIdOf(services.config.secretKey, code)
  const receipt = id ? await receiptQuery(services).where('p.id', '=', id).executeTakeFirst() : undefined
  if (!receipt) throw notFound('receipt')
  const { receiptNumber, refundedAmount, paidAt, billNumber, payer, reversedAt } = receipt
  return {
    number: receiptNumber,
    amount: receivedOf(receipt),
    refunded: refundedAmount,
    paidAt,
    billNumber,
    payer: maskName(payer),
    reversedAt,
  }
}

/** The receipt of a payment as an A4 page; 404 if the actor may not see it or there is none. */
export async function receiptPdf(services: Services, actor: Actor, paymentId: string, language: Language) {
  const receipt = await receiptQuery(services).where('p.id', '=', paymentId).where(visibleTo(actor)).executeTakeFirst()
  if (!receipt) throw notFound('receipt')
  return { number: receipt.receiptNumber, bytes: await print(services, receipt, language) }
}

/** The receipt of a payment on this bill for a reader without an account: initials, no registration and no lines. */
export async function publicReceiptPdf(services: Services, billId: string, paymentId: string, language: Language) {
  const receipt = await receiptQuery(services)
    .where('p.id', '=', paymentId)
    .where('p.billId', '=', billId)
    .executeTakeFirst()
  if (!receipt) throw notFound('receipt')
  return { number: receipt.receiptNumber, bytes: await print(services, receipt, language, { isPublic: true }) }
}

async function print(services: Services, receipt: Receipt, language: Language, { isPublic = false } = {}) {
  const { db, config } = services
  const settings = await getSettings(db)
  const t = sentences(language)
  const lines = isPublic ? [] : await linesOf(db, receipt.billId)
  const received = receivedOf(receipt)
  const at = (value: Date) => dateTime(value, language, settings.timeZone)
  const link = `${config.publicUrl}/verifikasi-kuitansi/${receiptCode(config.secretKey, receipt.id)}`
  const pdf = await newPdf({
    title: t('bills:receipt.title'),
    settings,
    logo: await logoBytes(services, settings),
    footer: `${receipt.receiptNumber} · ${settings.universityName}`,
    pageWord: (page, of) => t('bills:receipt.page', { page, of }),
  })
  pdf.facts([
    [t('bills:receipt.number'), receipt.receiptNumber],
    [t('bills:receipt.from'), isPublic ? initialsOf(receipt.payer) : receipt.payer],
    ...(isPublic ? [] : [[t('bills:receipt.registration'), receipt.code] as [string, string]]),
    [t('bills:receipt.amount'), rupiah(received)],
    [t('bills:receipt.inWords'), amountInWords(received, language)],
    ...(receipt.refundedAmount > 0
      ? [[t('bills:receipt.refunded'), rupiah(receipt.refundedAmount)] as [string, string]]
      : []),
    [t('bills:receipt.for'), `${t(`bills:kind.${receipt.kind}`)} (${receipt.billNumber})`],
    [t('bills:receipt.paidAt'), at(receipt.paidAt)],
    [
      t('bills:receipt.through'),
      receipt.bank
        ? `${bankName(services, receipt.bank)}, ${receipt.virtualAccountNumber}`
        : t(`bills:manual.${receipt.channel}`),
    ],
    [t('bills:receipt.reference'), receipt.reference ?? (receipt.bank ? receipt.providerReference : '-')],
    ...(receipt.reversedAt ? [[t('bills:receipt.reversed'), at(receipt.reversedAt)] as [string, string]] : []),
  ])
  pdf.heading(t('bills:receipt.bill', { number: receipt.billNumber }))
  pdf.table(
    [
      { label: t('bills:receipt.line'), width: 360 },
      { label: t('bills:receipt.lineAmount'), width: 120, align: 'right' },
    ],
    [
      ...lines.map((line) => [line.description, rupiah(line.amount)]),
      [t('bills:receipt.total'), rupiah(receipt.total)],
      [t('bills:receipt.paidSoFar'), rupiah(receipt.paid)],
      [t('bills:receipt.remaining'), rupiah(receipt.total - receipt.paid)],
    ],
  )
  const { doc, left, width } = pdf
  const qr = await QRCode.toBuffer(link, { margin: 0, width: 260, errorCorrectionLevel: 'M' })
  // Keep code and signature on one page.
  if (doc.y + 140 > doc.page.height - doc.page.margins.bottom) doc.addPage()
  const top = doc.y + 14
  doc.image(qr, left, top, { width: 88 })
  doc.fontSize(8.5).text(t('bills:receipt.verify'), left + 104, top, { width: 210 })
  doc.text(link, left + 104, doc.y + 4, { width: 210 })
  const signLeft = left + width - 160
  doc.fontSize(10).text(longDate(receipt.paidAt, language, settings.timeZone), signLeft, top, { width: 160 })
  doc.text(settings.signatoryTitle, signLeft, undefined, { width: 160 })
  doc
    .font('Helvetica-Bold')
    .text(settings.signatoryName, signLeft, doc.y + 34, { width: 160 })
    .font('Helvetica')
  return pdf.bytes()
}

const linesOf = (db: Db, billId: string) =>
  db
    .selectFrom('billLines')
    .select(['description', 'amount'])
    .where('billId', '=', billId)
    .orderBy('sortOrder')
    .execute()
