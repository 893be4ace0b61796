import { describe, expect, it } from 'vitest'
import { permissions } from '#domain/access/permissions.ts'
import { languages } from '#entities/define/language.ts'
import { resources } from '#locales/index.ts'
import { pathOf, pathsAskingFor, setPages } from '#web/shell/page-table.ts'
import { allPages } from './all-pages.ts'

setPages(allPages, { complete: true })

const each = (base: string, ...tails: string[]) => tails.map((tail) => `${base}${tail}`)
const record = (base: string) => each(base, '', '/create', '/:id')

/** Every promised address of the product, written out a second time on purpose. */
const promisedPaths = [
  // Public
  ...each('/', 'sign-in', 'sign-in-google', 'sign-up', 'password-reset', 'password-reset/:token', 'multi-step-sign-up'),
  ...each('/', '404', '500', 'afiliator', 'afiliator/:id', 'acara', 'acara/:slug', 'tiket/:code'),
  // Signed in
  '/dashboard',
  ...each('/verify-email', '', '/:id'),
  ...each('/account/', 'overview', 'berkas', 'sim', 'settings', 'pendidikan-terakhir', 'kuesioner'),
  ...each('/pendaftaran', '', '/create', '/voucher/:id', '/:id', '/:id/program', '/:id/pembayaran', '/:id/file'),
  '/master/prodi/:id/program/:idDetail',
  '/master/prodi/:id/file/:idDetail',
  ...each('/', 'konfirmasi-kelulusan', 'pindah-prodi', 'kirim-informasi/pendaftaran', 'kirim-informasi/file-excel'),
  '/import-nilai-cbt',
  // Settings
  ...['url', 'accounts', 'permissions', 'roles', 'whatsapp', 'providers'].flatMap((name) =>
    record(`/settings/${name}`),
  ),
  ...each('/settings/', 'roles/menus/:id', 'roles/permissions/:id', 'whatsapp/:id/view', 'providers/:id/view'),
  // Master data
  ...[
    'fakultas jenjang jenjang-pendaftaran prodi program jalur provinsi jadwal-test cicilan periode agama suku',
    'rincian-dana sumbangan diskon afiliator biaya-pendaftaran sma sma-nama sma-mou notifikasi-whatsapp list-test',
  ].flatMap((line) => line.split(' ').flatMap((slug) => record(`/master/${slug}`))),
  ...each('/master/prodi/', 'view/:id', ':id/create', ':id/edit/:idDetail'),
  ...each('/master/prodi/:id/', 'create-uang-kuliah', 'edit-uang-kuliah/:idDetail'),
  ...each('/master/jalur/', 'view/:id', ':id/create-jalur-file', ':id/edit-jalur-file/:idDetail'),
  ...each('/master/jalur/:id/', 'create', 'edit/:idDetail'),
  ...each('/master/provinsi/', 'view/:id', ':id/create', ':id/edit-kota/:idKota'),
  ...each('/master/kota/', 'view/:id', ':id/create', ':id/edit-kecamatan/:idKecamatan'),
  ...each('/master/kecamatan/', 'view/:id', ':id/create', ':id/edit-kelurahan/:idKelurahan'),
  ...each('/master/sma/', 'view/:id', ':id/create', ':id/edit/:idJurusan'),
  // Back office
  ...each('/berkas-mahasiswa', '', '/:id'),
  ...each('/sim-mahasiswa', '', '/:id'),
  '/download-foto-mahasiswa',
  ...each('/npm-mahasiswa', '', '/:id'),
  ...record('/jaket-mahasiswa'),
  ...record('/event-afiliator'),
  '/event-afiliator/view/:id',
  '/event-afiliator/view/:id/check-in',
  ...each('/marketing/data-survey-siswa', '', '/create', '/view/:id'),
  '/marketing/kirim-informasi',
  ...each('/marketing/prospek', '', '/:id'),
  ...record('/jadwal-test'),
  ...record('/pembayaran-mahasiswa'),
  ...record('/transaksi-va'),
  // Reports, both lists
  ...each(
    '/laporan/',
    ...'pendaftaran-prodi total-pendaftaran per-tahun-akademik ukuran-almamater kuesioner-mahasiswa'.split(' '),
    ...'berdasarkan-suku wilayah-asal-sekolah camaba-cbt camaba hasil-kelulusan hasil-cbt'.split(' '),
    ...'pembayaran-mahasiswa status-pendaftaran berkas-sim status-berkas-pendaftaran npm-mahasiswa'.split(' '),
    ...'mahasiswa-feeder mahasiswa-fix-bayar asal-sekolah-fix-bayar pendapatan-prodi'.split(' '),
    ...'pendapatan-detail-prodi piutang-va jumlah-pendaftaran voucher-afiliator'.split(' '),
  ),
  // Samples of the theme
  '/builder',
  ...each(
    '/crafted/pages/profile',
    '',
    '/overview',
    '/projects',
    '/campaigns',
    '/documents',
    '/connections',
    '/activity',
  ),
  ...each('/crafted/pages/wizards/', 'horizontal', 'vertical'),
  ...each('/apps/customers/', 'getting-started', 'customers-listing', 'customer-details'),
  ...each('/apps/subscriptions/', 'getting-started', 'subscription-list', 'add-subscription', 'view-subscription'),
  '/apps/calendar',
  '/chat/private-chat',
  ...each('/apps/chat/', 'group-chat', 'drawer-chat'),
  ...each('/crafted/modals/', 'general', 'forms', 'wizards'),
  '/crafted/widgets',
]

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
    const keys = titledItems.flatMap(({ title, noun }) => [title, ...(noun ? [`nouns.${noun}`] : [])])
    expect([...new Set(keys)].filter((key) => typeof sentence(titles, key) !== 'string')).toEqual([])
  })

  it('has every route name of the access rules', () => {
    const names =
      'sign-in sign-in-google sign-up password-reset password-reset-submit afiliator afiliator-view verify-email verify-email-proccess dashboard account-settings'
    for (const name of names.split(' ')) expect(pagesByPath.has(pathOf(name)), name).toBe(true)
  })

  it('asks a report for the permission of its name, below one crumb', () => {
    const reports = allPages.filter((page) => page.path.startsWith('/laporan/'))
    expect(reports).toHaveLength(24)
    for (const report of reports) {
      expect(report.access).toBe(report.name)
      expect(report.name).toBe(`laporan-${report.path.slice('/laporan/'.length)}`)
      expect(report.breadcrumbs).toEqual([{ title: 'laporan' }])
    }
    expect(resources.id['staff-titles']['laporan-hasil-cbt']).toBe('Laporan Hasil CBT')
  })

  it('asks only for permissions that exist', () => {
    const slugs = new Set(permissions.map((permission) => permission.slug))
    const accesses = allPages.map((page) => page.access).filter((access) => !['public', 'signed-in'].includes(access))
    expect([...new Set(accesses)].filter((slug) => !slugs.has(slug))).toEqual([])
  })

  it('leads back along addresses that exist', () => {
    const crumbs = allPages.flatMap((page) => page.breadcrumbs.flatMap((crumb) => crumb.path ?? []))
    expect([...new Set(crumbs)].filter((path) => !pagesByPath.has(path))).toEqual([])
  })

  it('are known to the page of a permission that they ask for', () => {
    expect(pathsAskingFor('master-fakultas-view', allPages)).toContain('/master/fakultas')
  })
})
