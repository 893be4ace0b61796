import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { countOnce, countRows } from './count-rows.ts'
import { pageOf } from './page.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await sql`
    INSERT INTO provinces (code, name)
    SELECT 'P' || chr(64 + n), 'Provinsi ' || n % 4 FROM generate_series(1, 23) n`.execute(t.owner)
})
afterAll(() => t.close())

const seal = { secret: 'secret of this installation', path: '/provinces' }

const provinces = (query: { page?: number; after?: string; sort?: string }, sealOfList = seal) =>
  pageOf(
    t.db,
    { page: 1, per_page: 5, sort: 'name', ...query },
    {
      from: t.db.selectFrom('provinces').where('code', 'like', 'P%'),
      columns: (rows) => rows.select(['id', 'code', 'name']),
      sorts: {
        name: { by: sql`provinces.name`, type: 'text' },
        age: { by: sql`provinces.created_at`, type: 'timestamptz' },
        note: { by: sql`provinces.updated_by` },
      },
      id: sql`provinces.id`,
      seal: sealOfList,
    },
  )

async function throughCursors(sort: string) {
  const codes: string[] = []
  let after: string | undefined
  do {
    const { data, meta } = await provinces({ sort, ...(after && { after }) })
    codes.push(...data.map(({ code }) => code))
    after = meta.next ?? undefined
  } while (after)
  return codes
}
const throughPages = async (sort: string) =>
  (await Promise.all([1, 2, 3, 4, 5].map((page) => provinces({ page, sort })))).flatMap(({ data }) =>
    data.map(({ code }) => code),
  )

const refused = expect.objectContaining({ status: 422 })

describe('a page of a list', () => {
  test.each(['name', '-name', 'age', '-age'])('by %s has every row once, although many are alike', async (sort) => {
    const codes = await throughCursors(sort)
    expect(new Set(codes).size).toBe(23)
    expect(codes).toHaveLength(23)
    expect(await throughPages(sort)).toEqual(codes)
  })

  test('has the requested columns and no internal ones, with the exact total', async () => {
    const { data, meta } = await provinces({})
    expect(Object.keys(data[0]!).toSorted()).toEqual(['code', 'id', 'name'])
    expect(meta).toMatchObject({ total: 23, total_is_estimate: false })
  })

  test('sorted by a nullable column is paged by number only', async () => {
    expect((await provinces({ sort: 'note' })).meta.next).toBeNull()
    expect(new Set(await throughPages('note')).size).toBe(23)
  })

  test('after a cursor of another order, an invalid one or one of the wrong type is refused', async () => {
    const { meta } = await provinces({ sort: 'name' })
    await expect(provinces({ sort: '-name', after: meta.next! })).rejects.toEqual(refused)
    await expect(provinces({ after: 'nonsense' })).rejects.toEqual(refused)
    const wrongType = Buffer.from(JSON.stringify(['age', 'yesterday?', 'x'])).toString('base64url')
    await expect(provinces({ sort: 'age', after: wrongType })).rejects.toEqual(refused)
    await expect(provinces({ sort: 'unknown' })).rejects.toEqual(refused)
  })

  test('has a cursor that reveals no value, is the same on every request, and is invalid for another list or installation', async () => {
    const { data, meta } = await provinces({ sort: 'name' })
    const bytes = Buffer.from(meta.next!, 'base64url').toString('latin1')
    for (const value of Object.values(data.at(-1)!)) expect(bytes).not.toContain(value)
    expect((await provinces({ sort: 'name' })).meta.next).toBe(meta.next)
    for (const other of [
      { ...seal, path: '/cities' },
      { ...seal, secret: 'secret of another one' },
    ])
      await expect(provinces({ sort: 'name', after: meta.next! }, other)).rejects.toEqual(refused)
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(meta.next!, 'base64url')
      changed[index]! ^= 1
      await expect(provinces({ after: changed.toString('base64url') })).rejects.toEqual(refused)
    }
  })
})

describe('rows are counted', () => {
  const counted = (from: RawBuilder<unknown>) => countRows(t.db, sql`SELECT 1 FROM ${from}`)
  const series = (most: number) => sql`generate_series(1, ${sql.lit(most)})`
  // The planner expects 1,000 of these rows.
  const unforeseen = (most: number) => sql`generate_series(1, (SELECT ${sql.lit(most)}))`

  test.each([10_000, 30_000, 100_000])('exactly for %i rows, whatever the planner expects', async (total) => {
    expect(await counted(series(total))).toEqual({ total, sums: {}, isEstimate: false })
    expect(await counted(unforeseen(total))).toEqual({ total, sums: {}, isEstimate: false })
  })

  test('up to 100,000; above, the estimate is no lower', async () => {
    expect(await counted(series(300_000))).toEqual({ total: 300_000, sums: {}, isEstimate: true })
    expect(await counted(unforeseen(300_000))).toEqual({ total: 100_001, sums: {}, isEstimate: true })
  })
})

test('requests of the same ten seconds share a count that depends on the time', async () => {
  const before = (now: string) =>
    countOnce(t.db, sql`SELECT 1 AS one FROM generate_series(1, 2000) n WHERE now() > ${new Date(now)}`, [])
  const count = before('2026-01-01T00:00:01Z')
  expect(await count).toMatchObject({ total: 2_000 })
  expect(before('2026-01-01T00:00:09Z')).toBe(count)
  expect(before('2026-01-01T00:00:11Z')).not.toBe(count)
})

test('sums cover all matching rows, and scale with the estimate above', async () => {
  const numbers = (most: number) => sql`SELECT n AS amount FROM generate_series(1, ${sql.lit(most)}) n`
  expect(await countRows(t.db, numbers(100), ['amount'])).toEqual({
    total: 100,
    sums: { amount: 5050 },
    isEstimate: false,
  })
  const more = await countRows(t.db, numbers(300_000), ['amount'])
  expect(more.sums.amount).toBe(Math.round(((10_001 * 10_002) / 2 / 10_001) * more.total))
})

test('the last page of an estimated total has the last rows', async () => {
  await sql`CREATE TABLE many_rows AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, 100200) n`.execute(
    t.owner,
  )
  const page = (number: number) =>
    pageOf(
      t.owner,
      { page: number, per_page: 5, sort: 'n' },
      {
        from: t.owner.selectFrom(sql<{ id: string; n: number }>`many_rows`.as('m')),
        columns: (rows) => rows.select(['m.n']),
        sorts: { n: { by: sql`m.n`, type: 'integer' } },
        id: sql`m.id`,
        seal,
      },
    )
  const { total, total_is_estimate } = (await page(1)).meta
  expect(total_is_estimate).toBe(true)
  const { data, meta } = await page(Math.ceil(total! / 5))
  expect(data.at(-1)?.n).toBe(100_200)
  expect(meta.next).toBeNull()
  await sql`DROP TABLE many_rows`.execute(t.owner)
})

test.each([
  ['low', 110_000],
  ['high', 130_000],
])('pages in the second half are right although the estimate is too %s', async (word, estimate) => {
  const misjudged = sql.ref(`rows_judged_${word}`)
  // PostgreSQL expects as many rows of this function as it declares.
  await sql`CREATE FUNCTION ${misjudged}() RETURNS TABLE (id uuid, n int) LANGUAGE plpgsql ROWS ${sql.lit(estimate)}
    AS 'BEGIN RETURN QUERY SELECT md5(s::text)::uuid, s FROM generate_series(1, 120200) s; END'`.execute(t.owner)
  const page = (offset: number) =>
    pageOf(
      t.owner,
      { page: offset / 5 + 1, per_page: 5, sort: 'n' },
      {
        from: t.owner.selectFrom(sql<{ id: string; n: number }>`${misjudged}()`.as('m')),
        columns: (rows) => rows.select(['m.n']),
        sorts: { n: { by: sql`m.n`, type: 'integer' } },
        id: sql`m.id`,
        seal,
      },
    )
  const numbersFrom = async (offset: number) => (await page(offset)).data.map(({ n }) => n)
  expect((await page(0)).meta).toMatchObject({ total: estimate, total_is_estimate: true })
  for (const offset of [70_000, 90_000, 109_000])
    expect(await numbersFrom(offset)).toEqual([1, 2, 3, 4, 5].map((n) => offset + n))
  expect(await numbersFrom(estimate - 5)).toEqual([120_196, 120_197, 120_198, 120_199, 120_200])
})

describe('in a large table only ids are searched', () => {
  type Asked = { page?: number; after?: string; sort: string }
  const large = (begin: string, query: Asked) =>
    pageOf(
      t.db,
      { page: 1, per_page: 5, ...query },
      {
        from: t.db.selectFrom('provinces').where('code', 'like', begin),
        many: t.db.selectFrom('provinces').where(sql<boolean>`starts_with(code, rtrim(${begin}, '%'))`),
        rows: t.db.selectFrom('provinces').select(['id', 'code', 'name']),
        sorts: { name: { by: sql`provinces.name`, type: 'text' }, note: { by: sql`provinces.updated_by` } },
        id: sql`provinces.id`,
        seal,
      },
    )

  test('a few matches are found and sorted, with the same pages as any list', async () => {
    for (const sort of ['name', '-name', 'note'])
      for (const page of [1, 3, 5, 9]) {
        const { data, meta } = await large('P%', { sort, page })
        expect({ data, meta }).toEqual(await provinces({ sort, page }))
        if (!meta.next) continue
        const { data: behind } = await large('P%', { sort, after: meta.next })
        expect(behind).toEqual((await provinces({ sort, page: page + 1 })).data)
      }
  })

  test('many matches are walked to, in the same order', async () => {
    await sql`INSERT INTO provinces (code, name)
      SELECT 'Q' || chr(19968 + n), 'Provinsi ' || n % 100 FROM generate_series(1, 10100) n`.execute(t.owner)
    for (const sort of ['name', '-name']) {
      const order = sort === 'name' ? ('asc' as const) : ('desc' as const)
      const expected = await t.db
        .selectFrom('provinces')
        .select('id')
        .where('code', 'like', 'Q%')
        .orderBy('name', order)
        .orderBy('id', order)
        .limit(15)
        .execute()
      const { data, meta } = await large('Q%', { sort, page: 2 })
      const { data: behind } = await large('Q%', { sort, after: meta.next! })
      expect([...data, ...behind].map(({ id }) => id)).toEqual(expected.slice(5).map(({ id }) => id))
      expect(meta).toMatchObject({ total: 10_100, total_is_estimate: false })
    }
  })
})
