import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { formatNumber, nextNumber, takeNumbers } from './numbers.ts'

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

test('fifty at once get fifty different numbers without a gap', async () => {
  const take = () => t.db.transaction().execute((tx) => nextNumber(tx, 'receipt', '2026', '{SEQ:3}'))
  const taken = await Promise.all(Array.from({ length: 50 }, take))
  expect(taken.toSorted()).toEqual(Array.from({ length: 50 }, (_, index) => String(index + 1).padStart(3, '0')))
})

test('a transaction that is rolled back leaves no gap', async () => {
  const take = () => t.db.transaction().execute((tx) => nextNumber(tx, 'bill', 'x', '{SEQ}'))
  expect(await take()).toBe('1')
  const failed = t.db.transaction().execute(async (tx) => {
    await nextNumber(tx, 'bill', 'x', '{SEQ}')
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  expect(await take()).toBe('2')
})

test('scopes and kinds count apart, and several are taken in one go', async () => {
  expect(await takeNumbers(t.db, 'npm', 'TI-2026', 3)).toEqual([1, 2, 3])
  expect(await takeNumbers(t.db, 'npm', 'SI-2026', 2)).toEqual([1, 2])
  expect(await takeNumbers(t.db, 'npm', 'TI-2026', 2)).toEqual([4, 5])
})
