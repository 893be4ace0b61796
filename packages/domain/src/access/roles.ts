import { reportSlugs } from '#domain/reports/report-names.ts'
import type { Localized } from '#entities/define/language.ts'
import { applicantRole } from './applicant-role.ts'
import { permissions } from './permissions.ts'

export type DefaultRole = {
  name: string
  description: Localized
  /** Hours after which an unused session ends. */
  sessionHours: number
  permissions: readonly string[]
  /** Largest amount in rupiah the role may approve; null: any amount; missing: none. */
  approvesUpTo?: number | null
}

const allSlugs = permissions.map((permission) => permission.slug)
/** Slugs are separated by white space, so that a role fits a few lines and a search for a slug finds its roles. */
const splitSlugs = (text: string) => text.trim().split(/\s+/)

const staffHours = 12

/** Roles of a new database; administrators change their permissions afterwards. */
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
      'pindah-prodi-view',
      'private-chat',
      'afiliator-saya',
    ],
  },
  {
    name: 'Administrator',
    description: { en: 'May do everything', id: 'Boleh melakukan semuanya' },
    sessionHours: staffHours,
    approvesUpTo: null,
    permissions: allSlugs,
  },
  {
    name: 'Panitia PMB',
    description: { en: 'Admissions office', id: 'Panitia penerimaan mahasiswa baru' },
    sessionHours: staffHours,
    permissions: splitSlugs(`
      pendaftaran-view pendaftaran-create pendaftaran-counter pendaftaran-edit pendaftaran-voucher pendaftaran-verify
      pendaftaran-decide pendaftaran-publish pendaftaran-confirm pendaftaran-profile-view
      pendaftaran-profile-identity pendaftaran-profile-update pendaftaran-note
      konfirmasi-kelulusan-view
      pindah-prodi-view pindah-prodi-update
      kirim-informasi-view
      kirim-informasi-file-excel
      marketing-prospek-view
      import-nilai-cbt-view
      jadwal-test-view jadwal-test-create jadwal-test-update
      seleksi-view seleksi-update
      private-chat
      berkas-mahasiswa-view berkas-mahasiswa-update
      sim-mahasiswa-view sim-mahasiswa-update
      download-foto-mahasiswa
      npm-mahasiswa-view npm-mahasiswa-update
      mahasiswa-feeder-view mahasiswa-feeder-update download-mahasiswa-feeder
      surat-view surat-create surat-update
      jaket-mahasiswa-view jaket-mahasiswa-create jaket-mahasiswa-update
      pembayaran-mahasiswa-view
      transaksi-va-view
      master-fakultas-view master-fakultas-create master-fakultas-update master-fakultas-delete
      master-jenjang-view master-jenjang-create master-jenjang-update master-jenjang-delete
      master-jenjang-pendaftaran-view master-jenjang-pendaftaran-create master-jenjang-pendaftaran-update master-jenjang-pendaftaran-delete
      master-program-view master-program-create master-program-update master-program-delete
      master-prodi-view master-prodi-create master-prodi-update master-prodi-delete
      master-periode-view master-periode-create master-periode-update master-periode-delete
      master-jalur-view master-jalur-create master-jalur-update master-jalur-delete
      master-rincian-dana-view
      master-prodi-detail-create master-prodi-detail-edit master-prodi-detail-delete
      master-jalur-detail-create master-jalur-detail-edit master-jalur-detail-delete
      master-jalur-file-create master-jalur-file-edit master-jalur-file-delete
      master-provinsi-view master-provinsi-create master-provinsi-update master-provinsi-delete
      master-kota-view master-kota-create master-kota-update master-kota-delete
      master-kecamatan-view master-kecamatan-create master-kecamatan-update master-kecamatan-delete
      master-kelurahan-view master-kelurahan-create master-kelurahan-update master-kelurahan-delete
      master-wilayah-feeder-view master-wilayah-feeder-create master-wilayah-feeder-update master-wilayah-feeder-delete
      master-agama-view master-agama-create master-agama-update master-agama-delete
      master-suku-view master-suku-create master-suku-update master-suku-delete
      master-sma-view master-sma-create master-sma-update master-sma-delete
      master-sma-jurusan-create master-sma-jurusan-edit master-sma-jurusan-delete
      master-sma-nama-view master-sma-nama-create master-sma-nama-update master-sma-nama-delete
      master-list-test-view master-list-test-create master-list-test-update master-list-test-delete
      master-jadwal-test-view master-jadwal-test-create master-jadwal-test-update master-jadwal-test-delete
      master-biaya-pendaftaran-view master-cicilan-view master-sumbangan-view master-diskon-view
      master-sma-mou-view master-sma-mou-create master-sma-mou-update master-sma-mou-delete
      master-notifikasi-whatsapp-view
      master-pertanyaan-view master-pertanyaan-create master-pertanyaan-update master-pertanyaan-delete
      laporan-pendaftaran-prodi laporan-total-pendaftaran laporan-per-tahun-akademik
      laporan-ukuran-almamater laporan-kuesioner-mahasiswa laporan-berdasarkan-suku
      laporan-wilayah-asal-sekolah laporan-camaba-cbt laporan-camaba laporan-hasil-kelulusan
      laporan-hasil-cbt laporan-pembayaran-mahasiswa laporan-status-pendaftaran laporan-berkas-sim
      laporan-status-berkas-pendaftaran laporan-npm-mahasiswa laporan-mahasiswa-feeder
      laporan-mahasiswa-fix-bayar laporan-asal-sekolah-fix-bayar laporan-jumlah-pendaftaran
      settings-imports-view`),
  },
  {
    name: 'Keuangan',
    description: { en: 'Finance office', id: 'Bagian keuangan' },
    sessionHours: staffHours,
    approvesUpTo: 10_000_000,
    permissions: splitSlugs(`
      pendaftaran-view
      private-chat
      pembayaran-mahasiswa-view pembayaran-mahasiswa-create pembayaran-mahasiswa-update
      persetujuan-view persetujuan-update
      rekonsiliasi-view rekonsiliasi-update
      transaksi-va-view transaksi-va-create transaksi-va-update
      master-fakultas-view master-jenjang-view master-jenjang-pendaftaran-view master-program-view
      master-prodi-view master-periode-view master-jalur-view
      master-rincian-dana-view master-rincian-dana-create master-rincian-dana-update master-rincian-dana-delete
      master-uang-kuliah-create master-uang-kuliah-edit master-uang-kuliah-delete
      master-biaya-pendaftaran-view master-biaya-pendaftaran-create master-biaya-pendaftaran-update master-biaya-pendaftaran-delete
      master-cicilan-view master-cicilan-create master-cicilan-update master-cicilan-delete
      master-sumbangan-view master-sumbangan-create master-sumbangan-update master-sumbangan-delete
      master-diskon-view master-diskon-create master-diskon-update master-diskon-delete
      master-pengembalian-dana-view master-pengembalian-dana-create master-pengembalian-dana-update master-pengembalian-dana-delete
      master-voucher-create master-voucher-edit master-voucher-delete
      laporan-pembayaran-mahasiswa laporan-status-pendaftaran laporan-mahasiswa-fix-bayar
      laporan-asal-sekolah-fix-bayar laporan-pendapatan-prodi laporan-pendapatan-detail-prodi
      laporan-piutang-va laporan-jumlah-pendaftaran laporan-voucher-afiliator
      komisi-view komisi-update komisi-approve
      settings-providers-view settings-imports-view
      ops-invariants`),
  },
  {
    name: 'Marketing',
    description: { en: 'Marketing and partner schools', id: 'Marketing dan sekolah mitra' },
    sessionHours: staffHours,
    permissions: splitSlugs(`
      kirim-informasi-view
      kirim-informasi-file-excel
      event-afiliator-view event-afiliator-create event-afiliator-update
      marketing-data-survey-siswa marketing-data-survey-siswa-create marketing-data-survey-siswa-view
      marketing-kirim-informasi-view
      marketing-prospek-view marketing-prospek-update
      master-prodi-view master-periode-view master-jalur-view master-provinsi-view
      master-sma-view master-sma-create master-sma-update master-sma-delete
      master-sma-jurusan-create master-sma-jurusan-edit master-sma-jurusan-delete
      master-sma-nama-view master-sma-nama-create master-sma-nama-update master-sma-nama-delete
      master-diskon-view
      master-afiliator-view master-afiliator-create master-afiliator-update master-afiliator-delete
      master-sma-mou-view master-sma-mou-create master-sma-mou-update master-sma-mou-delete
      laporan-pendaftaran-prodi laporan-total-pendaftaran laporan-per-tahun-akademik
      laporan-kuesioner-mahasiswa laporan-wilayah-asal-sekolah laporan-asal-sekolah-fix-bayar
      laporan-jumlah-pendaftaran laporan-voucher-afiliator
      komisi-view komisi-update
      settings-imports-view`),
  },
  {
    name: 'Pimpinan',
    description: {
      en: 'Leadership: dashboards and reports, read only',
      id: 'Pimpinan: dasbor dan laporan, hanya baca',
    },
    sessionHours: staffHours,
    permissions: ['rekonsiliasi-view', 'transaksi-va-view', ...reportSlugs.map((slug) => `laporan-${slug}`)],
  },
  {
    name: 'Afiliator',
    description: { en: 'Own page, vouchers and events', id: 'Halaman, voucher, dan acara sendiri' },
    sessionHours: staffHours,
    permissions: ['event-afiliator-view', 'afiliator-saya'],
  },
]
