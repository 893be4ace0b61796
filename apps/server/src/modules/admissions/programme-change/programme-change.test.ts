import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { assertBalanced } from '#server-test/factories/payments.ts'
import { type Destinations, notes, programmeChanges } from '#server-test/factories/registrations/programme-change.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor

let to: Destinations

const {
  aProgramme,
  aChoiceOfProgrammes,
  aConfirmed,
  pay,
  target,
  preview,
  change,
  billsOf,
  paymentsOf,
  assertNothingLost,
} = programmeChanges(() => ({ t, academic, staff }))
const { registrationOf } = readersOf(() => t)

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  staff = await asStaff(t, 'Panitia PMB')
  ;({ to } = await aChoiceOfProgrammes())
})

afterAll(() => t.close())

afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
  await assertNothingLost()
})

test("the account that last set a programme's price is refused, with the names of others who may change", async () => {
  const [setter, other] = [await asStaff(t, 'Administrator'), await asStaff(t, 'Panitia PMB', { name: 'Aan Panitia' })]
  const programmeId = await aProgramme('Filsafat', { [academic.feeComponents.semester]: 1 })
  await t.db
    .updateTable('tuitionFees')
    .set({ updatedBy: setter.accountId })
    .where('programmeId', '=', programmeId)
    .execute()
  const { id } = await aConfirmed()
  const target = { programmeId, classProgrammeId: academic.classProgramme }
  const { seen } = (await setter.post(`/pendaftaran/${id}/programme-change/preview`, target)).json().data
  const body = { ...target, seen, reason: 'Permintaan pendaftar' }
  const refused = await setter.post(`/pendaftaran/${id}/programme-change`, body)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'price_set_by_you'])
  expect(refused.json().message).toContain('Aan Panitia')
  expect((await other.post(`/pendaftaran/${id}/programme-change`, body)).statusCode).toBe(200)
})

describe('to a dearer programme', () => {
  test('the preview writes nothing and shows the difference per component and in total', async () => {
    const registration = await aConfirmed()
    await pay(registration, 5_000_000)
    const previewed = await preview(registration.id, target(to.dearer))
    expect(previewed.money).toMatchObject({
      bill: 'anew',
      difference: 4_500_000,
      moved: 5_000_000,
      waiting: 0,
      before: { number: registration.bill.number, total: 13_500_000, paid: 5_000_000 },
      after: { number: null, total: 18_000_000, paid: 5_000_000 },
    })
    const byPrice = previewed.money.lines.toSorted((a, b) => b.before - a.before)
    expect(byPrice.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['fee', 9_000_000, 12_000_000],
      ['fee', 4_500_000, 6_000_000],
    ])
    expect(await billsOf(registration.id)).toHaveLength(1)
    expect((await registrationOf(registration.id)).programmeId).toBe(academic.programmes[0])
  })

  test('the change replaces the bill as previewed, with payments, place, choices, record, message and audit', async () => {
    const registration = await aConfirmed({ name: 'Dewi Anggraini' })
    await pay(registration, 13_500_000)
    expect((await billsOf(registration.id))[0]!.status).toBe('paid')
    const changed = await change(registration.id, target(to.dearer))
    const [oldBill, newBill] = await billsOf(registration.id)
    expect(oldBill).toMatchObject({ status: 'cancelled', paid: 0 })
    expect(newBill).toMatchObject({ status: 'partly_paid', total: changed.money.after.total, paid: 13_500_000 })
    // A reissued bill is due in a week at the earliest.
    expect(newBill!.dueAt!.getTime()).toBeGreaterThan(t.clock.now().getTime() + 6 * 86_400_000)
    expect(await registrationOf(registration.id)).toMatchObject({
      programmeId: to.dearer,
      acceptedProgrammeId: to.dearer,
      status: 'confirmed',
    })
    const choices = await t.db
      .selectFrom('registrationChoices')
      .select('programmeId')
      .where('registrationId', '=', registration.id)
      .execute()
    expect(choices).toEqual([{ programmeId: to.dearer }])
    const message = (await registration.actor.get('/messages')).json().data[0]
    expect(`${message.subject} ${message.body}`).toContain('Kedokteran')
    expect(message.body).toContain('Rp\u00a04.500.000')
    const { data } = (await staff.get('/pindah-prodi?q=dewi')).json()
    expect(data).toMatchObject([
      { from: 'Informatika', to: 'Kedokteran', difference: 4_500_000, moved: 13_500_000, waiting: 0 },
    ])
    const entry = await t.db
      .selectFrom('auditLog')
      .selectAll()
      .where('action', '=', 'registration.change-programme')
      .where('subjectId', '=', registration.id)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      before: { programme: 'Informatika', total: 13_500_000 },
      after: { programme: 'Kedokteran', total: 18_000_000, paid: 13_500_000 },
      reason: 'Permintaan pendaftar',
    })
  })

  test('partly paid instalments are divided again by the same plan; overdue ones get another week', async () => {
    const registration = await aConfirmed({ plan: true })
    await pay(registration, 5_400_000)
    await pay(registration, 1_000_000)
    t.clock.set(new Date(Date.now() + 30 * 86_400_000))
    const changed = await change(registration.id, target(to.dearer), await asStaff(t, 'Panitia PMB'))
    const [, newBill] = await billsOf(registration.id)
    const parts = await t.db
      .selectFrom('installments')
      .select(['position', 'amount', 'paid', 'dueAt'])
      .where('billId', '=', newBill!.id)
      .orderBy('position')
      .execute()
    expect(parts.map(({ amount, paid }) => [amount, paid])).toEqual([
      [7_200_000, 6_400_000],
      [5_400_000, 0],
      [5_400_000, 0],
    ])
    expect(parts[0]!.dueAt.getTime()).toBeGreaterThan(t.clock.now().getTime())
    expect(changed.money.after.installments.map(({ amount, paid }) => [amount, paid])).toEqual(
      parts.map(({ amount, paid }) => [amount, paid]),
    )
  })
})

test('after two changes instalments keep their due dates, even a date postponed by hand', async () => {
  const registration = await aConfirmed({ plan: true })
  const later = new Date(Math.floor(Date.now() / 1000) * 1000 + 90 * 86_400_000)
  await t.db
    .updateTable('installments')
    .set({ dueAt: later })
    .where('billId', '=', registration.bill.id)
    .where('position', '=', 2)
    .execute()
  const days = async () => {
    const { id } = (await billsOf(registration.id)).at(-1)!
    const parts = await t.db
      .selectFrom('installments')
      .select('dueAt')
      .where('billId', '=', id)
      .orderBy('position')
      .execute()
    return parts.map(({ dueAt }) => dueAt.toISOString())
  }
  const before = await days()
  expect(before[1]).toBe(later.toISOString())
  await change(registration.id, target(to.dearer))
  t.clock.set(new Date(Date.now() + 3 * 3_600_000))
  await change(registration.id, target(to.cheaper))
  expect((await days()).slice(1)).toEqual(before.slice(1))
})

test('a promise to pay keeps its day', async () => {
  const registration = await aConfirmed()
  const finance = await asStaff(t, 'Keuangan')
  const boss = await asStaff(t, 'Administrator')
  const promisedOn = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const request = await finance.post(`/bills/${registration.bill.id}/exceptions`, {
    kind: 'promise',
    payBy: promisedOn,
    reason: 'Gajian akhir bulan',
  })
  expect(request.statusCode, request.body).toBe(200)
  const decided = await boss.post(`/persetujuan/${request.json().data.id}/decide`, { approve: true })
  expect(decided.statusCode, decided.body).toBe(200)
  const changed = await change(registration.id, target(to.dearer))
  expect(notes(changed)).toContain('promise_stays')
  const [oldBill, newBill] = await billsOf(registration.id)
  expect(newBill!.promisedUntil).toEqual(oldBill!.promisedUntil)
  expect(changed.money.after.dueAt).toBe(newBill!.dueAt!.toISOString())
})

describe('to a cheaper programme', () => {
  test('an overpaid amount becomes waiting money with its reason and settles nothing else', async () => {
    const registration = await aConfirmed()
    await pay(registration, 10_000_000)
    const changed = await change(registration.id, target(to.cheaper))
    expect(changed.money).toMatchObject({ difference: -10_500_000, moved: 3_000_000, waiting: 7_000_000 })
    expect(notes(changed)).toEqual(expect.arrayContaining(['too_much', 'settles']))
    const [, newBill] = await billsOf(registration.id)
    expect(newBill).toMatchObject({ status: 'paid', total: 3_000_000, paid: 3_000_000 })
    const [payment] = await paymentsOf(registration.accountId)
    expect(payment).toMatchObject({ status: 'waiting', waitingAmount: 7_000_000, waitingReason: 'overpaid' })
    const message = (await registration.actor.get('/messages')).json().data[0]
    expect(message.body).toContain('Rp\u00a07.000.000')
  })

  test('and back: waiting money stays, booked payments move to the new bill', async () => {
    const registration = await aConfirmed()
    await pay(registration, 2_000_000)
    await pay(registration, 8_000_000)
    await change(registration.id, target(to.cheaper))
    const changed = await change(registration.id, target(academic.programmes[0]))
    expect(notes(changed)).toContain('waits_already')
    expect(changed.money).toMatchObject({ moved: 3_000_000, waiting: 0 })
    const newBill = (await billsOf(registration.id)).at(-1)!
    expect(newBill).toMatchObject({ status: 'partly_paid', total: 13_500_000, paid: 3_000_000 })
    const waiting = (await paymentsOf(registration.accountId)).reduce(
      (sum, { waitingAmount }) => sum + waitingAmount,
      0,
    )
    expect(waiting).toBe(7_000_000)
  })

  test('a discount on a component that disappears is lost with a note, and its use is released', async () => {
    const registration = await aConfirmed({
      discount: { feeComponentId: academic.feeComponents.development, value: 1_000_000 },
    })
    await pay(registration, 12_500_000)
    const changed = await change(registration.id, target(to.cheaper))
    expect(notes(changed)).toContain('discount_lost')
    expect(changed.money.lines.find(({ kind }) => kind === 'discount')).toMatchObject({ before: -1_000_000, after: 0 })
    const uses = await t.db
      .selectFrom('discountUses')
      .selectAll()
      .where('registrationId', '=', registration.id)
      .where('releasedAt', 'is', null)
      .execute()
    expect(uses).toEqual([])
  })

  test('a discount granted by hand on a component that stays is kept', async () => {
    const registration = await aConfirmed({
      discount: { feeComponentId: academic.feeComponents.semester, value: 500_000 },
    })
    const changed = await change(registration.id, target(to.cheaper))
    expect(changed.money.after.total).toBe(2_500_000)
    expect((await billsOf(registration.id)).at(-1)!.total).toBe(2_500_000)
  })
})

describe('to a programme of the same price', () => {
  test('the bill keeps its number and its payments', async () => {
    const registration = await aConfirmed()
    await pay(registration, 1_000_000)
    const changed = await change(registration.id, target(to.equal))
    expect(changed.money).toMatchObject({ bill: 'stays', difference: 0, moved: 1_000_000, waiting: 0 })
    expect(await billsOf(registration.id)).toMatchObject([
      { id: registration.bill.id, status: 'partly_paid', paid: 1_000_000 },
    ])
    expect((await registrationOf(registration.id)).programmeId).toBe(to.equal)
  })
})

test('the list of changes is sorted, filtered and exported', async () => {
  const rows = async (query: string) => (await staff.get(`/pindah-prodi?${query}`)).json()
  const all = await rows('sort=-difference')
  expect(all.meta.total).toBeGreaterThan(5)
  const differences = all.data.map(({ difference }: { difference: number }) => difference)
  expect(differences).toEqual(differences.toSorted((a: number, b: number) => b - a))
  const cheaper = await rows('direction=cheaper')
  expect(cheaper.data.every(({ difference }: { difference: number }) => difference < 0)).toBe(true)
  expect((await rows(`programmeId=${to.full}`)).meta.total).toBe(0)
  expect((await rows(`waveId=${academic.wave}`)).meta.total).toBe(all.meta.total)
  const sheet = await staff.get('/pindah-prodi/export?format=csv&direction=dearer')
  expect(sheet.statusCode).toBe(200)
  expect(sheet.body).toContain('Kedokteran')
  expect(sheet.body).not.toContain('Statistika')
})

test('registrations are found by name unless they have ended', async () => {
  const registration = await aConfirmed({ name: 'Bagaskara Nugroho' })
  const findCandidates = async () => (await staff.get('/pindah-prodi/candidates?q=bagaskara')).json().data
  expect(await findCandidates()).toMatchObject([
    { id: registration.id, name: 'Bagaskara Nugroho', status: 'confirmed' },
  ])
  await t.db.updateTable('registrations').set({ status: 'withdrawn' }).where('id', '=', registration.id).execute()
  expect(await findCandidates()).toEqual([])
  await t.db.updateTable('registrations').set({ status: 'confirmed' }).where('id', '=', registration.id).execute()
})
