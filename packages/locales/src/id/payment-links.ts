/** Payment links on the applicant's payment page. */
export const paymentLinks = {
  title: 'Ada yang membayarkan?',
  text: 'Kirim tautan tagihan ini kepada orang tua. Mereka melihat inisial Anda, program studi, jumlah, dan cara membayar, tanpa perlu akun.',
  make: 'Buat tautan',
  whatsapp: 'Kirim lewat WhatsApp',
  address: 'Tautan tagihan ini',
  copyAddress: 'Salin tautan',
  /** Kind of bill inside the sentence. */
  kind: { registration_fee: 'biaya pendaftaran', re_registration: 'biaya daftar ulang' },
  message:
    'Ini {{name}}. Mohon bantu bayar {{kind}} saya di {{university}} sebesar {{amount}} sebelum {{due}}. Caranya ada di tautan ini, tanpa perlu akun: {{url}}',
  messageAnytime:
    'Ini {{name}}. Mohon bantu bayar {{kind}} saya di {{university}} sebesar {{amount}}. Caranya ada di tautan ini, tanpa perlu akun: {{url}}',
  made: 'Dibuat {{time}}',
  notOpened: 'Belum dibuka',
  opened_one: 'Dibuka {{time}}',
  opened_other: 'Dibuka {{count}} kali, terakhir {{time}}',
  paid: 'Sudah lunas. Tautan kini hanya menampilkan kuitansi.',
  takeBack: 'Tarik tautan',
  takeBackText:
    'Yang membuka tautan ini tidak akan melihat tagihan Anda lagi. Nomor transfer yang sudah dicatat tetap berlaku. Tautan baru akan punya alamat lain.',
  takenBack: 'Tautan tidak berlaku lagi.',
}
