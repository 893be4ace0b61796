import type { leadArrival as en } from '#locales/en/lead-arrival.ts'

/** Pendaftaran akun lewat tautan prospek. */
export const leadArrival = {
  hello: 'Halo {{name}}',
  digits: 'Empat digit terakhir nomor HP Anda',
  digitsHelp: 'Setelah itu formulir terisi dengan data yang Anda berikan kepada kami.',
  fill: 'Isi formulir',
  filled: 'Formulir terisi dengan data yang Anda berikan kepada kami. Mohon diperiksa.',
  ended: 'Tautan Anda sudah berakhir. Anda dapat mendaftar tanpa tautan.',
} satisfies typeof en
