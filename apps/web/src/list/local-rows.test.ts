import { describe, expect, it } from 'vitest'
import { answerLocally } from './local-rows.ts'

const rows = [
  { id: 'a', name: 'Toko Mawar', status: 'done', amount: 9 },
  { id: 'b', name: 'Toko Melati', status: 'waiting', amount: 10 },
  { id: 'c', name: 'Kafe Anggrek', status: 'done', amount: 100 },
]
const ask = (query: Record<string, string>, page = 1, perPage = 25) => {
  const answer = answerLocally(rows, { query, page, perPage })
  return [answer.rows.map(({ id }) => id).join(''), answer.meta.total]
}

describe('rows of the browser', () => {
  it('are searched ignoring case, and filtered by their values', () => {
    expect(ask({ q: 'TOKO' })).toEqual(['ab', 2])
    expect(ask({ q: 'toko', status: 'done' })).toEqual(['a', 1])
    expect(ask({ q: 'nothing' })).toEqual(['', 0])
  })

  it('are sorted by text and by number, in both directions', () => {
    expect(ask({ sort: 'name' })).toEqual(['cab', 3])
    expect(ask({ sort: '-amount' })).toEqual(['cba', 3])
  })

  it('come a page at a time, with the total of all', () => {
    expect(ask({ sort: 'amount' }, 2, 2)).toEqual(['c', 3])
    expect(ask({ sort: 'amount' }, 3, 2)).toEqual(['', 3])
  })
})
