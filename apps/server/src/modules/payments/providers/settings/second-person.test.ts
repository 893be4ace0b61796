import crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aMidtrans, aProvider, asProviderAdmin, bankInput, providerInput } from '#server-test/factories/providers.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
let finance: TestActor
const path = '/settings/providers'

beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t, 'Administrator', { name: 'Admin Satu' })
  finance = await asStaff(t, 'Keuangan', { name: 'Keuangan Satu' })
})
afterAll(() => t.close())

const ok = (answer: { statusCode: number; body: string; json(): any }) => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const decide = (actor: TestActor, id: string, approve = true) =>
  actor.post(`/persetujuan/${id}/decide`, { approve, reason: 'Sesuai kontrak bank' })
const read = async (id: string) => ok(await admin.get(`${path}/${id}`))
const contentOf = async (id: string, changes: Record<string, unknown> = {}) => {
  const { name, active, baseUrl, snap, banks, version } = await read(id)
  const bankInputs = banks.map(({ used: _u, remaining: _r, low: _l, ...bank }: Record<string, unknown>) => bank)
  return { name, active, baseUrl, snap, banks: bankInputs, version, ...changes }
}
const request = (id: string) =>
  t.db.selectFrom('approvalRequests').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const waitingKeys = (id: string) =>
  t.db.selectFrom('approvalSecrets').selectAll().where('approvalRequestId', '=', id).execute()

const gateway = (code: string, changes: object = {}) =>
  providerInput('xendit', {
    code,
    name: `Gerbang ${code}`,
    banks: [bankInput({ code: `${code}-bri`, channel: 'BRI', prefix: null, amountType: 'open' })],
    secrets: { secretKey: `xnd_${code}`, callbackToken: `token of ${code}` },
    ...changes,
  })

describe('a new connection', () => {
  test('accepts no report before another account has approved it', async () => {
    const token = crypto.randomBytes(12).toString('hex')
    const { approvalId } = ok(
      await admin.post(
        path,
        gateway('baru', { active: true, secrets: { secretKey: 'xnd_baru', callbackToken: token } }),
      ),
    )
    const report = () =>
      t.app.inject({
        method: 'POST',
        url: '/api/providers/baru/report',
        headers: { 'x-callback-token': token },
        payload: '{}',
      })
    expect((await report()).statusCode).toBe(404)
    expect((await admin.get(`${path}?q=baru`)).json().meta.total).toBe(0)
    expect(codeOf(await decide(admin, approvalId))).toEqual([403, 'own_request'])
    expect(ok(await finance.get(`${path}/requests`))).toMatchObject([
      { id: approvalId, action: 'add', name: 'Gerbang baru', requestedBy: { name: 'Admin Satu' } },
    ])
    ok(await decide(finance, approvalId))
    expect((await report()).statusCode).not.toBe(404)
    expect(ok(await finance.get(`${path}/requests`))).toEqual([])
    const { id } = (await admin.get(`${path}?q=baru`)).json().data[0]
    expect((await read(id)).secrets.callbackToken.lastFour).toBe(token.slice(-4))
  })

  test('is requested once by ten calls at once, and approved once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(path, gateway('sekali'))))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
    const { approvalId } = answers.find(({ statusCode }) => statusCode === 200)!.json().data
    const others = await Promise.all([1, 2, 3].map(() => asStaff(t, 'Keuangan')))
    const decided = await Promise.all(others.map((actor) => decide(actor, approvalId)))
    expect(decided.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
  })

  test('is not added if another connection has taken its name meanwhile', async () => {
    const { approvalId } = ok(await admin.post(path, gateway('nama-a', { name: 'Nama sama' })))
    await aProvider(t, gateway('nama-b', { name: 'Nama sama' }))
    expect(codeOf(await decide(finance, approvalId))).toEqual([409, 'already_exists'])
    ok(await admin.post(`/persetujuan/${approvalId}/withdraw`, {}))
  })
})

describe('a change of a connection', () => {
  test('keeps address and keys until it is approved, and names the new keys without showing them', async () => {
    const { id, version } = await aProvider(t, gateway('ubah'))
    const key = `xnd_production_${crypto.randomBytes(8).toString('hex')}`
    const { approvalId } = ok(
      await admin.put(
        `${path}/${id}`,
        await contentOf(id, {
          baseUrl: 'https://elsewhere.example.com',
          secrets: { secretKey: key, callbackToken: null },
          reason: 'Kontrak baru',
        }),
      ),
    )
    expect(await read(id)).toMatchObject({
      version,
      baseUrl: 'https://bank.example.com',
      secrets: { secretKey: { lastFour: '••••' }, callbackToken: expect.anything() },
      pending: { id: approvalId, action: 'edit', deciders: expect.any(Array) },
    })
    expect((await request(approvalId)).effect).toEqual({
      amount: 0,
      connection: 'Gerbang ubah (ubah)',
      changes: [
        { field: 'baseUrl', before: 'https://bank.example.com', after: 'https://elsewhere.example.com' },
        { field: 'secrets.secretKey', before: 'stored', after: 'new' },
        { field: 'secrets.callbackToken', before: 'stored', after: null },
      ],
    })
    const answers = await Promise.all([
      admin.get(`${path}/${id}`),
      finance.get('/persetujuan?status=pending&kind=provider_connection'),
    ])
    const stored = await Promise.all([
      t.db.selectFrom('approvalRequests').selectAll().execute(),
      t.db.selectFrom('approvalSecrets').selectAll().execute(),
      t.db.selectFrom('auditLog').selectAll().execute(),
      t.db.selectFrom('idempotencyKeys').selectAll().execute(),
    ])
    for (const text of [...answers.map(({ body }) => body), JSON.stringify(stored)]) expect(text).not.toContain(key)
    const [box] = (await waitingKeys(approvalId)).filter(({ sealed }) => sealed)
    for (const text of [...answers.map(({ body }) => body), JSON.stringify(stored[2])])
      expect(text).not.toContain(box!.sealed)

    // One pending change at a time, even of the name only.
    expect(codeOf(await admin.put(`${path}/${id}`, await contentOf(id, { name: 'Lain' })))).toEqual([
      409,
      'already_requested',
    ])
    ok(await decide(finance, approvalId))
    expect(await read(id)).toMatchObject({ baseUrl: 'https://elsewhere.example.com', pending: null })
    expect(Object.keys((await read(id)).secrets)).toEqual(['secretKey'])
    expect(await waitingKeys(approvalId)).toEqual([])
  })

  test('of the maximum amount waits for another account and applies once approved', async () => {
    const { id, code } = await aProvider(t, gateway('batas', { active: true }))
    const url = `${path}/${id}`
    expect((await read(id)).maximumAmount).toBe(1_000_000_000)
    for (const maximumAmount of [0, -1, 1_000_000_000_001, 1.5, '5'])
      expect((await admin.put(url, await contentOf(id, { maximumAmount }))).statusCode).toBe(422)
    const { approvalId } = ok(await admin.put(url, await contentOf(id, { maximumAmount: 50_000 })))
    expect((await request(approvalId)).effect).toMatchObject({
      changes: [{ field: 'maximumAmount', before: 1_000_000_000, after: 50_000 }],
    })
    const report = (payment_id: string) =>
      t.app.inject({
        method: 'POST',
        url: `/api/providers/${code}/report`,
        headers: { 'x-callback-token': 'token of batas' },
        payload: JSON.stringify({
          ...{ payment_id, external_id: 'x', account_number: '9876543210', bank_code: 'BRI', amount: 60_000 },
          transaction_timestamp: new Date().toISOString(),
        }),
      })
    expect((await report('before')).json()).toEqual({ result: 'booked' })
    ok(await decide(finance, approvalId))
    expect((await report('after')).json()).toEqual({ result: 'held' })
    // A booked payment stays booked if its report is repeated.
    expect((await report('before')).json()).toEqual({ result: 'repeated' })
    // A change without `maximumAmount` keeps it.
    await admin.put(url, await contentOf(id, { name: 'Gerbang lain' }))
    expect((await read(id)).maximumAmount).toBe(50_000)
    const alone = t.db.updateTable('providerAccounts').set({ maximumAmount: 9 }).where('id', '=', id).execute()
    await expect(alone).rejects.toThrow('nobody has approved')
  })

  test('of names alone is saved at once', async () => {
    const { id } = await aProvider(t, gateway('nama'))
    const { banks } = await contentOf(id)
    const answer = await admin.put(
      `${path}/${id}`,
      await contentOf(id, { name: 'Gerbang utama', banks: [{ ...banks[0], name: 'BRI baru' }] }),
    )
    expect(ok(answer)).toEqual({ approvalId: null })
    expect(await read(id)).toMatchObject({ name: 'Gerbang utama', banks: [{ name: 'BRI baru' }] })
    for (const changes of [{ active: true }, { banks: [{ ...banks[0], active: false }] }, { banks: [] }]) {
      const { approvalId } = ok(await admin.put(`${path}/${id}`, await contentOf(id, changes)))
      expect(approvalId, JSON.stringify(changes)).toEqual(expect.any(String))
      ok(await admin.post(`/persetujuan/${approvalId}/withdraw`, {}))
    }
  })

  test('leaves no key behind if it is rejected or withdrawn', async () => {
    const { id } = await aProvider(t, gateway('ditolak'))
    for (const end of [
      (request: string) => decide(finance, request, false),
      (request: string) => admin.post(`/persetujuan/${request}/withdraw`, {}),
    ]) {
      const { approvalId } = ok(
        await admin.put(`${path}/${id}`, await contentOf(id, { secrets: { callbackToken: 'another token' } })),
      )
      expect(await waitingKeys(approvalId)).toHaveLength(1)
      ok(await end(approvalId))
      expect(await waitingKeys(approvalId)).toEqual([])
      expect((await read(id)).secrets.callbackToken.lastFour).toBe('olak')
    }
  })

  test('keeps its keys if it is requested again', async () => {
    const { id } = await aProvider(t, gateway('lagi'))
    const { approvalId } = ok(
      await admin.put(`${path}/${id}`, await contentOf(id, { secrets: { callbackToken: 'the next token' } })),
    )
    // The connection was changed directly in the database meanwhile.
    await t.owner.updateTable('providerAccounts').set({ name: 'Nama lain' }).where('id', '=', id).execute()
    expect(codeOf(await decide(finance, approvalId))).toEqual([409, 'effect_changed'])
    const renewed = ok(await admin.post(`/persetujuan/${approvalId}/renew`, {}))
    expect(await waitingKeys(renewed.id)).toHaveLength(1)
    ok(await decide(finance, renewed.id))
    expect((await read(id)).secrets.callbackToken.lastFour).toBe('oken')
  })
})

describe('testing a requested connection', () => {
  test('asks the bank with the requested keys and changes nothing', async () => {
    const { provider, peer, serverKey } = await aMidtrans(t, 'uji-dulu')
    const wish = async (key: string) =>
      ok(await admin.put(`${path}/${provider.id}`, await contentOf(provider.id, { secrets: { serverKey: key } })))
        .approvalId as string
    const check = async (id: string) => ok(await admin.post(`${path}/requests/${id}/check`, {}))
    const wrong = await wish('a wrong server key')
    expect((await read(provider.id)).pending.canCheck).toBe(true)
    expect(await check(wrong)).toEqual({ problem: 'refused', problemDetail: 'Access denied' })
    expect(await read(provider.id)).toMatchObject({ standing: 'unchecked', problem: null })
    ok(await admin.post(`/persetujuan/${wrong}/withdraw`, {}))
    expect((await admin.post(`${path}/requests/${wrong}/check`, {})).statusCode).toBe(404)
    const right = await wish(serverKey)
    expect(await check(right)).toEqual({ problem: null, problemDetail: null })
    expect((await finance.post(`${path}/requests/${right}/check`, {})).statusCode).toBe(403)
    ok(await admin.post(`/persetujuan/${right}/withdraw`, {}))
    await peer.close()
  })

  test('sends nothing to a new address before it is approved, not even a signature', async () => {
    const { provider, peer } = await aMidtrans(t, 'pindah-alamat')
    const moved = await contentOf(provider.id, {
      baseUrl: 'https://lain.example.com',
      secrets: { serverKey: 'kunci baru' },
    })
    const { approvalId } = ok(await admin.put(`${path}/${provider.id}`, moved))
    expect((await read(provider.id)).pending.canCheck).toBe(false)
    const answer = await admin.post(`${path}/requests/${approvalId}/check`, {})
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'provider_address_not_approved'])
    ok(await admin.post(`/persetujuan/${approvalId}/withdraw`, {}))
    await peer.close()
  })
})

test('with a single administrator a request waits and no possible decider is named', async () => {
  const alone = await testApp()
  const only = await asStaff(alone, 'Administrator')
  ok(await only.post(path, gateway('sendiri')))
  const [pending] = ok(await only.get(`${path}/requests`))
  expect(pending.deciders).toEqual([])
  await asStaff(alone, 'Keuangan', { name: 'Bendahara' })
  // Accounts that were deactivated are not named.
  const formerClerk = await asStaff(alone, 'Keuangan', { name: 'Sudah pindah' })
  await alone.db.updateTable('accounts').set({ active: false }).where('id', '=', formerClerk.accountId).execute()
  expect(ok(await only.get(`${path}/requests`))[0].deciders).toEqual(['Bendahara'])
  expect(ok(await only.post('/bank-accounts', { ...anAccount })).id).toEqual(expect.any(String))
  expect(ok(await only.get('/bank-accounts'))).toMatchObject({ accounts: [], pending: [{ deciders: ['Bendahara'] }] })
  await alone.close()
})
const anAccount = {
  ...{ name: 'Rekening', bank: 'Bank Contoh', number: '12345', holder: 'Universitas' },
  ...{ takesTransfers: false, sources: [] },
}

test('permission to change settings does not allow deciding', async () => {
  const { approvalId } = ok(await admin.post(path, gateway('izin')))
  const other = await asProviderAdmin(t)
  expect((await decide(other, approvalId)).statusCode).toBe(403)
  await approvedByAnother(t, approvalId)
})
