import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueReRegistration } from '#server/modules/admissions/steps/confirm-registration.ts'
import type { MovedRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { startRegistration } from '#server/modules/admissions/steps/start-registration.ts'
import { issueRegistrationFee, priceRegistrationFee } from '#server/modules/admissions/steps/submit-registration.ts'
import { billLinesOf } from '#server/modules/payments/bills/change/issue-bill.ts'
import { reissueBill } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, type TestActor } from '#server-test/actors.ts'
import { academicOf, applicantActor } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { randomOf, runs } from '#testing/form.ts'

/** Cases compared: 500 in the whole form. Each issues two bills. */
const caseCount = runs(50)

const random = randomOf('same numbers')
const below = (limit: number) => Math.floor(random() * limit)
const pick = <T>(all: readonly T[]): T => all[below(all.length)]!
const chance = (share: number) => random() < share
/** Whole rupiah with odd digits, so that roundings show. */
const amount = (most: number) => 1 + below(most)

let t: TestApp
let world: Awaited<ReturnType<typeof makeWorld>>
const now = new Date('2026-11-20T03:00:00Z')

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  world = await makeWorld()
})
afterAll(() => t.close())

type Coded = { id: string; code: string }

/** Master data at random: rules that name more or less, amounts of zero, plans of shares and of fixed parts. */
async function makeWorld() {
  const academic = await academicOf(t)
  const { db } = t
  const day = (days: number) => new Date(now.getTime() + days * 86_400_000)
  const insert = async (table: string, values: object): Promise<string> =>
    (await (db as any).insertInto(table).values(values).returning('id').executeTakeFirstOrThrow()).id
  const many = async (count: number, table: string, values: (code: string, index: number) => object) => {
    const rows: Coded[] = []
    for (let index = 0; index < count; index++) {
      const code = `R${table.slice(0, 2).toUpperCase()}${index}`
      rows.push({ id: await insert(table, { code, name: code, ...values(code, index) }), code })
    }
    return rows
  }
  const waves = await many(3, 'waves', () => ({
    academicYear: '2027/2028',
    semesterCode: '20271',
    opensAt: day(-9),
    closesAt: day(60),
  }))
  const tracks = await many(4, 'tracks', (_, index) => ({ kind: 'regular', freeOfFee: index === 3, hasTest: false }))
  const classes = await many(2, 'classProgrammes', () => ({}))
  const levels = await many(2, 'entryLevels', () => ({ degreeLevelId: academic.degreeLevel }))
  const programmes = await many(3, 'studyProgrammes', (code) => ({
    facultyId: academic.faculty,
    degreeLevelId: academic.degreeLevel,
    npmCode: code,
  }))
  const components = await many(4, 'feeComponents', (_, index) => ({
    recurrence: pick(['once', 'per_semester', 'monthly', 'incidental']),
    allocationPriority: 10 * (index + 1),
  }))
  for (const wave of waves) {
    for (const track of tracks)
      for (const level of levels)
        await insert('trackDetails', {
          trackId: track.id,
          waveId: wave.id,
          entryLevelId: level.id,
          opensAt: day(-9),
          closesAt: day(60),
        })
    const fees = new Set<string>()
    for (let rule = 0; rule < 6; rule++) {
      const [track, level, one] = [pick(tracks), pick(levels), pick(classes)].map(({ id }) => (chance(0.5) ? id : null))
      if (fees.has(`${track} ${level} ${one}`)) continue
      fees.add(`${track} ${level} ${one}`)
      await insert('registrationFees', {
        waveId: wave.id,
        trackId: track,
        entryLevelId: level,
        classProgrammeId: one,
        amount: chance(0.2) ? 0 : amount(500_000),
      })
    }
    for (const programme of programmes)
      for (const one of classes) {
        for (const level of levels)
          await insert('programmeDetails', {
            programmeId: programme.id,
            waveId: wave.id,
            classProgrammeId: one.id,
            entryLevelId: level.id,
            capacity: 1000,
          })
        for (const component of components)
          for (const track of [null, ...tracks]) {
            // Every class is priced for every track; some tracks have rows of their own.
            if (track && chance(0.7)) continue
            await insert('tuitionFees', {
              programmeId: programme.id,
              waveId: wave.id,
              classProgrammeId: one.id,
              trackId: track?.id ?? null,
              feeComponentId: component.id,
              amount: chance(0.1) ? 0 : amount(9_000_000),
              installmentsAllowed: chance(0.7),
            })
          }
      }
  }
  const plans = await many(5, 'installmentPlans', (_, index) => ({ waveId: index === 4 ? waves[0]!.id : null }))
  for (const [index, plan] of plans.entries()) {
    const parts = 1 + below(5)
    const fixed = index % 2 === 1
    let left = 10_000
    for (let part = 1; part <= parts; part++) {
      const isLast = part === parts
      const shareBps = isLast ? left : 1 + below(left - (parts - part))
      left -= shareBps
      // Fixed parts first, and shares of the rest; some plans have fixed parts only.
      const isFixed = fixed && (index === 3 || part === 1)
      await insert('installmentTerms', {
        planId: plan.id,
        sortOrder: part,
        ...(isFixed
          ? { amount: amount(3_000_000), shareBps: null }
          : { amount: null, shareBps: fixed && part === 2 ? shareBps + (10_000 - shareBps - left) : shareBps }),
        dueDays: part * 30,
      })
    }
  }
  const conditions = [
    'early',
    'early',
    'school_agreement',
    'school_agreement',
    'voucher',
    'voucher',
    'sibling',
    'manual',
  ]
  const discounts: (Coded & { condition: string; appliesTo: string })[] = []
  for (const [index, condition] of conditions.entries()) {
    const kind = pick(['percent', 'fixed'] as const)
    const appliesTo = index % 3 === 1 ? 'registration_fee' : 'fee_component'
    const code = `RD${index}`
    const id = await insert('discounts', {
      code,
      name: code,
      kind,
      value: kind === 'percent' ? (1 + below(4_000)) / 100 : amount(2_000_000),
      appliesTo,
      feeComponentId: appliesTo === 'fee_component' && chance(0.6) ? pick(components).id : null,
      condition,
      stackable: chance(0.6),
      onPublicPage: true,
    })
    discounts.push({ id, code, condition, appliesTo })
  }
  const vouchers = new Map<string, string>()
  for (const { id, code } of discounts.filter(({ condition }) => condition === 'voucher'))
    vouchers.set(id, await insert('vouchers', { discountId: id, code: `V${code}` }))

  /** A school for each set of agreements that an applicant's school may have. */
  const agreeing = discounts.filter(({ condition }) => condition === 'school_agreement')
  const schools = new Map<string, string>()
  for (const some of [[], [agreeing[0]!], [agreeing[1]!], agreeing]) {
    const key = some.map(({ id }) => id).join()
    const school = await insert('schools', {
      npsn: `NP0000${schools.size + 10}`,
      name: `SMA Acak ${schools.size}`,
      schoolTypeId: academic.schoolType,
      status: 'negeri',
      cityId: academic.city,
    })
    schools.set(key, school)
    for (const [index, { id }] of some.entries())
      await insert('schoolAgreements', {
        schoolId: school,
        number: `RS${schools.size}-${index}`,
        title: 'Kerja sama',
        validTo: '2030-12-31',
        discountId: id,
      })
  }
  return { waves, tracks, classes, levels, programmes, discounts, vouchers, plans, schools }
}

type Case = {
  wave: Coded
  track: Coded
  programme: Coded
  one: Coded
  level: Coded
  plan: Coded | null
  discounts: (typeof world)['discounts']
}

async function issueBills(applicant: TestActor, { wave, track, programme, one, level, plan, discounts }: Case) {
  const { db, services } = t
  const of = (condition: string) => discounts.filter((discount) => discount.condition === condition)
  await db
    .updateTable('applicants')
    .set({
      schoolId: world.schools.get(
        of('school_agreement')
          .map(({ id }) => id)
          .join(),
      )!,
    })
    .where('accountId', '=', applicant.accountId)
    .execute()
  const id = await startRegistration(services, applicantActor(applicant.accountId), {
    waveId: wave.id,
    trackId: track.id,
    entryLevelId: level.id,
    classProgrammeId: one.id,
    choices: [programme.id],
  })
  for (const { id: discountId } of of('voucher'))
    await db
      .insertInto('discountUses')
      .values({ discountId, voucherId: world.vouchers.get(discountId)!, registrationId: id, takenAt: now })
      .execute()
  const byHand = [...of('sibling'), ...of('manual')]
  const row = await db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const registration = {
    ...row,
    acceptedProgrammeId: programme.id,
    installmentPlanId: plan?.id ?? null,
  } as unknown as MovedRegistration
  await inTransaction(services, systemActor, async (context) => {
    await issueRegistrationFee(context, registration, await priceRegistrationFee(context, registration, null))
    await issueReRegistration(context, registration)
  })
  for (const { id: alsoDiscount, appliesTo } of byHand) {
    const bill = await standingBill(id, appliesTo === 'registration_fee' ? 'registration_fee' : 're_registration')
    await inTransaction(services, systemActor, async (context) => {
      await reissueBill(context, bill.id, {
        lines: await billLinesOf(context.tx, bill.id),
        dueAt: now,
        installmentPlanId: bill.installmentPlanId,
        planFrom: bill.issuedAt,
        alsoDiscount,
        reason: 'made for a test',
      })
    })
  }
  const sumsOf = async (kind: 'registration_fee' | 're_registration') => {
    const bill = await standingBill(id, kind)
    const rows = (table: 'billLines' | 'installments', order: 'sortOrder' | 'position') =>
      (db as any).selectFrom(table).select('amount').where('billId', '=', bill.id).orderBy(order).execute()
    const amounts = (some: { amount: number }[]) => some.map((one) => Number(one.amount))
    return {
      total: Number(bill.total),
      lines: amounts(await rows('billLines', 'sortOrder')),
      parts: amounts(await rows('installments', 'position')),
    }
  }
  return { fee: await sumsOf('registration_fee'), bill: await sumsOf('re_registration') }
}

const standingBill = (registrationId: string, kind: 'registration_fee' | 're_registration') =>
  t.db
    .selectFrom('bills')
    .selectAll()
    .where('registrationId', '=', registrationId)
    .where('kind', '=', kind)
    .where('status', '<>', 'cancelled')
    .executeTakeFirstOrThrow()

let pageCount = 0
/** Amounts of the page's calculator, by name. */
async function pageOf({ wave, track, programme, one, level, plan, discounts }: Case) {
  const query = new URLSearchParams({ wave: wave.code, track: track.code, class: one.code, entry: level.code })
  for (const { code } of discounts) query.append('discount', code)
  // Pages of one address are limited.
  const remoteAddress = `10.0.${pageCount >> 8}.${pageCount++ & 255}`
  const { body, statusCode } = await t.app.inject({ url: `/daftar/prodi/${programme.code}?${query}`, remoteAddress })
  expect(statusCode).toBe(200)
  const result = body.slice(body.indexOf('id="hasil"'), body.indexOf('id="berkas"'))
  const amountsIn = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`<data value="(-?\\d+)" data-sum="${name}"`, 'g'))].map(([, value]) => Number(value))
  const ofPlan = new RegExp(`<li data-plan="${plan?.code ?? ''}">.*?</li>`, 's').exec(result)?.[0] ?? ''
  return {
    fee: amountsIn(result, 'fee')[0],
    feeLines: amountsIn(result, 'fee-(?:line|discount)'),
    bill: amountsIn(result, 'bill')[0],
    lines: amountsIn(result, 'bill-(?:line|discount)'),
    parts: amountsIn(ofPlan, 'part'),
    later: amountsIn(result, 'later'),
    firstPayment: amountsIn(result, 'first-payment')[0],
    firstYear: amountsIn(result, 'first-year')[0],
  }
}

test(`${caseCount} applicants get the bills that the public page named`, { timeout: 300_000 }, async () => {
  let applicant: TestActor | undefined
  let free: [Coded, Coded][] = []
  const seen = { discounted: 0, instalments: 0 }
  for (let number = 0; number < caseCount; number++) {
    if (free.length === 0) {
      applicant = await asApplicant(t, { profile: true })
      free = world.waves.flatMap((wave) => world.tracks.map((track): [Coded, Coded] => [wave, track]))
    }
    const [wave, track] = free.pop()!
    const plans = world.plans.filter((_, index) => index < 4 || wave === world.waves[0])
    const question: Case = {
      wave,
      track,
      programme: pick(world.programmes),
      one: pick(world.classes),
      level: pick(world.levels),
      plan: chance(0.8) ? pick(plans) : null,
      discounts: world.discounts.filter(({ condition }) => condition !== 'early' && chance(0.25)),
    }
    const page = await pageOf(question)
    const { fee, bill } = await issueBills(applicant!, question)
    const names = `case ${number}: ${JSON.stringify(question)}`
    expect(page.fee, names).toBe(fee.total)
    // A fee without discounts is one amount.
    expect(page.feeLines, names).toEqual(fee.lines.length > 1 ? fee.lines : [])
    expect(page.lines, names).toEqual(bill.lines)
    expect(page.bill, names).toBe(bill.total)
    expect(page.parts, names).toEqual(question.plan ? bill.parts : bill.total > 0 ? [bill.total] : [])
    expect(page.firstYear, names).toBe(fee.total + bill.total + page.later.reduce((sum, part) => sum + part, 0))
    expect(page.firstPayment, names).toBeLessThanOrEqual(question.plan && bill.total > 0 ? bill.parts[0]! : bill.total)
    if (bill.lines.some((line) => line < 0) || fee.lines.length > 1) seen.discounted++
    if (bill.parts.length > 1) seen.instalments++
  }
  expect(seen.discounted).toBeGreaterThan(caseCount / 5)
  expect(seen.instalments).toBeGreaterThan(caseCount / 5)
})

test('an early discount counts on the page if it does on the first day of the bill', async () => {
  const [wave, track, programme, one, level] = [
    world.waves[0]!,
    world.tracks[0]!,
    world.programmes[0]!,
    world.classes[0]!,
    world.levels[0]!,
  ]
  const resultsAt = new Date('2026-12-10T03:00:00Z')
  await t.db
    .updateTable('trackDetails')
    .set({ resultsAt })
    .where('trackId', '=', track.id)
    .where('waveId', '=', wave.id)
    .execute()
  await t.db.updateTable('discounts').set({ active: false }).where('condition', '=', 'early').execute()
  const early = (code: string, value: number, validFrom: string, validTo: string) =>
    t.db
      .insertInto('discounts')
      .values({ code, name: code, kind: 'fixed', value, condition: 'early', stackable: true, validFrom, validTo })
      .execute()
  await early('SEKARANG', 2, '2026-11-01', '2026-11-30')
  await early('NANTI', 1, '2026-12-10', '2026-12-20')
  t.clock.set(new Date(now.getTime() + 60_000))
  const question: Case = { wave, track, programme, one, level, plan: null, discounts: [] }
  const page = await pageOf(question)
  const applicant = await asApplicant(t, { profile: true })
  t.clock.set(new Date(resultsAt.getTime() + 60_000))
  const { bill } = await issueBills(applicant, question)
  expect(page.lines).toEqual(bill.lines)
  expect(bill.lines.filter((line) => line < 0)).toEqual([-1])
  t.clock.set(now)
})

test('a class without tuition has no amount on the page, and its bill is refused', async () => {
  const [programme] = await t.db
    .insertInto('studyProgrammes')
    .columns(['code', 'name', 'facultyId', 'degreeLevelId', 'npmCode'])
    .expression((eb) =>
      eb
        .selectFrom('studyProgrammes')
        .select((of) => [
          of.val('RBARU').as('code'),
          'name',
          'facultyId',
          'degreeLevelId',
          of.val('RBARU').as('npmCode'),
        ])
        .where('id', '=', world.programmes[0]!.id),
    )
    .returning(['id', 'code'])
    .execute()
  const [wave, track, one, level] = [world.waves[1]!, world.tracks[0]!, world.classes[0]!, world.levels[0]!]
  await t.db
    .insertInto('programmeDetails')
    .values({
      programmeId: programme!.id,
      waveId: wave.id,
      classProgrammeId: one.id,
      entryLevelId: level.id,
      capacity: 10,
    })
    .execute()
  t.clock.set(new Date(now.getTime() + 120_000))
  const question: Case = { wave, track, programme: programme!, one, level, plan: null, discounts: [] }
  const page = await pageOf(question)
  expect(page).toMatchObject({ bill: undefined, firstYear: undefined, lines: [] })
  await expect(issueBills(await asApplicant(t, { profile: true }), question)).rejects.toMatchObject({
    code: 'tuition_missing',
  })
})
