import { describe, expect, test } from 'vitest'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { aBill } from '#server-test/factories/payments.ts'
import {
  academic,
  aTuitionBill,
  billOf,
  clerk,
  decide,
  enter,
  ok,
  second,
  setDeskStage,
  t,
} from '#server-test/stages/desk-stage.ts'

setDeskStage()

describe('deciding a request', () => {
  test('is refused above the limit of the role', async () => {
    const { bill } = await aTuitionBill({ lines: [{ description: 'Uang pangkal', amount: 20_000_000 }] })
    const id = await enter(bill.id, 10_000_001)
    const refused = await decide(second, id)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'above_approval_limit'])
    ok(await decide(await asStaff(t, 'Administrator'), id))
  })

  test('needs the permission and a limit of the role', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 1000)
    const other = await asWithPermissions(t, ['persetujuan-view', 'persetujuan-update'])
    expect((await decide(other, id)).json().code).toBe('no_approval_limit')
    const reader = await asWithPermissions(t, ['persetujuan-view'])
    expect((await decide(reader, id)).json().code).toBe('forbidden')
    const row = (await reader.get('/persetujuan?status=pending'))
      .json()
      .data.find((one: { id: string }) => one.id === id)
    expect(row.whyNot).toBe('no_permission')
  })

  test('to reject needs a reason, changes nothing else, and is final', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    expect((await second.post(`/persetujuan/${id}/decide`, { approve: false })).json().errors.reason).toBeDefined()
    ok(await decide(second, id, false, 'Uang belum diterima'))
    expect((await decide(second, id)).statusCode).toBe(409)
    expect(await billOf(bill.id)).toMatchObject({ status: 'open', paid: 0 })
  })

  test('is impossible after the asking account withdrew it; other accounts cannot withdraw it', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    expect((await second.post(`/persetujuan/${id}/withdraw`)).json().code).toBe('not_own_request')
    ok(await clerk.post(`/persetujuan/${id}/withdraw`))
    expect((await decide(second, id)).statusCode).toBe(409)
  })

  test('of another study programme gets 404', async () => {
    const { bill } = await aBill(t, academic, { amount: 250_000 })
    const id = await enter(bill.id, 250_000)
    const elsewhere = await asWithPermissions(
      t,
      ['persetujuan-view', 'persetujuan-update', 'pembayaran-mahasiswa-view'],
      { programmeIds: [academic.programmes[1]!] },
    )
    expect((await elsewhere.get('/persetujuan')).json().data.map((row: { id: string }) => row.id)).not.toContain(id)
    expect((await decide(elsewhere, id)).statusCode).toBe(404)
    expect((await elsewhere.get('/bills')).json().data.map((row: { id: string }) => row.id)).not.toContain(bill.id)
  })
})
