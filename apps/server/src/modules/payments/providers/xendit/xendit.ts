import { z } from 'zod'
import { type PayWay, payWayOf } from '#domain/payments/providers/pay-ways.ts'
import { type BankRequest, callBank } from '#server/modules/payments/providers/call-bank.ts'
import type { Connection } from '#server/modules/payments/providers/connection.ts'
import { gatewayAnswer } from '#server/modules/payments/providers/gateway-answers.ts'
import {
  BankFailure,
  type PaymentProvider,
  type ReadReport,
  usualFirstAskMs,
} from '#server/modules/payments/providers/provider.ts'
import { readTime } from '#server/modules/payments/providers/read-time.ts'
import { foreignMoney, reportedRupiah } from '#server/modules/payments/providers/reported-rupiah.ts'
import { isWalletLink, walletNumber } from '#server/modules/payments/providers/wallet-number.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'

const wholeRupiah = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const paidCallback = z.object({
  payment_id: z.string().min(1),
  external_id: z.string(),
  callback_virtual_account_id: z.string().nullish(),
  account_number: z.string(),
  bank_code: z.string(),
  amount: reportedRupiah,
  transaction_timestamp: z.string(),
})
/** Xendit reports that a number was created or changed; needed if the response with the number was lost. */
const numberCallback = z.object({
  external_id: z.string(),
  status: z.string(),
  payment_id: z.undefined().optional(),
  id: z.string().optional().catch(undefined),
  account_number: z.string().optional().catch(undefined),
})

/** Payments by QRIS code and by wallet come with an event around them. */
const qrisCallback = z.object({
  event: z.literal('qr.payment'),
  data: z.object({
    id: z.string().min(1),
    reference_id: z.string(),
    qr_id: z.string().optional(),
    amount: reportedRupiah,
    status: z.string(),
    created: z.string(),
    channel_code: z.string().nullish(),
  }),
})
const walletCallback = z.object({
  event: z.literal('ewallet.capture'),
  data: z.object({
    id: z.string().min(1),
    reference_id: z.string(),
    capture_amount: reportedRupiah,
    status: z.string(),
    updated: z.string(),
    channel_code: z.string().nullish(),
  }),
})

/** A word about money given back, or about a charge or payment that is paid no more. */
const backCallback = z.object({
  event: z.string(),
  data: z.object({
    id: z.string().min(1),
    /** The charge or payment of a refund, whose own id is `id`. */
    charge_id: z.string().min(1).nullish().catch(undefined),
    payment_id: z.string().min(1).nullish().catch(undefined),
    reference_id: z.string().optional().catch(undefined),
    status: z.string().nullish().catch(undefined),
    void_status: z.string().nullish().catch(undefined),
  }),
})
/** Statuses of a charge or payment whose money went back to the payer. */
const givenBack = new Set(['VOIDED', 'REFUNDED', 'PARTIALLY_REFUNDED', 'REVERSED'])
/** Events about money given back; it went back once the void or refund itself succeeded. */
const backEvents = new Set(['ewallet.void', 'ewallet.refund', 'qr.refund', 'refund.succeeded'])

/** Statuses of a charge that is paid no more. */
const endOfCharge = new Set(['FAILED', 'EXPIRED', 'CANCELLED'])

const madeCode = z.object({
  id: z.string().min(1).max(80),
  qr_string: z.string().min(1).max(700),
  expires_at: z.string().nullish(),
})
const madeCharge = z.object({
  id: z.string().min(1).max(80),
  actions: z.object({
    mobile_deeplink_checkout_url: z.string().nullish(),
    mobile_web_checkout_url: z.string().nullish(),
  }),
})

const madeAccount = z.object({ id: z.string().min(1).max(80), account_number: z.string().regex(/^\d{1,28}$/) })
const transactions = z.object({
  has_more: z.boolean().optional(),
  data: z.array(
    z.object({
      id: z.string().max(80),
      status: z.string(),
      amount: wholeRupiah,
      reference_id: z.string().nullish(),
      account_identifier: z.string().nullish(),
    }),
  ),
})

const isOurs = (externalId: string) => z.uuid().safeParse(externalId).success

function readCallback(body: Buffer): ReadReport {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    return { kind: 'malformed' }
  }
  const { amountTold, body: held } = holdForeign(json)
  const read = readJson(held)
  return read.kind === 'payment' && amountTold ? { ...read, payment: { ...read.payment, amountTold } } : read
}

const fields = z.record(z.string(), z.unknown())

/** The callback with an infinite amount if it is in another currency, and that amount as written. */
function holdForeign(json: unknown) {
  const root = fields.safeParse(json).data
  const inner = fields.safeParse(root?.data).data
  const money = inner ?? root
  const amountTold = money && foreignMoney(money.currency, money.capture_amount ?? money.amount)
  if (!amountTold) return { body: json }
  const held = { ...money, amount: Infinity, capture_amount: Infinity }
  return { amountTold, body: inner ? { ...root, data: held } : held }
}

function readJson(json: unknown): ReadReport {
  const number = numberCallback.safeParse(json)
  if (number.success) return noteNumber(number.data)
  const back = backCallback.safeParse(json)
  if (back.success && isGivenBack(back.data)) return readGivenBack(back.data)
  if (back.success && isEndOfCharge(back.data))
    return { kind: 'ignored', virtualAccountId: back.data.data.reference_id ?? '', ended: true }
  const qris = qrisCallback.safeParse(json)
  if (qris.success) {
    const { qr_id: numberReference, created, ...data } = qris.data.data
    return readCodePayment({ ...data, paidAtTold: created, numberReference })
  }
  const wallet = walletCallback.safeParse(json)
  if (wallet.success) {
    const { capture_amount: amount, updated, ...data } = wallet.data.data
    return readCodePayment({ ...data, amount, paidAtTold: updated, numberReference: data.id })
  }
  const read = paidCallback.safeParse(json)
  if (!read.success) return isOtherEvent(json) ? { kind: 'ignored' } : { kind: 'malformed' }
  const { payment_id, external_id, account_number, bank_code, amount, transaction_timestamp } = read.data
  const { callback_virtual_account_id: numberReference } = read.data
  return {
    kind: 'payment',
    payment: {
      reference: payment_id,
      virtualAccountNumber: account_number,
      ...(isOurs(external_id) && { virtualAccountId: external_id }),
      amount,
      paidAt: readTime(transaction_timestamp) ?? new Date(Number.NaN),
      paidAtTold: transaction_timestamp,
      channel: bank_code,
      ...(numberReference && { numberReference }),
    },
  }
}

type Back = z.output<typeof backCallback>

function isGivenBack({ event, data: { status, void_status: voided } }: Back) {
  if (givenBack.has(status ?? '')) return true
  return backEvents.has(event) && (voided ?? status) === 'SUCCEEDED'
}

/** A charge is tried once; a code may be tried again. */
const isEndOfCharge = ({ event, data: { status, reference_id = '' } }: Back) =>
  event === 'ewallet.capture' && endOfCharge.has(status ?? '') && isOurs(reference_id)

function readGivenBack({ data: { id, charge_id, payment_id, reference_id = '' } }: Back): ReadReport {
  const virtualAccountId = isOurs(reference_id) ? { virtualAccountId: reference_id } : {}
  return { kind: 'reversal', reference: charge_id ?? payment_id ?? id, ...virtualAccountId }
}

/** Xendit sends every event of its dashboard to one address and repeats what is refused. */
function isOtherEvent(json: unknown) {
  const read = z.object({ event: z.string() }).safeParse(json)
  return read.success && !['qr.payment', 'ewallet.capture'].includes(read.data.event)
}

type CodePayment = {
  id: string
  reference_id: string
  amount: number
  status: string
  channel_code?: string | null | undefined
  paidAtTold: string
  numberReference: string | undefined
}

function readCodePayment({ id, reference_id, amount, status, channel_code, paidAtTold, numberReference }: CodePayment) {
  const virtualAccountId = isOurs(reference_id) ? { virtualAccountId: reference_id } : {}
  if (status !== 'SUCCEEDED') return { kind: 'ignored' as const, ...virtualAccountId }
  return {
    kind: 'payment' as const,
    payment: {
      reference: id,
      virtualAccountNumber: walletNumber(reference_id),
      ...virtualAccountId,
      amount,
      paidAt: readTime(paidAtTold) ?? new Date(Number.NaN),
      paidAtTold,
      channel: channel_code ?? null,
      mayBeReversed: true,
      ...(numberReference && { numberReference }),
    },
  }
}

function noteNumber({ external_id, status, id, account_number }: z.output<typeof numberCallback>): ReadReport {
  if (!isOurs(external_id)) return { kind: 'ignored' }
  const account = madeAccount.safeParse({ id, account_number })
  const issued =
    account.success && status !== 'INACTIVE'
      ? { issued: { number: account.data.account_number, reference: account.data.id } }
      : {}
  return { kind: 'ignored', virtualAccountId: external_id, ...issued }
}

const categoryOf: Record<PayWay, string> = { transfer: 'VIRTUAL_ACCOUNT', qris: 'QR_CODE', wallet: 'EWALLET' }

/** Letters and spaces, which every bank behind Xendit accepts in a name. */
const plainName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 50) || 'PMB'

/**
 * Xendit's fixed virtual accounts, QRIS codes and wallets. Xendit makes the numbers: a closed number takes its amount once, an open number
 * takes any amount.
 */
export function xenditGateway(
  services: Services,
  { code, baseUrl, banks, maximumAmount, secret }: Connection,
): PaymentProvider {
  const call = (request: Omit<BankRequest, 'headers' | 'url'> & { path: string; headers?: Record<string, string> }) => {
    const key = secret('secretKey')
    if (!key) throw new BankFailure('refused', 'no secret key')
    const { path, headers, ...rest } = request
    const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    return callBank(services, code, { ...rest, url: `${baseUrl}${path}`, headers: { authorization, ...headers } })
  }
  const refusal = (json: unknown, status: number) => {
    const { error_code: error, message } = z
      .object({ error_code: z.string().optional(), message: z.string().optional() })
      .catch({})
      .parse(json)
    return new BankFailure('refused', [error, message].filter(Boolean).join(': ') || `HTTP ${status}`)
  }

  const wayOf = (bank: string) => payWayOf(banks.find((one) => one.code === bank)?.channel ?? null)

  async function issueCode({ id, amount, expiresAt }: { id: string; amount: number; expiresAt: Date }) {
    const { status, json } = await call({
      action: 'issue',
      method: 'POST',
      path: '/qr_codes',
      virtualAccountId: id,
      headers: { 'api-version': '2022-07-31', 'idempotency-key': id },
      body: JSON.stringify({
        reference_id: id,
        type: 'DYNAMIC',
        currency: 'IDR',
        amount,
        expires_at: expiresAt.toISOString(),
      }),
    })
    const codeAnswer = madeCode.safeParse(json)
    if (status >= 300 || !codeAnswer.success) throw refusal(json, status)
    const until = codeAnswer.data.expires_at ? readTime(codeAnswer.data.expires_at) : undefined
    return {
      number: walletNumber(id),
      reference: codeAnswer.data.id,
      qrText: codeAnswer.data.qr_string,
      ...(until && { expiresAt: until }),
    }
  }

  async function issueCharge({ id, amount, channel }: { id: string; amount: number; channel: string }) {
    const { status, json } = await call({
      action: 'issue',
      method: 'POST',
      path: '/ewallets/charges',
      virtualAccountId: id,
      headers: { 'idempotency-key': id },
      body: JSON.stringify({
        reference_id: id,
        currency: 'IDR',
        amount,
        checkout_method: 'ONE_TIME_PAYMENT',
        channel_code: channel,
        channel_properties: { success_redirect_url: services.config.publicUrl },
      }),
    })
    const chargeAnswer = madeCharge.safeParse(json)
    if (status >= 300 || !chargeAnswer.success) throw refusal(json, status)
    const { mobile_deeplink_checkout_url: app, mobile_web_checkout_url: page } = chargeAnswer.data.actions
    const payUrl = [app, page].find((url) => url && isWalletLink(url))
    if (!payUrl) throw new BankFailure('refused', 'no link in the answer')
    return { number: walletNumber(id), reference: chargeAnswer.data.id, payUrl }
  }

  return {
    code,
    demo: false,
    // Both environments of Xendit have the same address; the key tells them apart.
    trial: secret('secretKey')?.startsWith('xnd_development_') ?? false,
    keepsNumbers: true,
    firstAskMs: usualFirstAskMs,
    banks,
    maximumAmount,
    async issue({ id, bank, amount, amountType, payerName, expiresAt }) {
      const channel = banks.find((one) => one.code === bank)?.channel ?? ''
      const way = payWayOf(channel)
      if (way === 'qris') return issueCode({ id, amount, expiresAt })
      if (way === 'wallet') return issueCharge({ id, amount, channel })
      const closed = amountType === 'closed'
      const { status, json } = await call({
        action: 'issue',
        method: 'POST',
        path: '/callback_virtual_accounts',
        virtualAccountId: id,
        // If the response was lost and the call is repeated, Xendit returns the number it has already created.
        headers: { 'X-IDEMPOTENCY-KEY': id },
        body: JSON.stringify({
          external_id: id,
          bank_code: channel,
          name: plainName(payerName),
          is_closed: closed,
          is_single_use: closed,
          ...(closed && { expected_amount: amount }),
          expiration_date: expiresAt.toISOString(),
        }),
      })
      const account = madeAccount.safeParse(json)
      if (status >= 300 || !account.success) throw refusal(json, status)
      return { number: account.data.account_number, reference: account.data.id }
    },
    async close({ id, bank, reference, status: standing, amountType }, reason) {
      // A code takes its amount until it expires, and a charge cannot be taken back; both end within an hour.
      if (wayOf(bank) !== 'transfer') return
      // A payment uses up a closed number, and Xendit expires numbers by its own clock.
      if (!reference || reason === 'expire' || (standing === 'paid' && amountType === 'closed')) return
      const { status, json } = await call({
        action: 'cancel',
        method: 'PATCH',
        path: `/callback_virtual_accounts/${encodeURIComponent(reference)}`,
        virtualAccountId: id,
        body: JSON.stringify({ expiration_date: services.clock.now().toISOString() }),
      })
      const { error_code: error } = z.object({ error_code: z.string().optional() }).catch({}).parse(json)
      // The number has already ended or was paid; Xendit reports the payment in a separate callback.
      if (status >= 300 && status !== 404 && error !== 'INACTIVE_VIRTUAL_ACCOUNT_ERROR') throw refusal(json, status)
    },
    async inquire({ id, bank, number }) {
      const way = wayOf(bank)
      const query = new URLSearchParams({
        types: 'PAYMENT',
        channel_categories: categoryOf[way],
        reference_id: id,
        limit: '50',
      })
      const { status, json } = await call({
        action: 'inquire',
        method: 'GET',
        path: `/transactions?${query}`,
        virtualAccountId: id,
      })
      const found = transactions.safeParse(json)
      if (status >= 300 || !found.success) throw refusal(json, status)
      // A search by reference also finds longer references. The ids it returns differ from those of the callbacks.
      const own = found.data.data
        .filter((one) => one.reference_id === id)
        .filter((one) => way !== 'transfer' || !number || !one.account_identifier || one.account_identifier === number)
      const sumsOf = (isWanted: (status: string) => boolean) =>
        own.filter(({ status }) => isWanted(status)).map(({ id: reference, amount }) => ({ reference, amount }))
      return {
        received: sumsOf((status) => status === 'SUCCESS'),
        givenBack: sumsOf((status) => givenBack.has(status)),
      }
    },
    async check() {
      const { status, json } = await call({ action: 'check', method: 'GET', path: '/available_virtual_account_banks' })
      if (status >= 300) throw refusal(json, status)
    },
    refuseUnsigned({ headers }) {
      const expected = secret('callbackToken')
      const receivedToken = headers['x-callback-token']
      return expected && typeof receivedToken === 'string' && sameText(receivedToken, expected)
        ? null
        : { kind: 'wrong_signature' }
    },
    readReport: ({ body }) => readCallback(body),
    answer: gatewayAnswer,
  }
}
