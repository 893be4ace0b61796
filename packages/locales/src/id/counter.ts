/** Mendaftarkan orang di loket, dan lembar untuk ditandatangani. */
export const counter = {
  title: 'Daftarkan orang di loket',
  person: 'Siapa yang mendaftar?',
  field: {
    name: 'Nama lengkap',
    email: 'Email',
    phone: 'Nomor HP',
    nik: 'NIK',
    language: 'Bahasa pesan',
  },
  hint: {
    email: 'Kosongkan bila tidak punya: cara masuk akan tercetak di lembar pendaftaran.',
    phone: 'Wajib bila tidak ada email. Nomor orang tua juga boleh.',
  },
  study: 'Mendaftar ke mana?',
  known: 'Orang ini sudah punya akun',
  knownText: 'Lanjutkan dengan akun yang sudah ada, supaya satu orang tidak punya dua akun.',
  matches: { email: 'email sama', phone: 'nomor HP sama', nik: 'NIK sama' },
  useAccount: 'Daftarkan {{name}}',
  anotherPerson: 'Ini orang lain dengan nomor yang sama',
  submit: 'Buka pendaftaran',
  done: 'Pendaftaran sudah dibuka. Cetak lembarnya untuk ditandatangani.',
  print: 'Cetak lembar untuk ditandatangani',
  sheet: {
    title: 'Lembar pendaftaran',
    code: 'Nomor pendaftaran',
    wave: 'Gelombang',
    track: 'Jalur',
    class: 'Kelas',
    choice: 'Pilihan {{position}}',
    noEmail: 'tidak ada',
    next: 'Langkah berikutnya',
    steps: {
      data: 'Lengkapi biodata: di loket ini, atau setelah masuk ke akun Anda.',
      files: 'Serahkan atau unggah berkas yang diminta jalur ini.',
      pay: 'Setelah pendaftaran dikirim, bayar biaya pendaftaran sampai tanggal pada tagihan.',
      wait: 'Tes, hasil, dan kabar lainnya tampil di halaman dan pesan Anda.',
    },
    signIn: 'Cara masuk',
    signInName: 'Nama pengguna Anda {{name}}. Masuk di {{address}}.',
    signInCode:
      'Pindai kode ini dengan ponsel lalu buat kata sandi. Kode berlaku satu kali, sampai {{until}}; setelah itu mintalah yang baru di loket.',
    byMail:
      'Masuk di {{address}} dengan email Anda. Untuk akun baru, tautan untuk membuat kata sandi ada di kotak masuk Anda.',
    statement: 'Pernyataan',
    consent:
      'Data pada lembar ini benar. Saya setuju {{university}} memproses data saya untuk penerimaan mahasiswa, sesuai pemberitahuan privasinya.',
    placeAndDate: 'Tempat dan tanggal, tanda tangan pendaftar (di bawah 18 tahun juga orang tua atau wali)',
    clerk: 'Diterima oleh',
    printed: 'Dicetak {{at}} oleh {{name}}',
  },
}
