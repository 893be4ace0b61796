import type { Localized } from '#entities/define/field.ts'
import { entities } from '#entities/index.ts'
import { permissions } from './permissions.ts'

export type DefaultMenu = {
  /** Stable key; does not change when the back office renames the menu. */
  code: string
  name: Localized
  /** Missing for headings. */
  path?: string
  /** Name of a tabler icon. */
  icon: string
  permission?: string
  children?: readonly DefaultMenu[]
}

const item = (path: string, en: string, id: string, icon: string, permission?: string): DefaultMenu => ({
  code: path.slice(1).replaceAll('/', '-'),
  name: { en, id },
  path,
  icon,
  ...(permission && { permission }),
})

const heading = (
  code: string,
  en: string,
  id: string,
  icon: string,
  children: readonly DefaultMenu[],
): DefaultMenu => ({
  code,
  name: { en, id },
  icon,
  children,
})

const masterGroups: readonly [code: string, en: string, id: string, icon: string, slugs: readonly string[]][] = [
  [
    'master-academic',
    'Academic',
    'Akademik',
    'school',
    ['fakultas', 'jenjang', 'jenjang-pendaftaran', 'prodi', 'program'],
  ],
  ['master-admission', 'Admission', 'Penerimaan', 'door-enter', ['periode', 'jalur', 'list-test', 'jadwal-test']],
  [
    'master-finance',
    'Fees',
    'Biaya',
    'coins',
    ['rincian-dana', 'biaya-pendaftaran', 'cicilan', 'sumbangan', 'diskon', 'pengembalian-dana'],
  ],
  [
    'master-people',
    'Schools and people',
    'Sekolah dan data diri',
    'users',
    ['sma', 'sma-nama', 'sma-mou', 'agama', 'suku'],
  ],
  ['master-other', 'Regions and others', 'Wilayah dan lainnya', 'map-pin', ['provinsi', 'afiliator']],
]

const labelOf = (slug: string): Localized => {
  const entity = entities.find((candidate) => candidate.slug === slug)
  return entity ? entity.label.many : { en: slug, id: slug }
}

const masterItem = (slug: string) => {
  const { en, id } = labelOf(slug)
  return item(`/master/${slug}`, en, id, 'point', `master-${slug}-view`)
}

const reportItems = permissions
  .filter((permission) => permission.group === 'reports')
  .map(({ slug, name }) => {
    const title = (text: string) =>
      text.replace(/^(Report: |Laporan )/, '').replace(/^./, (letter) => letter.toUpperCase())
    return item(`/laporan/${slug.slice('laporan-'.length)}`, title(name.en), title(name.id), 'point', slug)
  })

/** Menus of a new database, edited under settings afterwards. A role sees the entries its permissions allow. */
export const defaultMenus: readonly DefaultMenu[] = [
  item('/dashboard', 'Dashboard', 'Dasbor', 'layout-dashboard'),
  item('/pendaftaran', 'Registrations', 'Pendaftaran', 'clipboard-list', 'pendaftaran-view'),
  item(
    '/konfirmasi-kelulusan',
    'Graduation confirmation',
    'Konfirmasi kelulusan',
    'circle-check',
    'konfirmasi-kelulusan-view',
  ),
  item('/pindah-prodi', 'Change of study programme', 'Pindah program studi', 'switch-horizontal', 'pindah-prodi-view'),
  heading('tests', 'Tests', 'Tes', 'pencil', [
    item('/jadwal-test', 'Test schedule', 'Jadwal tes', 'calendar-event', 'jadwal-test-view'),
    item('/import-nilai-cbt', 'Import CBT scores', 'Impor nilai CBT', 'file-import', 'import-nilai-cbt-view'),
  ]),
  heading('students', 'Students', 'Mahasiswa', 'users-group', [
    item('/berkas-mahasiswa', 'Documents', 'Berkas mahasiswa', 'files', 'berkas-mahasiswa-view'),
    item('/sim-mahasiswa', 'Driving licences', 'SIM mahasiswa', 'id', 'sim-mahasiswa-view'),
    item('/download-foto-mahasiswa', 'Download photos', 'Unduh foto', 'photo-down', 'download-foto-mahasiswa'),
    item('/npm-mahasiswa', 'Student numbers', 'NPM mahasiswa', 'hash', 'npm-mahasiswa-view'),
    item('/jaket-mahasiswa', 'Jackets', 'Jaket almamater', 'shirt', 'jaket-mahasiswa-view'),
  ]),
  heading('payments', 'Payments', 'Pembayaran', 'cash', [
    item('/pembayaran-mahasiswa', 'Student payments', 'Pembayaran mahasiswa', 'receipt', 'pembayaran-mahasiswa-view'),
    item('/uang-menunggu', 'Money waiting', 'Uang menunggu', 'coins', 'pembayaran-mahasiswa-view'),
    item('/persetujuan', 'Approvals', 'Persetujuan', 'circle-check', 'persetujuan-view'),
    item('/rekonsiliasi', 'Reconciliation', 'Rekonsiliasi', 'switch-horizontal', 'rekonsiliasi-view'),
    item('/transaksi-va', 'Virtual accounts', 'Transaksi VA', 'credit-card', 'transaksi-va-view'),
  ]),
  heading('messages', 'Send information', 'Kirim informasi', 'send', [
    item('/kirim-informasi/pendaftaran', 'To registrations', 'Ke pendaftar', 'mail-forward', 'kirim-informasi-view'),
    item(
      '/kirim-informasi/file-excel',
      'From an Excel file',
      'Dari berkas Excel',
      'file-spreadsheet',
      'kirim-informasi-file-excel',
    ),
  ]),
  heading('marketing', 'Marketing', 'Marketing', 'speakerphone', [
    item('/event-afiliator', 'Affiliate events', 'Event afiliator', 'calendar-star', 'event-afiliator-view'),
    item(
      '/marketing/data-survey-siswa',
      'Student surveys',
      'Data survei siswa',
      'chart-dots',
      'marketing-data-survey-siswa',
    ),
    item(
      '/marketing/kirim-informasi',
      'Send information',
      'Kirim informasi',
      'mail-share',
      'marketing-kirim-informasi-view',
    ),
  ]),
  heading('master', 'Master data', 'Data master', 'database', [
    ...masterGroups.map(([code, en, id, icon, slugs]) => heading(code, en, id, icon, slugs.map(masterItem))),
    item(
      '/master/notifikasi-whatsapp',
      'Message templates',
      'Templat pesan',
      'point',
      'master-notifikasi-whatsapp-view',
    ),
  ]),
  heading('reports', 'Reports', 'Laporan', 'chart-bar', reportItems),
  heading('settings', 'Settings', 'Pengaturan', 'settings', [
    item('/settings/url', 'Menus', 'Menu', 'point', 'settings-url-view'),
    item('/settings/accounts', 'Accounts', 'Akun', 'point', 'settings-accounts-view'),
    item('/settings/roles', 'Roles', 'Peran', 'point', 'settings-roles-view'),
    item('/settings/permissions', 'Permissions', 'Izin', 'point', 'settings-permissions-view'),
    item('/settings/whatsapp', 'WhatsApp', 'WhatsApp', 'point', 'settings-whatsapp-view'),
    item(
      '/settings/providers',
      'Banks and gateways',
      'Bank dan gerbang pembayaran',
      'point',
      'settings-providers-view',
    ),
    item('/settings/general', 'General', 'Umum', 'point', 'settings-general-view'),
    item('/settings/approval-limits', 'Limits of approval', 'Batas persetujuan', 'point', 'settings-approval-limits'),
    item('/settings/imports', 'Imports', 'Impor', 'point', 'settings-imports-view'),
    item('/settings/exports', 'Exports', 'Ekspor', 'point', 'audit-view'),
    item('/settings/audit', 'Audit log', 'Log audit', 'point', 'audit-view'),
    item('/settings/invariants', 'Check of the books', 'Pemeriksaan pembukuan', 'point', 'ops-invariants'),
  ]),
]
