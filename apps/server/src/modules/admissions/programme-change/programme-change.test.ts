import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ProgrammeChangePreview } from '#domain/admissions/programme-change-endpoints.ts'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import type { NewBillLine } from '#server/modules/payments/bills/prices/lines.ts'
import { tuitionFor } from '#server/modules/payments/bills/prices/prices.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import {
  anApprovedDiscount,
  aPayableRegistration,
  aReport,
  assertBalanced,
  aVirtualAccount,
} from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { registrationOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
/** Programmes beside the fixture's (Rp 13,500,000): dearer, cheaper, of the same price, full, without tuition. */
let to: Record<'dearer' | 'cheaper' | 'equal' | 'full' | 'unpriced', string>
let evening: string
let count = 0

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  staff = await asStaff(t, 'Panitia PMB')
  const { development, semester } = academic.feeComponents
  to = {
    dearer: await aProgramme('Kedokteran', { [development]: 12_000_000, [semester]: 6_000_000 }),
    cheaper: await aProgramme('Sastra', { [semester]: 3_000_000 }),
    equal: await aProgramme('Statistika', { [development]: 9_000_000, [semester]: 4_500_000 }),
    full: await aProgramme('Penerbangan', { [semester]: 4_500_000 }, 0),
    unpriced: await aProgramme('Arkeologi', {}),
  }
  const made = await t.db
    .insertInto('classProgrammes')
    .values({ code: 'LARUT', name: 'Kelas Larut' })
    .returning('id')
    .executeTakeFirstOrThrow()
  evening = made.id
  await t.db
    .insertInto('programmeDetails')
    .values({ ...ofWave(academic.programmes[0]), classProgrammeId: evening, capacity: 5 })
    .execute()
  await t.db
    .insertInto('tuitionFees')
    .values({
      programmeId: academic.programmes[0],
      waveId: academic.wave,
      classProgrammeId: evening,
      feeComponentId: semester,
      amount: 5_000_000,
    })
    .execute()
  await t.db
    .insertInto('registrationFees')
    .values({ waveId: academic.wave, classProgrammeId: evening, amount: 400_000 })
    .execute()
})
afterAll(() => t.close())
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
  await assertNothingLost()
})

const ofWave = (programmeId: string) => ({
  programmeId,
  waveId: academic.wave,
  classProgrammeId: academic.classProgramme,
  entryLevelId: academic.entryLevel,
})

async function aProgramme(name: string, prices: Record<string, number>, capacity = 40) {
  const { id } = await t.db
    .insertInto('studyProgrammes')
    .values({
      code: name.slice(0, 4).toUpperCase(),
      name,
      facultyId: academic.faculty,
      degreeLevelId: academic.degreeLevel,
      npmCode: String(60 + ++count),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db
    .insertInto('programmeDetails')
    .values({ ...ofWave(id), capacity })
    .execute()
  for (const [feeComponentId, amount] of Object.entries(prices))
    await t.db
      .insertInto('tuitionFees')
      .values({
        programmeId: id,
        waveId: academic.wave,
        classProgrammeId: academic.classProgramme,
        feeComponentId,
        amount,
      })
      .execute()
  return id
}

type Options = { plan?: boolean; discount?: { feeComponentId: string; value: number }; name?: string }

/** Somebody who confirmed a place in the fixture's first programme and owes its tuition. */
async function aConfirmed({ plan = false, discount, name }: Options = {}) {
  const registration = await aPayableRegistration(t, academic, {
    status: 'confirmed',
    accepted: true,
    ...(name && { name }),
  })
  await t.db
    .insertInto('registrationChoices')
    .values({ registrationId: registration.id, position: 1, programmeId: academic.programmes[0] })
    .execute()
  const { lines } = await tuitionFor(t.db, { ...ofWave(academic.programmes[0]), trackId: academic.tracks.regular })
  const given: NewBillLine[] = discount ? [await aDiscount(discount)] : []
  const bill = await t.db.transaction().execute((tx) =>
    issueBill(tx, t.services, systemActor, {
      registrationId: registration.id,
      accountId: registration.accountId,
      kind: 're_registration',
      lines: [...lines, ...given],
      dueAt: new Date(t.clock.now().getTime() + 20 * 86_400_000),
      installmentPlanId: plan ? academic.plan : null,
    }),
  )
  for (const { discount: byHand, amount } of given)
    await anApprovedDiscount(t, { bill, discountId: byHand!.discountId, amount: -amount })
  return { ...registration, bill }
}

async function aDiscount({ feeComponentId, value }: { feeComponentId: string; value: number }): Promise<NewBillLine> {
  const code = `POT${++count}`
  const { id } = await t.db
    .insertInto('discounts')
    .values({ code, name: code, kind: 'fixed', value, appliesTo: 'fee_component', feeComponentId, condition: 'manual' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    description: code,
    amount: -value,
    feeComponentId,
    discount: { discountId: id, useId: null, schoolAgreementId: null },
  }
}

async function pay({ actor, bill }: { actor: TestActor; bill: { id: string } }, amount: number) {
  const { number } = await aVirtualAccount(actor, bill.id)
  const answer = await aReport(t, { virtualAccountNumber: number, amount }).send()
  expect(answer.statusCode, answer.body).toBe(200)
}

const target = (programmeId: string, classProgrammeId = academic.classProgramme) => ({ programmeId, classProgrammeId })

async function preview(id: string, where: ReturnType<typeof target>, actor = staff): Promise<ProgrammeChangePreview> {
  const answer = await actor.post(`/pendaftaran/${id}/programme-change/preview`, where)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

const accept = (id: string, where: ReturnType<typeof target>, seen: string, actor = staff) =>
  actor.post(`/pendaftaran/${id}/programme-change`, { ...where, seen, reason: 'Permintaan pendaftar' })

/** Looked at, then accepted; gives what was shown. */
async function change(id: string, where: ReturnType<typeof target>, actor = staff) {
  const shown = await preview(id, where, actor)
  expect(shown.problems).toEqual([])
  const answer = await accept(id, where, shown.seen, actor)
  expect(answer.statusCode, answer.body).toBe(200)
  return shown
}

const codes = (shown: { problems: { code: string }[] }) => shown.problems.map(({ code }) => code)
const notes = (shown: ProgrammeChangePreview) => shown.notes.map(({ code }) => code)

const billsOf = (registrationId: string, kind: 're_registration' | 'registration_fee' = 're_registration') =>
  t.db
    .selectFrom('bills')
    .selectAll()
    .where('registrationId', '=', registrationId)
    .where('kind', '=', kind)
    .orderBy('issuedAt')
    .orderBy('number')
    .execute()
const paymentsOf = (accountId: string) =>
  t.db.selectFrom('payments').selectAll().where('accountId', '=', accountId).orderBy('receivedAt').execute()

/** Every rupiah of every payment is on a bill, waits or was given back; every allocation ever made is still there. */
async function assertNothingLost() {
  const payments = await t.db.selectFrom('payments').selectAll().execute()
  const allocations = await t.db.selectFrom('allocations').selectAll().execute()
  for (const payment of payments) {
    const own = allocations.filter(({ paymentId }) => paymentId === payment.id)
    const allocated = own.reduce((sum, { amount }) => sum + amount, 0)
    expect(allocated + payment.waitingAmount + payment.refundedAmount).toBe(payment.amount)
    for (const back of own.filter(({ amount }) => amount < 0))
      expect(own.find(({ id }) => id === back.reversalOf)?.amount).toBe(-back.amount)
  }
}

test('the account that set the price of a programme last does not move an applicant there, and reads who may', async () => {
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
  test('the preview changes nothing and shows the difference per component and in total', async () => {
    const someone = await aConfirmed()
    await pay(someone, 5_000_000)
    const shown = await preview(someone.id, target(to.dearer))
    expect(shown.money).toMatchObject({
      bill: 'anew',
      difference: 4_500_000,
      moved: 5_000_000,
      waiting: 0,
      before: { number: someone.bill.number, total: 13_500_000, paid: 5_000_000 },
      after: { number: null, total: 18_000_000, paid: 5_000_000 },
    })
    const byPrice = shown.money.lines.toSorted((a, b) => b.before - a.before)
    expect(byPrice.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['fee', 9_000_000, 12_000_000],
      ['fee', 4_500_000, 6_000_000],
    ])
    expect(await billsOf(someone.id)).toHaveLength(1)
    expect((await registrationOf(someone.id)).programmeId).toBe(academic.programmes[0])
  })

  test('the bill is replaced as it was shown, money goes along, place, choices, record, message and audit follow', async () => {
    const someone = await aConfirmed({ name: 'Dewi Anggraini' })
    await pay(someone, 13_500_000)
    expect((await billsOf(someone.id))[0]!.status).toBe('paid')
    const shown = await change(someone.id, target(to.dearer))
    const [old, made] = await billsOf(someone.id)
    expect(old).toMatchObject({ status: 'cancelled', paid: 0 })
    expect(made).toMatchObject({ status: 'partly_paid', total: shown.money.after.total, paid: 13_500_000 })
    // Whoever pays more gets a week for it at least.
    expect(made!.dueAt!.getTime()).toBeGreaterThan(t.clock.now().getTime() + 6 * 86_400_000)
    expect(await registrationOf(someone.id)).toMatchObject({
      programmeId: to.dearer,
      acceptedProgrammeId: to.dearer,
      status: 'confirmed',
    })
    const choices = await t.db
      .selectFrom('registrationChoices')
      .select('programmeId')
      .where('registrationId', '=', someone.id)
      .execute()
    expect(choices).toEqual([{ programmeId: to.dearer }])
    const told = (await someone.actor.get('/messages')).json().data[0]
    expect(`${told.subject} ${told.body}`).toContain('Kedokteran')
    expect(told.body).toContain('Rp 4.500.000')
    const { data } = (await staff.get('/pindah-prodi?q=dewi')).json()
    expect(data).toMatchObject([
      { from: 'Informatika', to: 'Kedokteran', difference: 4_500_000, moved: 13_500_000, waiting: 0 },
    ])
    const entry = await t.db
      .selectFrom('auditLog')
      .selectAll()
      .where('action', '=', 'registration.change-programme')
      .where('subjectId', '=', someone.id)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      before: { programme: 'Informatika', total: 13_500_000 },
      after: { programme: 'Kedokteran', total: 18_000_000, paid: 13_500_000 },
      reason: 'Permintaan pendaftar',
    })
  })

  test('instalments that are partly paid are divided anew by the same plan; what is due by then gets a week', async () => {
    const someone = await aConfirmed({ plan: true })
    await pay(someone, 5_400_000)
    await pay(someone, 1_000_000)
    t.clock.set(new Date(Date.now() + 30 * 86_400_000))
    const shown = await change(someone.id, target(to.dearer), await asStaff(t, 'Panitia PMB'))
    const [, made] = await billsOf(someone.id)
    const parts = await t.db
      .selectFrom('installments')
      .select(['position', 'amount', 'paid', 'dueAt'])
      .where('billId', '=', made!.id)
      .orderBy('position')
      .execute()
    expect(parts.map(({ amount, paid }) => [amount, paid])).toEqual([
      [7_200_000, 6_400_000],
      [5_400_000, 0],
      [5_400_000, 0],
    ])
    expect(parts[0]!.dueAt.getTime()).toBeGreaterThan(t.clock.now().getTime())
    expect(shown.money.after.installments.map(({ amount, paid }) => [amount, paid])).toEqual(
      parts.map(({ amount, paid }) => [amount, paid]),
    )
  })
})

test('moved twice, instalments keep their days, also one that was put off by hand', async () => {
  const someone = await aConfirmed({ plan: true })
  const later = new Date(Math.floor(Date.now() / 1000) * 1000 + 90 * 86_400_000)
  await t.db
    .updateTable('installments')
    .set({ dueAt: later })
    .where('billId', '=', someone.bill.id)
    .where('position', '=', 2)
    .execute()
  const days = async () => {
    const { id } = (await billsOf(someone.id)).at(-1)!
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
  await change(someone.id, target(to.dearer))
  t.clock.set(new Date(Date.now() + 3 * 3_600_000))
  await change(someone.id, target(to.cheaper))
  expect((await days()).slice(1)).toEqual(before.slice(1))
})

test('a promise to pay goes along with its day', async () => {
  const someone = await aConfirmed()
  const finance = await asStaff(t, 'Keuangan')
  const boss = await asStaff(t, 'Administrator')
  const promisedOn = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const asked = await finance.post(`/bills/${someone.bill.id}/exceptions`, {
    kind: 'promise',
    payBy: promisedOn,
    reason: 'Gajian akhir bulan',
  })
  expect(asked.statusCode, asked.body).toBe(200)
  const decided = await boss.post(`/persetujuan/${asked.json().data.id}/decide`, { approve: true })
  expect(decided.statusCode, decided.body).toBe(200)
  const shown = await change(someone.id, target(to.dearer))
  expect(notes(shown)).toContain('promise_stays')
  const [old, made] = await billsOf(someone.id)
  expect(made!.promisedUntil).toEqual(old!.promisedUntil)
  expect(shown.money.after.dueAt).toBe(made!.dueAt!.toISOString())
})

describe('to a cheaper programme', () => {
  test('what is too much waits with its reason and settles nothing else', async () => {
    const someone = await aConfirmed()
    await pay(someone, 10_000_000)
    const shown = await change(someone.id, target(to.cheaper))
    expect(shown.money).toMatchObject({ difference: -10_500_000, moved: 3_000_000, waiting: 7_000_000 })
    expect(notes(shown)).toEqual(expect.arrayContaining(['too_much', 'settles']))
    const [, made] = await billsOf(someone.id)
    expect(made).toMatchObject({ status: 'paid', total: 3_000_000, paid: 3_000_000 })
    const [payment] = await paymentsOf(someone.accountId)
    expect(payment).toMatchObject({ status: 'waiting', waitingAmount: 7_000_000, waitingReason: 'overpaid' })
    const told = (await someone.actor.get('/messages')).json().data[0]
    expect(told.body).toContain('Rp 7.000.000')
  })

  test('and back again: what waits stays where it is, what was paid goes along', async () => {
    const someone = await aConfirmed()
    await pay(someone, 2_000_000)
    await pay(someone, 8_000_000)
    await change(someone.id, target(to.cheaper))
    const shown = await change(someone.id, target(academic.programmes[0]))
    expect(notes(shown)).toContain('waits_already')
    expect(shown.money).toMatchObject({ moved: 3_000_000, waiting: 0 })
    const made = (await billsOf(someone.id)).at(-1)!
    expect(made).toMatchObject({ status: 'partly_paid', total: 13_500_000, paid: 3_000_000 })
    const waiting = (await paymentsOf(someone.accountId)).reduce((sum, { waitingAmount }) => sum + waitingAmount, 0)
    expect(waiting).toBe(7_000_000)
  })

  test('a discount whose component vanishes is lost and said to be; its use is given back', async () => {
    const someone = await aConfirmed({
      discount: { feeComponentId: academic.feeComponents.development, value: 1_000_000 },
    })
    await pay(someone, 12_500_000)
    const shown = await change(someone.id, target(to.cheaper))
    expect(notes(shown)).toContain('discount_lost')
    expect(shown.money.lines.find(({ kind }) => kind === 'discount')).toMatchObject({ before: -1_000_000, after: 0 })
    const uses = await t.db
      .selectFrom('discountUses')
      .selectAll()
      .where('registrationId', '=', someone.id)
      .where('releasedAt', 'is', null)
      .execute()
    expect(uses).toEqual([])
  })

  test('a discount of a component that stays is kept, though it was given by hand', async () => {
    const someone = await aConfirmed({
      discount: { feeComponentId: academic.feeComponents.semester, value: 500_000 },
    })
    const shown = await change(someone.id, target(to.cheaper))
    expect(shown.money.after.total).toBe(2_500_000)
    expect((await billsOf(someone.id)).at(-1)!.total).toBe(2_500_000)
  })
})

describe('to a programme of the same price', () => {
  test('the bill stays, its number and its money with it', async () => {
    const someone = await aConfirmed()
    await pay(someone, 1_000_000)
    const shown = await change(someone.id, target(to.equal))
    expect(shown.money).toMatchObject({ bill: 'stays', difference: 0, moved: 1_000_000, waiting: 0 })
    expect(await billsOf(someone.id)).toMatchObject([{ id: someone.bill.id, status: 'partly_paid', paid: 1_000_000 }])
    expect((await registrationOf(someone.id)).programmeId).toBe(to.equal)
  })
})

describe('before the decision', () => {
  test('there is no bill yet; the two choices change places and the class decides about the fee', async () => {
    const registration = await aPayableRegistration(t, academic, { status: 'submitted' })
    await t.db
      .insertInto('registrationChoices')
      .values(
        academic.programmes.map((programmeId, n) => ({
          registrationId: registration.id,
          position: n + 1,
          programmeId,
        })),
      )
      .execute()
    const shown = await change(registration.id, target(academic.programmes[1]))
    expect(shown.money.bill).toBe('none')
    expect(notes(shown)).toContain('choices_swap')
    const choices = await t.db
      .selectFrom('registrationChoices')
      .select('programmeId')
      .where('registrationId', '=', registration.id)
      .orderBy('position')
      .execute()
    expect(choices.map(({ programmeId }) => programmeId)).toEqual([academic.programmes[1], academic.programmes[0]])
    expect((await registrationOf(registration.id)).acceptedProgrammeId).toBeNull()
    // The other choice is offered in the evening, this one is not.
    const toEvening = await preview(registration.id, target(academic.programmes[0], evening))
    expect(codes(toEvening)).toEqual([])
  })

  test.each([
    ['not paid yet is asked for anew', 0, 'anew', [250_000, 400_000]],
    ['that is settled stays', 250_000, 'settled', [250_000]],
  ] as const)('the registration fee %s when the class is another', async (_what, paid, effect, totals) => {
    const registration = await aPayableRegistration(t, academic, { status: 'submitted' })
    await t.db
      .insertInto('registrationChoices')
      .values({ registrationId: registration.id, position: 1, programmeId: academic.programmes[0] })
      .execute()
    const bill = await t.db.transaction().execute((tx) =>
      issueBill(tx, t.services, systemActor, {
        registrationId: registration.id,
        accountId: registration.accountId,
        kind: 'registration_fee',
        lines: [{ description: 'Biaya pendaftaran', amount: 250_000 }],
        dueAt: new Date(t.clock.now().getTime() + 86_400_000),
      }),
    )
    if (paid > 0) await pay({ actor: registration.actor, bill }, paid)
    const shown = await change(registration.id, target(academic.programmes[0], evening))
    expect(shown.fee).toEqual({ before: 250_000, after: 400_000, effect })
    expect((await billsOf(registration.id, 'registration_fee')).map(({ total }) => total)).toEqual(totals)
  })
})

describe('what forbids it', () => {
  test('a full programme, and the tuition that is not set: all of it at once, and accepting is refused', async () => {
    const someone = await aConfirmed()
    expect(codes(await preview(someone.id, target(to.full)))).toEqual(['programme_full'])
    const shown = await preview(someone.id, target(to.unpriced))
    expect(codes(shown)).toEqual(['change_tuition_missing'])
    const answer = await accept(someone.id, target(to.unpriced), shown.seen)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.programmeId).toHaveLength(1)
    await t.db.updateTable('programmeDetails').set({ capacity: 0 }).where('programmeId', '=', to.unpriced).execute()
    expect(codes(await preview(someone.id, target(to.unpriced)))).toEqual(['programme_full', 'change_tuition_missing'])
    expect((await registrationOf(someone.id)).programmeId).toBe(academic.programmes[0])
  })

  test('an ended, a refused and an unannounced registration, a student, and the programme it is in', async () => {
    const someone = await aConfirmed()
    const stand = async (values: object) => {
      await t.db.updateTable('registrations').set(values).where('id', '=', someone.id).execute()
      return codes(await preview(someone.id, target(to.dearer)))
    }
    expect(await stand({ status: 'withdrawn' })).toEqual(['change_ended'])
    expect(await stand({ status: 'decided' })).toEqual(['change_unpublished'])
    expect(await stand({ status: 'draft' })).toEqual(['change_draft'])
    expect(await stand({ status: 'enrolled' })).toEqual(['change_enrolled'])
    expect(await stand({ status: 'confirmed' })).toEqual([])
    expect(codes(await preview(someone.id, target(academic.programmes[0])))).toEqual(['change_same'])
    await t.db
      .updateTable('registrations')
      .set({ status: 'paid', decision: null, acceptedProgrammeId: null })
      .where('id', '=', someone.id)
      .execute()
  })

  test('a request about the bill that waits for a decision', async () => {
    const someone = await aConfirmed()
    const finance = await asStaff(t, 'Keuangan')
    const asked = await finance.post(`/bills/${someone.bill.id}/exceptions`, {
      kind: 'waiver',
      amount: 500_000,
      reason: 'Yatim piatu',
    })
    expect(asked.statusCode, asked.body).toBe(200)
    expect(codes(await preview(someone.id, target(to.dearer)))).toEqual(['change_approval_pending'])
    const boss = await asStaff(t, 'Administrator')
    const decided = await boss.post(`/persetujuan/${asked.json().data.id}/decide`, { approve: true })
    expect(decided.statusCode, decided.body).toBe(200)
    // What was waived goes along, as far as there is something to waive.
    const shown = await change(someone.id, target(to.cheaper))
    expect(shown.money.after.total).toBe(2_500_000)
    expect((await billsOf(someone.id)).at(-1)!.total).toBe(2_500_000)
  })

  test('facts that have changed since they were shown: a payment, a price, another change', async () => {
    const someone = await aConfirmed()
    const paidMeanwhile = await preview(someone.id, target(to.dearer))
    await pay(someone, 1_000_000)
    const late = await accept(someone.id, target(to.dearer), paidMeanwhile.seen)
    expect([late.statusCode, late.json().code]).toEqual([409, 'change_stale'])

    const dearerMeanwhile = await preview(someone.id, target(to.dearer))
    const price = { programmeId: to.dearer, feeComponentId: academic.feeComponents.semester }
    const set = (amount: number) =>
      t.db
        .updateTable('tuitionFees')
        .set({ amount })
        .where('programmeId', '=', price.programmeId)
        .where('feeComponentId', '=', price.feeComponentId)
        .execute()
    await set(6_500_000)
    expect((await accept(someone.id, target(to.dearer), dearerMeanwhile.seen)).statusCode).toBe(409)
    await set(6_000_000)
    expect(await billsOf(someone.id)).toHaveLength(1)
  })

  test('without the permission nothing is shown or done', async () => {
    const someone = await aConfirmed()
    const reader = await asWithPermissions(t, ['pindah-prodi-view', 'pendaftaran-view'])
    expect((await reader.get('/pindah-prodi')).statusCode).toBe(200)
    expect(
      (await reader.post(`/pendaftaran/${someone.id}/programme-change/preview`, target(to.dearer))).statusCode,
    ).toBe(403)
  })
})

describe('two at once', () => {
  test('of two who move the same registration one wins, the other is told and nothing happens twice', async () => {
    const someone = await aConfirmed()
    await pay(someone, 4_000_000)
    const [one, two] = [await preview(someone.id, target(to.dearer)), await preview(someone.id, target(to.cheaper))]
    const other = await asStaff(t, 'Panitia PMB')
    const answers = await Promise.all([
      accept(someone.id, target(to.dearer), one.seen),
      accept(someone.id, target(to.cheaper), two.seen, other),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(await billsOf(someone.id)).toHaveLength(2)
    const again = await accept(someone.id, target(to.dearer), one.seen)
    expect(again.statusCode).toBe(409)
  })

  test('of two who want the last place one gets it', async () => {
    const programmeId = await aProgramme('Kursi Terakhir', { [academic.feeComponents.semester]: 4_000_000 }, 1)
    const both = [await aConfirmed(), await aConfirmed()]
    const shown = await Promise.all(both.map(({ id }) => preview(id, target(programmeId))))
    const answers = await Promise.all(both.map(({ id }, n) => accept(id, target(programmeId), shown[n]!.seen)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 422])
    const refused = answers.find(({ statusCode }) => statusCode === 422)!
    expect(refused.json().errors.programmeId[0]).toContain('1')
  })

  test('a payment that arrives while the bill is replaced is on the new bill or waits', async () => {
    const someone = await aConfirmed()
    const { number } = await aVirtualAccount(someone.actor, someone.bill.id)
    const shown = await preview(someone.id, target(to.dearer))
    const [changed] = await Promise.all([
      accept(someone.id, target(to.dearer), shown.seen),
      aReport(t, { virtualAccountNumber: number, amount: 2_000_000 }).send(),
    ])
    expect([200, 409]).toContain(changed.statusCode)
    const [payment] = await paymentsOf(someone.accountId)
    expect(payment!.amount).toBe(2_000_000)
  })
})

describe('a role limited to some programmes', () => {
  const limited = (programmeIds: string[]) =>
    asWithPermissions(t, ['pindah-prodi-view', 'pindah-prodi-update', 'pendaftaran-view'], { programmeIds })

  test('moves nobody out of its sight, and nobody into it', async () => {
    const someone = await aConfirmed()
    const here = await limited([academic.programmes[0]])
    const there = await limited([to.dearer])
    const where = target(to.dearer)
    const out = await here.post(`/pendaftaran/${someone.id}/programme-change/preview`, where)
    expect(out.statusCode).toBe(422)
    expect(out.body).not.toContain('Kedokteran')
    const { seen } = await preview(someone.id, where)
    expect((await accept(someone.id, where, seen, here)).statusCode).toBe(422)
    expect((await accept(someone.id, where, seen, there)).statusCode).toBe(404)
    expect((await here.get(`/pendaftaran/${someone.id}/programme-change`)).json().data.targets).toMatchObject([
      { programmeId: academic.programmes[0], classProgrammeId: evening },
    ])
    expect((await there.get(`/pendaftaran/${someone.id}/programme-change`)).statusCode).toBe(404)
    expect((await registrationOf(someone.id)).programmeId).toBe(academic.programmes[0])
  })

  test('reads of a change only what it sees, and not the name of the programme left', async () => {
    const someone = await aConfirmed()
    await change(someone.id, target(to.dearer))
    const there = await limited([to.dearer])
    const { data } = (await there.get('/pindah-prodi')).json()
    expect(data.find((row: { registrationId: string }) => row.registrationId === someone.id)).toMatchObject({
      from: null,
      to: 'Kedokteran',
    })
    const here = await limited([academic.programmes[0]])
    expect((await here.get('/pindah-prodi')).body).not.toContain(someone.id)
  })
})

test('the list is sorted, filtered and exported', async () => {
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

test('registrations are found by name, ended ones are not', async () => {
  const someone = await aConfirmed({ name: 'Bagaskara Nugroho' })
  const found = async () => (await staff.get('/pindah-prodi/candidates?q=bagaskara')).json().data
  expect(await found()).toMatchObject([{ id: someone.id, name: 'Bagaskara Nugroho', status: 'confirmed' }])
  await t.db.updateTable('registrations').set({ status: 'withdrawn' }).where('id', '=', someone.id).execute()
  expect(await found()).toEqual([])
  await t.db.updateTable('registrations').set({ status: 'confirmed' }).where('id', '=', someone.id).execute()
})
