import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withoutSecretText } from '#server/modules/payments/money/without-secret-text.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, type BillDetails } from '#server-test/factories/payments.ts'
import { aMidtrans, switchOff } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
const path = '/transaksi-va'

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Keuangan')
})
afterAll(() => t.close())
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

async function ready(options: BillDetails = {}) {
  const fixture = await aBill(t, academic, { amount: 250_000, ...options })
  return { ...fixture, account: await aVirtualAccount(fixture.actor, fixture.bill.id) }
}
const read = async (id: string) => (await clerk.get(`${path}/${id}`)).json().data
const list = async (query: string, actor = clerk) => (await actor.get(`${path}?${query}`)).json()
const reason = 'Salah pilih bank'

describe('the list', () => {
  test('shows number, applicant, bill, amount, received money and status', async () => {
    const { account, bill, registration } = await ready({ name: 'Lestari Ningrum' })
    await aReport(t, { virtualAccountNumber: account.number, amount: 100_000 }).send()
    const { data } = await list(`q=${account.number}`)
    expect(data).toMatchObject([
      {
        id: account.id,
        number: account.number,
        bankName: 'Bank Contoh',
        status: 'active',
        amount: 250_000,
        received: 100_000,
        billNumber: bill.number,
        billKind: 'registration_fee',
        registrationId: registration.id,
        applicantName: 'Lestari Ningrum',
        position: null,
        alert: false,
      },
    ])
  })

  test('is searched by number or its beginning, bill and applicant', async () => {
    const { account, bill } = await ready({ name: 'Zubaidah Khairunnisa' })
    for (const q of [
      account.number,
      account.number.replace(/(\d{4})/g, '$1 ').trim(),
      bill.number,
      bill.number.toLowerCase(),
      'zubaidah',
    ])
      expect(
        (await list(`q=${encodeURIComponent(q)}`)).data.map(({ id }: { id: string }) => id),
        q,
      ).toEqual([account.id])
    expect((await list('q=zzzzz')).meta.total).toBe(0)
    expect((await list('q=%25%25')).meta.total).toBe(0)
  })

  test('is filtered by bank, status, kind, dates and alerts, with totals of the filtered rows', async () => {
    t.clock.set('2027-03-01T08:00:00+07:00')
    const then = await asStaff(t, 'Keuangan')
    const first = await ready()
    const second = await ready({ lines: [{ description: 'Biaya', amount: 400_000 }] })
    await aReport(t, { virtualAccountNumber: second.account.number, amount: 400_000 }).send()
    const day = 'createdFrom=2027-03-01&createdTo=2027-03-01'
    const ids = async (query: string) => (await list(`${day}&${query}`, then)).data.map(({ id }: { id: string }) => id)
    expect((await list(day, then)).meta).toMatchObject({
      total: 2,
      total_is_estimate: false,
      sums: { amount: 650_000, received: 400_000 },
    })
    expect(await ids('status=paid')).toEqual([second.account.id])
    expect(await ids('bank=sandbox-a&provider=sandbox&kind=registration_fee&status=active')).toEqual([first.account.id])
    expect(await ids('bank=sandbox-b')).toEqual([])
    expect(await ids('kind=re_registration')).toEqual([])
    expect(await ids('expiresFrom=2027-03-04&expiresTo=2027-03-04')).toHaveLength(2)
    expect(await ids('expiresFrom=2027-03-05')).toEqual([])
    await t.db
      .insertInto('paymentAlerts')
      .values({
        kind: 'contradicts',
        provider: 'sandbox',
        providerReference: 'list',
        virtualAccountId: first.account.id,
        raisedAt: new Date(),
      })
      .execute()
    expect(await ids('alert=true')).toEqual([first.account.id])
    expect(await ids('alert=false')).toEqual([second.account.id])
    expect((await list(`${day}&sort=expiresAt`, then)).data).toHaveLength(2)
  })

  test('is exported with the same filter', async () => {
    const { account } = await ready({ name: 'Ekspor Satu' })
    const answer = await clerk.get(`${path}/export?format=csv&q=${account.number}`)
    expect(answer.statusCode).toBe(200)
    const lines = answer.body.trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('Ekspor Satu')
    expect(lines[1]).toContain(account.number)
  })
})

describe('one number', () => {
  test('shows payments, messages without signatures, history and every number of the bill', async () => {
    const { account } = await ready()
    await aReport(t, { virtualAccountNumber: account.number, amount: 90_000 }).send()
    const detail = await read(account.id)
    expect(detail).toMatchObject({ remaining: 160_000, billStatus: 'partly_paid', payments: [{ amount: 90_000 }] })
    expect(detail.messages).toMatchObject([{ from: 'bank', what: 'booked' }])
    expect(detail.messages[0].sent).toContain(account.number)
    expect(detail.history.map(({ action }: { action: string }) => action)).toEqual(['Issued a virtual account'])
    expect(detail.others).toMatchObject([{ id: account.id }])
  })

  test('leaves secrets out of messages and the rest unchanged', () => {
    const text = '{"amount":"1.00","signature_key":"abc\\"d","accessToken": "t","note":"<script>"}'
    expect(withoutSecretText(text)).toBe(
      '{"amount":"1.00","signature_key":"••••","accessToken":"••••","note":"<script>"}',
    )
    expect(withoutSecretText(null)).toBeNull()
    const long = `{"note":"${'x'.repeat(19_960)}","signature_key":"${'k'.repeat(200)}"}`
    expect(withoutSecretText(long)).toMatch(/"signature_key":"••••"$/)
  })

  test('is replaced by another: the first ends with its reason and stays in the history', async () => {
    const { account, bill } = await ready()
    const answer = await clerk.post(`${path}/${account.id}/reissue`, { reason, bank: 'sandbox-b' })
    expect(answer.statusCode, answer.body).toBe(200)
    const same = await clerk.post(`${path}/${account.id}/reissue`, { reason })
    expect(same.json().data).toMatchObject({ bank: 'sandbox-a', status: 'active' })
    expect(await read(account.id)).toMatchObject({ status: 'replaced', closedReason: reason })
    const { others } = await read(same.json().data.id)
    expect(others.map(({ status }: { status: string }) => status).sort()).toEqual(['active', 'active', 'replaced'])
    // Money that still arrives on the first number is booked on the bill.
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    expect(await t.db.selectFrom('bills').select('status').where('id', '=', bill.id).executeTakeFirst()).toEqual({
      status: 'paid',
    })
    const paid = await clerk.post(`${path}/${account.id}/reissue`, { reason })
    expect([paid.statusCode, paid.json().code]).toEqual([409, 'wrong_status'])
  })

  test('ten reissues at once leave one open number', async () => {
    const { account, bill } = await ready()
    await Promise.all(Array.from({ length: 10 }, () => clerk.post(`${path}/${account.id}/reissue`, { reason })))
    const open = await t.db
      .selectFrom('virtualAccounts')
      .select('id')
      .where('billId', '=', bill.id)
      .where('status', 'in', ['pending', 'active'])
      .execute()
    expect(open).toHaveLength(1)
  })

  test('is closed with a reason, once', async () => {
    const { account } = await ready()
    const answers = await Promise.all([1, 2, 3].map(() => clerk.post(`${path}/${account.id}/cancel`, { reason })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    expect(await read(account.id)).toMatchObject({ status: 'cancelled', closedReason: reason })
    const [entry] = await t.db
      .selectFrom('auditLog')
      .select(['actorName', 'reason'])
      .where('action', '=', 'virtual-account.cancel')
      .where('subjectId', '=', account.id)
      .execute()
    expect(entry).toMatchObject({ reason })
    expect((await clerk.post(`${path}/${account.id}/cancel`, { reason: ' ' })).statusCode).toBe(422)
  })

  test('is asked about at the bank, and payments never reported are booked', async () => {
    const { account } = await ready()
    await t.db
      .insertInto('sandboxTransactions')
      .values({
        reference: `ASK-${account.number}`,
        virtualAccountNumber: account.number,
        amount: 250_000,
        channel: 'atm',
        paidAt: new Date(),
      })
      .execute()
    const answer = await clerk.post(`${path}/${account.id}/ask`, {})
    expect(answer.json()).toMatchObject({ meta: { found: 1 }, data: { status: 'paid', received: 250_000 } })
    expect((await clerk.post(`${path}/${account.id}/ask`, {})).json().meta.found).toBe(0)
  })

  test('has its alerts settled by staff with a note, once', async () => {
    const { account } = await ready()
    const reference = `S-${account.number}`
    await aReport(t, { virtualAccountNumber: account.number, reference, amount: 100_000 }).send()
    await aReport(t, { virtualAccountNumber: account.number, reference, amount: 200_000 }).send()
    const [alert] = (await read(account.id)).alerts
    expect(alert).toMatchObject({ kind: 'contradicts', amount: 200_000, settledAt: null })
    const settle = () => clerk.post(`/payment-alerts/${alert.id}/settle`, { note: 'Bank mengirim ulang laporan uji.' })
    expect((await settle()).statusCode).toBe(200)
    expect((await settle()).statusCode).toBe(409)
    expect((await read(account.id)).alerts[0]).toMatchObject({
      note: 'Bank mengirim ulang laporan uji.',
      settledBy: expect.any(String),
    })
  })
})

describe('a new number', () => {
  test('is issued for an instalment found by name, until a chosen day', async () => {
    const { bill } = await aBill(t, academic, {
      name: 'Cicilan Wulandari',
      kind: 're_registration',
      lines: [{ description: 'SPP', amount: 10_000_000 }],
      installmentPlanId: academic.plan,
    })
    const [found] = (await clerk.get(`${path}/bills?q=cicilan+wulan`)).json().data
    expect(found).toMatchObject({ id: bill.id, number: bill.number, remaining: 10_000_000 })
    const part = found.installments[1]
    const expiresOn = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    const answer = await clerk.post(path, {
      billId: bill.id,
      installmentId: part.id,
      bank: 'sandbox-a',
      amountType: 'closed',
      expiresOn,
    })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json().data).toMatchObject({
      amount: part.remaining,
      position: 2,
      amountType: 'closed',
      status: 'active',
    })
    expect(answer.json().data.expiresAt.slice(0, 10)).toBe(expiresOn)
    const again = await clerk.post(path, { billId: bill.id, installmentId: part.id, bank: 'sandbox-a' })
    expect(again.json().data.id).toBe(answer.json().data.id)
    const other = await clerk.post(path, { billId: bill.id, bank: 'sandbox-a' })
    expect(other.json().data).toMatchObject({ position: 1 })
    expect(await read(answer.json().data.id)).toMatchObject({ status: 'replaced' })
  })

  test('is refused at an unknown bank, for a past day and for a paid bill', async () => {
    const { bill, account } = await ready()
    const make = async (body: object) => {
      const answer = await clerk.post(path, { billId: bill.id, bank: 'sandbox-a', ...body })
      return [answer.statusCode, Object.keys(answer.json().errors ?? {})]
    }
    expect(await make({ bank: 'nobody' })).toEqual([422, ['bank']])
    expect(await make({ expiresOn: '2020-01-01' })).toEqual([422, ['expiresOn']])
    await aReport(t, { virtualAccountNumber: account.number, amount: 250_000 }).send()
    expect((await make({}))[0]).toBe(409)
    expect((await clerk.get(`${path}/bills?q=${bill.number}`)).json().data).toEqual([])
  })

  test('from a gateway that is down is pending, and active once the gateway is back', async () => {
    const { provider, peer, bank } = await aMidtrans(t)
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    peer.trouble = 'down'
    const answer = await clerk.post(path, { billId: bill.id, bank })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json().data).toMatchObject({ number: null, status: 'pending', delayed: true, problem: 'unavailable' })
    expect(answer.json().data.messages).toMatchObject([{ from: 'us', what: 'issue', status: 503 }])
    peer.trouble = 'none'
    t.clock.set(new Date(Date.now() + 5 * 60_000))
    await t.runJobs()
    expect(await read(answer.json().data.id)).toMatchObject({ status: 'active', number: expect.any(String) })
    expect((await clerk.get(`${path}/banks`)).json().data).toContainEqual(
      expect.objectContaining({ code: bank, offered: true, amountTypes: ['closed'], remaining: null, low: false }),
    )
    await peer.close()
    // The demo bank is offered again.
    await switchOff(t, provider.id)
  })
})

test('each call needs its permission', async () => {
  const { account, bill } = await ready()
  const viewer = await asWithPermissions(t, ['transaksi-va-view'])
  expect((await viewer.get(path)).statusCode).toBe(200)
  expect((await viewer.get(`${path}/${account.id}`)).statusCode).toBe(200)
  const answers = await Promise.all([
    viewer.post(path, { billId: bill.id, bank: 'sandbox-a' }),
    viewer.get(`${path}/bills?q=ab`),
    viewer.post(`${path}/${account.id}/cancel`, { reason }),
    viewer.post(`${path}/${account.id}/reissue`, { reason }),
    viewer.post(`${path}/${account.id}/ask`, {}),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 403))
})

test('a role limited to one study programme neither sees nor changes numbers of another', async () => {
  const { account, bill } = await ready({ name: 'Rahasia Prodi' })
  const slugs = ['transaksi-va-view', 'transaksi-va-create', 'transaksi-va-update']
  const inside = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[0]!] })
  const outside = await asWithPermissions(t, slugs, { programmeIds: [academic.programmes[1]!] })
  expect((await list(`q=${account.number}`, inside)).meta.total).toBe(1)
  expect((await list(`q=${account.number}`, outside)).meta.total).toBe(0)
  expect((await outside.get(`${path}/bills?q=rahasia`)).json().data).toEqual([])
  const answers = await Promise.all([
    outside.get(`${path}/${account.id}`),
    outside.post(`${path}/${account.id}/cancel`, { reason }),
    outside.post(`${path}/${account.id}/reissue`, { reason }),
    outside.post(`${path}/${account.id}/ask`, {}),
    outside.post(path, { billId: bill.id, bank: 'sandbox-a' }),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
  expect(await read(account.id)).toMatchObject({ status: 'active' })
})
