import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { someBooks } from '#server-test/factories/books.ts'
import { aBill } from '#server-test/factories/payments.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'
import { divideMoney } from './divide-money.job.ts'
import { rebuildFacts } from './rebuild-facts.ts'

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())

const run = (statement: RawBuilder<unknown>) => statement.execute(t.owner)
const differing = async () =>
  (await checkInvariants(t.services, ['fact-registration', 'fact-place', 'fact-payment', 'fact-money'])).map(
    ({ check }) => check,
  )
const countOf = async (from: RawBuilder<unknown>) =>
  (await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${from}`.execute(t.owner)).rows[0]!.count

/** Adds a copy of a row under another id. */
const copiedInto = (
  table: string,
  values: RawBuilder<unknown> = sql`'{}'::jsonb`,
) => sql`INSERT INTO ${sql.table(table)}
  SELECT (jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid()) || ${values})).* FROM ${sql.table(table)} f LIMIT 1`

const tuition = () =>
  aBill(t, academic, {
    kind: 're_registration',
    status: 'confirmed',
    accepted: true,
    lines: [
      { description: 'Kuliah', amount: 6_000_000, feeComponentId: academic.feeComponents.semester },
      { description: 'Lain-lain', amount: 500_000 },
    ],
  })
const registrationOf = (billId: string) => sql`(SELECT registration_id FROM bills WHERE id = ${billId})`
const applicantOf = (billId: string) =>
  sql`(SELECT applicant_id FROM registrations WHERE id = ${registrationOf(billId)})`
const line = (billId: string, amount: number) =>
  sql`INSERT INTO bill_lines (bill_id, description, amount, added_later, added_at) VALUES (${billId}, 'Baris', ${amount}, ${amount < 0},
    ${amount < 0 ? sql`now()` : sql`NULL`})`
const part = (billId: string, paidAt: RawBuilder<unknown>) =>
  sql`INSERT INTO installments (bill_id, position, amount, due_at, paid_at) VALUES (${billId}, 1, 0, now(), ${paidAt})`

describe('two transactions at once leave facts that equal what they come from:', () => {
  test('lines of the same bill', async () => {
    const { bill } = await tuition()
    const before = await countOf(sql`money_facts WHERE bill_id = ${bill.id}`)
    await raceBehind(t, line(bill.id, 1_000), 1, () => run(line(bill.id, 2_000)))
    expect(await countOf(sql`money_facts WHERE bill_id = ${bill.id}`)).toBe(before + 2)
    expect(await differing()).toEqual([])
  })

  test('a step and a change of the profile', async () => {
    const { bill } = await tuition()
    await raceBehind(
      t,
      sql`UPDATE registrations SET verified_at = now() WHERE id = ${registrationOf(bill.id)}`,
      1,
      () => run(sql`UPDATE applicants SET gender = 'female', clothes_size = 'L' WHERE id = ${applicantOf(bill.id)}`),
    )
    expect(
      await countOf(sql`registration_facts WHERE id = ${registrationOf(bill.id)} AND verified_at IS NOT NULL
        AND gender = 'female' AND clothes_size = 'L'`),
    ).toBe(1)
    expect(await differing()).toEqual([])
  })

  test('a new registration and a change of its profile', async () => {
    const { bill } = await tuition()
    const copy = sql`INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id,
        class_programme_id, status)
      SELECT 'KEDUA', applicant_id, account_id, wave_id, ${academic.tracks.achievement}, entry_level_id, class_programme_id,
        'cancelled' FROM registrations WHERE id = ${registrationOf(bill.id)}`
    await raceBehind(t, sql`UPDATE applicants SET clothes_size = 'XS' WHERE id = ${applicantOf(bill.id)}`, 1, () =>
      run(copy),
    )
    expect(await countOf(sql`registration_facts WHERE clothes_size = 'XS'`)).toBe(2)
    expect(await differing()).toEqual([])
  })

  test('a profile and a step of many registrations, which locks them first', async () => {
    const { bill } = await tuition()
    await raceBehind(
      t,
      sql`SELECT FROM registrations ORDER BY id FOR NO KEY UPDATE`,
      1,
      () => run(sql`UPDATE applicants SET clothes_size = 'XXL' WHERE id = ${applicantOf(bill.id)}`),
      sql`UPDATE registrations SET tested_at = now()`,
    )
    expect(await countOf(sql`registration_facts WHERE clothes_size = 'XXL' AND tested_at IS NOT NULL`)).toBe(1)
    expect(await differing()).toEqual([])
  })

  test('another person of a registration and a change of the former one', async () => {
    const { bill } = await tuition()
    const { bill: other } = await tuition()
    await run(
      sql`UPDATE registrations SET status = 'withdrawn', closed_at = now(), closed_from = 'confirmed' WHERE id = ${registrationOf(other.id)}`,
    )
    await raceBehind(
      t,
      sql`UPDATE registrations SET applicant_id = ${applicantOf(other.id)} WHERE id = ${registrationOf(bill.id)}`,
      1,
      () => run(sql`UPDATE applicants SET clothes_size = 'S' WHERE id = ${applicantOf(bill.id)}`),
    )
    expect(await differing()).toEqual([])
  })

  test('another wave and a line of a bill', async () => {
    const { bill } = await tuition()
    await run(copiedInto('waves', sql`jsonb_build_object('code', 'WAVE', 'name', 'Wave')`))
    await raceBehind(
      t,
      sql`UPDATE registrations SET wave_id = (SELECT id FROM waves WHERE code = 'WAVE') WHERE id = ${registrationOf(bill.id)}`,
      1,
      () => run(line(bill.id, 3_000)),
    )
    expect(await differing()).toEqual([])
  })

  const order = sql`UPDATE fee_components SET allocation_priority = 200 - allocation_priority`
  const newBill = (registration: RawBuilder<unknown>, components: [string, string]) => sql`
    WITH made AS (INSERT INTO bills (number, registration_id, account_id, kind, total, issued_at)
      SELECT 'B-' || gen_random_uuid(), id, account_id, 'registration_fee', 1500, now() FROM registrations WHERE id = ${registration}
      RETURNING id)
    INSERT INTO bill_lines (bill_id, description, amount, sort_order, fee_component_id)
      SELECT id, 'Baris', l.amount, 0, l.component FROM made CROSS JOIN (VALUES (1000, ${components[0]}::uuid),
        (1000, ${components[1]}::uuid), (-500, NULL)) l (amount, component)`
  const undivided = () =>
    countOf(sql`(SELECT * FROM derived_bill_movements EXCEPT ALL SELECT bill_id, registration_id, wave_id, fee_component_id, at,
      amount, kind, bill_kind, beyond FROM money_facts WHERE payment_id IS NULL) d`)

  test('another order of components and then a new bill', async () => {
    const { bill } = await tuition()
    const { semester, development } = academic.feeComponents
    await raceBehind(t, order, 1, () => run(newBill(registrationOf(bill.id), [semester, development])))
    expect(await undivided()).toBe(0)
    await divideMoney(t.services)
    expect(await differing()).toEqual([])
  })

  test('a new bill and then another order of components', async () => {
    const { bill } = await tuition()
    const { semester, development } = academic.feeComponents
    await raceBehind(t, newBill(registrationOf(bill.id), [semester, development]), 1, () => run(order))
    expect(await undivided()).toBeGreaterThan(0)
    // The check of the books leaves out bills that wait to be divided.
    expect(await differing()).toEqual([])
    expect(await divideMoney(t.services)).toBeGreaterThan(0)
    expect(await undivided()).toBe(0)
    expect(await countOf(sql`redivisions`)).toBe(0)
    expect(await differing()).toEqual([])
  })

  test('twenty writers of one registration, its profile and its bill, without a deadlock', async () => {
    const { bill } = await tuition()
    const deadlocks = await countDeadlocks(t)
    const registration = registrationOf(bill.id)
    const writes = [
      sql`UPDATE registrations SET verified_at = coalesce(verified_at, now()) + interval '1 second' WHERE id = ${registration}`,
      sql`UPDATE registrations SET tested_at = coalesce(tested_at, now()) + interval '1 second' WHERE id = ${registration}`,
      sql`UPDATE applicants SET clothes_size = CASE clothes_size WHEN 'L' THEN 'M' ELSE 'L' END WHERE id = ${applicantOf(bill.id)}`,
      line(bill.id, 100),
    ]
    const before = await countOf(sql`money_facts WHERE bill_id = ${bill.id}`)
    const servers = [t.owner, t.db]
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => writes[n % writes.length]!.execute(servers[n % servers.length]!)),
    )
    expect(await countOf(sql`money_facts WHERE bill_id = ${bill.id}`)).toBe(before + 5)
    expect(await differing()).toEqual([])
    expect(await countDeadlocks(t)).toBe(deadlocks)
  })

  test('a paid instalment and the end of its bill', async () => {
    const { bill } = await tuition()
    await run(part(bill.id, sql`NULL`))
    await raceBehind(t, sql`UPDATE installments SET paid_at = now() WHERE bill_id = ${bill.id}`, 1, () =>
      run(sql`UPDATE bills SET status = 'cancelled', closed_at = now() WHERE id = ${bill.id}`),
    )
    expect(await countOf(sql`paid_places WHERE bill_id = ${bill.id}`)).toBe(0)
    expect(await countOf(sql`money_facts WHERE bill_id = ${bill.id} AND kind = 'cancelled'`)).toBe(2)
    expect(await differing()).toEqual([])
  })
})

test('facts follow every change of what they come from', async () => {
  const { bill } = await tuition()
  const registration = registrationOf(bill.id)
  const changes = [
    part(bill.id, sql`now()`),
    sql`UPDATE installments SET paid_at = paid_at - interval '1 day' WHERE bill_id = ${bill.id}`,
    sql`UPDATE installments SET position = 2 WHERE bill_id = ${bill.id}`,
    sql`UPDATE bills SET paid_at = now() WHERE id = ${bill.id}`,
    sql`DELETE FROM installments WHERE bill_id = ${bill.id}`,
    line(bill.id, -500),
    sql`UPDATE bills SET issued_at = issued_at - interval '1 day' WHERE id = ${bill.id}`,
    sql`UPDATE registrations SET status = 'withdrawn', closed_at = now(), closed_from = 'confirmed' WHERE id = ${registration}`,
    copiedInto('waves', sql`jsonb_build_object('code', 'LAIN', 'name', 'Lain')`),
    sql`UPDATE registrations SET wave_id = (SELECT id FROM waves WHERE code = 'LAIN') WHERE id = ${registration}`,
    sql`UPDATE registrations SET applicant_id = (SELECT id FROM applicants WHERE id <> ${applicantOf(bill.id)} LIMIT 1) WHERE id = ${registration}`,
    sql`INSERT INTO students (registration_id, account_id, programme_id, npm, issued_at)
      SELECT id, account_id, programme_id, 'NPM-1', now() FROM registrations WHERE id = ${registration}`,
    sql`UPDATE students SET issued_at = issued_at - interval '1 day' WHERE registration_id = ${registration}`,
    sql`DELETE FROM students WHERE registration_id = ${registration}`,
    sql`UPDATE bills SET status = 'cancelled', closed_at = now() WHERE id = ${bill.id}`,
    sql`UPDATE bills SET closed_at = closed_at - interval '1 day' WHERE id = ${bill.id}`,
    sql`UPDATE fee_components SET allocation_priority = 200 - allocation_priority`,
  ]
  for (const [index, change] of changes.entries()) {
    const { numAffectedRows } = await run(change)
    expect(Number(numAffectedRows), `change ${index}`).toBeGreaterThan(0)
    expect(await differing(), `change ${index}`).toEqual([])
  }
})

test('missing, wrong and surplus facts are found, and made again', async () => {
  const books = await someBooks(t, academic)
  expect(await differing()).toEqual([])
  const faults: [string, RawBuilder<unknown>][] = [
    ['fact-registration', sql`DELETE FROM registration_facts WHERE id = ${books.enrolled}`],
    [
      'fact-registration',
      sql`UPDATE registration_facts SET school_id = ${books.enrolled} WHERE id = ${books.enrolled}`,
    ],
    ['fact-registration', copiedInto('registration_facts')],
    ['fact-place', sql`DELETE FROM paid_places WHERE bill_id = ${books.parts}`],
    ['fact-place', sql`UPDATE paid_places SET registration_id = ${books.enrolled} WHERE bill_id = ${books.parts}`],
    ['fact-payment', sql`DELETE FROM payment_facts WHERE wave_id IS NULL`],
    ['fact-payment', sql`UPDATE payment_facts SET channel = 'lain' WHERE waiting_amount > 0`],
    ['fact-payment', copiedInto('payment_facts')],
    ['fact-money', sql`DELETE FROM money_facts WHERE bill_id = ${books.paid} AND kind = 'received'`],
    ['fact-money', sql`INSERT INTO money_facts SELECT * FROM money_facts WHERE bill_id = ${books.paid}`],
    ['fact-money', sql`UPDATE money_facts SET at = at - interval '1 day' WHERE bill_id = ${books.paid}`],
    ['fact-money', sql`UPDATE money_facts SET fee_component_id = gen_random_uuid() WHERE bill_id = ${books.paid}`],
    ['fact-money', sql`DELETE FROM money_facts WHERE kind = 'refunded'`],
  ]
  for (const [index, [check, fault]] of faults.entries()) {
    const { numAffectedRows } = await run(fault)
    expect(Number(numAffectedRows), `fault ${index}`).toBeGreaterThan(0)
    expect(new Set(await differing()), `fault ${index}`).toEqual(new Set([check]))
    await rebuildFacts(t.owner)
    expect(await differing(), `fault ${index}`).toEqual([])
  }
})

test('facts are made again while a payment locks its bill and then its registration, without a deadlock', async () => {
  const { bill } = await tuition()
  const deadlocks = await countDeadlocks(t)
  await raceBehind(
    t,
    sql`UPDATE bills SET reminded_at = now() WHERE id = ${bill.id}`,
    1,
    () => rebuildFacts(t.owner),
    sql`UPDATE registrations SET verified_at = now() WHERE id = ${registrationOf(bill.id)}`,
  )
  expect(await countOf(sql`registration_facts WHERE id = ${registrationOf(bill.id)} AND verified_at IS NOT NULL`)).toBe(
    1,
  )
  expect(await differing()).toEqual([])
  expect(await countDeadlocks(t)).toBe(deadlocks)
})

test('facts are not made again, and the error says what to do, while a transaction stays open', async () => {
  const { bill } = await tuition()
  await t.owner.transaction().execute(async (tx) => {
    await sql`UPDATE bills SET reminded_at = now() WHERE id = ${bill.id}`.execute(tx)
    await expect(run(sql`SELECT lock_report_facts('300 ms')`)).rejects.toThrow(
      /no moment without a writer.*Nothing has changed.*Try again/,
    )
  })
  await run(sql`SELECT lock_report_facts('300 ms')`)
})

test('facts are made again while money is divided again', async () => {
  const { bill } = await tuition()
  await raceBehind(t, sql`SELECT keep_bill_movements(${bill.id})`, 1, () => rebuildFacts(t.owner))
  expect(await differing()).toEqual([])
})

test('payments keep their facts through waiting, another bill, a reversal and another wave', async () => {
  const { bill } = await tuition()
  const payment = sql`(SELECT id FROM payments WHERE bill_id IS NULL AND status = 'waiting' LIMIT 1)`
  const { rows } = await sql<{ id: string }>`SELECT ${payment} AS id`.execute(t.owner)
  const { id } = rows[0]!
  const changes = [
    sql`UPDATE payments SET bill_id = ${bill.id} WHERE id = ${id}`,
    sql`UPDATE payments SET channel = 'teller' WHERE id = ${id}`,
    sql`UPDATE registrations SET wave_id = (SELECT id FROM waves WHERE code = 'LAIN') WHERE id = ${registrationOf(bill.id)}`,
    sql`UPDATE payments SET bill_id = NULL WHERE id = ${id}`,
    sql`UPDATE payments SET waiting_amount = 0, status = 'reversed', reversed_at = now() WHERE id = ${id}`,
  ]
  for (const [index, change] of changes.entries()) {
    const { numAffectedRows } = await run(change)
    expect(Number(numAffectedRows), `change ${index}`).toBeGreaterThan(0)
    expect(await differing(), `change ${index}`).toEqual([])
  }
})

test('refunds follow their registration into another wave', async () => {
  await pastTriggers(
    t,
    sql`WITH f AS (UPDATE approval_requests SET bill_id = NULL WHERE id IN (SELECT approval_request_id FROM refunds))
      UPDATE payments SET bill_id = NULL WHERE id IN (SELECT payment_id FROM refunds)`,
  )
  await run(sql`UPDATE registrations SET wave_id = (SELECT id FROM waves WHERE code = 'LAIN')
    WHERE id IN (SELECT registration_id FROM money_facts WHERE kind = 'refunded')`)
  expect(await countOf(sql`money_facts WHERE kind = 'refunded' AND bill_id IS NULL`)).toBeGreaterThan(0)
  expect(await differing()).toEqual([])
})

test('an interrupted division goes on, and another order asked for meanwhile stays asked for', async () => {
  await run(sql`UPDATE fee_components SET allocation_priority = 200 - allocation_priority`)
  await run(sql`CREATE FUNCTION ask_again() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN UPDATE redivisions SET asked_at = asked_at + interval ''1 second''; RETURN NULL; END'`)
  await run(sql`CREATE TRIGGER ask_again AFTER INSERT ON money_facts EXECUTE FUNCTION ask_again()`)
  await divideMoney(t.services)
  expect(await countOf(sql`redivisions`)).toBeGreaterThan(0)
  await run(sql`DROP FUNCTION ask_again CASCADE`)
  await divideMoney(t.services)
  expect(await countOf(sql`redivisions`)).toBe(0)
  expect(await differing()).toEqual([])
})
