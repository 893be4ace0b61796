import crypto from 'node:crypto'
import { z } from 'zod'
import { bankCalendar } from '#domain/calendar.ts'
import { payWayOf } from '#domain/payments/providers/pay-ways.ts'
import { usualAddresses } from '#domain/payments/providers/provider-kinds.ts'
import { type BankAnswer, type BankRequest, callBank } from '#server/modules/payments/providers/call-bank.ts'
import type { Connection } from '#server/modules/payments/providers/connection.ts'
import { gatewayAnswer } from '#server/modules/payments/providers/gateway-answers.ts'
import {
  BankFailure,
  type PaymentProvider,
  type ReadReport,
  type ReportedPayment,
  type UnsignedReport,
  usualFirstAskMs,
} from '#server/modules/payments/providers/provider.ts'
import { foreignMoney } from '#server/modules/payments/providers/reported-rupiah.ts'
import { isWalletLink, walletNumber } from '#server/modules/payments/providers/wallet-number.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'

/** `100000.00` as whole rupiah; undefined for any other text. */
const rupiahOf = (text: string) => (/^\d+(\.0+)?$/.test(text) ? Number(text) : undefined)

/** Midtrans sends times in Jakarta's zone, without naming it. */
const timeOf = (text: string | undefined) => (text ? bankCalendar.momentOf(text) : undefined)

const transaction = z.object({
  order_id: z.string().max(50),
  transaction_id: z.string().min(1).max(80),
  status_code: z.string(),
  gross_amount: z.string(),
  currency: z.unknown().optional(),
  transaction_status: z.string(),
  fraud_status: z.string().optional(),
  payment_type: z.string().optional(),
  settlement_time: z.string().optional(),
  transaction_time: z.string().optional(),
  va_numbers: z.array(z.object({ bank: z.string(), va_number: z.string() })).optional(),
  permata_va_number: z.string().optional(),
  qr_string: z.string().max(700).optional().catch(undefined),
  expiry_time: z.string().optional(),
  actions: z
    .array(z.object({ name: z.string(), url: z.string() }))
    .optional()
    .catch(undefined),
})
type Transaction = z.output<typeof transaction>

/** Accepts texts of any length, because the money has moved and Midtrans repeats a refused report without end. */
const notification = transaction.extend({
  order_id: z.string(),
  transaction_id: z.string().min(1),
  signature_key: z.string(),
})

/** The signature key of a notification, computed over the amount as text: as a number it would be another text. */
export const midtransSignature = (
  notice: Pick<Transaction, 'order_id' | 'status_code' | 'gross_amount'>,
  serverKey: string,
) =>
  crypto
    .createHash('sha512')
    .update(notice.order_id + notice.status_code + notice.gross_amount + serverKey)
    .digest('hex')

const numberOf = (notice: Transaction) =>
  notice.va_numbers?.[0]?.va_number ??
  notice.permata_va_number ??
  // QRIS codes and wallets have no number of Midtrans'.
  (payWayOf(notice.payment_type ?? null) === 'transfer' ? undefined : walletNumber(notice.order_id))

/** What the payer scans or opens; undefined if the answer has neither. */
function codeOf({ qr_string: qrText, actions = [], expiry_time: expiry }: Transaction) {
  const payUrl = actions.find(({ name }) => name === 'deeplink-redirect')?.url
  const expiresAt = timeOf(expiry)
  const until = expiresAt ? { expiresAt } : {}
  if (qrText) return { qrText, ...until }
  return payUrl && isWalletLink(payUrl) ? { payUrl, ...until } : undefined
}

const isPaid = ({ transaction_status: status, fraud_status: fraud }: Transaction) =>
  status === 'settlement' || (status === 'capture' && (fraud ?? 'accept') === 'accept')

/** Statuses after which reported money was returned or never arrived. */
const takenBack = new Set(['deny', 'failure', 'cancel', 'refund', 'partial_refund', 'chargeback', 'partial_chargeback'])

const isOurs = (orderId: string) => z.uuid().safeParse(orderId).success

function paymentOf(notice: Transaction): ReportedPayment | undefined {
  const foreign = foreignMoney(notice.currency, notice.gross_amount)
  const amount = foreign ? Infinity : rupiahOf(notice.gross_amount)
  const number = numberOf(notice)
  const paidAtTold = notice.settlement_time ?? notice.transaction_time
  if (!amount || number === undefined) return undefined
  return {
    reference: notice.transaction_id,
    virtualAccountNumber: number,
    ...(isOurs(notice.order_id) && { virtualAccountId: notice.order_id }),
    amount,
    amountTold: foreign ?? notice.gross_amount,
    paidAt: timeOf(paidAtTold) ?? new Date(Number.NaN),
    ...(paidAtTold && { paidAtTold }),
    channel: notice.va_numbers?.[0]?.bank ?? notice.payment_type ?? null,
    mayBeReversed: true,
    // `challenge` asks the merchant to review, `deny` advises against; Midtrans settles bank transfers in both cases.
    underReview: (notice.fraud_status ?? 'accept') !== 'accept',
  }
}

function refuseUnsigned(body: Buffer, serverKey: string | undefined): UnsignedReport | null {
  const json = jsonOf(body)
  // The signature is a field of the JSON body, so a body that is not JSON has none.
  if (json === undefined) return { kind: 'malformed' }
  const signed = notification
    .pick({ order_id: true, status_code: true, gross_amount: true, signature_key: true })
    .safeParse(json)
  const genuine =
    serverKey && signed.success && sameText(signed.data.signature_key, midtransSignature(signed.data, serverKey))
  return genuine ? null : { kind: 'wrong_signature' }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function readNotification(body: Buffer): ReadReport {
  const read = notification.safeParse(jsonOf(body))
  if (!read.success) return { kind: 'malformed' }
  const virtualAccountId = isOurs(read.data.order_id) ? { virtualAccountId: read.data.order_id } : {}
  if (takenBack.has(read.data.transaction_status))
    return { kind: 'reversal', reference: read.data.transaction_id, ...virtualAccountId }
  if (!isPaid(read.data))
    return { kind: 'ignored', ...virtualAccountId, ended: read.data.transaction_status === 'expire' }
  // The signature covers `status_code` but not `transaction_status`, so the key of a pending order must not prove a
  // payment.
  if (read.data.status_code !== '200') return { kind: 'malformed' }
  const payment = paymentOf(read.data)
  return payment ? { kind: 'payment', payment } : { kind: 'malformed' }
}

/**
 * Midtrans' Core API: payment types `bank_transfer`, `qris`, `gopay` and `shopeepay`. Midtrans makes the numbers, codes
 * and links, and each takes one exact amount.
 */
export function midtransGateway(
  services: Services,
  { code, baseUrl, banks, maximumAmount, secret }: Connection,
): PaymentProvider {
  const call = async (request: Omit<BankRequest, 'headers' | 'url'> & { path: string }) => {
    const key = secret('serverKey')
    if (!key) throw new BankFailure('refused', 'no server key')
    const { path, ...rest } = request
    const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    return callBank(services, code, { ...rest, url: `${baseUrl}${path}`, headers: { authorization } })
  }
  /** Error code in the body, often sent with HTTP 200. */
  const codeIn = ({ json, status }: BankAnswer) =>
    String(z.object({ status_code: z.string() }).safeParse(json).data?.status_code ?? status)
  const refusal = ({ json, status }: BankAnswer) =>
    new BankFailure(
      'refused',
      z.object({ status_message: z.string() }).safeParse(json).data?.status_message ?? `HTTP ${status}`,
    )

  async function find(id: string, action: 'issue' | 'inquire' | 'expire' | 'cancel') {
    const answer = await call({ action, method: 'GET', path: `/v2/${id}/status`, virtualAccountId: id })
    if (codeIn(answer) === '404') return undefined
    if (/^5/.test(codeIn(answer))) throw new BankFailure('unavailable', `status ${codeIn(answer)}`)
    const read = transaction.safeParse(answer.json)
    if (!read.success) throw refusal(answer)
    return read.data
  }

  function paymentType(channel: string) {
    const callback = { callback_url: services.config.publicUrl }
    if (channel === 'qris') return { payment_type: 'qris', qris: { acquirer: 'gopay' } }
    if (channel === 'gopay') return { payment_type: 'gopay', gopay: { enable_callback: true, ...callback } }
    if (channel === 'shopeepay') return { payment_type: 'shopeepay', shopeepay: callback }
    return { payment_type: 'bank_transfer', bank_transfer: { bank: channel } }
  }

  return {
    code,
    demo: false,
    trial: baseUrl === usualAddresses.midtrans.trial,
    keepsNumbers: true,
    firstAskMs: usualFirstAskMs,
    banks,
    maximumAmount,
    async issue({ id, bank, amount, payerName, description, expiresAt }) {
      const channel = banks.find((one) => one.code === bank)?.channel ?? null
      const minutes = Math.max(1, Math.round((expiresAt.getTime() - services.clock.now().getTime()) / 60_000))
      const answer = await call({
        action: 'issue',
        method: 'POST',
        path: '/v2/charge',
        virtualAccountId: id,
        body: JSON.stringify({
          ...paymentType(channel ?? ''),
          transaction_details: { order_id: id, gross_amount: amount },
          customer_details: { first_name: payerName.slice(0, 255) },
          item_details: [{ id: description.slice(0, 50), name: description.slice(0, 50), price: amount, quantity: 1 }],
          custom_expiry: { expiry_duration: minutes, unit: 'minute' },
        }),
      })
      const status = codeIn(answer)
      // 406: an earlier try succeeded although its response was lost, so the existing number is used.
      const known = status === '406' ? await find(id, 'issue') : undefined
      const parsed = known ? { success: true as const, data: known } : transaction.safeParse(answer.json)
      if (/^5/.test(status)) throw new BankFailure('unavailable', `status ${status}`)
      if ((status !== '201' && !known) || !parsed.success) throw refusal(answer)
      if (payWayOf(channel) !== 'transfer') {
        // An order that exists has lost its code with the first response. Nobody saw it, so nobody pays it.
        const code = codeOf(parsed.data)
        if (!code) throw new BankFailure('refused', 'no code in the answer')
        return { number: walletNumber(id), reference: parsed.data.transaction_id, ...code }
      }
      const number = numberOf(parsed.data)
      if (!number) throw new BankFailure('refused', 'no number in the answer')
      return { number, reference: parsed.data.transaction_id }
    },
    async close({ id, status }, reason) {
      // A paid number took its only amount; Midtrans itself closes expired numbers.
      if (status === 'paid') return
      const answer = await call({ action: reason, method: 'POST', path: `/v2/${id}/${reason}`, virtualAccountId: id })
      const code = codeIn(answer)
      if (/^5/.test(code)) throw new BankFailure('unavailable', `status ${code}`)
      // 404: the number was never created. 412: the number is closed, or paid and reported separately.
      if (!['200', '202', '404', '407', '412'].includes(code)) throw refusal(answer)
    },
    async inquire({ id }) {
      const found = await find(id, 'inquire')
      const payment = found && isPaid(found) ? paymentOf(found) : undefined
      return { payments: payment ? [payment] : [] }
    },
    async check() {
      const answer = await call({ action: 'check', method: 'GET', path: `/v2/${crypto.randomUUID()}/status` })
      // No such order exists; Midtrans answering 404 shows that it accepts the key.
      if (codeIn(answer) !== '404') throw refusal(answer)
    },
    refuseUnsigned: ({ body }) => refuseUnsigned(body, secret('serverKey')),
    readReport: ({ body }) => readNotification(body),
    answer: gatewayAnswer,
  }
}
