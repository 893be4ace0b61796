import { describe, expect, test } from 'vitest'
import { asideOf } from './aside.ts'
import { abilitiesOf, matrixOf, slugsOfRow } from './permission-matrix.ts'
import { permissions } from './permissions.ts'

describe('the menu of a role', () => {
  const menu = (id: string, overrides: object = {}) => ({
    id,
    name: { en: id, id },
    path: `/${id}`,
    icon: null,
    parentId: null,
    permission: null,
    ...overrides,
  })
  const menus = [
    menu('free'),
    menu('guarded', { permission: 'a-view' }),
    menu('heading', { path: null }),
    menu('inner', { parentId: 'heading', permission: 'b-view' }),
  ]
  const idsOf = (...permissions: string[]) => asideOf(menus, new Set(permissions)).map(({ id }) => id)

  test('shows menus without a permission, and menus whose permission the role holds', () => {
    expect(idsOf('a-view')).toEqual(['free', 'guarded'])
  })
  test('shows a heading only if it has entries', () => {
    expect(idsOf()).toEqual(['free'])
    expect(asideOf(menus, new Set(['b-view'])).at(-1)).toMatchObject({ id: 'heading', children: [{ id: 'inner' }] })
  })
  test('shows nothing below a heading the role may not see', () => {
    const menusBelowGuardedHeading = [
      menu('heading', { path: null, permission: 'c' }),
      menu('inner', { parentId: 'heading' }),
    ]
    expect(asideOf(menusBelowGuardedHeading, new Set())).toEqual([])
  })
})

describe('permissions as a table', () => {
  const groups = matrixOf(permissions)

  test('every permission appears exactly once', () => {
    const slugs = groups.flatMap(({ rows }) => rows.flatMap(slugsOfRow))
    expect(slugs.toSorted()).toEqual(permissions.map(({ slug }) => slug).toSorted())
  })
  test('verbs are columns, edit counts as update, other permissions are listed in their row', () => {
    const rowOf = (key: string) => groups.flatMap(({ rows }) => rows).find((row) => row.key === key)!
    expect(rowOf('master-prodi-detail').cells.update?.slug).toBe('master-prodi-detail-edit')
    expect(rowOf('pendaftaran').others.map(({ slug }) => slug)).toContain('pendaftaran-decide')
    expect(rowOf('master-fakultas').name).toEqual({ en: 'Faculty', id: 'Fakultas' })
  })
})

describe('the abilities of a role', () => {
  const catalogue = [
    { slug: 'a-view', name: { en: 'View: apples', id: 'Lihat: apel' }, group: 'g' },
    { slug: 'a-update', name: { en: 'Edit: apples', id: 'Ubah: apel' }, group: 'g' },
    { slug: 'b-view', name: { en: 'View: pears', id: 'Lihat: pir' }, group: 'g' },
    { slug: 'a-peel', name: { en: 'Peel apples', id: 'Kupas apel' }, group: 'g' },
  ]
  test('things with the same verbs share a sentence, and a complete group is marked', () => {
    const [ability] = abilitiesOf(catalogue, new Set(['a-view', 'b-view']))
    expect(ability).toMatchObject({ everything: false, others: [], things: [{ verbs: ['view'] }] })
    expect(ability!.things[0]!.names.map(({ en }) => en)).toEqual(['Apples', 'Pears'])
    expect(abilitiesOf(catalogue, new Set(catalogue.map(({ slug }) => slug)))[0]!.everything).toBe(true)
  })
  test('a role without permissions can do nothing', () => {
    expect(abilitiesOf(catalogue, new Set())).toEqual([])
  })
})
