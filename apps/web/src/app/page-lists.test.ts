import { matchPath } from 'react-router'
import { describe, expect, it } from 'vitest'
import { type DefaultMenu, defaultMenusOf } from '#domain/access/menus.ts'
import { pageAt } from '#web/shell/page-table.ts'
import { allPages } from './all-pages.mjs'
import { loadStaffPages } from './page-lists.ts'
import { pages } from './pages.ts'
import { staffPages } from './staff-pages.ts'

describe('pages', () => {
  it('for staff are not in the first load, and all of them have the menu', async () => {
    expect(pages.filter(({ audience }) => audience === 'staff')).toEqual([])
    expect(staffPages.filter(({ audience }) => audience !== 'staff')).toEqual([])
    expect(staffPages.filter(({ layout }) => layout !== 'app')).toEqual([])
    expect(staffPages.length).toBeGreaterThan(100)

    expect(pageAt('/sign-in')?.name).toBe('sign-in')
    expect(pageAt('/rekonsiliasi')).toBeUndefined()
    await loadStaffPages()
    expect(pageAt('/rekonsiliasi')?.name).toBe('rekonsiliasi')
  })

  it('of the first load use no staff address, which would show them until the staff list arrives', () => {
    const addresses = staffPages.map(({ path }) => path.replace(/:\w+\??/g, 'x'))
    const takenAddresses = addresses.filter((address) => pages.some(({ path }) => matchPath(path, address)))
    expect(takenAddresses).toEqual([])
  })

  it.each([
    ['/pendaftaran/create', 'pendaftaran-create'],
    ['/pendaftaran/7', 'pendaftaran-detail'],
    ['/master/kota/view/11', 'master-kota-view'],
    ['/master/prodi/view/11', 'master-prodi-view'],
    ['/master/prodi/11/create', 'master-prodi-detail-create'],
    ['/settings/whatsapp/3/view', 'settings-whatsapp-connect'],
    ['/sandbox-bank', 'sandbox-bank'],
    ['/sandbox-bank/8800', 'sandbox-bank'],
  ])('%s is the page %s', async (path, name) => {
    await loadStaffPages()
    expect(pageAt(path)?.name).toBe(name)
  })

  it('has no page for an unknown path', async () => {
    await loadStaffPages()
    expect(pageAt('/nowhere')).toBeUndefined()
  })
})

describe('the menu of a new database', () => {
  const menus = defaultMenusOf(allPages)
  const flatten = (items: readonly DefaultMenu[]): DefaultMenu[] =>
    items.flatMap((item) => [item, ...flatten(item.children ?? [])])

  it('has an entry for each page that names a place in it, and each code once', () => {
    const paths = flatten(menus).flatMap(({ path }) => path ?? [])
    expect(paths.toSorted()).toEqual(allPages.flatMap(({ menu, path }) => (menu ? path : [])).toSorted())
    expect(new Set(flatten(menus).map(({ code }) => code)).size).toBe(flatten(menus).length)
  })

  it('numbers neighbouring entries in tens, so that no two pages claim one place', () => {
    for (const items of [menus, ...flatten(menus).flatMap(({ children }) => (children ? [children] : []))])
      expect(items.map(({ order }) => order)).toEqual(items.map((_, index) => (index + 1) * 10))
  })
})
