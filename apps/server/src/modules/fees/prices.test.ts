import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredTerm } from '#domain/fees/endpoints.ts'
import { isPlanOffered } from '#server/modules/payments/bills/prices/prices.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let other: TestActor

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  clerk = await asStaff(t)
  other = await asStaff(t)
})
afterAll(() => t.close())

describe('the terms of an instalment plan', () => {
  let plans = 0
  const aPlan = async () =>
    (
      await t.db
        .insertInto('installmentPlans')
        .values({ code: `P${++plans}`, name: 'Rencana' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const share = (shareBps: number, dueDays: number, id?: string) => ({
    ...(id && { id }),
    shareBps,
    amount: null,
    dueDate: null,
    dueDays,
  })
  const save = (plan: string, base: StoredTerm[], terms: object[], actor = clerk) =>
    actor.put(`/master/cicilan/${plan}/terms`, { base: base.map(({ id, version }) => ({ id, version })), terms })
  const read = async (plan: string) => (await clerk.get(`/master/cicilan/${plan}/terms`)).json().data

  test('are saved together in their order, and the plan is offered', async () => {
    const plan = await aPlan()
    const saved = await save(plan, [], [share(4_000, 7), share(6_000, 30)])
    expect(saved.statusCode, saved.body).toBe(200)
    expect(saved.json().data.offered).toBe(true)
    const { terms } = saved.json().data
    // In reverse order; no intermediate step may use a position twice.
    const turned = await save(plan, terms, [share(6_000, 7, terms[1].id), share(4_000, 30, terms[0].id)])
    expect(turned.statusCode, turned.body).toBe(200)
    expect(turned.json().data.terms).toMatchObject([
      { id: terms[1].id, shareBps: 6_000, version: 2 },
      { id: terms[0].id, shareBps: 4_000, version: 2 },
    ])
  })

  test('can be extended by one instalment while others shrink', async () => {
    const plan = await aPlan()
    const { terms } = (await save(plan, [], [share(5_000, 7), share(5_000, 30)])).json().data
    const saved = await save(plan, terms, [
      share(4_000, 7, terms[0].id),
      share(3_000, 30, terms[1].id),
      share(3_000, 60),
    ])
    expect(saved.statusCode, saved.body).toBe(200)
    expect(saved.json().data.terms).toHaveLength(3)
    const removed = await save(plan, saved.json().data.terms, [share(10_000, 7, terms[0].id)])
    expect(removed.json().data.terms).toMatchObject([{ id: terms[0].id, shareBps: 10_000, version: 3 }])
  })

  test('with less or more than the whole are refused, and nothing changes', async () => {
    const plan = await aPlan()
    const { terms } = (await save(plan, [], [share(10_000, 7)])).json().data
    for (const shares of [9_999, 4_000]) {
      const refused = await save(plan, terms, [share(shares, 7)])
      expect(refused.statusCode).toBe(422)
      expect(refused.json().errors.terms).toHaveLength(1)
    }
    expect((await save(plan, terms, [share(8_000, 7), share(8_000, 8)])).statusCode).toBe(422)
    expect((await read(plan)).terms).toEqual(terms)
  })

  test('are refused with every problem beside its term', async () => {
    const plan = await aPlan()
    const refused = await save(
      plan,
      [],
      [
        { shareBps: 5_000, amount: 1, dueDate: null, dueDays: 30 },
        { shareBps: 5_000, amount: null, dueDate: null, dueDays: 7 },
        { shareBps: null, amount: 5_000, dueDate: '2027-01-01', dueDays: 7 },
      ],
    )
    expect(Object.keys(refused.json().errors).sort()).toEqual([
      'terms.0.shareBps',
      'terms.1.dueDays',
      'terms.2.dueDays',
    ])
  })

  test('saved by two clerks at once: one succeeds, the other gets 409', async () => {
    const plan = await aPlan()
    const { terms } = (await save(plan, [], [share(10_000, 7)])).json().data
    const answers = await Promise.all([
      save(plan, terms, [share(5_000, 7, terms[0].id), share(5_000, 30)]),
      save(plan, terms, [share(3_000, 7, terms[0].id), share(7_000, 30)], other),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const stored = (await read(plan)).terms as StoredTerm[]
    expect(stored.reduce((sum, { shareBps }) => sum + shareBps!, 0)).toBe(10_000)
    expect(stored).toHaveLength(2)
  })

  test('decide whether the plan is offered: not without terms or with incomplete shares', async () => {
    const plan = await aPlan()
    expect(await isPlanOffered(t.db, plan, academic.wave)).toBe(false)
    await t.db
      .insertInto('installmentTerms')
      .values({ planId: plan, sortOrder: 1, shareBps: 9_000, dueDays: 7 })
      .execute()
    expect(await isPlanOffered(t.db, plan, academic.wave)).toBe(false)
    expect((await read(plan)).offered).toBe(false)
    await save(plan, (await read(plan)).terms, [share(10_000, 7)])
    expect(await isPlanOffered(t.db, plan, academic.wave)).toBe(true)
  })
})

describe('registration fees', () => {
  const add = (values: object, actor = clerk) =>
    actor.post('/master/biaya-pendaftaran', { waveId: academic.wave, amount: 400_000, ...values })

  test('are listed per wave with the choices of their rule', async () => {
    const { data } = (await clerk.get('/master/biaya-pendaftaran/rule')).json()
    expect(data.waveId).toBe(academic.wave)
    expect(data.rows).toMatchObject([{ amount: 250_000, trackId: null, active: true }])
    expect(data.tracks.map(({ id }: { id: string }) => id)).toContain(academic.tracks.regular)
  })

  test('are refused for an equally specific row, with its name', async () => {
    const refused = await add({})
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors.waveId[0]).toContain('Gelombang 1: Rp 250.000')
    expect((await add({ trackId: academic.tracks.regular })).statusCode).toBe(201)
    const again = await add({ trackId: academic.tracks.regular, amount: 1 })
    expect(again.json().errors.waveId[0]).toContain('Gelombang 1 · Reguler: Rp 400.000')
  })

  test('entered as equal rows at once are saved once; the others are refused with the name of the saved row', async () => {
    const level = { entryLevelId: academic.entryLevel }
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => add({ ...level, amount: n * 1_000 }, n % 2 ? clerk : other)),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422, 422])
    const won = answers.find(({ statusCode }) => statusCode === 201)!.json().data.amount
    for (const refused of answers.filter(({ statusCode }) => statusCode === 422))
      expect(refused.json().errors.waveId[0]).toContain(`Rp ${won / 1_000}.000`)
  })

  test('are refused if a change makes two rows cover the same applicants', async () => {
    const { data } = (await add({ classProgrammeId: academic.classProgramme })).json()
    const refused = await clerk.put(`/master/biaya-pendaftaran/${data.id}`, {
      waveId: academic.wave,
      trackId: null,
      entryLevelId: null,
      classProgrammeId: null,
      amount: 5,
      version: 1,
    })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors.waveId).toHaveLength(1)
  })
})

describe('discounts and donations', () => {
  let codes = 0
  const discount = (values: object) =>
    clerk.post('/master/diskon', { code: `D${++codes}`, name: 'Diskon', kind: 'percent', value: 10, ...values })

  test('a percentage is at most 100, a fixed amount is whole rupiah, and neither is zero', async () => {
    expect((await discount({ value: 100 })).statusCode).toBe(201)
    for (const [wrong, sentence] of [
      [{ value: 100.01 }, '100 percent'],
      [{ kind: 'fixed', value: 1_000.5 }, 'whole rupiah'],
      [{ value: 0 }, 'above zero'],
    ] as const) {
      const refused = await discount(wrong)
      expect(refused.statusCode, refused.body).toBe(422)
      expect(refused.json().errors.value[0]).toContain(sentence)
    }
    expect((await discount({ kind: 'fixed', value: 5_000_000 })).statusCode).toBe(201)
  })

  test('a discount on the registration fee has no fee component', async () => {
    const refused = await discount({ appliesTo: 'registration_fee', feeComponentId: academic.feeComponents.semester })
    expect(refused.json().errors.feeComponentId).toHaveLength(1)
  })

  test('a suggested donation is at least the minimum', async () => {
    const donation = { waveId: academic.wave, minimumAmount: 500_000 }
    const refused = await clerk.post('/master/sumbangan', { ...donation, suggestedAmounts: [250_000, 1_000_000] })
    expect(refused.json().errors.suggestedAmounts).toHaveLength(1)
    expect((await clerk.post('/master/sumbangan', { ...donation, suggestedAmounts: [500_000] })).statusCode).toBe(201)
  })
})
