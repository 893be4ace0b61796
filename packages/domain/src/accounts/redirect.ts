import { applicantRole } from '#domain/access/applicant-role.ts'

/** Account state of the visitor; null while signed out. */
export type Visitor = null | {
  emailVerified: boolean
  roleName: string
  hasProfile: boolean
  /** Whether two-factor sign-in must be set up first. */
  mustSetUpTotp?: boolean
}

/** Routes open without signing in. */
export const publicRoutes: ReadonlySet<string> = new Set([
  'sign-in',
  'sign-in-google',
  'sign-up',
  'multi-step-sign-up',
  'password-reset',
  'password-reset-submit',
  'invitation',
  'setup',
  'afiliator',
  'afiliator-view',
  '404',
  '500',
])

/**
 * Routes without any redirect: the wizard serves unverified accounts without a profile, confirmation mails open on any
 * device, strangers read verification codes, and the demo's outbox shows the confirmation mail itself.
 */
export const openRoutes: ReadonlySet<string> = new Set([
  'multi-step-sign-up',
  'confirm-email',
  'verifikasi',
  'sandbox-bank',
  'outbox',
  'verifikasi-kuitansi',
])

/** Account tabs in order; staff have only the settings. */
export const accountParts = ['overview', 'settings', 'pendidikan-terakhir', 'berkas', 'sim', 'kuesioner'] as const
const applicantForms: ReadonlySet<string> = new Set(
  accountParts.filter((part) => part !== 'settings').map((part) => `account-${part}`),
)

/** Route to redirect to; null shows the requested route. */
export function redirectFor(route: string, visitor: Visitor): string | null {
  if (openRoutes.has(route)) return null
  if (!visitor) return publicRoutes.has(route) ? null : 'sign-in'
  // The sign-in page redirects signed-in users itself, because it knows the return path.
  if (route === 'sign-in') return null
  if (visitor.mustSetUpTotp) return route === 'account-totp' ? null : 'account-totp'
  // This page redirects itself once the user has saved the recovery codes, which are shown only once.
  if (route === 'account-totp') return null
  if (!visitor.emailVerified)
    return route === 'verify-email' || route === 'verify-email-proccess' ? null : 'verify-email'
  if (route === 'verify-email') return 'dashboard'
  if (visitor.roleName === applicantRole && !visitor.hasProfile && route !== 'account-settings')
    return 'account-settings'
  if (visitor.roleName !== applicantRole && applicantForms.has(route)) return 'account-settings'
  return null
}

/** Returns a path that is safe to open after sign-in; null for other sites and the sign-in pages. */
export function safeReturnPath(path: string | null | undefined): string | null {
  if (!path || path.length > 500 || !/^\/(?![/\\])/.test(path)) return null
  // Browsers drop control characters, so `/\t/evil.example` would leave the site.
  for (const character of path) if (character < ' ' || character === '\\') return null
  if (
    /^\/(sign-in|sign-in-google|sign-up|multi-step-sign-up|password-reset|invitation|setup|account\/totp|404|500)(?=[/?#]|$)/.test(
      path,
    )
  )
    return null
  return path
}
