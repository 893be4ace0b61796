/** Riwayat musim penerimaan dan perkiraan yang bertumpu padanya. */
export const seasons = {
  title: 'Berapa yang akan menjadi mahasiswa?',
  basis: 'Perkiraan pada akhir musim {{year}}, dari {{earlier}} pada hari musim yang sama.',
  range: 'Empat dari lima musim berakhir di antara “Paling sedikit” dan “Paling banyak”.',
  never:
    'Belum ada perkiraan: tidak ada musim sebelumnya yang memiliki pendaftaran pada hari musim ini, sehingga belum diketahui berapa dari pendaftaran hari ini yang akan menjadi mahasiswa.',
  neverFiltered:
    'Tidak ada perkiraan untuk pilihan ini: tidak ada musim sebelumnya yang memiliki pendaftaran serupa pada hari musim ini.',
  total: 'Jumlah',
  noHistory: 'tanpa riwayat sendiri',
  columns: {
    programme: 'Program studi',
    submitted: 'Dikirim sampai kini',
    enrolled: 'Mahasiswa sampai kini',
    places: 'Kursi',
    low: 'Paling sedikit',
    expected: 'Perkiraan',
    high: 'Paling banyak',
    came: 'Menjadi mahasiswa',
    tested: 'Tahun lalu: perkiraan, kenyataan',
    lastYear: '{{column}}, {{year}}',
  },
  testedOn: 'Tahun lalu per',
  tested:
    'Pada hari yang sama di musim {{year}} ({{day}}) cara ini akan memperkirakan {{expected}} ({{low}} sampai {{high}}); kenyataannya {{came}} menjadi mahasiswa{{error}}.',
  tooHigh: ', {{share}} lebih sedikit',
  tooLow: ', {{share}} lebih banyak',
  exact: ', tepat seperti perkiraan',
  within: 'Dari {{of}} program studi, {{within}} berakhir di dalam rentangnya.',
  untested: 'Belum diketahui seberapa keliru cara ini tahun lalu: baru ada satu musim sebelumnya.',
  saidAndCame: '{{expected}} ({{low}}–{{high}}), kenyataan {{came}}',
  counting:
    'Dilihat berapa bagian pendaftaran yang akhirnya menjadi mahasiswa di musim-musim sebelumnya, pada hari yang sama dihitung mundur dari penutupan gelombang terakhir. Bagian itu dipakai untuk pendaftaran hari ini yang belum menjadi mahasiswa; yang mendaftar kemudian sudah termasuk. Makin sedikit pendaftaran sebuah program studi, makin dekat perkiraannya ke angka seluruh universitas. Rentang menunjukkan seberapa besar beda antarprogram studi dan antartahun; hal yang baru tahun ini tidak diperhitungkan. Periode dan hari lampau yang dipilih di atas tidak mengubahnya.',
  keptUntil:
    'Hari-hari lampau dibaca dari riwayat, yang tersimpan sampai {{day}} dan tidak pernah diubah; yang terjadi sesudahnya dihitung.',
  keptNever: 'Belum ada hari yang tersimpan dalam riwayat, sehingga hari-hari lampau dihitung.',
  keep: 'Simpan sampai kemarin',
  keptNow_one: '{{count}} hari disimpan.',
  keptNow_other: '{{count}} hari disimpan.',
  keptAlready: 'Semua hari sampai {{day}} sudah tersimpan.',
}
