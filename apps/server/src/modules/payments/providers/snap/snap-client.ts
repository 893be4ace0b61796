import crypto from 'node:crypto'
import { z } from 'zod'
import { bankCalendar } from '#domain/calendar.ts'
import { type BankAction, type BankAnswer, callBank } from '#server/modules/payments/providers/call-bank.ts'
import type { Connection } from '#server/modules/payments/providers/connection.ts'
import {
  BankFailure,
  type Inquiry,
  type KnownAccount,
  type NewVirtualAccount,
} from '#server/modules/payments/providers/provider.ts'
import type { Services } from '#server/platform/services.ts'
import { amountText, plainName } from './fields.ts'
import { hmacOf, jakartaTime, rsaOf, serviceText, tokenText } from './signature.ts'

const tokenAnswer = z.object({ accessToken: z.string().min(1), expiresIn: z.coerce.number().optional() })
const coded = z.object({ responseCode: z.coerce.string(), responseMessage: z.string().optional() })

const paid = z.object({
  paymentFlagStatus: z.string().optional(),
  paymentRequestId: z.coerce.string().optional(),
  referenceNo: z.string().optional(),
  paidAmount: z.object({ value: z.string().regex(/^\d+(\.00)?$/) }).optional(),
  trxDateTime: z.string().optional(),
  transactionDate: z.string().optional(),
})
const statusAnswer = z.object({ virtualAccountData: z.union([z.array(paid), paid.transform((one) => [one])]) })

const letters = { closed: 'C', partial: 'I', open: 'O' } as const

/** Access tokens by bank and key, valid as long as the bank says, less a minute. */
const tokens = new WeakMap<Services['config'], Map<string, { token: string; until: number }>>()

/** SNAP calls of the portal to a bank that has to be told of every number. */
export function snapClient(services: Services, connection: Connection) {
  const { code, baseUrl, settings, banks, secret } = connection
  const now = () => services.clock.now()
  const cachedTokens = tokens.get(services.config) ?? new Map<string, { token: string; until: number }>()
  tokens.set(services.config, cachedTokens)
  // A changed key or address needs a new token.
  const tokenKey = `${code} ${settings.clientKey} ${baseUrl}`

  async function token(fresh = false): Promise<string> {
    const found = cachedTokens.get(tokenKey)
    if (!fresh && found && found.until > now().getTime()) return found.token
    const key = secret('privateKey')
    if (!key || !settings.clientKey) throw new BankFailure('refused', 'no keys for calling the bank')
    const timestamp = jakartaTime(now())
    let signature: string
    try {
      signature = rsaOf(tokenText(settings.clientKey, timestamp), key)
    } catch {
      throw new BankFailure('refused', 'the private key cannot be used')
    }
    const answer = await callBank(services, code, {
      action: 'token',
      method: 'POST',
      url: baseUrl + settings.tokenPath,
      headers: { 'X-CLIENT-KEY': settings.clientKey, 'X-TIMESTAMP': timestamp, 'X-SIGNATURE': signature },
      body: JSON.stringify({ grantType: 'client_credentials' }),
    })
    const read = tokenAnswer.safeParse(answer.json)
    if (answer.status !== 200 || !read.success) throw refusal(answer)
    const seconds = read.data.expiresIn ?? 900
    cachedTokens.set(tokenKey, {
      token: read.data.accessToken,
      until: now().getTime() + Math.max(0, seconds - 60) * 1000,
    })
    return read.data.accessToken
  }

  type Call = {
    action: BankAction
    method: 'POST' | 'PUT' | 'DELETE'
    name: string
    body: object
    /** Undefined for a number that the books do not know. */
    id: string | undefined
  }

  async function call(request: Call, isRetry = false): Promise<BankAnswer & { code: string }> {
    const { action, method, name, id } = request
    const clientSecret = secret('clientSecret')
    if (!clientSecret) throw new BankFailure('refused', 'no client secret')
    const accessToken = await token(isRetry)
    const url = `${baseUrl}${settings.servicePath}/${name}`
    const timestamp = jakartaTime(now())
    const body = JSON.stringify(request.body)
    const text = serviceText({ method, path: new URL(url).pathname, accessToken, body, timestamp })
    const answer = await callBank(services, code, {
      action,
      method,
      url,
      body,
      virtualAccountId: id,
      headers: {
        Authorization: `Bearer ${accessToken}`,
        'X-TIMESTAMP': timestamp,
        'X-SIGNATURE': hmacOf(text, clientSecret),
        'X-PARTNER-ID': settings.partnerId,
        'X-EXTERNAL-ID': externalId(now()),
        'CHANNEL-ID': settings.channelId,
      },
    })
    const read = coded.safeParse(answer.json)
    const responseCode = read.success ? read.data.responseCode : `${answer.status}0000`
    // The bank has dropped the token before its expiry.
    if (/^401\d\d01$/.test(responseCode) && !isRetry) return call(request, true)
    return { ...answer, code: responseCode }
  }

  const tripleOf = (account: { bank: string; number: string | null }) => {
    const prefix = banks.find((one) => one.code === account.bank)?.prefix ?? ''
    const number = account.number ?? ''
    const partnerServiceId = prefix.padStart(8, ' ')
    const customerNo = number.slice(prefix.length)
    return { partnerServiceId, customerNo, virtualAccountNo: partnerServiceId + customerNo, trxId: number }
  }
  const bodyOf = (account: NewVirtualAccount) => ({
    ...tripleOf(account),
    virtualAccountName: plainName(account.payerName) || 'PMB',
    // An open number has no fixed sum.
    totalAmount: amountText(account.amountType === 'open' ? 0 : account.amount),
    virtualAccountTrxType: letters[account.amountType],
    expiredDate: jakartaTime(account.expiresAt),
    additionalInfo: { description: account.description },
  })

  async function isThere(account: NewVirtualAccount) {
    const { partnerServiceId, customerNo, virtualAccountNo, trxId } = tripleOf(account)
    const body = { partnerServiceId, customerNo, virtualAccountNo, trxId }
    const { code } = await call({ action: 'issue', method: 'POST', name: 'inquiry-va', body, id: account.id })
    return code.startsWith('200')
  }

  return {
    token: () => token(true),
    async create(account: NewVirtualAccount) {
      const answer = await call({
        action: 'issue',
        method: 'POST',
        name: 'create-va',
        body: bodyOf(account),
        id: account.id,
      })
      // The bank already knows the number: an earlier try created it and its answer was lost.
      if (!answer.code.startsWith('200') && !(await isThere(account))) throw refusal(answer)
    },
    async update(account: NewVirtualAccount) {
      const answer = await call({
        action: 'update',
        method: 'PUT',
        name: 'update-va',
        body: bodyOf(account),
        id: account.id,
      })
      if (!answer.code.startsWith('200') && !isGone(answer.code)) throw refusal(answer)
    },
    async remove(account: KnownAccount) {
      const answer = await call({
        action: 'cancel',
        method: settings.deleteMethod,
        name: 'delete-va',
        body: tripleOf(account),
        id: account.id,
      })
      if (!answer.code.startsWith('200') && !isGone(answer.code)) throw refusal(answer)
    },
    async status(account: Pick<KnownAccount, 'bank' | 'number'> & { id?: string }): Promise<Inquiry> {
      const { trxId: _, ...triple } = tripleOf(account)
      const answer = await call({
        action: 'inquire',
        method: 'POST',
        name: settings.statusName,
        body: { ...triple, additionalInfo: {} },
        id: account.id,
      })
      if (/^404/.test(answer.code)) return { payments: [] }
      const read = statusAnswer.safeParse(answer.json)
      if (!answer.code.startsWith('200') || !read.success) throw refusal(answer)
      const found = read.data.virtualAccountData.flatMap((one) => {
        const amount = Number(one.paidAmount?.value ?? '0')
        return one.paymentFlagStatus === '00' && amount > 0 ? [{ ...one, amount }] : []
      })
      const named = found.every((one) => one.paymentRequestId)
      if (!named)
        return {
          received: found.map(({ amount, referenceNo, trxDateTime }) => ({
            reference: referenceNo ?? trxDateTime ?? account.number ?? '',
            amount,
          })),
        }
      return {
        payments: found.map(({ amount, paidAmount, paymentRequestId, trxDateTime, transactionDate }) => ({
          reference: paymentRequestId!,
          virtualAccountNumber: account.number ?? '',
          amount,
          amountTold: paidAmount!.value,
          paidAt: timeOf(trxDateTime ?? transactionDate) ?? now(),
          paidAtTold: trxDateTime ?? transactionDate ?? '',
          channel: null,
        })),
      }
    },
  }
}

/** The number was not found, paid or expired: nothing is left to close or to change. */
const isGone = (code: string) => /^404\d\d(12|14|19|11)$/.test(code)

const timeOf = (text: string | undefined) => {
  const at = text ? new Date(text) : undefined
  return at && !Number.isNaN(at.getTime()) ? at : undefined
}

function refusal({ json, status }: BankAnswer) {
  const read = coded.safeParse(json)
  return new BankFailure(
    'refused',
    read.success ? [read.data.responseCode, read.data.responseMessage].filter(Boolean).join(' ') : `HTTP ${status}`,
  )
}

/** Digits unique within a day: the milliseconds of the day and random digits. */
function externalId(at: Date): string {
  const milliseconds = String(at.getTime() - bankCalendar.startOfDay(bankCalendar.dayOf(at)).getTime()).padStart(8, '0')
  return milliseconds + String(crypto.randomInt(100_000_000)).padStart(8, '0')
}
