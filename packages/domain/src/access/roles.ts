import { applicantRole } from './applicant-role.ts'
import { permissions } from './permissions.ts'

export type DefaultRole = {
  name: string
  description: { en: string; id: string }
  /** How long a session lasts without being used. */
  sessionHours: number
  permissions: readonly string[]
  /** Up to how many rupiah the role decides about requests; null: any sum; left out: none. */
  approvesUpTo?: number | null
}

const all = permissions.map((permission) => permission.slug)
const matching = (...patterns: RegExp[]) => all.filter((slug) => patterns.some((pattern) => pattern.test(slug)))

const staffHours = 12

/** Roles a new database starts with; what they may do is changed in the back office afterwards. */
export const defaultRoles: readonly DefaultRole[] = [
  {
    name: applicantRole,
    description: { en: 'Applicants and students', id: 'Pendaftar dan mahasiswa' },
    sessionHours: 30 * 24,
    permissions: [
      'pendaftaran-view',
      'pendaftaran-create',
      'pendaftaran-edit',
      'pendaftaran-voucher',
      'konfirmasi-kelulusan-view',
      'private-chat',
    ],
  },
  {
    name: 'Administrator',
    description: { en: 'May do everything', id: 'Boleh melakukan semuanya' },
    sessionHours: staffHours,
    approvesUpTo: null,
    permissions: all,
  },
  {
    name: 'Panitia PMB',
    description: { en: 'Admissions office', id: 'Panitia penerimaan mahasiswa baru' },
    sessionHours: staffHours,
    permissions: [
      ...matching(/^pendaftaran-/, /^jadwal-test-/, /^kirim-informasi-/, /^berkas-mahasiswa-/, /^sim-mahasiswa-/),
      ...matching(/^npm-mahasiswa-/, /^jaket-mahasiswa-/),
      ...matching(
        /^master-(fakultas|jenjang|jenjang-pendaftaran|prodi|prodi-detail|program|jalur|jalur-detail|jalur-file)-/,
        /^master-(provinsi|kota|kecamatan|kelurahan|jadwal-test|periode|agama|suku|sma|sma-jurusan|sma-nama|list-test)-/,
        /^master-(biaya-pendaftaran|rincian-dana|cicilan|uang-kuliah|sumbangan|diskon|notifikasi-whatsapp)-view$/,
      ),
      'konfirmasi-kelulusan-view',
      'pindah-prodi-view',
      'pindah-prodi-update',
      'import-nilai-cbt-view',
      'download-foto-mahasiswa',
      'transaksi-va-view',
      'pembayaran-mahasiswa-view',
      'private-chat',
      'settings-imports-view',
      ...matching(/^laporan-(?!pendapatan|piutang|voucher)/),
    ],
  },
  {
    name: 'Keuangan',
    description: { en: 'Finance office', id: 'Bagian keuangan' },
    sessionHours: staffHours,
    approvesUpTo: 10_000_000,
    permissions: [
      'pendaftaran-view',
      'settings-imports-view',
      'ops-invariants',
      'settings-providers-view',
      ...matching(/^pembayaran-mahasiswa-/, /^persetujuan-/, /^rekonsiliasi-/, /^transaksi-va-/),
      ...matching(
        /^master-(cicilan|rincian-dana|sumbangan|diskon|voucher|pengembalian-dana|biaya-pendaftaran|uang-kuliah)-/,
        /^master-(prodi|fakultas|jalur|periode|program|jenjang|jenjang-pendaftaran)-view$/,
      ),
      ...matching(
        /^laporan-(pembayaran-mahasiswa|mahasiswa-fix-bayar|asal-sekolah-fix-bayar|pendapatan|piutang|jumlah|voucher|status-pendaftaran)/,
      ),
    ],
  },
  {
    name: 'Marketing',
    description: { en: 'Marketing and partner schools', id: 'Marketing dan sekolah mitra' },
    sessionHours: staffHours,
    permissions: [
      'settings-imports-view',
      ...matching(/^event-afiliator-/, /^marketing-/, /^kirim-informasi-/),
      ...matching(
        /^master-(afiliator|sma|sma-jurusan|sma-nama|sma-mou)-/,
        /^master-(periode|prodi|jalur|diskon|provinsi)-view$/,
      ),
      ...matching(/^laporan-(total|pendaftaran-prodi|per-tahun|wilayah|kuesioner|asal-sekolah|jumlah|voucher)/),
    ],
  },
  {
    name: 'Pimpinan',
    description: {
      en: 'Leadership: dashboards and reports, read only',
      id: 'Pimpinan: dasbor dan laporan, hanya baca',
    },
    sessionHours: staffHours,
    permissions: [...matching(/^laporan-/), 'rekonsiliasi-view', 'transaksi-va-view'],
  },
  {
    name: 'Afiliator',
    description: { en: 'Own page, vouchers and events', id: 'Halaman, voucher, dan event sendiri' },
    sessionHours: staffHours,
    permissions: ['event-afiliator-view'],
  },
]
