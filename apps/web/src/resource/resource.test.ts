import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { setUniversityTimeZone } from '#domain/calendar.ts'
import { entities, hasPages, hasView } from '#entities/index.ts'
import { dateTime } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import { allPages } from '#web/app/all-pages.mjs'
import { clickedPath, stepsOf } from './form/leaving.ts'
import { createPath, editPath, listPath, targetOf, viewPath } from './paths.ts'
import { fromWallClock, toWallClock } from './wall-clock.ts'

const linesOf = (name: string) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8').split('\n').length - 1

describe('addresses of master data', () => {
  const generic = /^master-(?!notifikasi-whatsapp).*-(view|create|edit)$/
  const lists = new Set(entities.map(({ slug }) => `master-${slug}`))
  const paths = allPages.filter(({ name }) => generic.test(name) || lists.has(name)).map(({ path }) => path)

  it.each(paths)('%s speaks of an entity', (pattern) => {
    const target = targetOf(pattern.replace(/:\w+/g, 'x'))
    expect(target).toBeDefined()
    expect(target!.mode === 'edit' || target!.mode === 'view' ? target!.id : 'x').toBe('x')
  })

  it.each(entities.filter(hasPages).map((entity) => [entity.slug, entity] as const))(
    '%s is found by its own addresses',
    (_, entity) => {
      const parentId = entity.parent && 'above'
      const parentParams = parentId ? { parentId } : {}
      expect(targetOf(createPath(entity, parentId))).toEqual({ entity, mode: 'create', ...parentParams })
      expect(targetOf(editPath(entity, 'row', parentId))).toEqual({ entity, mode: 'edit', id: 'row', ...parentParams })
      if (hasView(entity)) expect(targetOf(viewPath(entity, 'row'))).toEqual({ entity, mode: 'view', id: 'row' })
      expect(targetOf(listPath(entity, parentId))?.mode).toBe(parentId ? 'view' : 'list')
    },
  )
})

describe('leaving unsaved input', () => {
  const link = { origin: 'http://pmb', pathname: '/master/prodi', search: '?q=if', hash: '', target: '' }
  const click = (over: object = {}, keys: object = {}) =>
    clickedPath(
      {
        target: { closest: () => ({ ...link, ...over }) } as never,
        ...{ button: 0, metaKey: false, ctrlKey: false, shiftKey: false, ...keys },
      },
      { origin: 'http://pmb' },
    )

  it('asks before a link to another page, with its query', () => {
    expect(click()).toBe('/master/prodi?q=if')
  })

  it('does not ask before opening another tab, another site or a part of this page, nor for other clicks', () => {
    const [beside, elsewhere, within] = [{ target: '_blank' }, { origin: 'http://other' }, { hash: '#top' }]
    expect([click(beside), click(elsewhere), click(within), click({}, { ctrlKey: true })]).toEqual(
      Array(4).fill(undefined),
    )
    const nothing = {
      target: { closest: () => null } as never,
      button: 0,
      metaKey: false,
      ctrlKey: false,
      shiftKey: false,
    }
    expect(clickedPath(nothing, link)).toBeUndefined()
  })

  it('knows how far Back and Forward went', () => {
    expect([stepsOf({ idx: 3 }, { idx: 2 }), stepsOf({ idx: 3 }, { idx: 5 }), stepsOf({ idx: 3 }, null)]).toEqual([
      -1, 2, 0,
    ])
  })
})

describe("the university's local time", () => {
  it('shows and reads Jakarta time wherever the reader is', () => {
    expect(toWallClock('2026-11-27T16:59:00.000Z')).toBe('2026-11-27 23:59:00')
    expect(fromWallClock('2026-11-27 23:59:00')).toBe('2026-11-27T16:59:00.000Z')
  })

  it('shows and reads the time in the configured zone', () => {
    setUniversityTimeZone('Asia/Jayapura')
    expect(toWallClock('2026-11-27T14:59:00.000Z')).toBe('2026-11-27 23:59:00')
    expect(fromWallClock('2026-11-27 23:59:00')).toBe('2026-11-27T14:59:00.000Z')
    expect([dateTime('2026-11-27T14:59:00.000Z', 'en'), zoneName()]).toEqual(['27 November 2026, 23.59', 'WIT'])
    setUniversityTimeZone('Asia/Jakarta')
  })
})

it('stays small: list, form, inputs and cells', () => {
  const names = ['resource-list.tsx', 'form/resource-form.tsx', 'form/field-input.tsx', 'field-cell.tsx']
  expect(names.map(linesOf).reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(500)
})
