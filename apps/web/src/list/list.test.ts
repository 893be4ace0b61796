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
  it('says search, order, filters and page; what is usual stays unsaid', () => {
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

  it('does not ask the server for one letter', () => {
    expect(read('q=t')).toMatchObject({ q: 't', query: { sort: 'name' } })
  })

  it('takes wrong words for none', () => {
    expect(read('page=-2&per_page=7')).toMatchObject({ page: 1, perPage: 25 })
    expect(read('page=2.9&unknown=x')).toMatchObject({ page: 2, narrowed: false })
  })

  it('begins at the first page after every change but a turned page', () => {
    expect(change('page=4&q=tek', { facultyId: 'a' })).toBe('q=tek&facultyId=a')
    expect(change('page=4&q=tek', { page: '5' })).toBe('page=5&q=tek')
    expect(change('page=4', { q: '' })).toBe('')
  })

  it('leaves alone what another list on the page says', () => {
    expect(read('q=tek&kota.q=bog', 'kota.')).toMatchObject({ q: 'bog' })
    expect(change('tab=kota&q=tek&kota.page=2', { sort: 'code' }, 'kota.')).toBe('tab=kota&q=tek&kota.sort=code')
  })

  it('is viewQuery under a name without its page, and shown again without what stood there before', () => {
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

  it('stand in their own order, the one that names the row always first', () => {
    expect(visibleKeys(['faculty', 'code'])).toEqual(['name', 'code', 'faculty'])
    expect(visibleKeys([])).toEqual(['name'])
  })

  it('forget a choice that does not exist any more', () => {
    expect(visibleKeys(['gone', 'faculty'])).toEqual(['name', 'faculty'])
  })

  it('are sorted by their own name, or by the words the server has for them', () => {
    expect(ordersOf({ key: 'name', sort: true })).toEqual(['name', '-name'])
    expect(ordersOf({ key: 'created', sort: ['oldest', 'newest'] })).toEqual(['oldest', 'newest'])
    expect(ordersOf({ key: 'phone' })).toEqual([])
  })
})

describe('a selection', () => {
  const idOf = (row: number) => String(row)
  const select = (before: ReadonlyMap<string, number>, rows: number[], chosenKeys = true) =>
    withPage(before, rows, idOf, chosenKeys)

  it('goes over several pages and loses one of them only', () => {
    const both = select(select(new Map(), [1, 2]), [3, 4])
    expect([...both.values()]).toEqual([1, 2, 3, 4])
    expect([...select(both, [1, 2], false).values()]).toEqual([3, 4])
    expect([...select(both, [3], false).values()]).toEqual([1, 2, 4])
  })

  it('holds no more than the server takes at once', () => {
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

  it('leave Enter to the button that has the focus, and everything to an open menu', () => {
    expect(isElsewhere('Enter', targetInside('button'), page(false))).toBe(true)
    expect(isElsewhere('j', targetInside('button'), page(false))).toBe(false)
    expect(isElsewhere('j', targetInside('[role="menu"]'), page(false))).toBe(true)
    expect(isElsewhere('Enter', null, page(false))).toBe(false)
  })
})
