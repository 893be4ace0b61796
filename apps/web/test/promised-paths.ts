const each = (base: string, ...tails: string[]) => tails.map((tail) => `${base}${tail}`)
const record = (base: string) => each(base, '', '/create', '/:id')

/** Every promised address of the product, written out a second time on purpose. */
export const promisedPaths = [
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
