import crypto from 'node:crypto'
import { expect } from 'vitest'
import { type ProviderKind, snapSettings } from '#domain/payments/providers/provider-kinds.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { startMidtrans } from '#server-test/peers/midtrans.ts'
import { startSnapBank } from '#server-test/peers/snap.ts'
import { startXendit } from '#server-test/peers/xendit.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { approvedByAnother } from './approvals.ts'

const slugs = ['settings-providers-view', 'settings-providers-create', 'settings-providers-update']
export const asProviderAdmin = (t: TestApp) => asWithPermissions(t, slugs)

/** Starts the application on HTTP and returns its address. */
export async function addressOf(t: TestApp): Promise<string> {
  const bound = t.app.server.address()
  if (bound && typeof bound === 'object') return `http://127.0.0.1:${bound.port}`
  return t.app.listen({ port: 0, host: '127.0.0.1' })
}

export const bankInput = (changes: Record<string, unknown> = {}) => ({
  code: 'bank-uji',
  name: 'Bank Uji',
  channel: null,
  prefix: '12345',
  customerDigits: 10,
  firstNumber: 1,
  lastNumber: null,
  amountType: 'partial',
  active: true,
  ...changes,
})

/** Input for a connection; parts may be overridden. */
export const providerInput = (kind: ProviderKind, changes: Record<string, unknown> = {}) => ({
  code: `${kind}-uji`,
  kind,
  name: `Koneksi ${kind}`,
  active: false,
  baseUrl: 'https://bank.example.com',
  snap: kind === 'snap' ? snapSettings.parse({}) : null,
  banks: [
    bankInput(
      kind === 'snap' ? {} : { channel: kind === 'midtrans' ? 'bca' : 'BCA', prefix: null, amountType: 'closed' },
    ),
  ],
  secrets: {},
  ...changes,
})

/** A connection requested by one account and approved by another. */
export async function aProvider(t: TestApp, input: ReturnType<typeof providerInput>) {
  const admin = await asProviderAdmin(t)
  const answer = await admin.post('/settings/providers', input)
  expect(answer.statusCode, answer.body).toBe(200)
  await approvedByAnother(t, answer.json().data.approvalId)
  return t.db
    .selectFrom('providerAccounts')
    .select(['id', 'code', 'version'])
    .where('code', '=', input.code)
    .executeTakeFirstOrThrow()
}

/** Sends a change to a connection and approves the waiting request with another account. */
export async function changeProvider(t: TestApp, admin: TestActor, url: string, input: object) {
  const answer = await admin.put(url, input)
  expect(answer.statusCode, answer.body).toBe(200)
  const { approvalId } = answer.json().data
  if (approvalId) await approvedByAnother(t, approvalId)
}

/** Stops new numbers at a connection's banks, requested by one account and approved by another. */
export async function switchOff(t: TestApp, id: string) {
  const admin = await asProviderAdmin(t)
  const url = `/settings/providers/${id}`
  const { name, baseUrl, snap, banks, version } = (await admin.get(url)).json().data
  const bankInputs = banks.map(({ used: _u, remaining: _r, low: _l, ...bank }: Record<string, unknown>) => bank)
  await changeProvider(t, admin, url, { name, baseUrl, snap, banks: bankInputs, version, active: false })
}

const now = (t: TestApp) => () => t.clock.now()

/** `codes` are further channels, each a bank named `uji-<channel>`. */
export async function aMidtrans(t: TestApp, code = 'midtrans-uji', codes: readonly string[] = []) {
  const serverKey = `SB-Mid-server-${crypto.randomBytes(8).toString('hex')}`
  const peer = await startMidtrans({
    serverKey,
    notifyUrl: `${await addressOf(t)}/api/providers/${code}/report`,
    now: now(t),
  })
  const bank = `${code}-bca`.slice(0, 20)
  const provider = await aProvider(
    t,
    providerInput('midtrans', {
      code,
      name: code,
      active: true,
      baseUrl: peer.baseUrl,
      secrets: { serverKey },
      banks: [
        bankInput({ code: bank, name: 'BCA', channel: 'bca', prefix: null, amountType: 'closed' }),
        ...codes.map((channel) =>
          bankInput({ code: `uji-${channel}`, name: channel, channel, prefix: null, amountType: 'closed' }),
        ),
      ],
    }),
  )
  return { provider, peer, bank, code, serverKey }
}

export async function aXendit(t: TestApp, code = 'xendit-uji', codes: readonly string[] = []) {
  const [secretKey, callbackToken] = [crypto.randomBytes(12).toString('hex'), crypto.randomBytes(12).toString('hex')]
  const peer = await startXendit({
    secretKey,
    callbackToken,
    callbackUrl: `${await addressOf(t)}/api/providers/${code}/report`,
    now: now(t),
  })
  const bank = `${code}-bri`.slice(0, 20)
  const provider = await aProvider(
    t,
    providerInput('xendit', {
      code,
      name: code,
      active: true,
      baseUrl: peer.baseUrl,
      secrets: { secretKey, callbackToken },
      banks: [
        bankInput({ code: bank, name: 'BRI', channel: 'BRI', prefix: null, amountType: 'closed' }),
        ...codes.map((channel) =>
          bankInput({
            code: `uji-x-${channel.toLowerCase().replace('_', '-')}`,
            name: channel,
            channel,
            prefix: null,
            amountType: 'closed',
          }),
        ),
      ],
    }),
  )
  return { provider, peer, bank, callbackToken }
}

const madePairs: crypto.KeyPairSyncResult<string, string>[] = []
let pairsGiven = 0

/** One of this process's eight key pairs in turn, because making one takes a tenth of a second. */
export function keyPair() {
  const place = pairsGiven++ % 8
  madePairs[place] ??= crypto.generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return madePairs[place]
}

type SnapOptions = { code?: string; prefix?: string; mode?: 'biller' | 'create'; settings?: Record<string, unknown> }

export async function aSnapBank(
  t: TestApp,
  { code = 'bank-uji', prefix = '12345', mode = 'biller', settings }: SnapOptions = {},
) {
  const [university, bankKeys] = [keyPair(), keyPair()]
  const [clientSecret, inboundSecret] = ['secret of the bank', 'secret of the university']
  const clientKey = crypto.randomUUID()
  const peer = await startSnapBank({
    universityUrl: `${await addressOf(t)}/api/snap/${code}`,
    partnerServiceId: prefix,
    university: {
      clientKey: 'UNIV-1',
      publicKey: university.publicKey,
      clientSecret,
      partnerId: 'UNIV',
      channelId: '95221',
    },
    bank: { clientKey, privateKey: bankKeys.privateKey, secret: inboundSecret },
    mode,
    now: now(t),
  })
  const bank = `${code}-va`.slice(0, 20)
  const provider = await aProvider(
    t,
    providerInput('snap', {
      code,
      name: code,
      active: true,
      baseUrl: peer.baseUrl,
      snap: snapSettings.parse({
        mode,
        inboundClientKey: clientKey,
        bankPublicKey: bankKeys.publicKey,
        clientKey: 'UNIV-1',
        partnerId: 'UNIV',
        channelId: '95221',
        ...settings,
      }),
      secrets: { inboundSecret, clientSecret, privateKey: university.privateKey },
      banks: [bankInput({ code: bank, name: 'Bank Uji', prefix })],
    }),
  )
  return { provider, peer, bank, clientKey, bankKeys }
}

/** Connections to both gateways with QRIS codes and wallets; `close` ends their peers. */
export async function gatewaysWithCodes(t: TestApp) {
  const midtrans = await aMidtrans(t, 'midtrans-uji', ['qris', 'gopay', 'shopeepay'])
  const xendit = await aXendit(t, 'xendit-uji', ['QRIS', 'ID_DANA'])
  const close = () => Promise.all([midtrans.peer.close(), xendit.peer.close()])
  return { midtrans, xendit, close }
}
