/** Pages that show a demo in ten minutes, by the role that works there; sentences in locale `dashboards`. */
export const demoTour = [
  { key: 'selection', role: 'Panitia PMB', path: '/seleksi', access: 'seleksi-view' },
  { key: 'reserve', role: 'Panitia PMB', path: '/seleksi/reserve', access: 'seleksi-view' },
  { key: 'registrations', role: 'Panitia PMB', path: '/pendaftaran', access: 'pendaftaran-view' },
  { key: 'tests', role: 'Panitia PMB', path: '/jadwal-test', access: 'jadwal-test-view' },
  { key: 'approvals', role: 'Keuangan', path: '/persetujuan', access: 'persetujuan-view' },
  { key: 'waiting-money', role: 'Keuangan', path: '/uang-menunggu', access: 'pembayaran-mahasiswa-view' },
  { key: 'receivables', role: 'Keuangan', path: '/laporan/piutang-va', access: 'laporan-piutang-va' },
  { key: 'season', role: 'Pimpinan', path: '/laporan/total-pendaftaran', access: 'laporan-total-pendaftaran' },
  { key: 'programmes', role: 'Pimpinan', path: '/laporan/pendaftaran-prodi', access: 'laporan-pendaftaran-prodi' },
  { key: 'campaigns', role: 'Marketing', path: '/marketing/kirim-informasi', access: 'marketing-kirim-informasi-view' },
  { key: 'feeder', role: 'Administrator', path: '/mahasiswa-feeder', access: 'mahasiswa-feeder-view' },
  { key: 'books', role: 'Administrator', path: '/settings/invariants', access: 'ops-invariants' },
] as const
