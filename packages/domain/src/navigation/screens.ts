/**
 * Every screen of the product: its path, its route name (the access rules speak of names), who may open it, and where
 * it hangs. Titles are sentences of the locale namespace `titles`; which page a path shows is said in the web app.
 */
export type Crumb = { title: string; noun?: string; path?: string }

export type Screen = {
  path: string
  name: string
  /** `auth`: the narrow form pages; `public`: pages without the menu; `app`: inside the menu. */
  layout: 'auth' | 'public' | 'app'
  /** 'public', 'signed-in' or a permission slug. */
  access: string
  /** Key in `titles`; where a noun is given, the title is a pattern and the noun (`titles:nouns.…`) completes it. */
  title: string
  noun?: string
  /** What comes before the title; the last step is the screen itself and is not repeated here. */
  breadcrumbs: Crumb[]
}

type Options = Partial<Pick<Screen, 'layout' | 'access' | 'title' | 'noun' | 'breadcrumbs'>>

const screen = (path: string, name: string, options: Options = {}): Screen => ({
  path,
  name,
  layout: options.layout ?? 'app',
  access: options.access ?? 'signed-in',
  title: options.title ?? name,
  ...(options.noun ? { noun: options.noun } : {}),
  breadcrumbs: options.breadcrumbs ?? [],
})

const entrance = (path: string, name: string) => screen(path, name, { layout: 'auth', access: 'public' })
const open = (path: string, name: string) => screen(path, name, { layout: 'public', access: 'public' })

const home: Crumb = { title: 'dashboard', path: '/dashboard' }
const under = (...crumbs: Crumb[]) => ({ breadcrumbs: [home, ...crumbs] })

const entrances: Screen[] = [
  entrance('/sign-in', 'sign-in'),
  entrance('/sign-in-google', 'sign-in-google'),
  entrance('/sign-up', 'sign-up'),
  entrance('/multi-step-sign-up', 'multi-step-sign-up'),
  entrance('/password-reset', 'password-reset'),
  entrance('/password-reset/:token', 'password-reset-submit'),
  entrance('/invitation/:token', 'invitation'),
  entrance('/confirm-email/:token', 'confirm-email'),
  screen('/verify-email', 'verify-email', { layout: 'auth' }),
  screen('/verify-email/:id', 'verify-email-proccess', { layout: 'auth' }),
  screen('/account/totp', 'account-totp', { layout: 'auth' }),
]

const publicScreens: Screen[] = [
  open('/404', '404'),
  open('/500', '500'),
  open('/afiliator', 'afiliator'),
  open('/afiliator/:id', 'afiliator-view'),
  open('/verifikasi/:code', 'verifikasi'),
  open('/verifikasi-kuitansi/:code', 'verifikasi-kuitansi'),
  open('/sandbox-bank/:number?', 'sandbox-bank'),
  open('/outbox', 'outbox'),
]

const account: Crumb = { title: 'account', path: '/account/overview' }
const registrations: Crumb = { title: 'pendaftaran', path: '/pendaftaran' }
const registration: Crumb = { title: 'pendaftaran-detail', path: '/pendaftaran/:id' }
const messages: Crumb = { title: 'kirim-informasi' }

const applicantScreens: Screen[] = [
  screen('/dashboard', 'dashboard'),
  screen('/account/overview', 'account-overview', under({ title: 'account' })),
  screen('/account/berkas', 'account-berkas', under(account)),
  screen('/account/sim', 'account-sim', under(account)),
  screen('/account/settings', 'account-settings', under(account)),
  screen('/account/pendidikan-terakhir', 'account-pendidikan-terakhir', under(account)),
  screen('/account/kuesioner', 'account-kuesioner', under(account)),
  screen('/pendaftaran', 'pendaftaran', { access: 'pendaftaran-view', ...under() }),
  screen('/pendaftaran/create', 'pendaftaran-create', { access: 'pendaftaran-create', ...under(registrations) }),
  screen('/pendaftaran/voucher/:id', 'pendaftaran-voucher', { access: 'pendaftaran-voucher', ...under(registrations) }),
  screen('/pendaftaran/:id', 'pendaftaran-detail', { access: 'pendaftaran-view', ...under(registrations) }),
  ...(['program', 'pembayaran', 'file'] as const).map((tab) =>
    screen(`/pendaftaran/:id/${tab}`, `pendaftaran-${tab}`, {
      access: 'pendaftaran-view',
      ...under(registrations, registration),
    }),
  ),
  screen('/master/prodi/:id/program/:idDetail', 'pendaftaran-program-edit', {
    access: 'pendaftaran-edit',
    ...under(registrations),
  }),
  screen('/master/prodi/:id/file/:idDetail', 'pendaftaran-file-edit', {
    access: 'pendaftaran-edit',
    ...under(registrations),
  }),
]

const processScreens: Screen[] = [
  screen('/konfirmasi-kelulusan', 'konfirmasi-kelulusan', { access: 'konfirmasi-kelulusan-view', ...under() }),
  screen('/pindah-prodi', 'pindah-prodi', { access: 'pindah-prodi-view', ...under() }),
  screen('/pindah-prodi/create', 'pindah-prodi-create', {
    access: 'pindah-prodi-update',
    ...under({ title: 'pindah-prodi', path: '/pindah-prodi' }),
  }),
  screen('/kirim-informasi/pendaftaran', 'kirim-informasi-pendaftaran', {
    access: 'kirim-informasi-view',
    ...under(messages),
  }),
  screen('/kirim-informasi/file-excel', 'kirim-informasi-file-excel', {
    access: 'kirim-informasi-file-excel',
    ...under(messages),
  }),
  screen('/import-nilai-cbt', 'import-nilai-cbt', { access: 'import-nilai-cbt-view', ...under() }),
]

/** List, new and edit of one kind of record: permissions `{prefix}-view`, `-create` and `-update`. */
const records = (path: string, prefix: string, noun: string, group: Crumb[]): Screen[] => {
  const list: Crumb = { title: prefix, path }
  return [
    screen(path, prefix, { access: `${prefix}-view`, ...under(...group) }),
    screen(`${path}/create`, `${prefix}-create`, {
      access: `${prefix}-create`,
      title: 'create',
      noun,
      ...under(...group, list),
    }),
    screen(`${path}/:id`, `${prefix}-edit`, {
      access: `${prefix}-update`,
      title: 'edit',
      noun,
      ...under(...group, list),
    }),
  ]
}

const settings: Crumb = { title: 'settings' }
const settingsScreens: Screen[] = [
  ...(['url', 'accounts', 'permissions', 'roles', 'whatsapp', 'providers'] as const).flatMap((noun) =>
    records(`/settings/${noun}`, `settings-${noun}`, noun, [settings]),
  ),
  screen('/settings/audit', 'settings-audit', { access: 'audit-view', ...under(settings) }),
  screen('/settings/invariants', 'settings-invariants', { access: 'ops-invariants', ...under(settings) }),
  screen('/settings/imports', 'settings-imports', { access: 'settings-imports-view', ...under(settings) }),
  screen('/settings/imports/:id', 'settings-imports-view', {
    ...under(settings, { title: 'settings-imports', path: '/settings/imports' }),
  }),
  screen('/settings/exports', 'settings-exports', { access: 'audit-view', ...under(settings) }),
  screen('/settings/approval-limits', 'approval-limits', { access: 'settings-approval-limits', ...under(settings) }),
  screen('/settings/general', 'settings-general', { access: 'settings-general-view', ...under(settings) }),
  screen('/settings/roles/menus/:id', 'settings-roles-menus', {
    access: 'settings-roles-menus',
    ...under(settings, { title: 'settings-roles', path: '/settings/roles' }),
  }),
  screen('/settings/roles/permissions/:id', 'settings-roles-permissions', {
    access: 'settings-roles-permissions',
    ...under(settings, { title: 'settings-roles', path: '/settings/roles' }),
  }),
  screen('/settings/providers/:id/view', 'settings-providers-view', {
    access: 'settings-providers-view',
    ...under(settings, { title: 'settings-providers', path: '/settings/providers' }),
  }),
  screen('/settings/whatsapp/:id/view', 'settings-whatsapp-connect', {
    access: 'settings-whatsapp-view',
    ...under(settings, { title: 'settings-whatsapp', path: '/settings/whatsapp' }),
  }),
]

export const masterSlugs = [
  'fakultas',
  'jenjang',
  'jenjang-pendaftaran',
  'prodi',
  'program',
  'jalur',
  'provinsi',
  'jadwal-test',
  'cicilan',
  'periode',
  'agama',
  'suku',
  'rincian-dana',
  'sumbangan',
  'diskon',
  'pengembalian-dana',
  'afiliator',
  'biaya-pendaftaran',
  'sma',
  'sma-nama',
  'sma-mou',
  'notifikasi-whatsapp',
  'list-test',
] as const

const master: Crumb = { title: 'master' }
const masterList = (slug: string): Crumb => ({ title: `master-${slug}`, path: `/master/${slug}` })
const masterView = (slug: string, chain: Crumb[]): Screen =>
  screen(`/master/${slug}/view/:id`, `master-${slug}-view`, {
    access: `master-${slug}-view`,
    title: 'detail',
    noun: slug,
    ...under(master, ...chain),
  })

/** Rows below a record of `parent`: where they are made and changed, and with which permissions. */
const nested = (
  parent: string,
  noun: string,
  createPath: string,
  editPath: string,
  permissions: [create: string, edit: string],
  chain: Crumb[] = [masterList(parent)],
): Screen[] => {
  const crumbs = under(master, ...chain, { title: 'detail', noun: parent, path: `/master/${parent}/view/:id` })
  return [
    screen(`/master/${parent}/:id/${createPath}`, `master-${noun}-create`, {
      access: permissions[0],
      title: 'create',
      noun,
      ...crumbs,
    }),
    screen(`/master/${parent}/:id/${editPath}`, `master-${noun}-edit`, {
      access: permissions[1],
      title: 'edit',
      noun,
      ...crumbs,
    }),
  ]
}

const own = (entity: string): [string, string] => [`master-${entity}-create`, `master-${entity}-edit`]
const region = (entity: string): [string, string] => [`master-${entity}-create`, `master-${entity}-update`]
const provinces = masterList('provinsi')

const masterScreens: Screen[] = [
  ...masterSlugs.flatMap((slug) => records(`/master/${slug}`, `master-${slug}`, slug, [master])),
  screen('/master/periode/new-year', 'master-periode-new-year', {
    access: 'master-periode-create',
    ...under(master, masterList('periode')),
  }),
  masterView('prodi', [masterList('prodi')]),
  ...nested('prodi', 'prodi-detail', 'create', 'edit/:idDetail', own('prodi-detail')),
  ...nested('prodi', 'uang-kuliah', 'create-uang-kuliah', 'edit-uang-kuliah/:idDetail', own('uang-kuliah')),
  masterView('jalur', [masterList('jalur')]),
  ...nested('jalur', 'jalur-file', 'create-jalur-file', 'edit-jalur-file/:idDetail', own('jalur-file')),
  ...nested('jalur', 'jalur-detail', 'create', 'edit/:idDetail', own('jalur-detail')),
  masterView('provinsi', [provinces]),
  ...nested('provinsi', 'kota', 'create', 'edit-kota/:idKota', region('kota')),
  masterView('kota', [provinces]),
  ...nested('kota', 'kecamatan', 'create', 'edit-kecamatan/:idKecamatan', region('kecamatan'), [provinces]),
  masterView('kecamatan', [provinces]),
  ...nested('kecamatan', 'kelurahan', 'create', 'edit-kelurahan/:idKelurahan', region('kelurahan'), [provinces]),
  masterView('diskon', [masterList('diskon')]),
  ...nested('diskon', 'voucher', 'create-voucher', 'edit-voucher/:idDetail', own('voucher')),
  masterView('sma', [masterList('sma')]),
  ...nested('sma', 'sma-jurusan', 'create', 'edit/:idJurusan', own('sma-jurusan')),
  ...['proposals', 'duplicates', 'merges'].map((part) =>
    screen(`/master/sma-nama/${part}`, `master-sma-nama-${part}`, {
      access: 'master-sma-nama-view',
      ...under(master, masterList('sma-nama')),
    }),
  ),
]

const students: Crumb = { title: 'mahasiswa' }
const marketing: Crumb = { title: 'marketing' }

/** A list and one record of it, changed with `{prefix}-update`. */
const studentFile = (prefix: string): Screen[] => [
  screen(`/${prefix}`, prefix, { access: `${prefix}-view`, ...under(students) }),
  screen(`/${prefix}/:id`, `${prefix}-edit`, {
    access: `${prefix}-update`,
    title: 'detail',
    noun: prefix,
    ...under(students, { title: prefix, path: `/${prefix}` }),
  }),
]

const survey: Crumb = { title: 'marketing-data-survey-siswa', path: '/marketing/data-survey-siswa' }

const reconciliation: Crumb = { title: 'rekonsiliasi', path: '/rekonsiliasi' }

const officeScreens: Screen[] = [
  ...studentFile('berkas-mahasiswa'),
  ...studentFile('sim-mahasiswa'),
  screen('/download-foto-mahasiswa', 'download-foto-mahasiswa', {
    access: 'download-foto-mahasiswa',
    ...under(students),
  }),
  ...studentFile('npm-mahasiswa'),
  ...records('/jaket-mahasiswa', 'jaket-mahasiswa', 'jaket-mahasiswa', [students]),
  ...records('/event-afiliator', 'event-afiliator', 'event-afiliator', [marketing]),
  screen('/event-afiliator/view/:id', 'event-afiliator-view', {
    access: 'event-afiliator-view',
    title: 'detail',
    noun: 'event-afiliator',
    ...under(marketing, { title: 'event-afiliator', path: '/event-afiliator' }),
  }),
  screen('/marketing/data-survey-siswa', 'marketing-data-survey-siswa', {
    access: 'marketing-data-survey-siswa',
    ...under(marketing),
  }),
  screen('/marketing/data-survey-siswa/create', 'marketing-data-survey-siswa-create', {
    access: 'marketing-data-survey-siswa-create',
    title: 'create',
    noun: 'survey',
    ...under(marketing, survey),
  }),
  screen('/marketing/data-survey-siswa/view/:id', 'marketing-data-survey-siswa-view', {
    access: 'marketing-data-survey-siswa-view',
    title: 'detail',
    noun: 'survey',
    ...under(marketing, survey),
  }),
  screen('/marketing/kirim-informasi', 'marketing-kirim-informasi', {
    access: 'marketing-kirim-informasi-view',
    ...under(marketing),
  }),
  ...records('/jadwal-test', 'jadwal-test', 'jadwal-test', []),
  ...records('/pembayaran-mahasiswa', 'pembayaran-mahasiswa', 'pembayaran-mahasiswa', []),
  screen('/uang-menunggu', 'uang-menunggu', { access: 'pembayaran-mahasiswa-view', ...under() }),
  // A number is looked at by whoever sees the list; what may be done with one is asked of its permission there.
  ...records('/transaksi-va', 'transaksi-va', 'transaksi-va', []).map((screen) =>
    screen.name === 'transaksi-va-edit' ? { ...screen, access: 'transaksi-va-view', title: 'detail' } : screen,
  ),
  screen('/persetujuan', 'persetujuan', { access: 'persetujuan-view', ...under() }),
  screen('/rekonsiliasi', 'rekonsiliasi', { access: 'rekonsiliasi-view', ...under() }),
  screen('/rekonsiliasi/mutasi', 'rekonsiliasi-mutasi', { access: 'rekonsiliasi-view', ...under(reconciliation) }),
  screen('/rekonsiliasi/impor', 'rekonsiliasi-impor', { access: 'rekonsiliasi-view', ...under(reconciliation) }),
  screen('/rekonsiliasi/:id', 'rekonsiliasi-hari', { access: 'rekonsiliasi-view', ...under(reconciliation) }),
]

/** Each report's permission is its route name. */
export const reportSlugs = [
  'pendaftaran-prodi',
  'total-pendaftaran',
  'per-tahun-akademik',
  'ukuran-almamater',
  'kuesioner-mahasiswa',
  'berdasarkan-suku',
  'wilayah-asal-sekolah',
  'camaba-cbt',
  'camaba',
  'hasil-kelulusan',
  'hasil-cbt',
  'pembayaran-mahasiswa',
  'status-pendaftaran',
  'berkas-sim',
  'status-berkas-pendaftaran',
  'npm-mahasiswa',
  'mahasiswa-feeder',
  'mahasiswa-fix-bayar',
  'asal-sekolah-fix-bayar',
  'pendapatan-prodi',
  'pendapatan-detail-prodi',
  'piutang-va',
  'jumlah-pendaftaran',
  'voucher-afiliator',
] as const

const reportScreens: Screen[] = reportSlugs.map((slug) =>
  screen(`/laporan/${slug}`, `laporan-${slug}`, { access: `laporan-${slug}`, breadcrumbs: [{ title: 'laporan' }] }),
)

const sample = (path: string, access = 'signed-in') =>
  screen(path, path.slice(1).replaceAll('/', '-'), {
    access,
    title: `samples.${path.split('/').at(-1)}`,
    breadcrumbs: [{ title: 'samples.group' }],
  })

/** Sample pages of the theme; nothing in the menu leads to them. */
const sampleScreens: Screen[] = [
  sample('/builder'),
  sample('/crafted/pages/profile'),
  ...['overview', 'projects', 'campaigns', 'documents', 'connections', 'activity'].map((tab) =>
    sample(`/crafted/pages/profile/${tab}`),
  ),
  sample('/crafted/pages/wizards/horizontal'),
  sample('/crafted/pages/wizards/vertical'),
  sample('/apps/customers/getting-started'),
  sample('/apps/customers/customers-listing'),
  sample('/apps/customers/customer-details'),
  sample('/apps/subscriptions/getting-started'),
  sample('/apps/subscriptions/subscription-list'),
  sample('/apps/subscriptions/add-subscription'),
  sample('/apps/subscriptions/view-subscription'),
  sample('/apps/calendar'),
  sample('/chat/private-chat', 'private-chat'),
  sample('/apps/chat/group-chat'),
  sample('/apps/chat/drawer-chat'),
  sample('/crafted/modals/general'),
  sample('/crafted/modals/forms'),
  sample('/crafted/modals/wizards'),
  sample('/crafted/widgets'),
]

export const screens: readonly Screen[] = [
  ...entrances,
  ...publicScreens,
  ...applicantScreens,
  ...processScreens,
  ...settingsScreens,
  ...masterScreens,
  ...officeScreens,
  ...reportScreens,
  ...sampleScreens,
]

const byName = new Map(screens.map((screen) => [screen.name, screen]))

/** The path of a route name, for the redirect rules. */
export const pathOf = (name: string): string => {
  const found = byName.get(name)
  if (!found) throw new Error(`No screen is called ${name}`)
  return found.path.replace('/:number?', '')
}
