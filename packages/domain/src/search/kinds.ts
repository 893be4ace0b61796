/** Kinds of hits, in display order. */
export const searchKinds = [
  'registration',
  'student',
  'bill',
  'virtualAccount',
  'payment',
  'letter',
  'programme',
  'wave',
  'school',
  'affiliate',
  'account',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** Permissions that open a kind (any of them), as for its screen. */
export const searchPermissions: Record<SearchKind, readonly string[]> = {
  registration: ['pendaftaran-view'],
  student: ['npm-mahasiswa-view'],
  bill: ['pembayaran-mahasiswa-view'],
  virtualAccount: ['transaksi-va-view', 'pembayaran-mahasiswa-view'],
  payment: ['pembayaran-mahasiswa-view'],
  letter: ['surat-view'],
  programme: ['master-prodi-view'],
  wave: ['master-periode-view'],
  school: ['master-sma-nama-view'],
  affiliate: ['master-afiliator-view'],
  account: ['settings-accounts-view'],
}
