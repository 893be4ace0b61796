import crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { snapSettings } from '#domain/payments/providers/provider-kinds.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill } from '#server-test/factories/payments.ts'
import {
  aMidtrans,
  aProvider,
  asProviderAdmin,
  bankInput,
  changeProvider,
  keyPair,
  providerInput,
} from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let admin: TestActor
const path = '/settings/providers'

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  admin = await asProviderAdmin(t)
})
afterAll(() => t.close())

const read = async (id: string) => (await admin.get(`${path}/${id}`)).json().data
const everythingStored = async () =>
  JSON.stringify(
    await Promise.all([
      t.db.selectFrom('providerAccounts').selectAll().execute(),
      t.db.selectFrom('providerSecrets').selectAll().execute(),
      t.db.selectFrom('auditLog').selectAll().execute(),
      t.db.selectFrom('bankCalls').selectAll().execute(),
      t.db.selectFrom('approvalRequests').selectAll().execute(),
      t.db.selectFrom('approvalSecrets').selectAll().execute(),
    ]),
  )
const errorsOf = (answer: { statusCode: number; json(): { errors?: object } }) => [
  answer.statusCode,
  Object.keys(answer.json().errors ?? {}).sort(),
]
/** Body of a change: everything the connection has. */
const contentOf = async (id: string, changes: Record<string, unknown> = {}) => {
  const { name, active, baseUrl, snap, banks, version } = await read(id)
  const bankInputs = banks.map(({ used: _u, remaining: _r, low: _l, ...bank }: Record<string, unknown>) => bank)
  return { name, active, baseUrl, snap, banks: bankInputs, version, ...changes }
}

const change = async (id: string, changes: Record<string, unknown>) =>
  changeProvider(t, admin, `${path}/${id}`, await contentOf(id, changes))

describe('keys', () => {
  test('are sealed and identified by their last four characters, and are in no response, log or call', async () => {
    const key = `SB-Mid-server-${crypto.randomBytes(6).toString('hex')}9x7z`
    const { id } = await aProvider(
      t,
      providerInput('midtrans', {
        code: 'mid-a',
        name: 'Mid A',
        banks: [bankInput({ code: 'mid-a-bca', channel: 'bca', prefix: null, amountType: 'closed' })],
        secrets: { serverKey: key },
      }),
    )
    const answer = await admin.get(`${path}/${id}`)
    expect(answer.json().data.secrets).toEqual({ serverKey: { setAt: expect.any(String), lastFour: '9x7z' } })
    expect(answer.body).not.toContain(key)
    expect(await everythingStored()).not.toContain(key)
  })

  test('stay if left out, are removed by null, and are replaced by a new key', async () => {
    const { id } = await aProvider(
      t,
      providerInput('midtrans', {
        code: 'mid-b',
        name: 'Mid B',
        banks: [bankInput({ code: 'mid-b-bca', channel: 'bca', prefix: null, amountType: 'closed' })],
        secrets: { serverKey: 'the first server key' },
      }),
    )
    await admin.put(`${path}/${id}`, await contentOf(id, { name: 'Mid B2' }))
    expect((await read(id)).secrets.serverKey.lastFour).toBe(' key'.slice(-4))
    await change(id, { secrets: { serverKey: 'another one 1234' } })
    expect((await read(id)).secrets.serverKey.lastFour).toBe('1234')
    await change(id, { secrets: { serverKey: null } })
    expect((await read(id)).secrets).toEqual({})
  })

  test('sent to the bank have to be entered again when the address changes', async () => {
    const { id } = await aProvider(
      t,
      providerInput('xendit', {
        code: 'xen-a',
        name: 'Xen A',
        banks: [bankInput({ code: 'xen-a-bri', channel: 'BRI', prefix: null, amountType: 'open' })],
        secrets: { secretKey: 'xnd_development_1', callbackToken: 'token of callbacks' },
      }),
    )
    const moved = { baseUrl: 'https://elsewhere.example.com' }
    expect(errorsOf(await admin.put(`${path}/${id}`, await contentOf(id, moved)))).toEqual([422, ['secrets.secretKey']])
    await change(id, { ...moved, secrets: { secretKey: 'xnd_development_2' } })
    expect((await read(id)).baseUrl).toBe(moved.baseUrl)
  })

  test('made here: the secret is returned once, the private key never', async () => {
    const { id } = await aProvider(
      t,
      providerInput('snap', {
        code: 'snap-a',
        name: 'Snap A',
        banks: [bankInput({ code: 'snap-a-va', prefix: '31111' })],
      }),
    )
    const secret = (await admin.post(`${path}/${id}/inbound-secret`, {})).json().data
    await approvedByAnother(t, secret.approvalId)
    const answer = await admin.get(`${path}/${id}`)
    expect(answer.json().data.snap.inboundClientKey).toBe(secret.clientKey)
    expect(answer.body).not.toContain(secret.secret)
    const { approvalId } = (await admin.post(`${path}/${id}/key-pair`, {})).json().data
    const { publicKey } = (await read(id)).pending
    await approvedByAnother(t, approvalId)
    const { ourPublicKey } = await read(id)
    expect(ourPublicKey).toBe(publicKey)
    expect(crypto.createPublicKey(ourPublicKey).asymmetricKeyType).toBe('rsa')
    const stored = await everythingStored()
    expect(stored).not.toContain(secret.secret)
    expect(stored).not.toContain('PRIVATE KEY')
    // Not even in the stored responses of idempotent calls.
    const idempotencyRows = await t.db.selectFrom('idempotencyKeys').selectAll().execute()
    expect(JSON.stringify(idempotencyRows)).not.toContain(secret.secret)
  })
})

describe('an entered connection', () => {
  test('is refused with every error beside its field', async () => {
    const answer = await admin.post(
      path,
      providerInput('snap', {
        code: 'wrong-a',
        name: '',
        baseUrl: 'http://bank.example.com',
        snap: snapSettings.parse({ bankPublicKey: 'no key' }),
        secrets: { privateKey: 'no key', serverKey: 'of another kind' },
        banks: [
          bankInput({ code: 'sandbox-a', prefix: '9900' }),
          bankInput({ code: 'wrong-x', prefix: null, firstNumber: 50, lastNumber: 10 }),
        ],
      }),
    )
    expect(errorsOf(answer)).toEqual([
      422,
      [
        'banks.0.code',
        'banks.0.prefix',
        'banks.1.lastNumber',
        'banks.1.prefix',
        'baseUrl',
        'name',
        'secrets.privateKey',
        'secrets.serverKey',
        'snap.bankPublicKey',
      ],
    ])
  })

  test('has to be complete when it is active', async () => {
    const answer = await admin.post(
      path,
      providerInput('snap', {
        code: 'half',
        name: 'Half',
        active: true,
        baseUrl: '',
        snap: snapSettings.parse({ mode: 'create' }),
        banks: [],
      }),
    )
    expect(errorsOf(answer)).toEqual([
      422,
      [
        'banks',
        'baseUrl',
        'secrets.clientSecret',
        'secrets.inboundSecret',
        'secrets.privateKey',
        'snap.bankPublicKey',
        'snap.channelId',
        'snap.clientKey',
        'snap.inboundClientKey',
        'snap.partnerId',
      ],
    ])
    const gateway = await admin.post(
      path,
      providerInput('xendit', { code: 'half-x', name: 'Half X', active: true, baseUrl: '', banks: [] }),
    )
    expect(errorsOf(gateway)).toEqual([422, ['banks', 'baseUrl', 'secrets.callbackToken', 'secrets.secretKey']])
  })

  test('has no prefix that begins with another prefix, of any connection or the demo bank', async () => {
    await aProvider(
      t,
      providerInput('snap', { code: 'pre-a', name: 'Pre A', banks: [bankInput({ code: 'pre-a', prefix: '4200' })] }),
    )
    for (const prefix of ['42', '4200', '42005', '99001'])
      expect(
        errorsOf(
          await admin.post(
            path,
            providerInput('snap', { code: 'pre-b', name: 'Pre B', banks: [bankInput({ code: 'pre-b', prefix })] }),
          ),
        ),
        prefix,
      ).toEqual([422, ['banks.0.prefix']])
    const two = [bankInput({ code: 'pre-c', prefix: '43' }), bankInput({ code: 'pre-d', prefix: '430' })]
    expect(
      errorsOf(await admin.post(path, providerInput('snap', { code: 'pre-c', name: 'Pre C', banks: two }))),
    ).toEqual([422, ['banks.0.prefix', 'banks.1.prefix']])
  })

  test('is refused if another with the same prefix is approved at the same moment', async () => {
    const input = (code: string) =>
      providerInput('snap', { code, name: code, banks: [bankInput({ code, prefix: '5500' })] })
    const answers = await Promise.all([admin.post(path, input('same-a')), admin.post(path, input('same-b'))])
    const seconds = await Promise.all(answers.map(() => asStaff(t, 'Administrator')))
    const decided = await Promise.all(
      answers.map((answer, at) =>
        seconds[at]!.post(`/persetujuan/${answer.json().data.approvalId}/decide`, { approve: true }),
      ),
    )
    expect(decided.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(decided.flatMap((answer) => answer.json().code ?? [])).toEqual(['bank_prefix_taken'])
  })

  test('with a stale version is refused and changes nothing', async () => {
    const { id } = await aProvider(
      t,
      providerInput('snap', { code: 'stale', name: 'Stale', banks: [bankInput({ code: 'stale', prefix: '6100' })] }),
    )
    const first = await contentOf(id, { name: 'First' })
    expect((await admin.put(`${path}/${id}`, first)).statusCode).toBe(200)
    const second = await admin.put(`${path}/${id}`, { ...first, name: 'Second' })
    expect([second.statusCode, second.json().code]).toEqual([409, 'stale_version'])
    expect((await read(id)).name).toBe('First')
  })

  test('keeps code and prefix of a bank that has issued numbers, which cannot be removed', async () => {
    const { id } = await aProvider(t, {
      ...providerInput('snap', { code: 'used', name: 'Used', active: true, baseUrl: '' }),
      snap: snapSettings.parse({ inboundSignature: 'asymmetric', bankPublicKey: keyPair().publicKey }),
      banks: [bankInput({ code: 'used-va', name: 'Bank Pakai', prefix: '7200' })],
    })
    const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
    expect((await actor.post(`/bills/${bill.id}/virtual-account`, { bank: 'used-va' })).json().data.number).toBe(
      '72000000000001',
    )
    expect((await read(id)).banks[0]).toMatchObject({ used: 1, remaining: 9_999_999_998, low: false })
    const { banks } = await contentOf(id)
    expect(
      errorsOf(
        await admin.put(
          `${path}/${id}`,
          await contentOf(id, { banks: [{ ...banks[0], prefix: '7300', code: 'other' }] }),
        ),
      ),
    ).toEqual([422, ['banks.0.code', 'banks.0.prefix']])
    expect(
      errorsOf(
        await admin.put(
          `${path}/${id}`,
          await contentOf(id, { banks: [bankInput({ code: 'new-va', prefix: '7300' })] }),
        ),
      ),
    ).toEqual([422, ['banks']])
    await change(id, { active: false, banks: [{ ...banks[0], name: 'Bank Baru' }] })
    // An inactive bank issues no new numbers, and the old number keeps the bank's name.
    const other = await aBill(t, academic, { amount: 250_000 })
    expect((await other.actor.post(`/bills/${other.bill.id}/virtual-account`, { bank: 'used-va' })).statusCode).toBe(
      422,
    )
    const { data } = (await actor.get(`/pendaftaran/${bill.registrationId}/bills`)).json()
    expect(data.bills[0].virtualAccounts[0].bankName).toBe('Bank Baru')
  })
})

describe('numbers of a prefix', () => {
  test('cause a warning when few are left and 409 when none is', async () => {
    await aProvider(t, {
      ...providerInput('snap', { code: 'few', name: 'Few', active: true, baseUrl: '' }),
      snap: snapSettings.parse({ inboundSignature: 'asymmetric', bankPublicKey: keyPair().publicKey }),
      banks: [
        bankInput({
          code: 'few-va',
          name: 'Bank Sedikit',
          prefix: '8100',
          customerDigits: 6,
          firstNumber: 500,
          lastNumber: 501,
        }),
      ],
    })
    const ask = async () => {
      const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
      return actor.post(`/bills/${bill.id}/virtual-account`, { bank: 'few-va' })
    }
    expect((await ask()).json().data.number).toBe('8100000500')
    const row = (await admin.get(`${path}?q=few`)).json().data[0]
    expect(row.low).toEqual(['Bank Sedikit'])
    expect((await ask()).json().data.number).toBe('8100000501')
    const none = await ask()
    expect([none.statusCode, none.json().code]).toEqual([409, 'numbers_used_up'])
    expect(none.json().message).toContain('Bank Sedikit')
  })
})

describe('testing a connection', () => {
  test("shows the bank's reply, good or bad", async () => {
    const { provider, peer } = await aMidtrans(t, 'mid-check')
    const check = async () => (await admin.post(`${path}/${provider.id}/check`, {})).json().data
    expect(await check()).toMatchObject({ standing: 'ready', problem: null })
    peer.trouble = 'down'
    expect(await check()).toMatchObject({ standing: 'problem', problem: 'unavailable', problemDetail: 'HTTP 503' })
    peer.trouble = 'none'
    await change(provider.id, { secrets: { serverKey: 'a wrong server key' } })
    expect(await check()).toMatchObject({ standing: 'problem', problem: 'refused', problemDetail: 'Access denied' })
    await peer.close()
  })

  test('is impossible if the bank only calls the portal', async () => {
    const { id } = await aProvider(
      t,
      providerInput('snap', {
        code: 'only-in',
        name: 'Only in',
        banks: [bankInput({ code: 'only-in', prefix: '9100' })],
      }),
    )
    expect((await read(id)).canCheck).toBe(false)
    expect((await admin.post(`${path}/${id}/check`, {})).json().code).toBe('provider_nothing_to_ask')
  })
})

test('an approved change, also of a key, takes effect at once', async () => {
  const { provider, peer, bank } = await aMidtrans(t, 'mid-rotate')
  const { bill, actor } = await aBill(t, academic, { amount: 250_000 })
  const { number } = (await actor.post(`/bills/${bill.id}/virtual-account`, { bank })).json().data
  await change(provider.id, { secrets: { serverKey: 'the next server key' } })
  expect((await peer.report(peer.receive(number, 250_000))).status).toBe(401)
  await peer.close()
})

test('each call needs its permission; Keuangan may read, applicants may not', async () => {
  const { id } = await aProvider(
    t,
    providerInput('snap', { code: 'perm', name: 'Perm', banks: [bankInput({ code: 'perm', prefix: '9200' })] }),
  )
  const viewer = await asWithPermissions(t, ['settings-providers-view'])
  expect((await viewer.get(path)).statusCode).toBe(200)
  const answers = await Promise.all([
    viewer.post(path, providerInput('snap')),
    viewer.put(`${path}/${id}`, await contentOf(id)),
    ...['check', 'inbound-secret', 'key-pair'].map((name) => viewer.post(`${path}/${id}/${name}`, {})),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 403))
  expect((await (await asStaff(t, 'Keuangan')).get(path)).statusCode).toBe(200)
  expect((await (await asApplicant(t)).get(path)).statusCode).toBe(403)
})

test('refused reports are counted on their connection for a week', async () => {
  const { id, code } = await aProvider(t, providerInput('xendit', { code: 'unheard', name: 'Unheard', banks: [] }))
  const report = () =>
    t.app.inject({ method: 'POST', url: `/api/providers/${code}/report`, payload: '{"payment_id":"forged"}' })
  expect((await report()).statusCode).toBe(401)
  expect((await report()).statusCode).toBe(401)
  expect((await read(id)).unheard).toMatchObject([{ outcome: 'wrong_signature', count: 2 }])
  t.clock.set(new Date(Date.now() + 8 * 86_400_000))
  const { showProvider } = await import('./find-providers.ts')
  expect((await showProvider(t.services, id)).unheard).toEqual([])
  t.clock.reset()
})
