import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced, paidAtBank } from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { billOf, paymentOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let approver: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Keuangan')
  approver = await asStaff(t, 'Keuangan')
})
afterAll(() => t.close())
afterEach(() => assertBalanced(t))

const tuitionBill = (actor?: TestActor, amount = 14_550_000) =>
  aBill(t, academic, {
    kind: 're_registration',
    lines: [{ description: 'Uang pangkal', amount }],
    status: 'confirmed',
    accepted: true,
    ...(actor && { actor, trackId: academic.tracks.achievement }),
  })

const allocate = (actor: TestActor, paymentId: string, billId: string, amount: number) =>
  actor.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, { billId, amount, reason: 'Sesuai bukti transfer' })

describe('allocating money to the bill it is already on', () => {
  test('gets 422 with a sentence each of fourteen times and leaves the paid amount unchanged', async () => {
    const { bill, actor } = await tuitionBill()
    const paymentId = await paidAtBank(t, actor, bill.id, 1_000_000)
    for (let again = 0; again < 14; again++) {
      const answer = await allocate(clerk, paymentId, bill.id, 1_000_000)
      expect(answer.statusCode).toBe(422)
      expect(answer.json().errors.amount[0]).toContain('Rp\u00a01.000.000')
    }
    expect(await billOf(bill.id)).toMatchObject({ paid: 1_000_000, status: 'partly_paid' })
  })

  test('gets 422 for each of five clerks at once', async () => {
    const { bill, actor } = await tuitionBill()
    const paymentId = await paidAtBank(t, actor, bill.id, 500_000)
    const answers = await Promise.all(Array.from({ length: 5 }, () => allocate(clerk, paymentId, bill.id, 500_000)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(422))
    expect(await billOf(bill.id)).toMatchObject({ paid: 500_000 })
  })

  test('moves only the part on other bills; a bill that holds the whole payment is not offered', async () => {
    const one = await tuitionBill()
    const two = await tuitionBill(one.actor)
    const paymentId = await paidAtBank(t, one.actor, one.bill.id, 900_000)
    const offered = async () =>
      (await clerk.get(`/bills/owed?q=${one.bill.number}&paymentId=${paymentId}`)).json().data as unknown[]
    expect(await offered()).toEqual([])
    expect((await allocate(clerk, paymentId, two.bill.id, 400_000)).statusCode).toBe(200)
    expect(await offered()).toMatchObject([{ id: one.bill.id, movable: 400_000 }])
    expect((await allocate(clerk, paymentId, one.bill.id, 400_001)).statusCode).toBe(422)
    expect((await allocate(clerk, paymentId, one.bill.id, 400_000)).statusCode).toBe(200)
    expect([(await billOf(one.bill.id)).paid, (await billOf(two.bill.id)).paid]).toEqual([900_000, 0])
  })
})

test('of a reversal and an allocation of the same payment at once, one happens, in 25 rounds', async () => {
  for (let round = 0; round < 25; round++) {
    const fee = await aBill(t, academic, { amount: 250_000 })
    const paymentId = await paidAtBank(t, fee.actor, fee.bill.id, 400_000)
    const { bill } = await tuitionBill(fee.actor)
    const request = await clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, {
      reason: 'Dana tidak pernah masuk',
    })
    const [reversal, allocated] = await Promise.all([
      approver.post(`/persetujuan/${request.json().data.id}/decide`, { approve: true }),
      allocate(clerk, paymentId, bill.id, 150_000),
    ])
    const payment = await paymentOf(paymentId)
    if (reversal.statusCode === 200) {
      expect(payment).toMatchObject({ status: 'reversed', waitingAmount: 0 })
      expect([(await billOf(fee.bill.id)).paid, (await billOf(bill.id)).paid]).toEqual([0, 0])
    } else {
      expect([reversal.statusCode, allocated.statusCode, payment.status]).toEqual([409, 200, 'allocated'])
    }
    expect([reversal.statusCode, allocated.statusCode].every((status) => status < 500)).toBe(true)
  }
}, 60_000)

test('two clerks moving payments crosswise between two bills both succeed, in 30 rounds', async () => {
  const one = await tuitionBill()
  const two = await tuitionBill(one.actor)
  const first = await paidAtBank(t, one.actor, one.bill.id, 300_000)
  const second = await paidAtBank(t, one.actor, two.bill.id, 300_000)
  for (let round = 0; round < 30; round++) {
    const [to, from] = round % 2 === 0 ? [two.bill.id, one.bill.id] : [one.bill.id, two.bill.id]
    const answers = await Promise.all([allocate(clerk, first, to, 300_000), allocate(approver, second, from, 300_000)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  }
  expect([(await billOf(one.bill.id)).paid, (await billOf(two.bill.id)).paid]).toEqual([300_000, 300_000])
}, 60_000)

test('taking money off a bill of a withdrawn registration cancels the bill, and the rest waits', async () => {
  const endedBill = await tuitionBill(undefined, 1_000_000)
  const paymentId = await paidAtBank(t, endedBill.actor, endedBill.bill.id, 1_000_000)
  const other = await tuitionBill(endedBill.actor)
  const officer = await asStaff(t)
  const withdrawn = await officer.post(`/pendaftaran/${endedBill.registration.id}/withdraw`, { reason: 'Pindah kota' })
  expect(withdrawn.statusCode, withdrawn.body).toBe(200)
  expect((await allocate(clerk, paymentId, other.bill.id, 300_000)).statusCode).toBe(200)
  expect(await billOf(endedBill.bill.id)).toMatchObject({ status: 'cancelled', paid: 0 })
  expect(await paymentOf(paymentId)).toMatchObject({ waitingAmount: 700_000, waitingReason: 'bill_closed' })
})

test('two clerks taking money off two bills of an ended registration do not deadlock, in ten rounds', async () => {
  const before = await countDeadlocks(t)
  for (let round = 0; round < 10; round++) {
    const { actor, registration, bill } = await tuitionBill(undefined, 1_000_000)
    const fee = await inTransaction(t.services, systemActor, (context) =>
      issueBill(context, {
        registrationId: registration.id,
        accountId: actor.accountId,
        kind: 'registration_fee',
        lines: [{ description: 'Biaya pendaftaran', amount: 250_000 }],
        dueAt: t.clock.now(),
      }),
    )
    const paid = [await paidAtBank(t, actor, bill.id, 1_000_000), await paidAtBank(t, actor, fee.id, 250_000)]
    const other = await tuitionBill(actor)
    const withdrawn = await actor.post(`/pendaftaran/${registration.id}/withdraw`, { reason: 'Pindah kota' })
    expect(withdrawn.statusCode, withdrawn.body).toBe(200)
    const answers = await Promise.all(paid.map((id) => allocate(clerk, id, other.bill.id, 200_000)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  }
  expect(await countDeadlocks(t)).toBe(before)
}, 60_000)

describe('the database refuses at the commit', () => {
  let bill: Awaited<ReturnType<typeof tuitionBill>>['bill']
  let paymentId: string
  beforeEach(async () => {
    const fixture = await tuitionBill()
    bill = fixture.bill
    paymentId = await paidAtBank(t, fixture.actor, bill.id, 1_000_000)
  })
  const allocation = (amount: number) =>
    sql`INSERT INTO allocations (payment_id, bill_id, amount, created_at) VALUES (${paymentId}, ${bill.id}, ${amount}, now())`

  test.each([
    ['a bill said to be paid more', () => [sql`UPDATE bills SET paid = paid + 1 WHERE id = ${bill.id}`]],
    [
      'money allocated that the payment does not have',
      () => [allocation(5), sql`UPDATE bills SET paid = paid + 5 WHERE id = ${bill.id}`],
    ],
    ['an allocation the bill does not count', () => [allocation(5)]],
    ['money that waits besides', () => [sql`UPDATE payments SET waiting_amount = 7 WHERE id = ${paymentId}`]],
    [
      'a reversed payment that still pays',
      () => [sql`UPDATE payments SET status = 'reversed' WHERE id = ${paymentId}`],
    ],
    [
      'a paid instalment nothing was allocated to',
      () => [
        sql`INSERT INTO installments (bill_id, position, amount, paid, due_at) VALUES (${bill.id}, 1, 1000000, 1000000, now())`,
      ],
    ],
    [
      'a payment of which nothing arrives anywhere',
      () => [
        sql`INSERT INTO payments (provider, provider_reference, amount, status, paid_at, received_at)
          VALUES ('sandbox', ${`EMPTY-${paymentId}`}, 10, 'allocated', now(), now())`,
      ],
    ],
  ] as const)('%s', async (_, statements) => {
    // Also refused for the owner of the tables.
    const committed = t.owner.transaction().execute(async (tx) => {
      for (const statement of statements()) await statement.execute(tx)
    })
    await expect(committed).rejects.toMatchObject({ code: 'PMB01' })
  })
})

test('a role limited to one study programme can neither move nor reverse money on a bill of another', async () => {
  const [inside, outside] = academic.programmes as [string, string]
  const one = await tuitionBill()
  const two = await tuitionBill(one.actor)
  await t.db.updateTable('registrations').set({ programmeId: inside }).where('id', '=', one.registration.id).execute()
  await t.db.updateTable('registrations').set({ programmeId: outside }).where('id', '=', two.registration.id).execute()
  const paymentId = await paidAtBank(t, one.actor, one.bill.id, 900_000)
  expect((await allocate(clerk, paymentId, two.bill.id, 900_000)).statusCode).toBe(200)

  const limited = await asWithPermissions(
    t,
    ['pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-update', 'persetujuan-view', 'persetujuan-update'],
    { programmeIds: [inside] },
  )
  const moved = await allocate(limited, paymentId, one.bill.id, 900_000)
  expect([moved.statusCode, moved.json().code]).toEqual([403, 'money_outside_rows'])
  const askReversal = (actor: TestActor) =>
    actor.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Uang tidak masuk' })
  expect((await askReversal(limited)).json().code).toBe('money_outside_rows')
  const { id } = (await askReversal(clerk)).json().data
  await sql`INSERT INTO approval_limits (role_id, kind) SELECT role_id, 'reversal' FROM accounts
    WHERE id = ${limited.accountId}`.execute(t.db)
  const decided = await limited.post(`/persetujuan/${id}/decide`, { approve: true, reason: 'Sesuai bukti' })
  expect([decided.statusCode, decided.json().code]).toEqual([403, 'money_outside_rows'])
  expect((await billOf(two.bill.id)).paid).toBe(900_000)
})
