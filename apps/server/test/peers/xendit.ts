import crypto from 'node:crypto'
import { type BankPeer, type Call, listen, type Money, post, type Reply } from './bank-peer.ts'

type Account = {
  id: string
  external_id: string
  bank_code: string
  name: string
  account_number: string
  is_closed: boolean
  is_single_use: boolean
  expected_amount: number | null
  expiration_date: string
  paid: boolean
}
type Options = { secretKey: string; callbackToken: string; callbackUrl: string; now: () => Date }

export type XenditPeer = BankPeer & {
  baseUrl: string
  /** Sends the callback about a created or updated number, which Xendit sends in addition to payment callbacks. */
  tellOfNumber(number: string): ReturnType<BankPeer['report']>
  /** Sends the callback about a created number five times at once, before answering the creating request. */
  tellsFirst: boolean
  /** Number created for one of the university's accounts, even if the answer was lost. */
  numberOf(externalId: string): string
  /** Pays the QRIS code or charge of one of the university's ids, and sends its callback. */
  payCode(
    referenceId: string,
    payment: { amount?: number; status?: string; token?: string; currency?: string },
  ): ReturnType<BankPeer['report']>
  /** Reports a payment for one account under another account's number. */
  reportOn(externalId: string, number: string, amount: number, currency?: string): ReturnType<BankPeer['report']>
  /** Sends the callback of any event. */
  tell(event: string, data: object): ReturnType<BankPeer['report']>
  /** Voids the payment by one of the university's ids without a callback. */
  giveBack(referenceId: string): void
}

/** Xendit's fixed virtual accounts, from its reference pages. */
export async function startXendit({ secretKey, callbackToken, callbackUrl, now }: Options): Promise<XenditPeer> {
  const accounts = new Map<string, Account>()
  const byIdempotencyKey = new Map<string, Account>()
  const transactions: (Money & { id: string; external: string; status?: string })[] = []
  const codes = new Map<string, { id: string; amount: number; channel_code: string | undefined }>()
  let requestCount = 0

  const accountOf = (number: string) => [...accounts.values()].find((account) => account.account_number === number)
  const isOpen = (account: Account) =>
    !(account.paid && account.is_single_use) && new Date(account.expiration_date) > now()
  const toAnswer = ({ paid: _, ...account }: Account) => ({
    ...account,
    owner_id: 'owner',
    merchant_code: account.account_number.slice(0, 5),
    currency: 'IDR',
    status: isOpen(accounts.get(account.id)!) ? 'ACTIVE' : 'INACTIVE',
  })
  const error = (status: number, error_code: string, message: string): Reply => ({
    status,
    body: { error_code, message },
  })

  function answer({ method, path, headers, body }: Call): Reply {
    if (headers.authorization !== `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`)
      return error(401, 'INVALID_API_KEY', 'API key is not authorized')
    if (method === 'GET' && path === '/available_virtual_account_banks')
      return { status: 200, body: [{ name: 'Bank Central Asia', code: 'BCA', is_activated: true }] }
    if (method === 'POST' && path === '/callback_virtual_accounts') {
      requestCount++
      const key = headers['x-idempotency-key']
      const earlierAnswer = typeof key === 'string' ? byIdempotencyKey.get(key) : undefined
      if (earlierAnswer) return { status: 200, body: toAnswer(earlierAnswer) }
      const accountRequest = JSON.parse(body)
      if (!/^[A-Za-z][A-Za-z .,'-]*$/.test(accountRequest.name ?? ''))
        return error(400, 'INVALID_VIRTUAL_ACCOUNT_NAME_ERROR', 'the name has characters that are not allowed')
      if (accountRequest.is_closed && !Number.isInteger(accountRequest.expected_amount))
        return error(400, 'API_VALIDATION_ERROR', 'expected_amount is required')
      const newAccount: Account = {
        id: crypto.randomBytes(12).toString('hex'),
        external_id: accountRequest.external_id,
        bank_code: accountRequest.bank_code,
        name: accountRequest.name,
        account_number: `10766${String(crypto.randomInt(1e10)).padStart(11, '0')}`,
        is_closed: accountRequest.is_closed ?? false,
        is_single_use: accountRequest.is_single_use ?? false,
        expected_amount: accountRequest.expected_amount ?? null,
        expiration_date: accountRequest.expiration_date,
        paid: false,
      }
      accounts.set(newAccount.id, newAccount)
      if (typeof key === 'string') byIdempotencyKey.set(key, newAccount)
      return { status: 200, body: toAnswer(newAccount) }
    }
    if (method === 'GET' && path.startsWith('/transactions?')) {
      const query = new URLSearchParams(path.split('?')[1])
      const reference = query.get('reference_id') ?? ''
      const statuses = query.getAll('statuses')
      const found = transactions
        .filter(({ external }) => external.includes(reference))
        .filter(({ status = 'SUCCESS' }) => statuses.length === 0 || statuses.includes(status))
      return {
        status: 200,
        body: {
          has_more: false,
          data: found.map(({ id, external, number, amount, at, status = 'SUCCESS' }) => ({
            id,
            product_id: crypto.randomBytes(12).toString('hex'),
            type: 'PAYMENT',
            status,
            channel_category: 'VIRTUAL_ACCOUNT',
            channel_code: 'BCA',
            reference_id: external,
            account_identifier: number,
            currency: 'IDR',
            amount,
            created: at.toISOString(),
          })),
        },
      }
    }
    if (method === 'POST' && (path === '/qr_codes' || path === '/ewallets/charges')) {
      requestCount++
      const { reference_id, amount, expires_at, channel_code } = JSON.parse(body)
      if (path === '/qr_codes' && headers['api-version'] !== '2022-07-31')
        return error(400, 'API_VALIDATION_ERROR', 'api-version is required')
      const earlier = codes.get(reference_id)
      const code = earlier ?? {
        id: `${path === '/qr_codes' ? 'qr' : 'ewc'}_${crypto.randomUUID()}`,
        amount,
        channel_code,
      }
      codes.set(reference_id, code)
      return {
        status: 201,
        body:
          path === '/qr_codes'
            ? { id: code.id, reference_id, amount, status: 'ACTIVE', qr_string: `000201${code.id}`, expires_at }
            : {
                id: code.id,
                reference_id,
                status: 'PENDING',
                actions: {
                  desktop_web_checkout_url: null,
                  mobile_deeplink_checkout_url: null,
                  mobile_web_checkout_url: `https://wallet.test/${code.id}`,
                },
              },
      }
    }
    const id = /^\/callback_virtual_accounts\/([^/]+)$/.exec(path)?.[1]
    const account = id && accounts.get(id)
    if (!account) return error(404, 'CALLBACK_VIRTUAL_ACCOUNT_NOT_FOUND_ERROR', 'not found')
    if (method === 'PATCH') {
      if (!isOpen(account)) return error(400, 'INACTIVE_VIRTUAL_ACCOUNT_ERROR', 'it is inactive')
      Object.assign(account, JSON.parse(body))
    }
    return { status: 200, body: toAnswer(account) }
  }

  const send = async (body: string, token = callbackToken) => {
    const answer = await post(callbackUrl, { 'x-callback-token': token }, body)
    const verdict = answer.status < 300 ? 'accepted' : answer.status >= 500 ? 'again' : 'refused'
    return { ...answer, verdict } as const
  }

  const peer: XenditPeer = {
    trouble: 'none',
    baseUrl: '',
    tellsFirst: false,
    requestCount: () => requestCount,
    account(number) {
      const account = accountOf(number)
      return account && { open: isOpen(account), amount: account.expected_amount, name: account.name }
    },
    receive(number, amount, at = now()) {
      const account = accountOf(number)
      if (account) account.paid = true
      const external = account?.external_id ?? 'somebody-else'
      const money = { reference: `${external}_${crypto.randomInt(1e9)}`, number, amount, at }
      transactions.push({ ...money, id: `txn_${crypto.randomUUID()}`, external })
      return money
    },
    async report(money, spoilt = {}) {
      const account = accountOf(money.number)
      const body = JSON.stringify({
        id: crypto.randomBytes(12).toString('hex'),
        payment_id: spoilt.reference ?? money.reference,
        callback_virtual_account_id: account?.id ?? crypto.randomBytes(12).toString('hex'),
        owner_id: 'owner',
        external_id: account?.external_id ?? 'somebody-else',
        account_number: money.number,
        bank_code: spoilt.channel ?? account?.bank_code ?? 'BCA',
        merchant_code: money.number.slice(0, 5),
        amount: spoilt.amount ?? money.amount,
        transaction_timestamp: spoilt.time ?? money.at.toISOString(),
        sender_name: 'ORANG TUA',
        created: money.at.toISOString(),
        updated: money.at.toISOString(),
      })
      return send(spoilt.json ? body.slice(0, -9) : body, spoilt.signature ? 'another token' : callbackToken)
    },
    numberOf: (externalId) =>
      [...accounts.values()].find(({ external_id }) => external_id === externalId)?.account_number ?? '',
    reportOn: (externalId, number, amount, currency) =>
      send(
        JSON.stringify({
          payment_id: crypto.randomUUID(),
          external_id: externalId,
          account_number: number,
          bank_code: 'BRI',
          amount,
          currency,
          transaction_timestamp: now().toISOString(),
        }),
      ),
    payCode(referenceId, { amount, status = 'SUCCEEDED', token, currency = 'IDR' }) {
      const code = codes.get(referenceId)!
      const at = now().toISOString()
      const isQris = code.id.startsWith('qr_')
      const common = { reference_id: referenceId, status, currency, created: at, updated: at }
      const data = isQris
        ? { ...common, id: `qrpy_${code.id}`, qr_id: code.id, amount: amount ?? code.amount, channel_code: 'ID_DANA' }
        : { ...common, id: code.id, capture_amount: amount ?? code.amount, channel_code: code.channel_code }
      if (status === 'SUCCEEDED')
        transactions.push({
          ...{ id: `txn_${crypto.randomUUID()}`, external: referenceId, reference: data.id },
          ...{ number: 'WALLET', amount: amount ?? code.amount, at: now() },
        })
      return send(
        JSON.stringify({ event: isQris ? 'qr.payment' : 'ewallet.capture', business_id: 'b', created: at, data }),
        token,
      )
    },
    tell: (event, data) => send(JSON.stringify({ event, business_id: 'b', created: now().toISOString(), data })),
    giveBack(referenceId) {
      for (const one of transactions) if (one.external === referenceId) one.status = 'VOIDED'
    },
    tellOfNumber: (number) => send(JSON.stringify(toAnswer(accountOf(number)!))),
    close: async () => {},
  }
  const { baseUrl, close } = await listen(peer, async (call) => {
    const reply = answer(call)
    const isCreated = call.method === 'POST' && reply.status === 200
    if (isCreated && peer.tellsFirst)
      await Promise.all(Array.from({ length: 5 }, () => send(JSON.stringify(reply.body))))
    return reply
  })
  peer.baseUrl = baseUrl
  peer.close = close
  return peer
}
