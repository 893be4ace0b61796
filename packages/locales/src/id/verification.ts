import type { verification as en } from '#locales/en/verification.ts'

/** Halaman umum di balik kode QR pada kartu, surat, dan kuitansi. */
export const verification = {
  kind: 'Dokumen',
  kinds: { 'registration-card': 'Kartu pendaftaran', letter: 'Surat', 'student-card': 'Kartu mahasiswa' },
  state: {
    valid: 'Asli dan berlaku',
    replaced: 'Sudah diganti dengan yang lebih baru',
    withdrawn: 'Sudah ditarik',
    expired: 'Sudah kedaluwarsa',
    changed: 'Asli, tetapi isinya sudah berubah',
    void: 'Tidak berlaku lagi',
    unknown: 'Kode ini tidak kami kenal',
  },
  hint: {
    replaced: 'Mintalah yang lebih baru.',
    withdrawn: 'Universitas menariknya, atau pemegangnya sudah keluar.',
    changed: 'Yang tertulis sudah berubah sejak surat diberikan. Mintalah yang lebih baru.',
    expired: 'Masa berlakunya sudah lewat. Mintalah yang lebih baru.',
    void: 'Pendaftarannya sudah berakhir atau statusnya sudah berubah.',
    unknown: 'Dokumennya mungkin palsu, atau alamatnya tidak tersalin lengkap.',
  },
  initials: 'Inisial',
  programme: 'Program studi',
  code: 'Pendaftaran',
  number: 'Nomor',
  title: 'Surat',
  wave: 'Gelombang',
  issuedAt: 'Terbit',
  validUntil: 'Berlaku sampai',
  stage: 'Tahap',
  stages: {
    payment: 'Menunggu biaya pendaftaran',
    documents: 'Berkas sedang diperiksa',
    selection: 'Seleksi',
    announced: 'Hasil sudah diumumkan; pendaftar dapat membacanya setelah masuk',
    ended: 'Berakhir',
  },
  checkedAt: 'Diperiksa {{time}}',
  privacy: 'Demi privasi pemegangnya hanya inisial yang ditampilkan. Cocokkan dengan dokumennya.',
} satisfies typeof en
