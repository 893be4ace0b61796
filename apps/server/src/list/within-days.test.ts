import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { setUniversityTimeZone } from '#domain/calendar.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sinceDay, untilDay } from './within-days.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
afterEach(() => setUniversityTimeZone('Asia/Jakarta'))

/** In Jakarta: the last second of the 19th, the first and the last second of the 20th, and the first of the 21st. */
const instants = ['2026-11-19T16:59:59Z', '2026-11-19T17:00:00Z', '2026-11-20T16:59:59Z', '2026-11-20T17:00:00Z']

async function within(from?: string, to?: string) {
  const conditions = [
    ...(from === undefined ? [] : [sinceDay('one.createdAt')(from)]),
    ...(to === undefined ? [] : [untilDay('one.createdAt')(to)]),
  ]
  const isWithin = conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`
  const { rows } = await sql<{ place: number }>`SELECT place::int FROM unnest(${instants}::timestamptz[])
    WITH ORDINALITY AS one (created_at, place) WHERE ${isWithin} ORDER BY place`.execute(t.db)
  return rows.map(({ place }) => place)
}

test.each([
  [undefined, undefined, [1, 2, 3, 4]],
  ['2026-11-20', undefined, [2, 3, 4]],
  [undefined, '2026-11-20', [1, 2, 3]],
  ['2026-11-20', '2026-11-20', [2, 3]],
  ['2026-11-20', '2026-11-19', []],
])('from %s to %s both days are included completely', async (from, to, places) => {
  expect(await within(from, to)).toEqual(places)
})

test("days begin at midnight in the university's time zone", async () => {
  setUniversityTimeZone('Asia/Jayapura')
  expect(await within('2026-11-20', '2026-11-20')).toEqual([1, 2])
})
