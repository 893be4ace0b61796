import { describe, expect, it } from 'vitest'
import { isElsewhere, movedTo } from './keys/key-rules.ts'
import { changedAddress, changesToShow, ordersOf, readAddress, shownColumns } from './list-state.ts'
import { maxSelected, withPage } from './rows/selection.ts'

const filters = [{ key: 'active' }, { key: 'facultyId' }]
const read = (query: string, prefix = '') =>
  readAddress(new URLSearchParams(query), { filters, defaultSort: 'name', prefix })
const change = (before: string, changes: Record<string, string | null>, prefix = '') =>
  changedAddress(new URLSearchParams(before), prefix, changes).toString()

describe('the address of a list', () => {
  it('contains search, order, filters and page; defaults are left out', () => {
    expect(read('')).toMatchObject({
      q: '',
      sort: 'name',
      page: 1,
      perPage: 25,
      narrowed: false,
      query: { sort: 'name' },
    })
    expect(read('q=tek&sort=-code&active=true&page=3&per_page=50')).toMatchObject({
      page: 3,
      perPage: 50,
      narrowed: true,
      query: { q: 'tek', sort: '-code', active: 'true' },
    })
    expect(change('page=3&active=true', { sort: '-code', per_page: '25' })).toBe('active=true&sort=-code')
  })

  it('does not search for a single letter', () => {
    expect(read('q=t')).toMatchObject({ q: 't', query: { sort: 'name' } })
  })

  it('ignores invalid values', () => {
    expect(read('page=-2&per_page=7')).toMatchObject({ page: 1, perPage: 25 })
    expect(read('page=2.9&unknown=x')).toMatchObject({ page: 2, narrowed: false })
  })

  it('returns to the first page after every change except turning the page', () => {
    expect(change('page=4&q=tek', { facultyId: 'a' })).toBe('q=tek&facultyId=a')
    expect(change('page=4&q=tek', { page: '5' })).toBe('page=5&q=tek')
    expect(change('page=4', { q: '' })).toBe('')
  })

  it("leaves another list's parameters on the page unchanged", () => {
    expect(read('q=tek&kota.q=bog', 'kota.')).toMatchObject({ q: 'bog' })
    expect(change('tab=kota&q=tek&kota.page=2', { sort: 'code' }, 'kota.')).toBe('tab=kota&q=tek&kota.sort=code')
  })

  it('is stored as viewQuery without its page, and replaces the parameters when shown again', () => {
    const { viewQuery } = read('q=tek&page=3&active=true&tab=x')
    expect(viewQuery).toBe('q=tek&active=true')
    expect(change('facultyId=a&sort=-code&page=2', changesToShow(viewQuery, ['active', 'facultyId']))).toBe(
      'q=tek&active=true',
    )
  })
})

describe('columns', () => {
  const columns = [{ key: 'name' }, { key: 'code' }, { key: 'faculty' }]
  const visibleKeys = (chosenKeys: string[]) => shownColumns(columns, chosenKeys).map(({ key }) => key)

  it('keep their declared order, with the naming column always first', () => {
    expect(visibleKeys(['faculty', 'code'])).toEqual(['name', 'code', 'faculty'])
    expect(visibleKeys([])).toEqual(['name'])
  })

  it('drop chosen columns that no longer exist', () => {
    expect(visibleKeys(['gone', 'faculty'])).toEqual(['name', 'faculty'])
  })

  it("are sorted by their own name, or by the server's names for the orders", () => {
    expect(ordersOf({ key: 'name', sort: true })).toEqual(['name', '-name'])
    expect(ordersOf({ key: 'created', sort: ['oldest', 'newest'] })).toEqual(['oldest', 'newest'])
    expect(ordersOf({ key: 'phone' })).toEqual([])
  })
})

describe('a selection', () => {
  const idOf = (row: number) => String(row)
  const select = (before: ReadonlyMap<string, number>, rows: number[], chosenKeys = true) =>
    withPage(before, rows, idOf, chosenKeys)

  it('spans several pages, and can lose a single one of them', () => {
    const both = select(select(new Map(), [1, 2]), [3, 4])
    expect([...both.values()]).toEqual([1, 2, 3, 4])
    expect([...select(both, [1, 2], false).values()]).toEqual([3, 4])
    expect([...select(both, [3], false).values()]).toEqual([1, 2, 4])
  })

  it('holds no more than the server accepts at once', () => {
    const many = Array.from({ length: maxSelected + 20 }, (_, index) => index)
    expect(select(new Map(), many).size).toBe(maxSelected)
  })
})

describe('keys', () => {
  const page = (dialog: boolean) => ({ querySelector: () => (dialog ? {} : null) })
  const targetInside = (...selectors: string[]) => ({
    closest: (selectorList: string) =>
      selectorList.split(',').some((selector) => selectors.includes(selector)) ? {} : null,
  })

  it('enter the list at its top and stop at its ends', () => {
    expect([movedTo(-1, 1, 3), movedTo(-1, -1, 3), movedTo(2, 1, 3), movedTo(0, -1, 3)]).toEqual([0, 0, 2, 0])
  })

  it('do nothing below an open dialog', () => {
    expect(isElsewhere('j', targetInside(), page(true))).toBe(true)
    expect(isElsewhere('j', targetInside(), page(false))).toBe(false)
  })

  it('leave Enter to the focused button, and everything to an open menu', () => {
    expect(isElsewhere('Enter', targetInside('button'), page(false))).toBe(true)
    expect(isElsewhere('j', targetInside('button'), page(false))).toBe(false)
    expect(isElsewhere('j', targetInside('[role="menu"]'), page(false))).toBe(true)
    expect(isElsewhere('Enter', null, page(false))).toBe(false)
  })
})
