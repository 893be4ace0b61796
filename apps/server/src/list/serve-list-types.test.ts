import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineList, type FiltersOf } from '#domain/list.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { matchingRows, readerFor, sourceFor } from './serve-list.ts'

const bills = defineList({
  name: 'few-bills',
  path: '/few-bills',
  access: 'signed-in',
  summary: 'Bills',
  words: { title: 'bills:title' },
  row: z.object({ id: z.uuid(), number: z.string() }),
  columns: { number: { sort: true } },
  filters: {
    status: { values: ['open', 'paid'], words: 'bills:billStatus' },
    settled: { kind: 'yesNo' },
  },
  order: 'number',
})
const unsearchable = defineList({
  name: 'plain-bills',
  path: '/plain-bills',
  access: 'signed-in',
  summary: 'Bills',
  words: { title: 'bills:title' },
  row: z.object({ id: z.uuid(), number: z.string() }),
  columns: { number: { sort: true } },
  order: 'number',
  unsearchable: true,
})

const shared = { sorts: { number: { by: sql`b.number`, type: 'text' } }, id: sql`b.id` } as const
const everything = sql<boolean>`true`

/** Checked by the compiler only; never run. */
export const typedSources = (db: Db) => {
  const from = () => db.selectFrom('bills as b')
  const columns = () => from().select(['b.id', 'b.number'])
  const rest = { ...shared, from, columns, scope: 'everyone' } as const
  const filters = { q: () => everything, settled: () => everything, status: 'b.status' } as const
  return [
    sourceFor(bills, { ...rest, filters }),
    sourceFor(unsearchable, { ...rest, filters: {} }),
    // @ts-expect-error the row scope is missing
    sourceFor(bills, { ...shared, from, columns, filters }),
    // @ts-expect-error not a valid scope
    sourceFor(bills, { ...rest, scope: 'nobody', filters }),
    // @ts-expect-error the filters are missing
    sourceFor(bills, rest),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error the filter `settled` is missing
      filters: { q: () => everything, status: 'b.status' },
    }),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error the search is missing
      filters: { settled: () => everything, status: 'b.status' },
    }),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error no such filter
      filters: { q: () => everything, settled: () => everything, status: 'b.status', colour: () => everything },
    }),
    sourceFor(unsearchable, {
      ...rest,
      // @ts-expect-error the list has no search
      filters: { q: () => everything },
    }),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error no such column
      filters: { q: () => everything, settled: () => everything, status: 'b.nothing' },
    }),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error a column that has no statuses
      filters: { q: () => everything, settled: () => everything, status: 'b.total' },
    }),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error a column that is not boolean
      filters: { q: () => everything, settled: 'b.number', status: 'b.status' },
    }),
    sourceFor(bills, {
      ...rest,
      filters: {
        q: () => everything,
        settled: () => everything,
        // @ts-expect-error the value is one of the filter's values, not a number
        status: (status: number) => sql<boolean>`b.total = ${status}`,
      },
    }),
    sourceFor(bills, {
      ...rest,
      filters: {
        q: () => everything,
        settled: () => everything,
        // @ts-expect-error a status that no bill has
        status: () => (eb) => eb('b.status', '=', 'nothing'),
      },
    }),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error a row without its number
      columns: () => from().select('b.id'),
      filters,
    }),
    sourceFor(bills, {
      ...rest,
      columns: () => from().select('b.id'),
      toRows: (found) => found.map(({ id }) => ({ id, number: '' })),
      filters,
    }),
    sourceFor(bills, {
      ...rest,
      // @ts-expect-error rows as read are not rows of the answer
      columns: () => from().select('b.id'),
      // @ts-expect-error nor are the rows built from them: a number is not text
      toRows: (found) => found.map(({ id }) => ({ id, number: 1 })),
      filters,
    }),
  ]
}

describe('the rows of a source', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp()
  })
  afterAll(() => t.close())

  const source = () =>
    sourceFor(bills, {
      ...shared,
      from: () => t.db.selectFrom('bills as b'),
      scope: ({ actor }) => [sql<boolean>`b.account_id = ${actor.accountId}`, sql<boolean>`b.total > 0`],
      filters: {
        status: { find: (status) => (eb) => eb('b.status', '=', status), unset: () => sql`b.status <> 'cancelled'` },
        settled: (settled, _reader, all) => (all.status ? undefined : sql`(b.paid > 0) = ${settled === 'true'}`),
        q: { find: (q) => sql`b.id IN (${q})`, test: (q) => sql`b.number LIKE ${q}` },
      },
      columns: (rows) => rows.select(['b.id', 'b.number']),
    })
  const sqlOf = async (filters: FiltersOf<typeof bills>) => {
    const { from, many } = await matchingRows(bills, source(), readerFor(t.services, systemActor), filters)
    const textOf = (rows: typeof from | undefined) =>
      rows
        ?.select('b.id')
        .compile()
        .sql.replace(/^.* where /, '')
    return [textOf(from), textOf(many)]
  }

  it('are those in scope, by every filter that has a value', async () => {
    expect(await sqlOf({ status: 'paid' })).toEqual([
      `b.account_id = $1 and b.total > 0 and "b"."status" = $2`,
      undefined,
    ])
    expect(await sqlOf({ settled: 'true' })).toEqual([
      `b.account_id = $1 and b.total > 0 and b.status <> 'cancelled' and (b.paid > 0) = $2`,
      undefined,
    ])
  })

  it('are also found by cheap conditions if a filter has one', async () => {
    expect(await sqlOf({ status: 'open', settled: 'true', q: 'INV' })).toEqual([
      `b.account_id = $1 and b.total > 0 and "b"."status" = $2 and b.id IN ($3)`,
      `b.account_id = $1 and b.total > 0 and "b"."status" = $2 and b.number LIKE $3`,
    ])
  })

  it('are compared with columns by name, `true` and `false` as booleans', async () => {
    const waves = defineList({
      ...{ name: 'few-waves', path: '/few-waves', access: 'signed-in', summary: 'Waves', words: { title: 'x:x' } },
      row: z.object({ id: z.uuid(), code: z.string() }),
      columns: { code: { sort: true } },
      filters: { active: { kind: 'yesNo' }, code: { kind: 'text', most: 10 } },
      order: 'code',
    })
    const { from } = await matchingRows(
      waves,
      sourceFor(waves, {
        from: () => t.db.selectFrom('waves as w'),
        scope: 'everyone',
        filters: { active: 'w.active', code: 'w.code', q: () => undefined },
        columns: (rows) => rows.select(['w.id', 'w.code']),
        sorts: { code: { by: sql`w.code`, type: 'text' } },
        id: sql`w.id`,
      }),
      readerFor(t.services, systemActor),
      { active: 'false', code: 'G1', q: 'two' },
    )
    const { sql: text, parameters } = from.select('w.id').compile()
    expect([text.replace(/^.* where /, ''), parameters]).toEqual([
      `"w"."active" = $1 and "w"."code" = $2`,
      [false, 'G1'],
    ])
  })
})
