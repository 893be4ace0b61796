import type { testing as en } from '#locales/en/testing.ts'

export const testing = {
  title: 'Jadwal tes',
  choose: 'Pilih sesi tes',
  chooseHint: 'Semua jam dalam {{zone}}.',
  holdHint:
    'Kursi yang Anda pilih disimpan 15 menit selama Anda menyelesaikan isian. Kursi menjadi milik Anda setelah pendaftaran dikirim.',
  seats_one: 'sisa {{count}} kursi',
  seats_other: 'sisa {{count}} kursi',
  state: { full: 'Penuh', not_yet: 'Dibuka {{date}}', closed: 'Ditutup' },
  mode: { onsite: 'Di kampus' },
  onlineLater: 'Daring; tautan ditampilkan setelah kursi dipesan',
  book: 'Pesan sesi ini',
  move: 'Pindah ke sesi ini',
  booked: 'Kursi Anda sudah dipesan',
  held: 'Disimpan untuk Anda sampai pukul {{time}}',
  attended: 'Anda telah mengikuti tes',
  absent: 'Tercatat tidak hadir',
  absentHint: 'Hubungi panitia PMB jika catatan ini tidak benar.',
  change: 'Ganti sesi',
  keep: 'Tetap di sesi ini',
  release: 'Lepaskan kursi',
  releaseTitle: 'Lepaskan kursi ini?',
  releaseText: 'Kursi langsung dapat diambil orang lain. Anda dapat memilih sesi lain selama pemesanan masih dibuka.',
  released: 'Kursi sudah dilepaskan.',
  bookedToast: 'Dipesan: {{date}}, {{time}}.',
  changeUntil: 'Dapat diganti sampai {{date}}.',
  notChangeable: 'Pemesanan sesi ini sudah ditutup, sehingga tidak dapat diganti di sini.',
  bring: 'Bawalah kartu pendaftaran dan kartu identitas, dan datanglah 30 menit lebih awal.',
  link: 'Tautan',
  blocked: {
    no_test: 'Jalur ini tidak memakai tes.',
    not_in_this_status: 'Jadwal tes tidak dapat dipilih pada tahap ini.',
    no_sessions:
      'Belum ada sesi tes yang dapat dipilih. Panitia PMB akan mengumumkan tanggalnya dan Anda akan menerima pesan.',
  },
  until: '{{from}}–{{to}} {{zone}}',
} satisfies typeof en
