/** Pages whose help has questions of its own; every other page shows those of `start`. */
export const helpPages = [
  'account',
  'start',
  'profile',
  'apply',
  'documents',
  'payment',
  'registration',
  'confirmation',
] as const
export type HelpPage = (typeof helpPages)[number]

const patterns: readonly (readonly [RegExp, HelpPage])[] = [
  [/^\/(verify-email|account\/totp)/, 'account'],
  [/^\/account\/berkas|^\/pendaftaran\/[^/]+\/file|^\/master\/prodi\/[^/]+\/file/, 'documents'],
  [/^\/(account|multi-step-sign-up)/, 'profile'],
  [/^\/pendaftaran\/(create|voucher\/)|^\/pendaftaran\/[^/]+\/program|^\/master\/prodi/, 'apply'],
  [/^\/pendaftaran\/[^/]+\/pembayaran|^\/sandbox-bank/, 'payment'],
  [/^\/pendaftaran\/[^/]+$/, 'registration'],
  [/^\/konfirmasi-kelulusan/, 'confirmation'],
]

/** The help page of a path. */
export const helpPageOf = (path: string): HelpPage => patterns.find(([pattern]) => pattern.test(path))?.[1] ?? 'start'
