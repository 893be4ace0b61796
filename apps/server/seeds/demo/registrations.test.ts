import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '#seeds/demo/university.ts'
import { runSeeds } from '#seeds/run-seeds.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { fillRegistrations } from './registrations.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await runSeeds({ ...t.services, db: t.owner }, 'reference')
  await runSeeds({ ...t.services, db: t.owner }, 'demo')
}, 240_000)
afterAll(() => t.close())

/** Every index and foreign key, as PostgreSQL writes it. */
async function rulesOfTables() {
  const { rows } = await sql<{ definition: string }>`
    SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE contype = 'f' ORDER BY 1`.execute(t.owner)
  return rows.map(({ definition }) => definition)
}

const countOf = async (table: string) =>
  (await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(t.owner)).rows[0]!.count

const fill = (from: number, onProgress = (_lastNumber: number) => {}) =>
  fillRegistrations(t.owner, {
    ...{ from, count: 7, batchRows: 3, now: t.clock.now(), passwordHash: demoPassword },
    onProgress,
  })

test('a large fill adds every batch and leaves each index and foreign key as it was', async () => {
  const before = { rules: await rulesOfTables(), registrations: await countOf('registrations') }
  const reported: number[] = []
  await fill(900_001, (lastNumber) => reported.push(lastNumber))
  expect(reported).toEqual([900_003, 900_006, 900_007])
  expect(await countOf('registrations')).toBe(before.registrations + 7)
  expect(await rulesOfTables()).toEqual(before.rules)
})

test('a fill that is interrupted leaves neither rows nor a missing index', async () => {
  const before = { rules: await rulesOfTables(), registrations: await countOf('registrations') }
  const interrupted = fill(900_101, (lastNumber) => {
    if (lastNumber === 900_106) throw new Error('interrupted')
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  expect(await countOf('registrations')).toBe(before.registrations)
  expect(await rulesOfTables()).toEqual(before.rules)
})
