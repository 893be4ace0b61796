import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aDiscount, aTuitionBill, idOf, standingBillOf } from '#server-test/factories/desk.ts'
import { assertBalanced, paidAtBank } from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { billOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})
afterAll(() => t.close())
afterEach(() => assertBalanced(t))

const ask = (billId: string, wish: object) =>
  idOf(clerk.post(`/bills/${billId}/exceptions`, { reason: 'Sesuai ketentuan', ...wish }))
const decide = (id: string) => second.post(`/persetujuan/${id}/decide`, { approve: true, reason: 'Sesuai bukti' })
const move = (paymentId: string, billId: string, amount: number) =>
  clerk.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, { billId, amount, reason: 'Sesuai bukti transfer' })

test('a bill guaranteed for a small remaining amount is owed again once its money is moved away', async () => {
  const one = await aTuitionBill(t, academic, 10_000_000)
  const two = await aTuitionBill(t, academic, 10_000_000, { actor: one.actor, trackId: academic.tracks.achievement })
  const paymentId = await paidAtBank(t, one.actor, one.bill.id, 9_900_000)
  await idOf(decide(await ask(one.bill.id, { kind: 'guarantee', sponsor: 'Yayasan Contoh' })))
  expect(await billOf(one.bill.id)).toMatchObject({ status: 'guaranteed', paid: 9_900_000 })
  expect((await move(paymentId, two.bill.id, 9_900_000)).statusCode).toBe(200)
  expect(await billOf(one.bill.id)).toMatchObject({ status: 'open', paid: 0 })
})

test('a discount approved at 1 % keeps its sum on later bills even if its percentage has changed', async () => {
  const { bill, registration, actor } = await aTuitionBill(t, academic, 10_000_000)
  const discountId = await aDiscount(t)
  await idOf(decide(await ask(bill.id, { kind: 'discount', discountId })))
  await t.db.updateTable('discounts').set({ value: 75 }).where('id', '=', discountId).execute()
  const voucher = await aDiscount(t, { condition: 'voucher', kind: 'fixed', value: 1 })
  await t.db.insertInto('vouchers').values({ discountId: voucher, code: 'SATURUPIAH' }).execute()
  await idOf(actor.post(`/pendaftaran/${registration.id}/vouchers`, { code: 'saturupiah' }))
  expect(await standingBillOf(t, registration.id)).toMatchObject({ total: 9_899_999 })
})

test('when many requests are approved at once, a request the database refuses is listed beside the approved ones', async () => {
  const bills = [
    await aTuitionBill(t, academic, 4_000_000),
    await aTuitionBill(t, academic, 4_000_000),
    await aTuitionBill(t, academic, 4_000_000),
  ]
  const ids: string[] = []
  for (const { bill } of bills) ids.push(await ask(bill.id, { kind: 'waiver', amount: 1_000 }))
  await sql`CREATE FUNCTION refuse_bill() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = 'PMB01'; END $$`.execute(t.owner)
  await sql`CREATE TRIGGER refuse_bill BEFORE UPDATE ON bills FOR EACH ROW WHEN (OLD.id = ${sql.lit(bills[1]!.bill.id)})
    EXECUTE FUNCTION refuse_bill()`.execute(t.owner)
  const answer = await second.post('/persetujuan/bulk/approve', { ids, reason: 'Sesuai bukti' })
  await sql`DROP TRIGGER refuse_bill ON bills`.execute(t.owner)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json().data).toMatchObject({ done: [ids[0], ids[2]], refused: [{ id: ids[1] }] })
})
