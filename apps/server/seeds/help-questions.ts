type Question = readonly [question: string, answer: string, questionEn: string, answerEn: string]

/** What applicants ask first on each page. Answers promise nothing that a setting decides. */
const questions: Readonly<Record<string, readonly Question[]>> = {
  account: [
    [
      'Email konfirmasi belum masuk. Apa yang harus saya lakukan?',
      'Tunggu beberapa menit, lalu lihat folder Spam dan Promosi. Jika tetap tidak ada, tekan “Kirim ulang pesan”. Hanya tautan di email yang terbaru yang berlaku.',
      'The confirmation mail has not arrived. What can I do?',
      'Wait a few minutes, then look in the spam and promotions folders. If it is not there, send it again. Only the link in the newest mail works.',
    ],
    [
      'Alamat email saya salah ketik. Bagaimana memperbaikinya?',
      'Tekan “Ganti alamat” di halaman ini. Email konfirmasi dikirim ke alamat yang baru; data yang sudah Anda isi tidak hilang.',
      'I mistyped my e-mail address. How do I correct it?',
      'Choose to change the address on this page. A new mail goes to the new address; nothing you have entered is lost.',
    ],
    [
      'Bolehkah membuka tautan konfirmasi di ponsel lain?',
      'Boleh. Setelah dikonfirmasi di perangkat mana pun, halaman ini lanjut dengan sendirinya.',
      'May I open the link on another phone?',
      'Yes. Once it is confirmed on any device, this page goes on by itself.',
    ],
  ],
  start: [
    [
      'Apa yang harus saya lakukan sekarang?',
      'Kalimat paling atas di Dasbor menyebut satu langkah berikutnya dan batas waktunya. Jika tertulis giliran kami, Anda cukup menunggu; kami mengirim kabar.',
      'What do I have to do now?',
      'The first sentence of the dashboard names the next step and its deadline. If it is our turn you only wait: we send you a message.',
    ],
    [
      'Apakah isian saya tersimpan kalau saya berhenti di tengah?',
      'Ya. Isian disimpan sambil Anda mengetik. Masuk lagi dengan email yang sama dan Anda kembali ke langkah terakhir.',
      'Are my answers kept if I stop halfway?',
      'Yes. Answers are saved while you type. Sign in with the same address and you are back where you stopped.',
    ],
    [
      'Kapan hasil seleksi diumumkan?',
      'Tanggalnya ada di halaman pendaftaran Anda. Hasil juga dikirim lewat email.',
      'When is the result announced?',
      'The date is on the page of your registration. The result is also sent by e-mail.',
    ],
  ],
  profile: [
    [
      'Nama saya di KTP berbeda dengan di ijazah. Mana yang dipakai?',
      'Tulis nama seperti di ijazah, karena nama itu yang dicetak di dokumen kampus. Jika NIK ditolak, hubungi kami.',
      'My name differs between identity card and diploma. Which one counts?',
      'Write it as on the diploma: university documents are printed with it. Write to us if your identity number is refused.',
    ],
    [
      'Saya belum punya KTP. NIK diisi apa?',
      'Gunakan NIK 16 angka di Kartu Keluarga. NIK itu sama dengan NIK di KTP nanti.',
      'I have no identity card yet. What do I enter as NIK?',
      'Use the 16 digits beside your name on the family card. They stay the same on the identity card.',
    ],
    [
      'Sekolah saya tidak ada di daftar. Bagaimana?',
      'Cari dengan NPSN (8 angka). Jika tetap tidak ada, usulkan sekolah Anda di daftar itu; kami memeriksanya.',
      'My school is not in the list. What now?',
      'Search by its NPSN (8 digits). If it is missing, propose it in the same field; we check it.',
    ],
  ],
  apply: [
    [
      'Jalur mana yang cocok untuk saya?',
      'Di bawah nama setiap jalur tertulis untuk siapa jalur itu, tesnya, dan biayanya. Jika ragu, tanyakan kepada kami sebelum mengirim.',
      'Which admission route fits me?',
      'Below the name of each route you read whom it is for, its test and its fee. If you are not sure, ask us before you submit.',
    ],
    [
      'Bolehkah pilihan prodi diubah?',
      'Boleh sampai pendaftaran dikirim. Setelah itu hubungi kami.',
      'May I change the study programme?',
      'Yes, until you submit. After that, write to us.',
    ],
    [
      'Kapan saya harus membayar?',
      'Setelah pendaftaran dikirim. Jumlah dan batas waktunya langsung ditampilkan, dan orang tua dapat membayar lewat tautan tanpa akun.',
      'When do I have to pay?',
      'After you submit. Amount and deadline are shown at once, and your parents can pay by a link without an account.',
    ],
  ],
  documents: [
    [
      'Bolehkah memotret berkas dengan ponsel?',
      'Boleh. Letakkan di tempat terang, seluruh tepi terlihat, dan tulisan terbaca.',
      'May I photograph documents with my phone?',
      'Yes. Use a bright place, show all edges, and make sure the text can be read.',
    ],
    [
      'Berkas saya ditolak. Apa yang harus saya lakukan?',
      'Alasannya tertulis di berkas itu. Kirim berkas baru di tempat yang sama; yang lain tidak perlu diulang.',
      'A document was rejected. What do I do?',
      'The reason is shown with the document. Send a new one in the same place; the others stay as they are.',
    ],
    [
      'Ijazah belum terbit. Apakah saya bisa lanjut?',
      'Jika di berkas itu ada tombol “menyusul”, berkas boleh dikirim kemudian sampai tanggal yang tertulis. Jika tidak ada, tanyakan kepada kami.',
      'My diploma is not issued yet. Can I go on?',
      'If the document may follow later, its button says until which day. If there is none, write to us.',
    ],
  ],
  payment: [
    [
      'Saya sudah membayar, tetapi belum tercatat. Bagaimana?',
      'Biasanya tercatat dalam beberapa menit. Tekan “Saya sudah membayar, periksa sekarang”. Jika belum muncul, kirim bukti transfer di halaman ini; jangan membayar dua kali.',
      'I have paid, but it does not show. What now?',
      'It usually shows within minutes. Ask the bank with the button on this page. If nothing appears, send the proof of transfer here; do not pay twice.',
    ],
    [
      'Nomor transfer sudah berakhir. Apakah pendaftaran saya batal?',
      'Tidak, selama tagihannya masih berlaku. Minta nomor baru di halaman ini lalu bayar ke nomor itu.',
      'The transfer number has ended. Is my registration cancelled?',
      'No, as long as the bill is open. Ask for a new number on this page and pay to that one.',
    ],
    [
      'Bolehkah orang tua yang membayar?',
      'Boleh, dari rekening siapa pun. Kirim tautan pembayaran kepada orang tua lewat WhatsApp; mereka tidak perlu akun.',
      'May my parents pay?',
      'Yes, from any account. Send them the payment link by WhatsApp; they need no account.',
    ],
  ],
  registration: [
    [
      'Apa yang saya bawa saat tes?',
      'Kartu pendaftaran dan kartu identitas (KTP, kartu pelajar, atau Kartu Keluarga). Datang 30 menit lebih awal.',
      'What do I bring to the test?',
      'The registration card and an identity card (KTP, student card or family card). Come 30 minutes early.',
    ],
    [
      'Saya berhalangan pada hari tes. Bisakah pindah jadwal?',
      'Selama pemesanan masih dibuka, ganti jadwal di bagian Tes. Jika sudah ditutup, segera hubungi kami.',
      'I cannot come on that day. Can I change the session?',
      'While booking is open, choose another session in the part about the test. If it is closed, write to us soon.',
    ],
    [
      'Mengapa hasilnya masih “menunggu”?',
      'Semua hasil satu jalur diumumkan bersamaan. Tanggalnya tertulis di halaman ini.',
      'Why is my result still waiting?',
      'All results of an admission route are published together. The date is on this page.',
    ],
  ],
  confirmation: [
    [
      'Apa akibatnya jika saya menerima tempat ini?',
      'Tempat Anda kami simpan dan tagihan daftar ulang terbit. NPM terbit setelah pembayaran pertama.',
      'What happens when I accept the place?',
      'We keep it for you and issue the bill for re-registration. Your student number follows the first payment.',
    ],
    [
      'Bolehkah membayar dengan cicilan?',
      'Rencana cicilan yang tersedia ditampilkan sebelum Anda mengonfirmasi, dengan jumlah dan tanggalnya.',
      'May I pay in instalments?',
      'The plans are shown before you accept, with every amount and date.',
    ],
    [
      'Bagaimana jika saya melewati batas waktu?',
      'Tempat Anda diberikan kepada pendaftar berikutnya. Hubungi kami sebelum batas waktu jika ada kendala.',
      'What if I miss the deadline?',
      'The place goes to the next applicant. Write to us before the deadline if something keeps you from it.',
    ],
  ],
}

export const helpQuestions = Object.entries(questions).flatMap(([screen, rows]) =>
  rows.map(([question, answer, questionEn, answerEn], index) => ({
    screen,
    question,
    answer,
    questionEn,
    answerEn,
    sortOrder: (index + 1) * 10,
  })),
)
