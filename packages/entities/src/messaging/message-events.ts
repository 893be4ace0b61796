import type { Choices } from '#entities/define/field.ts'

/** Events that send messages; a test compares them with the built-in sentences. */
export const messageEvents = {
  'verify-email': { en: 'E-mail address to confirm', id: 'Konfirmasi alamat email' },
  'reset-password': { en: 'Password to choose anew', id: 'Kata sandi baru' },
  'change-email': { en: 'New e-mail address to confirm', id: 'Konfirmasi alamat email baru' },
  'password-changed': { en: 'Password changed', id: 'Kata sandi diubah' },
  'account-exists': { en: 'Sign-up with a known address', id: 'Pendaftaran akun dengan alamat yang sudah ada' },
  'account-welcome': { en: 'Welcome', id: 'Selamat datang' },
  'account-email-changed': { en: 'E-mail address changed', id: 'Alamat email diubah' },
  'account-google-linked': { en: 'Google account connected', id: 'Akun Google terhubung' },
  'account-invited': { en: 'Invitation of staff', id: 'Undangan petugas' },
  'administrator-link': {
    en: 'Address for a new administrator printed',
    id: 'Alamat untuk administrator baru dicetak',
  },
  'administrator-added': { en: 'New administrator', id: 'Administrator baru' },
  'account-totp-on': { en: 'Two-factor sign-in turned on', id: 'Masuk dua langkah diaktifkan' },
  'account-totp-off': { en: 'Two-factor sign-in turned off', id: 'Masuk dua langkah dimatikan' },
  'account-totp-reset': { en: 'Two-factor sign-in reset by staff', id: 'Masuk dua langkah direset petugas' },
  'account-recovery-code': { en: 'Recovery code used', id: 'Kode pemulihan dipakai' },
  'registration-submitted': { en: 'Registration received', id: 'Pendaftaran diterima panitia' },
  'registration-submitted-free': {
    en: 'Registration received, free of fee',
    id: 'Pendaftaran diterima panitia, tanpa biaya',
  },
  'registration-withdrawn': { en: 'Registration withdrawn', id: 'Pendaftaran ditarik' },
  'registration-expired': { en: 'Registration expired', id: 'Pendaftaran kedaluwarsa' },
  'registration-cancelled': { en: 'Registration cancelled', id: 'Pendaftaran dibatalkan' },
  'bill-issued': { en: 'New bill', id: 'Tagihan baru' },
  'bill-changed': { en: 'Bill changed', id: 'Tagihan berubah' },
  'bill-let-off': { en: 'Nothing of a bill left to pay', id: 'Tagihan tidak perlu dibayar lagi' },
  'payment-received': { en: 'Payment received', id: 'Pembayaran diterima' },
  'payment-partial': { en: 'Part of a bill paid', id: 'Pembayaran sebagian' },
  'payment-waiting': { en: 'Payment with money left over', id: 'Pembayaran dengan sisa uang' },
  'payment-reversed': { en: 'Payment taken back', id: 'Pembayaran dibatalkan' },
  'refund-approved': { en: 'Refund approved', id: 'Pengembalian dana disetujui' },
  'payment-reminder': { en: 'Bill due soon', id: 'Tagihan hampir jatuh tempo' },
  'document-approved': { en: 'Document approved', id: 'Berkas disetujui' },
  'document-rejected': { en: 'Document refused', id: 'Berkas ditolak' },
  'document-requested': { en: 'Document requested', id: 'Berkas diminta' },
  'document-reopened': { en: 'Document checked again', id: 'Berkas diperiksa ulang' },
  'registration-verified': { en: 'All documents approved', id: 'Semua berkas disetujui' },
  'test-booked': { en: 'Test booked', id: 'Tes dipesan' },
  'test-changed': { en: 'Test schedule changed', id: 'Jadwal tes berubah' },
  'test-offered': { en: 'Seat offered from the waiting list', id: 'Kursi ditawarkan dari daftar tunggu' },
  'test-offer-expired': { en: 'Offer of a seat expired', id: 'Tawaran kursi berakhir' },
  'test-waiting-closed': { en: 'Waiting list closed', id: 'Daftar tunggu ditutup' },
  'result-published': { en: 'Result published', id: 'Hasil diumumkan' },
  'registration-accepted': { en: 'Accepted', id: 'Diterima' },
  'registration-not-accepted': { en: 'Not accepted', id: 'Tidak diterima' },
  'registration-confirmed': { en: 'Place confirmed', id: 'Kelulusan dikonfirmasi' },
  'programme-changed': { en: 'Programme changed, bill as before', id: 'Pindah prodi, tagihan tetap' },
  'programme-changed-bill': { en: 'Programme changed, new bill', id: 'Pindah prodi, tagihan baru' },
  'programme-changed-overpaid': { en: 'Programme changed, money left over', id: 'Pindah prodi, ada kelebihan' },
  'student-number-issued': { en: 'Student number issued', id: 'NPM terbit' },
  'school-rejected': { en: 'Proposed school refused', id: 'Sekolah usulan ditolak' },
  'health-red': { en: 'The product needs attention', id: 'Sistem perlu perhatian' },
  'health-well': { en: 'The product is well again', id: 'Sistem pulih kembali' },
  'invariants-found': { en: 'Contradiction in the books', id: 'Kejanggalan pembukuan' },
  note: { en: 'Message written by staff', id: 'Pesan yang ditulis petugas' },
} as const satisfies Choices

export type MessageEvent = keyof typeof messageEvents

export const messageChannels = {
  inbox: { en: 'Inbox on the site', id: 'Kotak masuk di situs' },
  email: { en: 'E-mail', id: 'Email' },
  whatsapp: { en: 'WhatsApp', id: 'WhatsApp' },
} as const satisfies Choices

export type MessageChannel = keyof typeof messageChannels
