/** Whether a path is for staff alone: of those pages applicants do not load even the list. */
export const isOfStaff = (path: string) =>
  /^\/((master|settings)\/(?!prodi\/:id\/(program|file))|persetujuan|pindah-prodi|uang-menunggu|pembayaran-mahasiswa|rekonsiliasi|transaksi-va)/.test(
    path,
  )
