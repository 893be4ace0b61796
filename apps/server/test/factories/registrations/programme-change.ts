import { expect } from 'vitest'
import type { ProgrammeChangePreview } from '#domain/admissions/programme-change-endpoints.ts'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import type { NewBillLine } from '#server/modules/payments/bills/prices/lines.ts'
import { tuitionFor } from '#server/modules/payments/bills/prices/prices.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { anApprovedDiscount, aPayableRegistration, aReport, aVirtualAccount } from '#server-test/factories/payments.ts'
import type { TestApp } from '#server-test/test-app.ts'

export type Options = { plan?: boolean; discount?: { feeComponentId: string; value: number }; name?: string }

type World = { t: TestApp; academic: AcademicFixture; staff: TestActor }

export const codes = (previewed: { problems: { code: string }[] }) => previewed.problems.map(({ code }) => code)
export const notes = (previewed: ProgrammeChangePreview) => previewed.notes.map(({ code }) => code)

/** Programmes besides the fixture's (Rp 13,500,000): dearer, cheaper, same price, full, without tuition. */
export type Destinations = Record<'dearer' | 'cheaper' | 'equal' | 'full' | 'unpriced', string>

/** Confirmed registrations, programmes to change to, and the change as staff preview and accept it. */
export function programmeChanges(world: () => World) {
  let count = 0

  const ofWave = (programmeId: string) => ({
    programmeId,
    waveId: world().academic.wave,
    classProgrammeId: world().academic.classProgramme,
    entryLevelId: world().academic.entryLevel,
  })

  async function aProgramme(name: string, prices: Record<string, number>, capacity = 40) {
    const { id } = await world()
      .t.db.insertInto('studyProgrammes')
      .values({
        code: name.slice(0, 4).toUpperCase(),
        name,
        facultyId: world().academic.faculty,
        degreeLevelId: world().academic.degreeLevel,
        npmCode: String(60 + ++count),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await world()
      .t.db.insertInto('programmeDetails')
      .values({ ...ofWave(id), capacity })
      .execute()
    for (const [feeComponentId, amount] of Object.entries(prices))
      await world()
        .t.db.insertInto('tuitionFees')
        .values({
          programmeId: id,
          waveId: world().academic.wave,
          classProgrammeId: world().academic.classProgramme,
          feeComponentId,
          amount,
        })
        .execute()
    return id
  }

  /** Programmes to change to, and an evening class (Rp 5,000,000, fee Rp 400,000) of the fixture's first programme. */
  async function aChoiceOfProgrammes(): Promise<{ to: Destinations; evening: string }> {
    const { t, academic } = world()
    const { development, semester } = academic.feeComponents
    const to = {
      dearer: await aProgramme('Kedokteran', { [development]: 12_000_000, [semester]: 6_000_000 }),
      cheaper: await aProgramme('Sastra', { [semester]: 3_000_000 }),
      equal: await aProgramme('Statistika', { [development]: 9_000_000, [semester]: 4_500_000 }),
      full: await aProgramme('Penerbangan', { [semester]: 4_500_000 }, 0),
      unpriced: await aProgramme('Arkeologi', {}),
    }
    const { id: evening } = await t.db
      .insertInto('classProgrammes')
      .values({ code: 'LARUT', name: 'Kelas Larut' })
      .returning('id')
      .executeTakeFirstOrThrow()
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
    return { to, evening }
  }

  /** An applicant who confirmed a place in the fixture's first programme and owes its tuition. */
  async function aConfirmed({ plan = false, discount, name }: Options = {}) {
    const registration = await aPayableRegistration(world().t, world().academic, {
      status: 'confirmed',
      accepted: true,
      ...(name && { name }),
    })
    await world()
      .t.db.insertInto('registrationChoices')
      .values({ registrationId: registration.id, position: 1, programmeId: world().academic.programmes[0] })
      .execute()
    const { lines } = await tuitionFor(world().t.db, {
      ...ofWave(world().academic.programmes[0]),
      trackId: world().academic.tracks.regular,
    })
    const discountLines: NewBillLine[] = discount ? [await aDiscount(discount)] : []
    const bill = await inTransaction(world().t.services, systemActor, (context) =>
      issueBill(context, {
        registrationId: registration.id,
        accountId: registration.accountId,
        kind: 're_registration',
        lines: [...lines, ...discountLines],
        dueAt: new Date(world().t.clock.now().getTime() + 20 * 86_400_000),
        installmentPlanId: plan ? world().academic.plan : null,
      }),
    )
    for (const { discount: byHand, amount } of discountLines)
      await anApprovedDiscount(world().t, { bill, discountId: byHand!.discountId, amount: -amount })
    return { ...registration, bill }
  }

  async function aDiscount({ feeComponentId, value }: { feeComponentId: string; value: number }): Promise<NewBillLine> {
    const code = `POT${++count}`
    const { id } = await world()
      .t.db.insertInto('discounts')
      .values({
        code,
        name: code,
        kind: 'fixed',
        value,
        appliesTo: 'fee_component',
        feeComponentId,
        condition: 'manual',
      })
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
    const answer = await aReport(world().t, { virtualAccountNumber: number, amount }).send()
    expect(answer.statusCode, answer.body).toBe(200)
  }

  const target = (programmeId: string, classProgrammeId = world().academic.classProgramme) => ({
    programmeId,
    classProgrammeId,
  })

  async function preview(
    id: string,
    where: ReturnType<typeof target>,
    actor = world().staff,
  ): Promise<ProgrammeChangePreview> {
    const answer = await actor.post(`/pendaftaran/${id}/programme-change/preview`, where)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data
  }

  const accept = (id: string, where: ReturnType<typeof target>, seen: string, actor = world().staff) =>
    actor.post(`/pendaftaran/${id}/programme-change`, { ...where, seen, reason: 'Permintaan pendaftar' })

  /** Previews and accepts a change; returns the preview. */
  async function change(id: string, where: ReturnType<typeof target>, actor = world().staff) {
    const previewed = await preview(id, where, actor)
    expect(previewed.problems).toEqual([])
    const answer = await accept(id, where, previewed.seen, actor)
    expect(answer.statusCode, answer.body).toBe(200)
    return previewed
  }

  const billsOf = (registrationId: string, kind: 're_registration' | 'registration_fee' = 're_registration') =>
    world()
      .t.db.selectFrom('bills')
      .selectAll()
      .where('registrationId', '=', registrationId)
      .where('kind', '=', kind)
      .orderBy('issuedAt')
      .orderBy('number')
      .execute()

  const paymentsOf = (accountId: string) =>
    world().t.db.selectFrom('payments').selectAll().where('accountId', '=', accountId).orderBy('receivedAt').execute()

  /** Every rupiah of every payment is on a bill, waits or was refunded; no allocation was deleted. */
  async function assertNothingLost() {
    const payments = await world().t.db.selectFrom('payments').selectAll().execute()
    const allocations = await world().t.db.selectFrom('allocations').selectAll().execute()
    for (const payment of payments) {
      const own = allocations.filter(({ paymentId }) => paymentId === payment.id)
      const allocated = own.reduce((sum, { amount }) => sum + amount, 0)
      expect(allocated + payment.waitingAmount + payment.refundedAmount).toBe(payment.amount)
      for (const back of own.filter(({ amount }) => amount < 0))
        expect(own.find(({ id }) => id === back.reversalOf)?.amount).toBe(-back.amount)
    }
  }

  return {
    ofWave,
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
  }
}
