import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPayableRegistration, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import {
  codes,
  type Destinations,
  notes,
  programmeChanges,
} from '#server-test/factories/registrations/programme-change.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor

let to: Destinations
let evening: string

const {
  aProgramme,
  aChoiceOfProgrammes,
  aConfirmed,
  pay,
  target,
  preview,
  accept,
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
  ;({ to, evening } = await aChoiceOfProgrammes())
})

afterAll(() => t.close())

afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
  await assertNothingLost()
})

describe('before the decision', () => {
  test('there is no bill yet, and choices swap positions', async () => {
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
    const changed = await change(registration.id, target(academic.programmes[1]))
    expect(changed.money.bill).toBe('none')
    expect(notes(changed)).toContain('choices_swap')
    const choices = await t.db
      .selectFrom('registrationChoices')
      .select('programmeId')
      .where('registrationId', '=', registration.id)
      .orderBy('position')
      .execute()
    expect(choices.map(({ programmeId }) => programmeId)).toEqual([academic.programmes[1], academic.programmes[0]])
    expect((await registrationOf(registration.id)).acceptedProgrammeId).toBeNull()
    // The second choice is offered in the evening class, the first is not.
    const toEvening = await preview(registration.id, target(academic.programmes[0], evening))
    expect(codes(toEvening)).toEqual([])
  })

  test.each([
    ['not paid yet is billed again', 0, 'anew', [250_000, 400_000]],
    ['already settled stays', 250_000, 'settled', [250_000]],
  ] as const)('the registration fee %s when the class changes', async (_what, paid, effect, totals) => {
    const registration = await aPayableRegistration(t, academic, { status: 'submitted' })
    await t.db
      .insertInto('registrationChoices')
      .values({ registrationId: registration.id, position: 1, programmeId: academic.programmes[0] })
      .execute()
    const bill = await inTransaction(t.services, systemActor, (context) =>
      issueBill(context, {
        registrationId: registration.id,
        accountId: registration.accountId,
        kind: 'registration_fee',
        lines: [{ description: 'Biaya pendaftaran', amount: 250_000 }],
        dueAt: new Date(t.clock.now().getTime() + 86_400_000),
      }),
    )
    if (paid > 0) await pay({ actor: registration.actor, bill }, paid)
    const changed = await change(registration.id, target(academic.programmes[0], evening))
    expect(changed.fee).toEqual({ before: 250_000, after: 400_000, effect })
    expect((await billsOf(registration.id, 'registration_fee')).map(({ total }) => total)).toEqual(totals)
  })
})

describe('refusals', () => {
  test('a full programme without tuition has both problems, and the change gets 422', async () => {
    const confirmed = await aConfirmed()
    expect(codes(await preview(confirmed.id, target(to.full)))).toEqual(['programme_full'])
    const previewed = await preview(confirmed.id, target(to.unpriced))
    expect(codes(previewed)).toEqual(['change_tuition_missing'])
    const answer = await accept(confirmed.id, target(to.unpriced), previewed.seen)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.programmeId).toHaveLength(1)
    await t.db.updateTable('programmeDetails').set({ capacity: 0 }).where('programmeId', '=', to.unpriced).execute()
    expect(codes(await preview(confirmed.id, target(to.unpriced)))).toEqual([
      'programme_full',
      'change_tuition_missing',
    ])
    expect((await registrationOf(confirmed.id)).programmeId).toBe(academic.programmes[0])
  })

  test('ended, draft, enrolled and unpublished registrations cannot change; the present programme is no change', async () => {
    const confirmed = await aConfirmed()
    const stand = async (values: object) => {
      await t.db.updateTable('registrations').set(values).where('id', '=', confirmed.id).execute()
      return codes(await preview(confirmed.id, target(to.dearer)))
    }
    expect(await stand({ status: 'withdrawn' })).toEqual(['change_ended'])
    expect(await stand({ status: 'decided' })).toEqual(['change_unpublished'])
    expect(await stand({ status: 'draft' })).toEqual(['change_draft'])
    expect(await stand({ status: 'enrolled' })).toEqual(['change_enrolled'])
    expect(await stand({ status: 'confirmed' })).toEqual([])
    expect(codes(await preview(confirmed.id, target(academic.programmes[0])))).toEqual(['change_same'])
    await t.db
      .updateTable('registrations')
      .set({ status: 'paid', decision: null, acceptedProgrammeId: null })
      .where('id', '=', confirmed.id)
      .execute()
  })

  test('a pending approval request on the bill prevents a change', async () => {
    const confirmed = await aConfirmed()
    const finance = await asStaff(t, 'Keuangan')
    const request = await finance.post(`/bills/${confirmed.bill.id}/exceptions`, {
      kind: 'waiver',
      amount: 500_000,
      reason: 'Yatim piatu',
    })
    expect(request.statusCode, request.body).toBe(200)
    expect(codes(await preview(confirmed.id, target(to.dearer)))).toEqual(['change_approval_pending'])
    const boss = await asStaff(t, 'Administrator')
    const decided = await boss.post(`/persetujuan/${request.json().data.id}/decide`, { approve: true })
    expect(decided.statusCode, decided.body).toBe(200)
    // The approved waiver moves to the new bill, at most up to the new amount.
    const changed = await change(confirmed.id, target(to.cheaper))
    expect(changed.money.after.total).toBe(2_500_000)
    expect((await billsOf(confirmed.id)).at(-1)!.total).toBe(2_500_000)
  })

  test('a payment or price change since the preview gets 409', async () => {
    const confirmed = await aConfirmed()
    const paidMeanwhile = await preview(confirmed.id, target(to.dearer))
    await pay(confirmed, 1_000_000)
    const answer = await accept(confirmed.id, target(to.dearer), paidMeanwhile.seen)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'change_stale'])

    const dearerMeanwhile = await preview(confirmed.id, target(to.dearer))
    const price = { programmeId: to.dearer, feeComponentId: academic.feeComponents.semester }
    const set = (amount: number) =>
      t.db
        .updateTable('tuitionFees')
        .set({ amount })
        .where('programmeId', '=', price.programmeId)
        .where('feeComponentId', '=', price.feeComponentId)
        .execute()
    await set(6_500_000)
    expect((await accept(confirmed.id, target(to.dearer), dearerMeanwhile.seen)).statusCode).toBe(409)
    await set(6_000_000)
    expect(await billsOf(confirmed.id)).toHaveLength(1)
  })

  test('without permission to change, the preview gets 403', async () => {
    const confirmed = await aConfirmed()
    const reader = await asWithPermissions(t, ['pindah-prodi-view', 'pendaftaran-view'])
    expect((await reader.get('/pindah-prodi')).statusCode).toBe(200)
    expect(
      (await reader.post(`/pendaftaran/${confirmed.id}/programme-change/preview`, target(to.dearer))).statusCode,
    ).toBe(403)
  })
})

describe('two changes at once', () => {
  test('of two changes to one registration, one succeeds and the other has no effect', async () => {
    const confirmed = await aConfirmed()
    await pay(confirmed, 4_000_000)
    const [one, two] = [await preview(confirmed.id, target(to.dearer)), await preview(confirmed.id, target(to.cheaper))]
    const other = await asStaff(t, 'Panitia PMB')
    const answers = await Promise.all([
      accept(confirmed.id, target(to.dearer), one.seen),
      accept(confirmed.id, target(to.cheaper), two.seen, other),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(await billsOf(confirmed.id)).toHaveLength(2)
    const secondAnswer = await accept(confirmed.id, target(to.dearer), one.seen)
    expect(secondAnswer.statusCode).toBe(409)
  })

  test('of two changes to the last place, one succeeds', async () => {
    const programmeId = await aProgramme('Kursi Terakhir', { [academic.feeComponents.semester]: 4_000_000 }, 1)
    const both = [await aConfirmed(), await aConfirmed()]
    const previews = await Promise.all(both.map(({ id }) => preview(id, target(programmeId))))
    const answers = await Promise.all(both.map(({ id }, n) => accept(id, target(programmeId), previews[n]!.seen)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 422])
    const refused = answers.find(({ statusCode }) => statusCode === 422)!
    expect(refused.json().errors.programmeId[0]).toContain('1')
  })

  test('a payment that arrives while the bill is replaced is not lost', async () => {
    const confirmed = await aConfirmed()
    const { number } = await aVirtualAccount(confirmed.actor, confirmed.bill.id)
    const previewed = await preview(confirmed.id, target(to.dearer))
    const [changed] = await Promise.all([
      accept(confirmed.id, target(to.dearer), previewed.seen),
      aReport(t, { virtualAccountNumber: number, amount: 2_000_000 }).send(),
    ])
    expect([200, 409]).toContain(changed.statusCode)
    const [payment] = await paymentsOf(confirmed.accountId)
    expect(payment!.amount).toBe(2_000_000)
  })
})

describe('a role limited to some programmes', () => {
  const limited = (programmeIds: string[]) =>
    asWithPermissions(t, ['pindah-prodi-view', 'pindah-prodi-update', 'pendaftaran-view'], { programmeIds })

  test('can change neither registrations nor targets outside its programmes', async () => {
    const confirmed = await aConfirmed()
    const currentClerk = await limited([academic.programmes[0]])
    const targetClerk = await limited([to.dearer])
    const destination = target(to.dearer)
    const out = await currentClerk.post(`/pendaftaran/${confirmed.id}/programme-change/preview`, destination)
    expect(out.statusCode).toBe(422)
    expect(out.body).not.toContain('Kedokteran')
    const { seen } = await preview(confirmed.id, destination)
    expect((await accept(confirmed.id, destination, seen, currentClerk)).statusCode).toBe(422)
    expect((await accept(confirmed.id, destination, seen, targetClerk)).statusCode).toBe(404)
    expect((await currentClerk.get(`/pendaftaran/${confirmed.id}/programme-change`)).json().data.targets).toMatchObject(
      [{ programmeId: academic.programmes[0], classProgrammeId: evening }],
    )
    expect((await targetClerk.get(`/pendaftaran/${confirmed.id}/programme-change`)).statusCode).toBe(404)
    expect((await registrationOf(confirmed.id)).programmeId).toBe(academic.programmes[0])
  })

  test('sees a change without the name of a programme outside its programmes', async () => {
    const confirmed = await aConfirmed()
    await change(confirmed.id, target(to.dearer))
    const targetClerk = await limited([to.dearer])
    const { data } = (await targetClerk.get('/pindah-prodi')).json()
    expect(data.find((row: { registrationId: string }) => row.registrationId === confirmed.id)).toMatchObject({
      from: null,
      to: 'Kedokteran',
    })
    const currentClerk = await limited([academic.programmes[0]])
    expect((await currentClerk.get('/pindah-prodi')).body).not.toContain(confirmed.id)
  })
})
