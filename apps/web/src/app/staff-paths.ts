/** Reports that are built; each shows the one page of all reports. */
export const reportPaths: readonly string[] = [
  '/laporan/pendaftaran-prodi',
  '/laporan/camaba',
  '/laporan/piutang-va',
  '/laporan/jumlah-pendaftaran',
]

/** Whether a path is for staff alone: of those pages applicants do not load even the list. */
export const isOfStaff = (path: string) =>
  reportPaths.includes(path) ||
  /^\/((master|settings)\/(?!prodi\/:id\/(program|file))|persetujuan|pindah-prodi|uang-menunggu|pembayaran-mahasiswa|rekonsiliasi|transaksi-va)/.test(
    path,
  )
