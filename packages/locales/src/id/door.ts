import type { door as en } from '#locales/en/door.ts'

export const door = {
  scanner: {
    on: 'Nyalakan kamera',
    off: 'Matikan kamera',
    hint: 'Arahkan kamera ke kode QR pada kartu. Tanpa kartu, cari orangnya secara manual.',
    picture: 'Gambar kamera',
    refused: 'Kamera tidak diizinkan. Izinkan di pengaturan browser, atau cari orangnya tanpa kamera.',
    missing: 'Kamera tidak dapat dinyalakan. Cari orangnya tanpa kamera, atau gunakan ponsel lain.',
    insecure: 'Browser hanya mengizinkan kamera pada alamat https. Cari orangnya tanpa kamera.',
  },
  device: 'Nama ponsel ini',
  deviceHint: 'Ponsel lain menampilkannya di samping hasil pindaian ponsel ini.',
  thisPhone: 'Ponsel ini',
  state: 'Status',
  waiting_one: '{{count}} pindaian menunggu dikirim dari ponsel ini',
  waiting_other: '{{count}} pindaian menunggu dikirim dari ponsel ini',
  saved: 'Semua sudah terkirim',
  offline: 'Tidak ada koneksi',
  offlineHint: 'Teruskan memindai: semuanya disimpan di ponsel ini dan dikirim nanti.',
  listOf: 'Daftar per pukul {{time}}.',
  readAgain: 'Muat ulang daftar',
  filter: 'Tampilkan',
  noMatch: 'Tidak ada yang cocok.',
  more_one: '{{count}} lagi. Gunakan pencarian.',
  more_other: '{{count}} lagi. Gunakan pencarian.',
} satisfies typeof en
