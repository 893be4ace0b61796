/** Kinds of hits, in display order. */
export const searchKinds = [
  'registration',
  'student',
  'bill',
  'virtualAccount',
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
  school: ['master-sma-nama-view'],
  affiliate: ['master-afiliator-view'],
  account: ['settings-accounts-view'],
}
