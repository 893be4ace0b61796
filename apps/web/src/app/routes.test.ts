import { describe, expect, it } from 'vitest'
import { screens } from '#domain/navigation/screens.ts'
import { reports } from '#server/modules/reports/index.ts'
import { screenAt } from '#web/shell/title.tsx'
import { pages } from './routes.tsx'
import { staffPages } from './staff-pages.ts'
import { isOfStaff, reportPaths } from './staff-paths.ts'
import { unbuiltPaths } from './unbuilt-paths.ts'

const paths = screens.map((screen) => screen.path)

describe('pages', () => {
  it('belong to a screen', () => {
    expect(Object.keys(pages).filter((path) => !paths.includes(path))).toEqual([])
    expect(unbuiltPaths.filter((path) => !paths.includes(path))).toEqual([])
  })

  it('are built or listed as coming later, and never both', () => {
    const both = paths.filter((path) => pages[path] && unbuiltPaths.includes(path))
    const neither = paths.filter((path) => !pages[path] && !unbuiltPaths.includes(path))
    expect({ both, neither }).toEqual({ both: [], neither: [] })
  })

  it('of staff are all known where they are loaded from', () => {
    const ofStaff = paths.filter(isOfStaff)
    expect(ofStaff.length).toBeGreaterThan(100)
    expect(ofStaff.filter((path) => !staffPages[path])).toEqual([])
    expect(Object.keys(staffPages).filter((path) => !pages[path])).toEqual([])
  })

  it('show every report that the server answers, and no other', () => {
    expect(reportPaths.toSorted()).toEqual(reports.map(({ slug }) => `/laporan/${slug}`).toSorted())
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
  ])('%s is the screen %s', (path, name) => {
    expect(screenAt(path)?.name).toBe(name)
  })

  it('has no screen for an unknown path', () => {
    expect(screenAt('/nowhere')).toBeUndefined()
  })
})
