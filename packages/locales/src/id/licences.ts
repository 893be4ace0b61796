import type { licences as english } from '#locales/en/licences.ts'

export const licences: typeof english = {
  column: {
    name: 'Nama',
    state: 'Pemeriksaan',
    class: 'Golongan',
    number: 'Nomor SIM',
    expiresOn: 'Berlaku sampai',
    validity: 'Masa berlaku',
    npm: 'NPM',
    code: 'Pendaftaran',
    updatedAt: 'Perubahan terakhir',
  },
  state: { no_scan: 'Belum ada foto', uploaded: 'Perlu diperiksa', approved: 'Terverifikasi', rejected: 'Ditolak' },
  validity: { expired: 'Kedaluwarsa', soon: 'Berakhir dalam 60 hari', valid: 'Berlaku' },
  empty: 'Tidak ada SIM',
  emptyText: 'Pendaftar mengisi SIM di menu Akun. Yang tidak mengemudi tidak ditampilkan.',
  verify: 'Verifikasi',
  verified: 'SIM sudah terverifikasi.',
  reviewed: 'Diperiksa',
  reviewedBy: '{{when}} oleh {{who}}',
  system: 'sistem',
  refuse: {
    open: 'Tolak',
    title: 'Tolak SIM',
    text: 'Pendaftar membaca alasannya dan dapat mengirim SIM lagi.',
    reason: 'Alasan',
    done: 'SIM sudah ditolak.',
  },
  scan: {
    title: 'Foto SIM',
    none: 'Pendaftar belum mengirim foto SIM.',
    loading: 'Memuat foto',
    of: 'SIM {{name}}',
    download: 'Unduh',
  },
}
