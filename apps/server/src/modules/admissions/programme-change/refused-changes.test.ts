import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPayableRegistration, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import { codes, notes, programmeChanges } from '#server-test/factories/registrations/programme-change.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor

/** Programmes beside the fixture's (Rp 13,500,000): dearer, cheaper, of the same price, full, without tuition. */
let to: Record<'dearer' | 'cheaper' | 'equal' | 'full' | 'unpriced', string>

let evening: string

const { ofWave, aProgramme, aConfirmed, pay, target, preview, accept, change, billsOf, paymentsOf, assertNothingLost } =
  programmeChanges(() => ({ t, academic, staff }))
const { registrationOf } = readersOf(() => t)

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
