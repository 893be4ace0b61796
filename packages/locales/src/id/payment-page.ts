/** The page behind a payment link, drawn by the server for somebody without an account. */
export const paymentPage = {
  language: 'Baca dalam Bahasa Indonesia',
  card: {
    title: 'Bayar tagihan {{university}}',
    text: 'Buka tautan ini untuk melihat jumlah dan cara membayarnya. Tidak perlu akun.',
    office: 'Panitia PMB',
  },
  fact: {
    for: 'Untuk',
    programme: 'Program studi',
    bill: 'Tagihan',
    instalment: '{{about}}, cicilan {{position}} dari {{count}}',
    paid: 'Sudah dibayar',
  },
  settled: { title: 'Tagihan ini sudah lunas', text: 'Tidak ada lagi yang perlu dibayar. Terima kasih.' },
  waiting: {
    owed: '{{amount}} sudah masuk dan masih diperiksa bagian keuangan. Mohon jangan membayar lagi sebelum bertanya.',
    settled: '{{amount}} masuk di luar tagihan ini. Uangnya aman: bagian keuangan akan menghubungi pendaftar.',
  },
  askedInVain: 'Bank belum menerima pembayaran. Mohon tunggu sebentar, lalu periksa lagi.',
  pending: '{{bank}} sedang membuat nomor transfer. Mohon muat ulang halaman ini sebentar lagi.',
  bank: {
    choose: 'Anda ingin membayar lewat bank apa?',
    help: 'Anda juga bisa membayar dari bank lain; pilih bank yang langkah-langkahnya ingin Anda lihat.',
    none: 'Saat ini belum ada bank yang tersedia. Silakan coba lagi nanti.',
  },
  after: {
    title: 'Setelah membayar',
    text: 'Pembayaran terlihat dengan sendirinya, biasanya kurang dari satu menit. Kuitansinya lalu muncul di halaman ini.',
  },
  receiptHelp: 'Kuitansi ini hanya memuat inisial. Pendaftar dapat mengunduh kuitansi dengan nama lengkap.',
  about: 'Halaman ini menampilkan satu tagihan {{university}} dan tidak memuat data lain pendaftar. Tidak perlu akun.',
  contact: 'Ada pertanyaan? {{contact}}',
  end: {
    broken: {
      title: 'Tautan ini tidak lengkap',
      text: 'Sebagian alamatnya hilang atau berubah. Mintalah pengirimnya untuk mengirim ulang.',
    },
    taken_back: {
      title: 'Tautan ini sudah ditarik',
      text: 'Pengirimnya telah mengakhiri tautan ini. Jika masih ada tagihan yang perlu dibayar, mintalah tautan baru.',
    },
    replaced: {
      title: 'Tagihan ini sudah diganti',
      text: 'Mohon jangan membayar lagi ke nomor transfernya. Mintalah tautan untuk tagihan yang baru.',
    },
    expired: {
      title: 'Waktu pembayaran sudah lewat',
      text: 'Pendaftaran ini berakhir karena tidak dibayar tepat waktu. Mohon jangan membayar lagi. Pendaftar dapat bertanya kepada panitia apa yang masih bisa dilakukan.',
    },
    cancelled: {
      title: 'Tagihan ini dibatalkan',
      text: 'Tidak ada yang perlu dibayar. Mohon jangan membayar lagi ke nomor transfernya.',
    },
  },
  failed: {
    title: 'Belum berhasil',
    text: 'Ada gangguan di sini. Tidak ada yang terbayar. Silakan coba lagi sebentar lagi.',
    again: 'Kembali ke tagihan',
  },
}
