import { describe, expect, it } from 'vitest'
import { asideOf } from '#domain/access/aside.ts'
import { redirectFor } from '#domain/accounts/redirect.ts'
import { navigationConstants, productName } from '#domain/navigation/constants.ts'
import { allPages } from '#web/app/all-pages.mjs'
import { belongsTo, editPath } from '#web/modules/admissions/apply/edit-paths.ts'
import { withoutApplicantPages, withoutStaffPages } from '#web/shell/menu/staff-menu.ts'
import { pageAt, pathOf, setPages } from '#web/shell/page-table.ts'

setPages(allPages, { complete: true })
const pageNamed = (name: string) => allPages.find((page) => page.name === name)!

describe('"the tab title becomes \'{page title} - PMB Online\'"', () => {
  it('has the product name and a title for every screen', () => {
    expect(productName).toBe('PMB Online')
    expect(allPages.filter(({ title }) => !title)).toEqual([])
  })
})

describe('"the session token is checked"', () => {
  it('at most once a second', () => expect(navigationConstants.sessionCheckPause).toBe(1_000))
})

describe('"Any unknown path redirects to /404. The root redirects to /dashboard."', () => {
  it('knows no screen at an unknown path, and both targets', () => {
    expect(pageAt('/no/such/page')).toBeUndefined()
    expect(pathOf('404')).toBe('/404')
    expect(pathOf('dashboard')).toBe('/dashboard')
  })
})

describe('"Program and file editing reuse /master/prodi/{id}/program/{idDetail} and /master/prodi/{id}/file/{idDetail}"', () => {
  const registration = {
    id: 'r1',
    choices: [{ id: 'p1', name: 'Informatika', position: 1, facultyName: 'Teknik' }],
    acceptedProgramme: null,
  }
  it.each(['program', 'file'] as const)('the registration leads to its %s by its study programme', (part) => {
    expect(editPath(registration, part)).toBe(`/master/prodi/p1/${part}/r1`)
    expect(pageAt(editPath(registration, part))?.name).toBe(`pendaftaran-${part}-edit`)
    expect(pageNamed(`pendaftaran-${part}-edit`)).toMatchObject({ path: `/master/prodi/:id/${part}/:idDetail` })
    expect(pageNamed(`pendaftaran-${part}-edit`).load).toBeDefined()
  })
  it('the accepted study programme comes before the choices, and without any the own page is meant', () => {
    const accepted = { ...registration, acceptedProgramme: { id: 'p2', name: 'Hukum' } }
    expect(editPath(accepted, 'file')).toBe('/master/prodi/p2/file/r1')
    expect(editPath({ ...registration, choices: [] }, 'program')).toBe('/pendaftaran/r1/program')
  })
  it('another study programme in the address is not one of the registration', () => {
    expect(belongsTo(registration, 'p1')).toBe(true)
    expect(belongsTo(registration, 'p9')).toBe(false)
  })
  it.each(['program', 'file'])(
    'asks for the permission to edit, and no crumb of %s takes {id} for a registration',
    (part) => {
      const screen = pageNamed(`pendaftaran-${part}-edit`)
      expect(screen.access).toBe('pendaftaran-edit')
      expect(screen.breadcrumbs.map(({ path }) => path)).toEqual(['/dashboard', '/pendaftaran'])
    },
  )
})

describe('"/account with children: overview, berkas, sim, settings, pendidikan-terakhir, kuesioner"', () => {
  const staff = { emailVerified: true, roleName: 'Panitia PMB', hasProfile: false }
  const applicant = { emailVerified: true, roleName: 'Mahasiswa', hasProfile: true }
  it.each(['overview', 'berkas', 'sim', 'pendidikan-terakhir', 'kuesioner'])(
    '%s is a form of the applicant',
    (part) => {
      expect(redirectFor(`account-${part}`, applicant)).toBeNull()
      expect(redirectFor(`account-${part}`, staff)).toBe('account-settings')
    },
  )
  it('settings are for everybody', () => {
    expect(redirectFor('account-settings', applicant)).toBeNull()
    expect(redirectFor('account-settings', staff)).toBeNull()
  })
})

describe('"/konfirmasi-kelulusan" is for applicants and staff; the forms of an applicant are not', () => {
  it('stand in no menu of staff, at any depth', () => {
    const item = (path: string | null, children: never[] = []) => ({
      id: path ?? 'heading',
      name: { en: '', id: '' },
      path,
      icon: null,
      children,
    })
    const menus = [
      item('/account/overview'),
      item(null, [item('/account/overview'), item('/konfirmasi-kelulusan')] as never),
    ]
    expect(JSON.stringify(withoutApplicantPages(menus))).not.toContain('overview')
    expect(JSON.stringify(withoutApplicantPages(menus))).toContain('/konfirmasi-kelulusan')
  })
  it('and the inbox of the office stands in no menu of applicants, who hold its permission for their own side', () => {
    const item = (path: string | null, children: object[] = []) => ({
      ...{ id: path ?? 'heading', name: { en: '', id: '' }, path, icon: null },
      children: children as never[],
    })
    const menus = [item('/dashboard'), item(null, [item('/chat/private-chat')]), item('https://example.com/help')]
    expect(withoutStaffPages(menus).map(({ path }) => path)).toEqual(['/dashboard', 'https://example.com/help'])
  })
  it('drops a heading of staff left without entries', () => {
    const menu = (id: string, path: string | null, parentId: string | null = null) => ({
      ...{ id, path, parentId, icon: null, permission: null },
      name: { en: id, id },
    })
    const results = menu('results', '/account/overview', 'heading')
    const items = asideOf([menu('free', '/free'), menu('heading', null), results], new Set())
    expect(withoutApplicantPages(items).map(({ id }) => id)).toEqual(['free'])
  })
})
