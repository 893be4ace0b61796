import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { formatNumber, nextNumber, takeNumber, takeNumbers, writeNumber } from './numbers.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('a template is filled from its tokens', () => {
  expect(formatNumber('{YY}{prodi}{SEQ:4}', { YY: '26', prodi: '55201' }, 7)).toBe('26552010007')
  expect(formatNumber('INV-{YYYY}-{SEQ:3}', { YYYY: 2026 }, 12345)).toBe('INV-2026-12345')
  expect(() => formatNumber('{wave}{SEQ}', {}, 1)).toThrow('{wave}')
})

test.each(['{YY}{prodi}{SEQ:4}', 'INV-{YYYY}-{SEQ:3}', '{SEQ}', '{SEQ:6}/KW', 'tanpa nomor', "100% 'x' {SEQ:2}-{SEQ}"])(
  'the database writes %s as we do',
  async (template) => {
    const tokens = { YY: '26', YYYY: 2026, prodi: '55201' }
    for (const value of [1, 42, 1_234_567]) {
      const { rows } = await sql<{ number: string }>`
        SELECT ${writeNumber(template, tokens, sql`taken.value`)} AS number FROM (SELECT ${value}::bigint AS value) taken`.execute(
        t.db,
      )
      expect(rows[0]!.number).toBe(formatNumber(template, tokens, value))
    }
  },
)

test('takes a number only if the FROM clause returns a row', async () => {
  const take = (condition: boolean) =>
    takeNumber('receipt', 'rows', { from: sql`FROM (VALUES (1)) one WHERE ${condition}` }).execute(t.db)
  expect((await take(true)).rows).toEqual([{ value: 1 }])
  expect((await take(false)).rows).toEqual([])
  expect((await take(true)).rows).toEqual([{ value: 2 }])
})

test('fifty parallel calls get fifty different numbers without a gap', async () => {
  const take = () => t.db.transaction().execute((tx) => nextNumber(tx, 'receipt', '2026', '{SEQ:3}'))
  const numbers = await Promise.all(Array.from({ length: 50 }, take))
  expect(numbers.toSorted()).toEqual(Array.from({ length: 50 }, (_, index) => String(index + 1).padStart(3, '0')))
})

test('a rolled-back transaction leaves no gap', async () => {
  const take = () => t.db.transaction().execute((tx) => nextNumber(tx, 'bill', 'x', '{SEQ}'))
  expect(await take()).toBe('1')
  const rolledBack = t.db.transaction().execute(async (tx) => {
    await nextNumber(tx, 'bill', 'x', '{SEQ}')
    throw new Error('changed my mind')
  })
  await expect(rolledBack).rejects.toThrow('changed my mind')
  expect(await take()).toBe('2')
})

test('scopes and kinds count separately, and several numbers can be taken at once', async () => {
  expect(await takeNumbers(t.db, 'student', 'TI-2026', 3)).toEqual([1, 2, 3])
  expect(await takeNumbers(t.db, 'student', 'SI-2026', 2)).toEqual([1, 2])
  expect(await takeNumbers(t.db, 'student', 'TI-2026', 2)).toEqual([4, 5])
})
