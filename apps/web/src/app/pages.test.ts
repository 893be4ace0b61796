import { describe, expect, it } from 'vitest'
import { permissions } from '#domain/access/permissions.ts'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { languages } from '#entities/define/language.ts'
import { resources } from '#locales/index.ts'
import { pathOf, pathsAskingFor, setPages } from '#web/shell/page-table.ts'
import { promisedPaths } from '#web-test/promised-paths.ts'
import { allPages } from './all-pages.mjs'

setPages(allPages, { complete: true })

const pagesByPath = new Map(allPages.map((page) => [page.path, page]))
const sentence = (titles: unknown, key: string): unknown =>
  key in (titles as object)
    ? (titles as Record<string, unknown>)[key]
    : key.split('.').reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], titles)

describe('pages', () => {
  it('has every promised address', () => {
    expect(promisedPaths.filter((path) => !pagesByPath.has(path))).toEqual([])
  })

  it('has every address and every name once', () => {
    expect(pagesByPath.size).toBe(allPages.length)
    expect(new Set(allPages.map((page) => page.name)).size).toBe(allPages.length)
  })

  it.each(languages)('has every title and crumb in %s', (language) => {
    const titles = { ...resources[language].titles, ...resources[language]['staff-titles'] }
    const titledItems = allPages.flatMap((page) => [page, ...page.breadcrumbs])
    const keys = titledItems.flatMap(({ title, noun }) => [
      title,
      ...(typeof noun === 'string' ? [`nouns.${noun}`] : []),
    ])
    const missing = (key: (typeof keys)[number]) =>
      typeof key === 'string' ? typeof sentence(titles, key) !== 'string' : !key[language]
    expect([...new Set(keys)].filter(missing)).toEqual([])
  })

  it('has every route name of the access rules', () => {
    const names =
      'sign-in sign-in-google sign-up password-reset password-reset-submit afiliator afiliator-view verify-email verify-email-proccess dashboard account-settings'
    for (const name of names.split(' ')) expect(pagesByPath.has(pathOf(name)), name).toBe(true)
  })

  it('require for a report the permission of its name, under one breadcrumb', () => {
    const reports = allPages.filter((page) => page.path.startsWith('/laporan/'))
    expect(reports).toHaveLength(reportSlugs.length)
    for (const report of reports) {
      expect(report.access).toBe(report.name)
      expect(report.name).toBe(`laporan-${report.path.slice('/laporan/'.length)}`)
      expect(report.breadcrumbs).toEqual([{ title: 'laporan' }])
    }
    expect(pagesByPath.get('/laporan/hasil-cbt')!.title).toMatchObject({ id: 'Laporan Hasil CBT' })
  })

  it('require only existing permissions', () => {
    const slugs = new Set(permissions.map((permission) => permission.slug))
    const accesses = allPages.map((page) => page.access).filter((access) => !['public', 'signed-in'].includes(access))
    expect([...new Set(accesses)].filter((slug) => !slugs.has(slug))).toEqual([])
  })

  it('lead back along existing addresses', () => {
    const crumbs = allPages.flatMap((page) => page.breadcrumbs.flatMap((crumb) => crumb.path ?? []))
    expect([...new Set(crumbs)].filter((path) => !pagesByPath.has(path))).toEqual([])
  })

  it('are known to the page of a permission they require', () => {
    expect(pathsAskingFor('master-fakultas-view', allPages)).toContain('/master/fakultas')
  })
})
