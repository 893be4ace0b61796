import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { assertBalanced } from '#server-test/factories/payments.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture

beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
})
afterAll(() => t.close())
afterEach(async () => {
  t.clock.reset()
  await sql`UPDATE discounts SET active = false`.execute(t.db)
  await assertBalanced(t)
})

let codeCount = 0
type DiscountFields = {
  condition?: 'early' | 'voucher' | 'school_agreement'
  kind?: 'percent' | 'fixed'
  value?: number
  appliesTo?: 'registration_fee' | 'fee_component'
  feeComponentId?: string
  validFrom?: string
  validTo?: string
  maxUses?: number
  stackable?: boolean
}
const aDiscount = async (fields: DiscountFields = {}) => {
  const number = ++codeCount
  const { id } = await t.db
    .insertInto('discounts')
    .values({
      code: `D${number}`,
      name: `Diskon ${number}`,
      kind: 'percent',
      value: 10,
      condition: 'voucher',
      appliesTo: 'registration_fee',
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const aVoucher = async (
  fields: DiscountFields & { uses?: number } = {},
  voucherFields: { maxUses?: number; validTo?: string } = {},
) => {
  const code = `HEMAT${++codeCount}`
  await t.db
    .insertInto('vouchers')
    .values({ discountId: await aDiscount(fields), code, ...voucherFields })
    .execute()
  return code
}
const submit = async ({ id, applicant }: { id: string; applicant: TestActor }) => {
  const answer = await applicant.post(`/pendaftaran/${id}/submit`, {})
  expect(answer.statusCode, answer.body).toBe(200)
}
const billOf = async ({ id, applicant }: { id: string; applicant: TestActor }) =>
  (await applicant.get(`/pendaftaran/${id}/bills`)).json().data.bills.at(-1)
/** A registration with a free fee, so that it reaches the status without money. */
const aFreeRegistration = async (status: 'paid' | 'decided') => {
  const id = await aDiscount({ condition: 'early', value: 100 })
  const registration = await aRegistration(t, { status })
  await t.db.updateTable('discounts').set({ active: false }).where('id', '=', id).execute()
  return registration
}
const enter = ({ id, applicant }: { id: string; applicant: TestActor }, code: string) =>
  applicant.post(`/pendaftaran/${id}/vouchers`, { code })
const refusalOf = async (answer: ReturnType<typeof enter>) => {
  const { errors, code } = (await answer).json()
  return errors?.code?.[0] ?? code
}

test('the account that last changed a voucher or its discount cannot enter the voucher for an applicant', async () => {
  const code = await aVoucher({ value: 100 })
  const editor = await asStaff(t, 'Administrator')
  const registration = await aRegistration(t)
  const enterAs = (actor: TestActor) => actor.post(`/pendaftaran/${registration.id}/vouchers`, { code })
  const editorValues = { updatedBy: editor.accountId }
  const voucher = await t.db.selectFrom('vouchers').selectAll().where('code', '=', code).executeTakeFirstOrThrow()
  await t.db.updateTable('discounts').set(editorValues).where('id', '=', voucher.discountId).execute()
  expect((await enterAs(editor)).json().errors.code).toEqual([expect.stringContaining('Somebody else')])
  await t.db.updateTable('discounts').set({ updatedBy: null }).where('id', '=', voucher.discountId).execute()
  await t.db.updateTable('vouchers').set(editorValues).where('id', '=', voucher.id).execute()
  expect((await enterAs(editor)).statusCode).toBe(422)
  expect((await enterAs(await asStaff(t, 'Administrator'))).statusCode).toBe(200)
})

describe('a discount for early applicants', () => {
  test('is a negative line on bills issued during its validity, and missing on later bills', async () => {
    await aDiscount({ condition: 'early', validTo: '2030-01-01', value: 20 })
    const early = await aRegistration(t)
    await submit(early)
    const bill = await billOf(early)
    expect(bill).toMatchObject({ total: 200_000, status: 'open' })
    expect(bill.lines.map(({ amount }: { amount: number }) => amount)).toEqual([250_000, -50_000])
    await sql`UPDATE discounts SET valid_to = '2020-01-01'`.execute(t.db)
    const late = await aRegistration(t)
    await submit(late)
    expect((await billOf(late)).total).toBe(250_000)
  })

  test('of five applicants who submit at once, one gets its last use', async () => {
    await aDiscount({ condition: 'early', maxUses: 1, value: 50 })
    const five = await Promise.all(Array.from({ length: 5 }, () => aRegistration(t)))
    await Promise.all(five.map(submit))
    const totals = await Promise.all(five.map(async (one) => (await billOf(one)).total))
    expect(totals.toSorted()).toEqual([125_000, 250_000, 250_000, 250_000, 250_000])
  })

  test('of 100 % settles the bill at once', async () => {
    await aDiscount({ condition: 'early', value: 100 })
    const free = await aRegistration(t)
    await submit(free)
    expect(await billOf(free)).toMatchObject({ total: 0, status: 'paid' })
  })
})

test('an agreement with a school gives its discount to pupils of the school until its quota is used', async () => {
  const discountId = await aDiscount({ condition: 'school_agreement', value: 40 })
  const pupil = await aRegistration(t)
  const { schoolId } = await t.db
    .selectFrom('applicants')
    .select('schoolId')
    .where('accountId', '=', pupil.applicant.accountId)
    .executeTakeFirstOrThrow()
  await t.db
    .insertInto('schoolAgreements')
    .values({ schoolId: schoolId!, number: 'MOU-1', title: 'MoU', validTo: '2030-12-31', discountId, quota: 1 })
    .execute()
  await submit(pupil)
  expect((await billOf(pupil)).total).toBe(150_000)
  const second = await aRegistration(t)
  await submit(second)
  expect((await billOf(second)).total).toBe(250_000)
})

describe('a voucher', () => {
  test('entered before the bill is kept for it, entered twice counts once, and can be removed again', async () => {
    const code = await aVoucher({ kind: 'fixed', value: 75_000 })
    const draft = await aRegistration(t)
    const [one, two] = await Promise.all([enter(draft, code), enter(draft, code.toLowerCase())])
    expect([one.statusCode, two.statusCode]).toEqual([200, 200])
    const { vouchers } = (await draft.applicant.get(`/pendaftaran/${draft.id}/vouchers`)).json().data
    expect(vouchers).toMatchObject([{ code, amount: null, on: 'registration_fee', removable: true }])
    await submit(draft)
    expect((await billOf(draft)).total).toBe(175_000)
    const removed = await draft.applicant.delete(`/pendaftaran/${draft.id}/vouchers/${vouchers[0].id}`)
    expect(removed.json().data.vouchers).toEqual([])
    expect((await billOf(draft)).total).toBe(250_000)
  })

  test('entered for an open bill replaces the bill: the due date stays, the transfer number ends', async () => {
    const code = await aVoucher({ value: 30 })
    const registration = await aRegistration(t, { status: 'submitted' })
    const before = await billOf(registration)
    const answer = await registration.applicant.post(`/bills/${before.id}/virtual-account`, { bank: 'sandbox-a' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await enter(registration, code)).statusCode).toBe(200)
    const after = await billOf(registration)
    expect(after).toMatchObject({ total: 175_000, dueAt: before.dueAt, virtualAccounts: [] })
    const { status } = await t.db
      .selectFrom('virtualAccounts')
      .select('status')
      .where('billId', '=', before.id)
      .executeTakeFirstOrThrow()
    expect(status).toBe('replaced')
  })

  test('of four applicants who enter it at once, one gets the last use', async () => {
    const code = await aVoucher({}, { maxUses: 1 })
    const four = await Promise.all(Array.from({ length: 4 }, () => aRegistration(t)))
    const answers = await Promise.all(four.map((one) => enter(one, code)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 422, 422, 422])
    expect(answers.find(({ statusCode }) => statusCode === 422)!.json().errors.code[0]).toContain('as often as allowed')
  })

  test('is refused with the reason beside the code', async () => {
    const registration = await aRegistration(t, { status: 'submitted' })
    const refused = (code: string) => refusalOf(enter(registration, code))
    expect(await refused('SALAH')).toContain('no voucher with this code')
    expect(await refused(await aVoucher({ validFrom: '2030-06-01' }))).toContain('from 01 Juni 2030')
    expect(await refused(await aVoucher({ validTo: '2020-06-01' }))).toContain('until 01 Juni 2020')
    expect(await refused(await aVoucher({ validTo: '2030-06-01' }, { validTo: '2020-07-01' }))).toContain(
      '01 Juli 2020',
    )
    const paid = await aFreeRegistration('paid')
    expect(await refusalOf(enter(paid, await aVoucher()))).toContain('already settled')
    const ended = await aRegistration(t, { status: 'withdrawn' })
    expect(await refusalOf(enter(ended, await aVoucher()))).toBe('voucher_registration_closed')
  })

  test('is refused and keeps its use if a discount it cannot be combined with is worth more', async () => {
    await aDiscount({ condition: 'early', value: 50 })
    const registration = await aRegistration(t)
    await submit(registration)
    const code = await aVoucher({ value: 10 })
    expect(await refusalOf(enter(registration, code))).toContain('cannot be combined')
    const { uses } = await t.db.selectFrom('vouchers').select('uses').where('code', '=', code).executeTakeFirstOrThrow()
    expect(uses).toBe(0)
    expect((await billOf(registration)).total).toBe(125_000)
  })

  test('adds to a discount that may be combined with it', async () => {
    await aDiscount({ condition: 'early', value: 10, stackable: true })
    const registration = await aRegistration(t)
    await submit(registration)
    await enter(registration, await aVoucher({ kind: 'fixed', value: 100_000, stackable: true }))
    expect((await billOf(registration)).total).toBe(125_000)
  })

  test("for tuition is shown in the quote, and entered after confirmation it keeps the plan's due dates", async () => {
    const registration = await aFreeRegistration('decided')
    await sql`INSERT INTO result_publications (wave_id, track_id, publish_at, published_by)
      VALUES (${academic.wave}, ${academic.tracks.regular}, now() - interval '1 minute',
        (SELECT id FROM accounts LIMIT 1)) ON CONFLICT DO NOTHING`.execute(t.db)
    await enter(registration, await aVoucher({ appliesTo: 'fee_component', value: 10, stackable: true }))
    const { id, applicant } = registration
    const quote = (await applicant.get(`/pendaftaran/${id}/re-registration/quote`)).json().data
    expect(quote.lines.at(-1).amount).toBe(-1_350_000)
    expect(quote.total).toBe(12_150_000)
    const confirmed = await applicant.post(`/pendaftaran/${id}/confirm`, { installmentPlanId: academic.plan })
    expect(confirmed.statusCode, confirmed.body).toBe(200)
    const bill = await billOf(registration)
    expect(bill.total).toBe(12_150_000)
    t.clock.set(new Date(Date.now() + 2 * 86_400_000))
    const component = academic.feeComponents.development
    const more = await aVoucher({ appliesTo: 'fee_component', value: 50, feeComponentId: component, stackable: true })
    await enter(registration, more)
    const anew = await billOf(registration)
    expect(anew.total).toBe(7_650_000)
    const dates = (one: { installments: { dueAt: string }[] }) => one.installments.map(({ dueAt }) => dueAt)
    expect(dates(anew)).toEqual(dates(bill))
  })

  test('can be used by another registration once the first one has ended', async () => {
    const code = await aVoucher({}, { maxUses: 1 })
    const registration = await aRegistration(t, { status: 'submitted' })
    await enter(registration, code)
    const { id, applicant } = registration
    expect((await applicant.post(`/pendaftaran/${id}/withdraw`, { reason: 'Pindah kota' })).statusCode).toBe(200)
    expect((await enter(await aRegistration(t, { status: 'submitted' }), code)).statusCode).toBe(200)
  })

  test('answers 404 to other applicants and to staff of other programmes', async () => {
    const registration = await aRegistration(t)
    const other = await asApplicant(t, { profile: true })
    expect((await other.get(`/pendaftaran/${registration.id}/vouchers`)).statusCode).toBe(404)
    expect((await other.post(`/pendaftaran/${registration.id}/vouchers`, { code: 'X1' })).statusCode).toBe(404)
    const limited = await asWithPermissions(t, ['pendaftaran-voucher'], { programmeIds: [academic.programmes[1]] })
    expect((await limited.get(`/pendaftaran/${registration.id}/vouchers`)).statusCode).toBe(404)
  })
})
