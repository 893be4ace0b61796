import type { messages as en } from '#locales/en/messages.ts'

export const messages = {
  greeting: 'Yth. {{name}},',
  closing: 'Pesan ini dikirim otomatis oleh {{university}}. Mohon tidak membalas pesan ini.',
  openLink: 'Buka PMB Online',
  optOut: 'Tidak ingin menerima pesan seperti ini lagi:',
  optOutByReply: 'Balas BERHENTI untuk berhenti menerima pesan ini.',
  'verify-email': {
    subject: 'Konfirmasi alamat email Anda',
    body: 'Terima kasih telah mendaftar. Silakan konfirmasi alamat email Anda dalam 24 jam dengan membuka tautan di bawah. Jika Anda tidak mendaftar, abaikan pesan ini.',
  },
  'reset-password': {
    subject: 'Buat kata sandi baru',
    body: 'Kami menerima permintaan untuk mengatur ulang kata sandi Anda. Buka tautan di bawah dalam satu jam untuk membuat yang baru. Jika bukan Anda yang meminta, tidak ada yang berubah dan pesan ini dapat diabaikan.',
  },
  'change-email': {
    subject: 'Konfirmasi alamat email baru Anda',
    body: 'Buka tautan di bawah dalam 24 jam untuk memakai alamat email ini pada akun Anda.',
  },
  'password-changed': {
    subject: 'Kata sandi Anda telah diubah',
    body: 'Kata sandi akun Anda baru saja diubah, dan akun Anda keluar dari perangkat lain. Jika bukan Anda yang mengubahnya, segera atur ulang kata sandi.',
  },
  'account-exists': {
    subject: 'Anda sudah memiliki akun',
    body: 'Seseorang mencoba mendaftar dengan alamat email ini. Anda sudah memiliki akun: silakan masuk, atau atur ulang kata sandi jika lupa.',
  },
  'account-welcome': {
    subject: 'Selamat datang, {{name}}',
    body: 'Alamat email Anda sudah dikonfirmasi dan akun Anda siap dipakai. Selanjutnya: lengkapi data diri Anda, lalu buat pendaftaran.',
  },
  'account-email-changed': {
    subject: 'Alamat email akun Anda diganti',
    body: 'Alamat email akun Anda sekarang {{email}}. Jika bukan Anda yang menggantinya, segera hubungi panitia PMB.',
  },
  'account-google-linked': {
    subject: 'Akun Anda dapat dibuka dengan Google',
    body: 'Akun Anda dihubungkan dengan akun Google yang alamat emailnya sama. Jika bukan Anda yang melakukannya, segera hubungi panitia PMB.',
  },
  'account-invited': {
    subject: 'Sebuah akun telah dibuat untuk Anda',
    body: 'Akun dengan peran {{role}} telah dibuat untuk Anda. Buka tautan di bawah dalam 72 jam untuk membuat kata sandi.',
  },
  'administrator-link': {
    subject: 'Seseorang di server meminta administrator baru',
    body: 'Seseorang dengan akses ke server meminta server mencetak sebuah alamat. Alamat itu berlaku satu kali, sampai {{due}}, dan menjadikan akun {{email}} administrator dengan kata sandi baru. Jika orang itu bukan dari tim Anda, segera tanyakan kepada pengelola server.',
  },
  'administrator-added': {
    subject: '{{email}} kini administrator',
    body: 'Akun {{email}} menjadi administrator lewat alamat yang dicetak di server. Jika bukan dari tim Anda, segera nonaktifkan akun itu.',
  },
  'account-totp-on': {
    subject: 'Masuk dua langkah aktif',
    body: 'Mulai sekarang, untuk masuk Anda memerlukan kode dari aplikasi autentikator. Jika bukan Anda yang mengaktifkannya, segera hubungi administrator.',
  },
  'account-totp-off': {
    subject: 'Masuk dua langkah dimatikan',
    body: 'Untuk masuk, Anda tidak lagi memerlukan kode. Jika bukan Anda yang mematikannya, ganti kata sandi dan segera hubungi administrator.',
  },
  'account-totp-reset': {
    subject: 'Masuk dua langkah direset',
    body: 'Administrator mereset masuk dua langkah akun Anda. Alasan: {{reason}}. Akun Anda keluar dari semua perangkat; Anda dapat menyiapkannya lagi setelah masuk. Jika Anda tidak memintanya, segera hubungi administrator.',
  },
  'account-recovery-code': {
    subject: 'Kode pemulihan dipakai',
    body: 'Seseorang masuk ke akun Anda dengan salah satu kode pemulihan, yang kini tidak berlaku lagi. Jika bukan Anda, ganti kata sandi dan segera hubungi administrator.',
  },
  'registration-submitted': {
    subject: 'Pendaftaran {{code}} sudah kami terima',
    body: 'Pendaftaran Anda {{code}} sudah kami terima; ini belum hasil seleksi. Selanjutnya: bayar biaya pendaftaran sebesar {{amount}} sebelum {{due}}.',
  },
  'registration-submitted-free': {
    subject: 'Pendaftaran {{code}} sudah kami terima',
    body: 'Pendaftaran Anda {{code}} sudah kami terima tanpa biaya pendaftaran; ini belum hasil seleksi. Selanjutnya: unggah berkas yang diwajibkan.',
  },
  'registration-withdrawn': {
    subject: 'Anda mengundurkan diri dari pendaftaran {{code}}',
    body: 'Pengunduran diri Anda dari pendaftaran {{code}} sudah dicatat. Jika ini keliru, silakan hubungi panitia PMB.',
  },
  'registration-expired': {
    subject: 'Pendaftaran {{code}} telah kedaluwarsa',
    body: 'Pendaftaran {{code}} tidak diselesaikan tepat waktu sehingga kedaluwarsa. Anda dapat mendaftar lagi selama gelombang masih dibuka.',
  },
  'registration-cancelled': {
    subject: 'Pendaftaran {{code}} dibatalkan',
    body: 'Pendaftaran {{code}} dibatalkan oleh panitia PMB. Alasan: {{reason}}.',
  },
  'bill-issued': {
    subject: 'Tagihan baru {{number}}',
    body: 'Tagihan {{number}} sebesar {{amount}} telah terbit. Silakan bayar sebelum {{due}}.',
  },
  'bill-changed': {
    subject: 'Tagihan {{number}} berubah',
    body: 'Kampus mengubah tagihan {{number}}. Pembayaran berikutnya {{next}}, sebelum {{due}}; sisa seluruhnya {{remaining}}. Buka halaman pembayaran untuk melihat perubahannya.',
  },
  'bill-let-off': {
    subject: 'Tagihan {{number}} tidak perlu dibayar lagi',
    body: 'Kampus membebaskan sisa tagihan {{number}}. Tidak ada lagi yang perlu dibayar.',
  },
  'payment-received': {
    subject: 'Pembayaran {{amount}} telah diterima',
    body: 'Terima kasih. Kami telah menerima {{amount}} untuk tagihan {{number}}. Kuitansi Anda tersedia di PMB Online.',
  },
  'payment-partial': {
    subject: 'Pembayaran {{amount}} diterima, sisa {{remaining}}',
    body: 'Kami telah menerima {{amount}} untuk tagihan {{number}}. Pembayaran berikutnya {{next}}, sebelum {{due}}; sisa seluruhnya {{remaining}}.',
  },
  'payment-waiting': {
    subject: 'Pembayaran {{amount}} diterima, {{waiting}} menunggu',
    body: 'Terima kasih. Kami menerima {{amount}} untuk tagihan {{number}}. Sebesar {{waiting}} melebihi tagihan atau masuk setelah tagihan ditutup. Uang Anda aman: bagian keuangan akan menghubungi Anda.',
  },
  'payment-reversed': {
    subject: 'Pembayaran {{amount}} untuk tagihan {{number}} dibatalkan',
    body: 'Pembayaran {{amount}} untuk tagihan {{number}} dibatalkan. Alasan: {{reason}}. Tagihan itu harus dibayar lagi. Jika Anda punya bukti pembayaran, tunjukkan kepada bagian keuangan.',
  },
  'transfer-proof-matched': {
    subject: 'Transfer Anda sebesar {{amount}} sudah ditemukan',
    body: 'Transfer {{amount}} yang buktinya Anda kirim untuk tagihan {{number}} sudah kami temukan. Transfer itu muncul di daftar pembayaran Anda setelah dibukukan. Anda tidak perlu mengirim apa-apa lagi.',
  },
  'transfer-proof-refused': {
    subject: 'Transfer Anda sebesar {{amount}} tidak kami temukan',
    body: 'Kami sudah mencari transfer {{amount}} yang buktinya Anda kirim untuk tagihan {{number}}, tetapi tidak menemukannya. Alasan: {{reason}}. Anda dapat mengirim bukti lain di halaman pembayaran.',
  },
  'transfer-proof-returned': {
    subject: 'Transfer Anda sebesar {{amount}} kami cari lagi',
    body: 'Kabar kami tentang transfer {{amount}} untuk tagihan {{number}} tidak berlaku lagi, jadi transfer itu sedang kami cari lagi. Alasannya tertulis di halaman pembayaran pendaftaran Anda. Anda tidak perlu mengirim buktinya lagi.',
  },
  'refund-approved': {
    subject: '{{amount}} akan dikembalikan kepada Anda',
    body: 'Pengembalian dana {{number}} sebesar {{amount}} disetujui. Uang ditransfer ke rekening yang Anda sebutkan. Anda tidak perlu melakukan apa-apa.',
  },
  'payment-reminder': {
    subject: 'Tagihan {{number}} jatuh tempo {{due}}',
    body: 'Bayarlah {{next}} untuk tagihan {{number}} sebelum {{due}}; sisa seluruhnya {{remaining}}.',
  },
  'document-approved': {
    subject: 'Berkas disetujui: {{document}}',
    body: 'Berkas Anda "{{document}}" telah disetujui.',
  },
  'document-rejected': {
    subject: 'Mohon unggah ulang: {{document}}',
    body: 'Berkas Anda "{{document}}" belum dapat diterima. Alasan: {{reason}}. Silakan unggah ulang.',
  },
  'document-due': {
    subject: 'Mohon kirim {{document}} paling lambat {{due}}',
    body: '"{{document}}" untuk pendaftaran {{code}} masih menyusul. Silakan unggah paling lambat {{due}}.',
  },
  'document-overdue': {
    subject: '{{document}} belum kami terima sampai {{due}}',
    body: '"{{document}}" untuk pendaftaran {{code}} seharusnya dikirim paling lambat {{due}} dan sekarang dianggap kurang. Silakan unggah secepatnya.',
  },
  'document-requested': {
    subject: 'Mohon kirim berkas: {{document}}',
    body: 'Panitia PMB meminta "{{document}}". Silakan unggah sebelum {{due}}.',
  },
  'document-reopened': {
    subject: 'Kami periksa ulang: {{document}}',
    body: 'Panitia PMB memeriksa kembali berkas "{{document}}" pada pendaftaran {{code}}. Anda tidak perlu melakukan apa pun saat ini; hasilnya akan kami sampaikan.',
  },
  'registration-verified': {
    subject: 'Seluruh berkas {{code}} telah disetujui',
    body: 'Seluruh berkas wajib pendaftaran {{code}} telah disetujui. Silakan menunggu seleksi.',
  },
  'test-booked': {
    subject: 'Jadwal tes: {{session}}',
    body: 'Anda terdaftar pada {{session}} tanggal {{date}}, {{place}}. Siapkan kartu pendaftaran dan kartu identitas Anda.',
  },
  'test-changed': {
    subject: 'Jadwal tes Anda berubah',
    body: 'Tes Anda sekarang {{session}} tanggal {{date}}, {{place}}.',
  },
  'test-offered': {
    subject: 'Ada kursi kosong: {{session}}',
    body: 'Satu kursi {{session}} tanggal {{date}}, {{place}}, disimpan untuk Anda sampai {{due}}. Silakan terima atau tolak sebelum waktu itu; setelahnya kursi ditawarkan kepada orang berikutnya di daftar tunggu.',
  },
  'test-offer-expired': {
    subject: 'Kursi {{session}} beralih ke orang berikutnya',
    body: 'Tawaran kursi {{session}} tanggal {{date}} tidak Anda jawab tepat waktu, sehingga beralih ke orang berikutnya. Anda dapat memilih sesi lain atau masuk daftar tunggu lagi.',
  },
  'test-waiting-closed': {
    subject: 'Tidak ada kursi kosong: {{session}}',
    body: 'Daftar tunggu {{session}} tanggal {{date}} ditutup dan tidak ada kursi yang kosong untuk Anda. Silakan pilih sesi lain.',
  },
  'test-moved': {
    subject: 'Waktu tes Anda berubah: {{session}}',
    body: '{{session}} kini dilaksanakan tanggal {{date}}, {{place}}. Alasan: {{reason}}. Kursi Anda tetap; jika tidak dapat hadir, pilih sesi lain di PMB Online selama pemesanan dibuka.',
  },
  'test-released': {
    subject: 'Silakan pilih sesi tes lain',
    body: 'Kursi Anda di {{session}} tanggal {{date}} dilepas. Alasan: {{reason}}. Silakan pilih sesi lain di PMB Online.',
  },
  'test-reminder': {
    subject: 'Tes Anda tanggal {{date}}',
    body: '{{session}} dilaksanakan tanggal {{date}}, {{place}}. Bawalah kartu pendaftaran dan kartu identitas Anda.',
  },
  'result-published': {
    subject: 'Hasil pendaftaran {{code}} telah diumumkan',
    body: 'Hasil pendaftaran {{code}} sekarang dapat dilihat di PMB Online.',
  },
  'registration-accepted': {
    subject: 'Selamat, Anda diterima di {{programme}}',
    body: 'Selamat! Anda diterima di {{programme}}. Silakan konfirmasi kesediaan Anda sebelum {{due}}.',
  },
  'registration-not-accepted': {
    subject: 'Hasil pendaftaran {{code}} telah diumumkan',
    body: 'Terima kasih telah mengikuti seleksi kami. Mohon maaf, pendaftaran {{code}} belum dapat kami terima kali ini.',
  },
  'registration-confirmed': {
    subject: 'Kursi Anda di {{programme}} telah dikonfirmasi',
    body: 'Kursi Anda di {{programme}} telah dikonfirmasi. Selanjutnya: bayar tagihan daftar ulang sebelum {{due}}.',
  },
  'offer-declined': {
    subject: 'Kursi {{code}} sudah dilepas',
    body: 'Kursi yang ditawarkan untuk pendaftaran {{code}} sudah dilepas. Jika ini keliru, segera hubungi panitia PMB.',
  },
  'offer-expired': {
    subject: 'Tawaran {{code}} sudah berakhir',
    body: 'Kursi untuk pendaftaran {{code}} tidak dikonfirmasi tepat waktu sehingga tidak lagi disimpan untuk Anda. Jika masih menginginkannya, segera hubungi panitia PMB.',
  },
  'offer-reopened': {
    subject: 'Kursi Anda di {{programme}} dibuka kembali sampai {{due}}',
    body: 'Kursi Anda di {{programme}} (pendaftaran {{code}}) sempat kedaluwarsa dan kini dibuka kembali. Kursi kami simpan sampai {{due}}. Mohon konfirmasi atau tolak sebelum waktu itu.',
  },
  'offer-extended': {
    subject: 'Anda dapat menjawab sampai {{due}}',
    body: 'Kursi Anda di {{programme}} (pendaftaran {{code}}) kami simpan sampai {{due}}. Mohon konfirmasi atau tolak sebelum waktu itu.',
  },
  'offer-reminder': {
    subject: 'Mohon konfirmasi kursi Anda di {{programme}}',
    body: 'Kursi Anda di {{programme}} (pendaftaran {{code}}) masih menunggu jawaban. Konfirmasi atau tolak sebelum {{due}}, jika tidak kursi diberikan kepada pendaftar berikutnya.',
  },
  'event-ticket': {
    subject: 'Tiket Anda untuk {{title}}',
    body: 'Anda terdaftar di {{title}} pada {{date}}, {{place}}. Buka tiket Anda dan tunjukkan kode QR-nya di pintu masuk. Kode: {{code}}.',
  },
  'event-waiting': {
    subject: 'Anda masuk daftar tunggu: {{title}}',
    body: '{{title}} pada {{date}} sudah penuh. Anda masuk daftar tunggu; begitu ada tempat, tempat itu menjadi milik Anda dan kami segera memberi tahu.',
  },
  'event-place-free': {
    subject: 'Ada tempat untuk Anda: {{title}}',
    body: 'Anda mendapat tempat di {{title}} pada {{date}}, {{place}}. Buka tiket Anda dan tunjukkan kode QR-nya di pintu masuk. Kode: {{code}}. Jika tidak dapat hadir, batalkan di tiket agar orang lain dapat datang.',
  },
  'event-reminder': {
    subject: 'Besok: {{title}}',
    body: '{{title}} berlangsung pada {{date}}, {{place}}. Siapkan tiket Anda; kodenya {{code}}. Jika tidak dapat hadir, batalkan di tiket.',
  },
  'event-moved': {
    subject: 'Waktu atau tempat berubah: {{title}}',
    body: '{{title}} kini berlangsung pada {{date}}, {{place}}. Tiket Anda tetap berlaku. Jika tidak dapat hadir, batalkan di tiket.',
  },
  'event-cancelled': {
    subject: 'Dibatalkan: {{title}}',
    body: '{{title}} pada {{date}} tidak jadi dilaksanakan. Alasan: {{reason}}. Mohon maaf; semoga kita bertemu di acara lain.',
  },
  'affiliate-approved': {
    subject: 'Anda kini menjadi afiliator',
    body: 'Permohonan Anda disetujui. Kode Anda {{code}}. Tautan, orang yang Anda ajak, dan komisi Anda ada di halaman Anda sendiri.',
  },
  'affiliate-refused': {
    subject: 'Permohonan Anda menjadi afiliator',
    body: 'Permohonan Anda menjadi afiliator belum dikabulkan. Alasan: {{reason}}. Anda boleh mengajukan lagi.',
  },
  'commission-paid': {
    subject: 'Komisi Anda sebesar {{amount}} sudah dicairkan',
    body: 'Kami telah mentransfer komisi Anda sebesar {{amount}} setelah dipotong pajak (pencairan {{number}}). Rinciannya ada di halaman Anda sendiri.',
  },
  'programme-request-refused': {
    subject: 'Permohonan pindah ke {{programme}} tidak dikabulkan',
    body: 'Permohonan memindahkan pendaftaran {{code}} ke {{programme}} tidak dikabulkan. Alasan: {{reason}}. Pendaftaran Anda tetap seperti semula.',
  },
  'programme-changed': {
    subject: 'Pendaftaran {{code}}: prodi Anda kini {{programme}}',
    body: 'Pendaftaran {{code}} telah dipindahkan ke {{programme}}. Alasan: {{reason}}. Tagihan Anda tidak berubah.',
  },
  'programme-changed-bill': {
    subject: 'Pendaftaran {{code}}: prodi Anda kini {{programme}}',
    body: 'Pendaftaran {{code}} telah dipindahkan ke {{programme}}. Alasan: {{reason}}. Tagihan Anda diganti dengan {{number}} sebesar {{amount}}. Uang yang sudah Anda bayar ikut pindah; sisanya {{remaining}}. Jangan lagi mentransfer ke nomor lama.',
  },
  'programme-changed-overpaid': {
    subject: 'Pendaftaran {{code}}: prodi Anda kini {{programme}}',
    body: 'Pendaftaran {{code}} telah dipindahkan ke {{programme}}. Alasan: {{reason}}. Tagihan Anda diganti dengan {{number}} sebesar {{amount}} dan sudah lunas. Ada kelebihan {{waiting}}: uang itu aman di bagian keuangan yang akan menghubungi Anda. Anda tidak perlu melakukan apa pun sampai saat itu.',
  },
  'student-number-withdrawn': {
    subject: 'NPM {{number}} ditarik kembali',
    body: 'NPM {{number}} tidak berlaku lagi. Alasan: {{reason}}. Kursi Anda tetap terkonfirmasi. Anda akan mendapat NPM dan kartu baru; kami kabari begitu sudah terbit.',
  },
  'student-number-issued': {
    subject: 'NPM Anda adalah {{number}}',
    body: 'Selamat datang di {{programme}}! Nomor Pokok Mahasiswa (NPM) Anda adalah {{number}}.',
  },
  'school-rejected': {
    subject: 'Sekolah “{{school}}” tidak diterima',
    body: 'Panitia tidak dapat menerima sekolah yang Anda pilih: {{school}}. Alasan: {{reason}}. Yang perlu Anda lakukan: buka Akun › Pendidikan terakhir lalu pilih kembali sekolah Anda, atau usulkan lagi dengan nama lengkap dan NPSN-nya.',
  },
  'campaign-to-approve': {
    subject: 'Kiriman menunggu persetujuan: {{title}}',
    body: 'Kiriman “{{title}}” kepada {{count}} orang menunggu persetujuan dari petugas lain. Silakan periksa isi dan penerimanya, lalu setujui atau kembalikan menjadi draf.',
  },
  'health-red': {
    subject: 'Perlu ditangani sekarang: {{lines}}',
    body: 'Bagian sistem berikut bermasalah atau akan segera bermasalah sehingga pendaftar dapat terdampak: {{lines}}. Buka halaman kesehatan sistem: di sana dijelaskan arti setiap bagian dan apa yang perlu dilakukan. Anda diberi tahu satu kali, dan sekali lagi setelah pulih.',
  },
  'health-well': {
    subject: 'Pulih kembali: {{lines}}',
    body: 'Bagian sistem berikut sudah pulih kembali: {{lines}}.',
  },
  'invariants-found': {
    subject: 'Kejanggalan pembukuan ({{count}} temuan baru)',
    body: 'Pemeriksaan pembukuan menemukan {{count}} kejanggalan baru: catatan yang tidak sesuai dengan data lainnya. Silakan periksa satu per satu; tidak ada data yang diubah.',
  },
  'chat-answer': {
    subject: 'Panitia sudah menjawab Anda',
    body: 'Ada jawaban untuk pertanyaan Anda:\n\n{{text}}',
  },
  note: {
    subject: '{{title}}',
    body: '{{text}}',
  },
  'report-mail': {
    subject: '{{title}} ({{date}})',
    body: '“{{report}}” per {{date}} terlampir: {{count}} baris, sebatas yang boleh dilihat peran Anda. Laporan ini dikirimkan oleh {{by}}. Tekan tombol untuk membukanya dengan filter yang sama.',
  },
  'report-mail-link': {
    subject: '{{title}} ({{date}})',
    body: '“{{report}}” per {{date}} berisi {{count}} baris, terlalu banyak untuk lampiran. Tekan tombol untuk membukanya dengan filter yang sama dan mengunduhnya di sana. Laporan ini dikirimkan oleh {{by}}.',
  },
} satisfies typeof en
