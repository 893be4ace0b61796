import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aDesk, idOf } from '#server-test/factories/desk.ts'
import { assertBalanced } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())
beforeEach(async () => {
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})
afterEach(() => assertBalanced(t))

const dayMs = 86_400_000
const dayIn = (days: number) => new Date(t.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)
const { aDiscount, aTuitionBill, ask, billOf, decide, requestOf, standingBillOf } = aDesk(() => ({
  t,
  academic,
  clerk,
  second,
}))

let codeCount = 0

describe('a sibling discount', () => {
  const wish = (discountId: string, siblingNumber?: string) => ({ kind: 'discount', discountId, siblingNumber })
  const refusal = async (answering: ReturnType<TestActor['post']>) => {
    const answer = await answering
    expect(answer.statusCode, answer.body).toBe(422)
    return Object.keys(answer.json().errors)
  }
  async function aStudent(name = 'Budi Santoso') {
    const { registration, actor } = await aTuitionBill(0, { name, lines: [] })
    const npm = `2025${String(++codeCount).padStart(6, '0')}`
    await t.db
      .insertInto('students')
      .values({
        registrationId: registration.id,
        accountId: actor.accountId,
        programmeId: academic.programmes[0]!,
        npm,
        issuedAt: t.clock.now(),
        unlockRule: 'none',
      })
      .execute()
    await t.db.updateTable('registrations').set({ status: 'enrolled' }).where('id', '=', registration.id).execute()
    return { npm, actor }
  }

  test('names a student, shows staff the masked name, and counts once another account has approved it', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const { npm } = await aStudent()
    const discountId = await aDiscount({ condition: 'sibling', value: 10 })
    const offered = (await clerk.get('/bills/manual-discounts?kind=re_registration')).json().data
    expect(offered).toContainEqual(expect.objectContaining({ id: discountId, sibling: true }))
    const seen = (await clerk.get(`/bills/${bill.id}/sibling?number=${npm}`)).json().data
    expect(seen).toMatchObject({ number: npm, name: 'B*** S******' })
    const id = await idOf(ask(bill.id, wish(discountId, npm)))
    expect(await requestOf(id)).toMatchObject({
      details: { discountId, siblingNumber: npm },
      effect: { amount: 400_000, sibling: `${npm} · B*** S******` },
    })
    await idOf(decide(id))
    expect(await standingBillOf(bill.registrationId)).toMatchObject({ total: 3_600_000 })
    const { after } = await t.db
      .selectFrom('auditLog')
      .select('after')
      .where('action', '=', 'bill.discount')
      .where('subjectId', '=', bill.id)
      .executeTakeFirstOrThrow()
    expect(after).toMatchObject({ siblingNumber: npm })
  })

  test('needs the number of another student; other discounts refuse such a number', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const { npm, actor } = await aStudent()
    const discountId = await aDiscount({ condition: 'sibling' })
    expect(await refusal(ask(bill.id, wish(discountId)))).toEqual(['siblingNumber'])
    expect(await refusal(ask(bill.id, wish(discountId, '0000')))).toEqual(['siblingNumber'])
    expect(await refusal(ask(bill.id, wish(await aDiscount(), npm)))).toEqual(['siblingNumber'])
    expect((await clerk.get(`/bills/${bill.id}/sibling?number=0000`)).json().data).toBeNull()
    const own = await aTuitionBill(4_000_000, { actor, trackId: academic.tracks.achievement })
    expect(await refusal(ask(own.bill.id, wish(discountId, npm)))).toEqual(['siblingNumber'])
    expect((await clerk.get(`/bills/${own.bill.id}/sibling?number=${npm}`)).json().data).toBeNull()
  })

  test('is given once per registration across its bills, even if two are approved at once', async () => {
    const { bill, registration } = await aTuitionBill(4_000_000, { status: 'submitted', accepted: false })
    const fee = await inTransaction(t.services, systemActor, (context) =>
      issueBill(context, {
        registrationId: registration.id,
        accountId: registration.accountId,
        kind: 'registration_fee',
        lines: [{ description: 'Biaya pendaftaran', amount: 250_000 }],
        dueAt: new Date(t.clock.now().getTime() + dayMs),
      }),
    )
    const { npm } = await aStudent()
    const ofTuition = await aDiscount({ condition: 'sibling' })
    const ofFee = await aDiscount({ condition: 'sibling', appliesTo: 'registration_fee' })
    const ids = [await idOf(ask(bill.id, wish(ofTuition, npm))), await idOf(ask(fee.id, wish(ofFee, npm)))]
    const answers = await Promise.all(ids.map((id) => decide(id)))
    expect(answers.map((answer) => answer.json().code ?? 200).toSorted()).toEqual([200, 'sibling_given'])
    const open = await t.db
      .selectFrom('bills')
      .select('id')
      .where('registrationId', '=', registration.id)
      .where('status', '=', 'open')
      .where('id', 'not in', [bill.id, fee.id])
      .executeTakeFirstOrThrow()
    const third = await aDiscount({ condition: 'sibling' })
    const other = await aDiscount({ condition: 'sibling', appliesTo: 'registration_fee' })
    const kind = (await billOf(open.id)).kind
    expect(await refusal(ask(open.id, wish(kind === 're_registration' ? third : other, npm)))).toEqual(['discountId'])
  })

  test('is refused after its validity has ended', async () => {
    const { bill } = await aTuitionBill(4_000_000)
    const { npm } = await aStudent()
    const discountId = await aDiscount({ condition: 'sibling', validTo: dayIn(-2) })
    expect(await refusal(ask(bill.id, wish(discountId, npm)))).toEqual(['discountId'])
  })
})
