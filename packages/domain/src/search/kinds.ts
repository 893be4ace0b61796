/** What can be found, in the order it is shown. */
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

/** Any of these permissions lets somebody find the kind: the same that open the screen it is shown on. */
export const searchPermissions: Record<SearchKind, readonly string[]> = {
  registration: ['pendaftaran-view'],
  student: ['npm-mahasiswa-view'],
  bill: ['pembayaran-mahasiswa-view'],
  virtualAccount: ['transaksi-va-view', 'pembayaran-mahasiswa-view'],
  school: ['master-sma-nama-view'],
  affiliate: ['master-afiliator-view'],
  account: ['settings-accounts-view'],
}
