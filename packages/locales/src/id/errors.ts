import type { errors as en } from '../en/errors.ts'

export const errors = {
  internal: 'Terjadi kesalahan pada sistem kami. Silakan coba beberapa saat lagi.',
  not_found: 'Data ini tidak ada atau sudah tidak tersedia.',
  unauthenticated: 'Silakan masuk untuk melanjutkan.',
  forbidden: 'Anda tidak memiliki izin untuk melakukan ini.',
  invalid_input: 'Beberapa isian perlu Anda periksa.',
  stale_version: 'Data ini baru saja diubah orang lain. Muat ulang untuk melihat perubahannya, lalu coba lagi.',
  already_exists: 'Data ini sudah ada.',
  in_use: 'Data ini masih dipakai sehingga tidak dapat dihapus. Anda dapat menonaktifkannya.',
  wrong_status: 'Tindakan ini tidak dapat dilakukan lagi karena statusnya sudah berubah. Muat ulang untuk melihatnya.',
  too_many_requests: 'Terlalu banyak percobaan. Tunggu sebentar, lalu coba lagi.',
  idempotency_mismatch: 'Permintaan ini sudah dikirim dengan isi yang berbeda. Muat ulang, lalu coba lagi.',
  payload_too_large: 'Ukurannya melebihi batas. Silakan kirim yang lebih kecil.',
  service_unavailable: 'Layanan sedang sibuk atau baru dimulai. Silakan coba beberapa saat lagi.',
} satisfies Record<keyof typeof en, string>
