import type { ops as en } from '../en/ops.ts'

export const ops = {
  runNow: 'Periksa sekarang',
  running: 'Memeriksa …',
  lastCheck: 'Pemeriksaan terakhir',
  lastRun: 'Pemeriksaan terakhir {{when}}: {{found}}',
  lastFound_zero: 'semuanya cocok',
  lastFound_one: 'satu kejanggalan',
  lastFound_other: '{{count}} kejanggalan',
  never:
    'Pembukuan belum pernah diperiksa. Pemeriksaan berjalan setiap malam pukul 02.30; Anda juga dapat memeriksanya sekarang.',
  by: 'dijalankan oleh {{name}}',
  everyNight: 'setiap malam pukul 02.30',
  doneGood: 'Semuanya cocok',
  doneBad_one: 'Satu kejanggalan ditemukan',
  doneBad_other: '{{count}} kejanggalan ditemukan',
  search: 'Nomor atau nama data',
  check: 'Pemeriksaan',
  record: 'Data',
  stored: 'Tercatat',
  derived: 'Seharusnya',
  nothing: 'tidak ada',
  firstSeen: 'Pertama ditemukan',
  lastSeen: 'Terakhir ditemukan',
  gone: 'Benar kembali sejak',
  state: 'Keadaan',
  states: { open: 'Berbeda', gone: 'Benar kembali' },
  why: 'Artinya',
  open: 'Buka data',
  runbook:
    'Tidak ada data yang diubah. Cari tahu dulu apa yang terjadi sebelum mengoreksi; koreksi dilakukan dengan pembalikan.',
  emptyTitle: 'Semua {{count}} pemeriksaan cocok',
  emptyText:
    'Diperiksa {{when}}. Setiap tagihan, pembayaran, nomor transfer, diskon, kursi tes, dan daya tampung sesuai dengan data lainnya.',
  neverTitle: 'Belum diperiksa',
  restored: {
    notice: 'Keterangan tentang pemulihan cadangan',
    title: 'Dipulihkan dari cadangan {{when}}',
    text: 'Tidak ada catatan sejak saat itu sampai {{until}} di pembukuan ini. Bank ditanya apa yang telah diterimanya; uang tunai, bukti transfer, keputusan, dan pendaftaran dari masa itu harus dimasukkan kembali.',
    asking: 'Bank sudah ditanya tentang {{asked}} dari {{total}} nomor transfer.',
    asked: 'Bank sudah ditanya tentang semua {{total}} nomor transfer, terakhir {{when}}.',
    found_zero: 'Sejauh ini tidak ada pembayaran yang kurang.',
    found_one: 'Satu pembayaran yang kurang ditemukan.',
    found_other: '{{count}} pembayaran yang kurang ditemukan.',
    silent:
      'Bank berikut tidak memberitahukan apa yang diterimanya: {{banks}}. Impor rekening korannya untuk semua hari sejak cadangan.',
    import: 'Impor rekening koran',
    lost_one:
      'Satu pembayaran masuk ke nomor yang tidak dikenal pembukuan ini. Uangnya menunggu sampai pembayarnya ditemukan.',
    lost_other:
      '{{count}} pembayaran masuk ke nomor yang tidak dikenal pembukuan ini. Uangnya menunggu sampai pembayarnya ditemukan.',
    waiting: 'Uang menunggu',
    short:
      'Nomor yang tersisa terlalu sedikit untuk melewati semua yang mungkin sudah diberikan sejak cadangan: {{counters}}. Bandingkan nomor baru dengan berkas dari masa itu.',
    gaps: 'Nomor yang dilewati',
    gapsText:
      'Nomor-nomor ini mungkin sudah diberikan antara cadangan dan pemulihan. Tidak ada yang akan mendapatkannya lagi.',
    range: '{{first}} sampai {{last}}',
    anyScope: 'yang dimulai sebelum pemulihan diakhiri',
    kinds: {
      registration: 'Nomor pendaftaran',
      bill: 'Nomor tagihan',
      receipt: 'Nomor kuitansi',
      refund: 'Nomor pengembalian',
      student: 'NPM',
      'virtual-account': 'Nomor transfer',
      school: 'Nomor sekolah sementara',
    },
    end: 'Akhiri pemulihan',
    endText:
      'Akhiri setelah semua yang terjadi sejak cadangan dimasukkan kembali. Nomor gelombang, program studi, dan bank yang dibuat sesudahnya dihitung dari satu.',
    note: 'Apa yang sudah dilakukan',
    unanswered: 'Tetap akhiri meskipun bank belum menjawab tentang {{count}} nomor',
    done: 'Pemulihan diakhiri',
  },
  areas: {
    bills: 'Tagihan dan cicilan',
    allocations: 'Alokasi',
    payments: 'Pembayaran dan kuitansi',
    approvals: 'Persetujuan dan pengembalian',
    'virtual-accounts': 'Nomor transfer',
    statements: 'Rekening koran dan rekonsiliasi',
    discounts: 'Diskon',
    seats: 'Kursi tes dan daya tampung',
    numbers: 'Penghitung nomor',
    registrations: 'Pendaftaran dan NPM',
  },
  values: {
    open: 'terbuka',
    partly_paid: 'dibayar sebagian',
    paid: 'lunas',
    waived: 'dibebaskan',
    guaranteed: 'dijamin',
    cancelled: 'dibatalkan',
    active: 'aktif',
    expired: 'kedaluwarsa',
    replaced: 'diganti',
    received: 'diterima',
    allocated: 'dialokasikan',
    waiting: 'menunggu',
    reversed: 'dibatalkan',
    booked: 'dibukukan',
    held: 'ditahan',
    draft: 'draf',
    submitted: 'dikirim',
    verified: 'terverifikasi',
    decided: 'diputuskan',
    confirmed: 'dikonfirmasi',
    enrolled: 'terdaftar',
    withdrawn: 'ditarik',
  },
  checks: {
    'bill-paid': { title: 'Tagihan: uang diterima', text: 'Tagihan mencatat jumlah yang berbeda dari alokasinya.' },
    'bill-lines': { title: 'Tagihan: total', text: 'Total tidak sama dengan jumlah rinciannya.' },
    'bill-issued': {
      title: 'Tagihan: diubah setelah terbit',
      text: 'Rincian atau total diubah setelah tagihan terbit, lebih dari pengurangan yang dicatat kemudian.',
    },
    'bill-status': { title: 'Tagihan: status', text: 'Status tidak sesuai dengan uang yang diterima.' },
    'bill-paid-date': {
      title: 'Tagihan: tanggal lunas',
      text: 'Tagihan lunas tanpa tanggal lunas, atau tagihan terbuka memilikinya.',
    },
    'bill-owner': { title: 'Tagihan: pemilik', text: 'Tagihan atas nama orang lain dari pemilik pendaftaran.' },
    'bill-of-kind': {
      title: 'Tagihan: ganda',
      text: 'Satu pendaftaran memiliki beberapa tagihan sejenis yang berlaku.',
    },
    'bill-exception': {
      title: 'Tagihan: dibebaskan',
      text: 'Tagihan dibebaskan atau dijamin tanpa permintaan yang disetujui.',
    },
    'bill-reduction': {
      title: 'Tagihan: dikurangi',
      text: 'Tagihan dikurangi lebih banyak dari keringanan yang disetujui dan uang yang dikembalikan.',
    },
    'bill-promise': {
      title: 'Tagihan: janji bayar',
      text: 'Tagihan ditandai dengan janji bayar yang tidak ada persetujuannya.',
    },
    'instalment-total': { title: 'Cicilan: total', text: 'Jumlah cicilan tidak sama dengan tagihan.' },
    'instalment-paid': {
      title: 'Cicilan: uang diterima',
      text: 'Cicilan mencatat jumlah yang berbeda dari alokasinya.',
    },
    'instalment-paid-date': {
      title: 'Cicilan: tanggal lunas',
      text: 'Cicilan lunas tanpa tanggal lunas, atau cicilan terbuka memilikinya.',
    },
    'allocation-bill': {
      title: 'Alokasi: cicilan',
      text: 'Uang masuk ke cicilan tagihan lain, atau tidak ke cicilan mana pun.',
    },
    'allocation-owner': {
      title: 'Alokasi: orang',
      text: 'Tagihan dibayar dengan uang orang lain, atau uang yang tidak diketahui pemiliknya.',
    },
    'allocation-reversal': {
      title: 'Alokasi: pembalikan',
      text: 'Pembalikan bukan kebalikan persis dari yang dibalik.',
    },
    'payment-split': {
      title: 'Pembayaran: keberadaan uang',
      text: 'Uang yang dialokasikan dan menunggu tidak sama dengan yang masuk.',
    },
    'payment-status': {
      title: 'Pembayaran: status',
      text: 'Status tidak sesuai dengan uang yang menunggu, atau alasan maupun waktunya tidak ada.',
    },
    'payment-refunds': {
      title: 'Pembayaran: pengembalian',
      text: 'Jumlah yang dikembalikan berbeda dari catatan pengembalian dananya.',
    },
    'payment-twice': {
      title: 'Pembayaran: terhitung dua kali',
      text: 'Dicatat petugas atau dari rekening koran, sedangkan pembayaran lain dengan referensi yang sama masih berlaku.',
    },
    'approval-effect': {
      title: 'Pembayaran: tanpa persetujuan',
      text: 'Dicatat petugas, dibatalkan, atau dikembalikan tanpa permintaan yang disetujui sebesar itu.',
    },
    'approval-done': {
      title: 'Persetujuan: belum terlaksana',
      text: 'Permintaan disetujui, tetapi yang diminta tidak dilakukan.',
    },
    'payment-number': {
      title: 'Pembayaran: nomor transfer',
      text: 'Pembayaran mencatat nomor lain dari nomor asalnya.',
    },
    'payment-successor': {
      title: 'Pembayaran: menunggu di samping tagihannya',
      text: 'Uang menunggu karena tagihannya ditutup, padahal tagihan penggantinya belum lunas.',
    },
    'payment-source': {
      title: 'Pembayaran: tanpa laporan',
      text: 'Pembayaran bank tanpa laporan, atau laporannya berbunyi lain, dan tidak ditemukan dengan bertanya kepada bank.',
    },
    'payment-time': {
      title: 'Pembayaran: waktu',
      text: 'Waktu bayar berbeda dari saat dibukukan, sebelum nomornya ada, atau di masa depan.',
    },
    'report-booked': {
      title: 'Laporan bank: belum dibukukan',
      text: 'Bank sudah diberi tahu bahwa laporannya dibukukan, tetapi pembayarannya tidak ada.',
    },
    'amount-held': {
      title: 'Laporan bank: jumlah ditahan',
      text: 'Bank melaporkan lebih dari batas koneksinya. Harus dibukukan atau diabaikan oleh dua orang; sampai saat itu tidak masuk ke jumlah mana pun.',
    },
    'receipt-gap': { title: 'Kuitansi: nomor hilang', text: 'Jumlah kuitansi tidak sama dengan nomor yang diambil.' },
    'receipt-without-money': {
      title: 'Kuitansi: tanpa uang',
      text: 'Kuitansi terbit untuk uang yang tidak masuk ke tagihan mana pun.',
    },
    'approval-asked': {
      title: 'Persetujuan: bukan yang diminta',
      text: 'Permintaan berbeda dari yang tercatat di log saat diajukan: jumlah, tagihan, orang, atau penerimanya.',
    },
    'approval-decider': {
      title: 'Persetujuan: pemutus',
      text: 'Diputuskan orang lain dari yang tercatat di log, atau di atas batas yang berlaku saat itu.',
    },
    'refund-payee': {
      title: 'Pengembalian: penerima',
      text: 'Dana dikembalikan ke rekening atau orang lain dari yang disetujui.',
    },
    'va-one-active': {
      title: 'Nomor transfer: ganda',
      text: 'Satu tagihan memiliki beberapa nomor aktif di satu bank.',
    },
    'va-bill-status': {
      title: 'Nomor transfer: tagihan',
      text: 'Nomor masih menerima uang untuk tagihan yang tidak terutang.',
    },
    'va-instalment': {
      title: 'Nomor transfer: cicilan',
      text: 'Nomor menerima uang untuk cicilan yang sudah lunas atau milik tagihan lain.',
    },
    'va-expired': {
      title: 'Nomor transfer: lewat waktu',
      text: 'Nomor masih menerima uang lebih dari satu hari setelah masa berlakunya habis.',
    },
    'va-paid': {
      title: 'Nomor transfer: tanpa pembayaran',
      text: 'Nomor berstatus lunas padahal tidak ada uang masuk.',
    },
    'va-bill': {
      title: 'Nomor transfer: tagihan lain',
      text: 'Nomor ini milik tagihan lain dari tagihan saat diterbitkan atau dibayar.',
    },
    'va-received': {
      title: 'Nomor transfer: diterima',
      text: 'Jumlah yang dicatat diterima pada nomor tidak sama dengan jumlah pembayarannya.',
    },
    'va-closed-date': {
      title: 'Nomor transfer: waktu berakhir',
      text: 'Nomor aktif memiliki waktu berakhir, atau nomor yang berakhir tidak memilikinya.',
    },
    'statement-import': {
      title: 'Rekening koran: mutasi',
      text: 'Jumlah mutasi yang disimpan berbeda dari yang dibawa rekening koran.',
    },
    'statement-payment': {
      title: 'Rekening koran: uang dicatat',
      text: 'Uang dicatat dari mutasi yang tidak ada, atau mutasinya berjumlah lain.',
    },
    'statement-match': {
      title: 'Rekening koran: dicocokkan dengan jumlah lain',
      text: 'Mutasi dicocokkan dengan pembayaran yang jumlahnya berbeda tanpa alasan.',
    },
    'reconciliation-day': {
      title: 'Rekonsiliasi: selisih',
      text: 'Jumlah selisih terbuka pada hari itu tidak sesuai kenyataan.',
    },
    'line-approval': {
      title: 'Rekening koran: tanpa persetujuan',
      text: 'Uang dicatat dari rekening koran tanpa permintaan yang disetujui untuk mutasi itu.',
    },
    'bank-account-approval': {
      title: 'Rekening bank: tidak sesuai persetujuan',
      text: 'Isi rekening berbeda dari permintaan yang terakhir disetujui.',
    },
    'connection-approval': {
      title: 'Koneksi bank: tidak sesuai persetujuan',
      text: 'Alamat, pengaturan, atau keadaannya berbeda dari permintaan yang terakhir disetujui.',
    },
    'connection-key': {
      title: 'Koneksi bank: kunci lain',
      text: 'Sebuah kunci diganti tanpa permintaan yang disetujui. Pemegangnya dapat menandatangani laporan bank itu.',
    },
    'discount-uses': { title: 'Diskon: pemakaian', text: 'Jumlah pemakaian diskon tidak sesuai kenyataan.' },
    'discount-limit': { title: 'Diskon: batas', text: 'Diskon diberikan lebih sering dari yang diizinkan.' },
    'voucher-uses': { title: 'Voucher: pemakaian', text: 'Jumlah pemakaian voucher tidak sesuai kenyataan.' },
    'voucher-limit': { title: 'Voucher: batas', text: 'Voucher dipakai lebih sering dari yang diizinkan.' },
    'agreement-uses': { title: 'MoU sekolah: pemakaian', text: 'Jumlah pemakaian MoU tidak sesuai kenyataan.' },
    'agreement-quota': { title: 'MoU sekolah: kuota', text: 'MoU dipakai lebih banyak pendaftar dari kuotanya.' },
    'discount-line': {
      title: 'Diskon: rincian tagihan',
      text: 'Potongan diskon tidak sama dengan yang tertulis di tagihan.',
    },
    'discount-approval': {
      title: 'Diskon: tanpa persetujuan',
      text: 'Diskon dari petugas tanpa permintaan yang disetujui, atau lebih besar dari yang disetujui.',
    },
    'discount-owner': {
      title: 'Diskon: orang',
      text: 'Diskon milik satu pendaftaran tertulis di tagihan pendaftaran lain.',
    },
    'seat-count': { title: 'Jadwal tes: kursi', text: 'Jumlah kursi yang dihitung berbeda dari yang terisi.' },
    'seat-capacity': { title: 'Jadwal tes: kapasitas', text: 'Kursi yang diberikan melebihi kapasitas.' },
    'seat-one': { title: 'Kursi tes: ganda', text: 'Satu pendaftaran memiliki beberapa kursi.' },
    'seat-registration': {
      title: 'Kursi tes: pendaftaran berakhir',
      text: 'Kursi disimpan untuk orang yang tidak akan datang.',
    },
    'programme-capacity': {
      title: 'Program studi: daya tampung',
      text: 'Pendaftar yang diterima lebih banyak dari daya tampung program studi.',
    },
    'counter-behind': {
      title: 'Penghitung: tertinggal',
      text: 'Penghitung tertinggal dari nomor tertinggi yang sudah diberikan atau dilewati: satu nomor akan diberikan dua kali.',
    },
    'registration-fee': { title: 'Pendaftaran: biaya', text: 'Pendaftaran berlanjut padahal biayanya belum lunas.' },
    'registration-closed': {
      title: 'Pendaftaran: berakhir',
      text: 'Pendaftaran sudah berakhir tetapi masih terutang.',
    },
    'registration-student': {
      title: 'Pendaftaran: NPM',
      text: 'Seseorang terdaftar tanpa NPM, atau memiliki NPM tanpa terdaftar.',
    },
    'student-unlock': { title: 'NPM: pembayaran', text: 'NPM terbit sebelum uang yang disyaratkan masuk.' },
    'student-programme': {
      title: 'NPM: program studi',
      text: 'NPM milik program studi atau orang lain dari pendaftarannya.',
    },
    'registration-steps': {
      title: 'Pendaftaran: riwayat',
      text: 'Riwayat pendaftaran mencatat langkah atau waktu yang berbeda dari pendaftarannya sendiri.',
    },
  },
} satisfies typeof en
