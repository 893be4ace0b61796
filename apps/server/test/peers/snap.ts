import crypto from 'node:crypto'
import { type BankPeer, type Call, type Heard, listen, type Money, post, type Reply } from './bank-peer.ts'

type Options = {
  /** URL of the university's endpoints, with the bank's prefix. */
  universityUrl: string
  partnerServiceId: string
  /** Key with which the university signs; the bank verifies with it. */
  university: { clientKey: string; publicKey: string; clientSecret: string; partnerId: string; channelId: string }
  /** Key with which the bank signs; the university verifies with it. */
  bank: { clientKey: string; privateKey: string; secret: string }
  /** Whether the bank asks about each number (`biller`), or the university creates numbers at the bank (`create`). */
  mode: 'biller' | 'create'
  now: () => Date
}
type Account = {
  number: string
  trxId: string
  name: string
  amount: number
  type: string
  expires: Date
  open: boolean
}

export type SnapPeer = BankPeer & {
  baseUrl: string
  token(): Promise<string>
  /** A signed call to the university whose parts a test may change. */
  call(
    name: 'inquiry' | 'payment',
    body: object | string,
    changes?: Changes,
  ): Promise<{ status: number; body: string; headers: Headers }>
  bodyOf(money: Money): Record<string, unknown>
  inquiryOf(number: string): Record<string, unknown>
}
type Changes = {
  token?: string
  timestamp?: string
  externalId?: string
  signature?: string
  path?: string
  headers?: Record<string, string>
}

const sha256 = (text: string) => crypto.createHash('sha256').update(text).digest('hex')
const jakarta = (at: Date) => `${new Date(at.getTime() + 25_200_000).toISOString().slice(0, 19)}+07:00`

/**
 * A bank that speaks SNAP BI, from the standard's tables: the university calls it for numbers, and it calls the
 * university about payments.
 */
export async function startSnapBank(options: Options): Promise<SnapPeer> {
  const { universityUrl, university, bank, mode, now } = options
  const partnerServiceId = options.partnerServiceId.padStart(8, ' ')
  const accounts = new Map<string, Account>()
  const books: Money[] = []
  const externalIds = new Set<string>()
  const usedExternalIds = new Set<string>()
  let requestCount = 0
  let counter = 0

  const code = (service: string, status: number, rest: string, message: string, more: object = {}): Reply => ({
    status,
    body: { responseCode: `${status}${service}${rest}`, responseMessage: message, ...more },
  })

  function giveToken({ headers, body }: Call): Reply {
    const signed = `${headers['x-client-key']}|${headers['x-timestamp']}`
    const isGenuine = crypto
      .createVerify('RSA-SHA256')
      .update(signed)
      .verify(university.publicKey, String(headers['x-signature']), 'base64')
    if (!isGenuine || headers['x-client-key'] !== university.clientKey)
      return code('73', 401, '00', 'Unauthorized. [Signature]')
    if (JSON.parse(body).grantType !== 'client_credentials') return code('73', 400, '02', 'Invalid Mandatory Field')
    const accessToken = crypto.randomBytes(16).toString('hex')
    usedExternalIds.add(accessToken)
    return code('73', 200, '00', 'Successful', { accessToken, tokenType: 'BearerToken', expiresIn: '900' })
  }

  function refuse(service: string, { method, path, headers, body }: Call): Reply | undefined {
    const token = String(headers.authorization ?? '').replace(/^Bearer /, '')
    if (!usedExternalIds.has(token)) return code(service, 401, '01', 'Invalid Token (B2B)')
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/.test(String(headers['x-timestamp'])))
      return code(service, 400, '01', 'Invalid Field Format {X-TIMESTAMP}')
    const text = `${method}:${path}:${token}:${sha256(JSON.stringify(JSON.parse(body)))}:${headers['x-timestamp']}`
    const expectedSignature = crypto.createHmac('sha512', university.clientSecret).update(text).digest('base64')
    if (headers['x-signature'] !== expectedSignature) return code(service, 401, '00', 'Unauthorized. [Signature]')
    if (headers['x-partner-id'] !== university.partnerId || headers['channel-id'] !== university.channelId)
      return code(service, 401, '00', 'Unauthorized. [Unknown client]')
    const externalId = String(headers['x-external-id'])
    if (!/^\d{1,36}$/.test(externalId)) return code(service, 400, '01', 'Invalid Field Format {X-EXTERNAL-ID}')
    if (externalIds.has(externalId)) return code(service, 409, '00', 'Conflict')
    externalIds.add(externalId)
    const message = JSON.parse(body)
    if (
      message.partnerServiceId?.length !== 8 ||
      message.virtualAccountNo !== message.partnerServiceId + message.customerNo
    )
      return code(service, 400, '01', 'Invalid Field Format {virtualAccountNo}')
    return undefined
  }

  const services: Record<string, [method: string, service: string]> = {
    'create-va': ['POST', '27'],
    'update-va': ['PUT', '28'],
    'inquiry-va': ['POST', '30'],
    'delete-va': ['DELETE', '31'],
    status: ['POST', '26'],
  }

  function answer(call: Call): Reply {
    if (call.path === '/v1.0/access-token/b2b') return giveToken(call)
    const name = /^\/v1\.0\/transfer-va\/([\w-]+)$/.exec(call.path)?.[1] ?? ''
    const [method, service] = services[name] ?? []
    if (!service || call.method !== method) return { status: 405, body: {} }
    const refusal = refuse(service, call)
    if (refusal) return refusal
    const message = JSON.parse(call.body)
    const number = message.virtualAccountNo.trim()
    const account = accounts.get(number)
    if (name === 'create-va') {
      requestCount++
      if (account) return code(service, 409, '01', 'Conflict')
      if (!/^\d+\.\d\d$/.test(message.totalAmount?.value))
        return code(service, 400, '01', 'Invalid Field Format {totalAmount}')
      if (!message.virtualAccountName || !message.trxId) return code(service, 400, '02', 'Invalid Mandatory Field')
      accounts.set(number, {
        number,
        trxId: message.trxId,
        name: message.virtualAccountName,
        amount: Number.parseInt(message.totalAmount.value, 10),
        type: message.virtualAccountTrxType,
        expires: new Date(message.expiredDate),
        open: true,
      })
      return code(service, 200, '00', 'Successful', { virtualAccountData: message })
    }
    if (name === 'status') {
      const paid = books.filter((money) => money.number === number)
      if (paid.length === 0) return code(service, 404, '12', 'Invalid Bill/Virtual Account [Not Found]')
      return code(service, 200, '00', 'Successful', {
        virtualAccountData: paid.map((money) => ({
          ...bodyOf(money),
          paymentFlagStatus: '00',
          paymentFlagReason: { english: 'Success', indonesia: 'Sukses' },
        })),
      })
    }
    if (!account || account.trxId !== message.trxId)
      return code(service, 404, '12', 'Invalid Bill/Virtual Account [Not Found]')
    if (name === 'update-va') account.amount = Number.parseInt(message.totalAmount.value, 10)
    if (name === 'delete-va') account.open = false
    return code(service, 200, '00', 'Successful', { virtualAccountData: message })
  }

  const tripleOf = (number: string) => {
    const customerNo = number.slice(options.partnerServiceId.length)
    return { partnerServiceId, customerNo, virtualAccountNo: partnerServiceId + customerNo }
  }
  const bodyOf = ({ reference, number, amount, at }: Money) => ({
    ...tripleOf(number),
    virtualAccountName: 'BUDI SANTOSO',
    paymentRequestId: reference,
    channelCode: 6011,
    paidAmount: { value: `${amount}.00`, currency: 'IDR' },
    totalAmount: { value: `${amount}.00`, currency: 'IDR' },
    trxDateTime: jakarta(at),
    referenceNo: reference.slice(-11),
    flagAdvise: 'N',
    additionalInfo: {},
  })
  const nextExternalId = () => `${now().getTime()}${String(++counter).padStart(6, '0')}`

  async function token() {
    const timestamp = jakarta(now())
    const signature = crypto
      .createSign('RSA-SHA256')
      .update(`${bank.clientKey}|${timestamp}`)
      .sign(bank.privateKey, 'base64')
    const { body } = await post(
      `${universityUrl}/v1.0/access-token/b2b`,
      { 'x-client-key': bank.clientKey, 'x-timestamp': timestamp, 'x-signature': signature },
      JSON.stringify({ grantType: 'client_credentials' }),
    )
    const { accessToken } = JSON.parse(body)
    if (!accessToken) throw new Error(`no token: ${body}`)
    return accessToken as string
  }

  const peer: SnapPeer = {
    trouble: 'none',
    baseUrl: '',
    requestCount: () => requestCount,
    token,
    bodyOf,
    inquiryOf: (number) => ({
      ...tripleOf(number),
      trxDateInit: jakarta(now()),
      channelCode: 6011,
      language: 'ID',
      amount: null,
      additionalInfo: {},
      inquiryRequestId: `${now().getTime()}${String(++counter).padStart(6, '0')}`,
    }),
    async call(name, body, changes = {}) {
      const url = `${universityUrl}/v1.0/transfer-va/${name}`
      const accessToken = changes.token ?? (await token())
      const timestamp = changes.timestamp ?? jakarta(now())
      // Sent with spaces, signed without them, because the standard signs the minified body.
      const sentBody = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
      const minified = typeof body === 'string' ? body : JSON.stringify(body)
      const text = `POST:${changes.path ?? new URL(url).pathname}:${accessToken}:${sha256(minified)}:${timestamp}`
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${accessToken}`,
          'x-timestamp': timestamp,
          'x-signature': changes.signature ?? crypto.createHmac('sha512', bank.secret).update(text).digest('base64'),
          'x-partner-id': 'UNIVERSITY',
          'x-external-id': changes.externalId ?? nextExternalId(),
          'channel-id': '95231',
          ...changes.headers,
        },
        body: sentBody,
      })
      return { status: answer.status, body: await answer.text(), headers: answer.headers }
    },
    account(number) {
      if (mode === 'biller') return undefined
      const account = accounts.get(number)
      return account && { open: account.open && account.expires > now(), amount: account.amount, name: account.name }
    },
    receive(number, amount, at = now()) {
      const money = { reference: `${at.getTime()}${String(++counter).padStart(9, '0')}`, number, amount, at }
      books.push(money)
      return money
    },
    async report(money, spoilt = {}): Promise<Heard> {
      const body = {
        ...bodyOf({ ...money, reference: spoilt.reference ?? money.reference, amount: spoilt.amount ?? money.amount }),
        ...(spoilt.channel && { channelCode: spoilt.channel }),
        ...(spoilt.time !== undefined && { trxDateTime: spoilt.time }),
      }
      const { status, body: answer } = await peer.call(
        'payment',
        spoilt.json ? JSON.stringify(body).slice(0, -9) : body,
        spoilt.signature ? { signature: Buffer.from('wrong').toString('base64') } : {},
      )
      const read = JSON.parse(answer)
      const flag = read.virtualAccountData?.paymentFlagStatus
      const paid = read.responseCode === '2002500' || (read.responseCode === '4042518' && flag === '00')
      if (!String(read.responseCode).startsWith(String(status))) throw new Error(`${status} says ${read.responseCode}`)
      return { status, body: answer, verdict: paid ? 'accepted' : status >= 500 ? 'again' : 'refused' }
    },
    close: async () => {},
  }
  const { baseUrl, close } = await listen(peer, answer)
  peer.baseUrl = baseUrl
  peer.close = close
  return peer
}
