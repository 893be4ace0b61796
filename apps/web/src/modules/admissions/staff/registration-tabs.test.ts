import { matchPath } from 'react-router'
import { expect, it } from 'vitest'
import { pages } from '#web/modules/admissions/pages.ts'
import { openTab, registrationTabs, tabPath } from './registration-tabs.ts'

const routeOf = (path: string) => pages.findLast((page) => matchPath(page.path, path.replace(/\?.*/, '')))?.name

it('documents, payments and programmes of a registration are routes with their own title and breadcrumb', () => {
  const sections = ['summary', 'program', 'payments', 'documents'] as const
  expect(sections.map((tab) => routeOf(tabPath('7', tab)))).toEqual([
    'pendaftaran-detail',
    'pendaftaran-program',
    'pendaftaran-pembayaran',
    'pendaftaran-file',
  ])
  for (const section of sections)
    expect(openTab(section, 'notes', registrationTabs)).toBe(section === 'summary' ? 'notes' : section)
})

it('the other tabs are addresses of the registration', () => {
  expect(tabPath('7', 'notes')).toBe('/pendaftaran/7?tab=notes')
  expect(openTab('summary', 'notes', ['summary'])).toBe('summary')
  expect(openTab('summary', null, registrationTabs)).toBe('summary')
})
