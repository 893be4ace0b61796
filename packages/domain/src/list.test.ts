import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineList, type FiltersOf, type RowOf, type SumOf } from './list.ts'

const coins = defineList({
  name: 'coins',
  path: '/coins',
  access: 'signed-in',
  summary: 'Coins',
  words: { title: 'coins:title' },
  row: z.object({ id: z.string(), name: z.string(), value: z.number() }),
  columns: { name: { sort: true }, value: { kind: 'money' } },
  filters: { metal: { values: ['gold', 'silver'], words: 'coins:metals' } },
  order: 'name',
  sums: ['value'],
})

type Coins = typeof coins
const parts = {
  name: 'coins',
  path: '/coins',
  access: 'signed-in',
  summary: 'Coins',
  words: { title: 'coins:title' },
  row: z.object({ id: z.string(), name: z.string() }),
  order: 'name',
} as const

/** Only checked by the compiler, never run. */
export const typedLists = () => {
  const row: RowOf<Coins> = { id: '1', name: 'Dinar', value: 1 }
  // @ts-expect-error a field of the row is missing
  const incomplete: RowOf<Coins> = { id: '1', name: 'Dinar' }
  const filters: FiltersOf<Coins> = { metal: 'gold', q: 'din' }
  // @ts-expect-error no such value of the filter
  const wrongValue: FiltersOf<Coins> = { metal: 'lead' }
  // @ts-expect-error no such filter
  const wrongFilter: FiltersOf<Coins> = { colour: 'gold' }
  const sum: SumOf<Coins> = 'value'
  // @ts-expect-error no such sum
  const wrongSum: SumOf<Coins> = 'name'
  // @ts-expect-error no such kind of column
  const wrongKind = defineList({ ...parts, columns: { name: { kind: 'gold' } } })
  return { row, incomplete, filters, wrongValue, wrongFilter, sum, wrongSum, wrongKind }
}

describe('a declared list', () => {
  it('has a page and a file below its path', () => {
    expect([coins.path, coins.file.path]).toEqual(['/coins', '/coins/export'])
    expect(coins.query.parse({ metal: 'gold' })).toEqual({ page: 1, per_page: 25, sort: 'name', metal: 'gold' })
  })
})
