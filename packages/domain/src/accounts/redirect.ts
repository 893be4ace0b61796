import { applicantRole } from '#domain/access/applicant-role.ts'

/** Where the visitor stands; `null` is somebody who is not signed in. */
export type Visitor = null | {
  emailVerified: boolean
  roleName: string
  hasProfile: boolean
  /** Two-factor sign-in is to be set up before anything else. */
  mustSetUpTotp?: boolean
}

/** Routes that anybody may open without signing in. */
export const publicRoutes: ReadonlySet<string> = new Set([
  'sign-in',
  'sign-in-google',
  'sign-up',
  'multi-step-sign-up',
  'password-reset',
  'password-reset-submit',
  'invitation',
  'afiliator',
  'afiliator-view',
  '404',
  '500',
])

/**
 * Routes that take part in no rule at all: the wizard walks an unverified account without a profile through its
 * remaining steps, a confirmation mail is opened on any device, a verification code is read by strangers, and the demo's
 * outbox holds the very mail one waits for.
 */
export const openRoutes: ReadonlySet<string> = new Set([
  'multi-step-sign-up',
  'confirm-email',
  'verifikasi',
  'sandbox-bank',
  'outbox',
  'verifikasi-kuitansi',
])

/** Parts of the account in the order of their tabs; staff have the settings only. */
export const accountParts = ['overview', 'settings', 'pendidikan-terakhir', 'berkas', 'sim', 'kuesioner'] as const
const applicantForms: ReadonlySet<string> = new Set(
  accountParts.filter((part) => part !== 'settings').map((part) => `account-${part}`),
)

/** The route to go to instead, or null when this one may be shown. */
export function redirectFor(route: string, visitor: Visitor): string | null {
  if (openRoutes.has(route)) return null
  if (!visitor) return publicRoutes.has(route) ? null : 'sign-in'
  // Whoever is signed in and opens sign-in is sent on by that page itself: it knows the return path.
  if (route === 'sign-in') return null
  if (visitor.mustSetUpTotp) return route === 'account-totp' ? null : 'account-totp'
  // The page itself leads on: its recovery codes are shown once, and stay until they are kept.
  if (route === 'account-totp') return null
  if (!visitor.emailVerified)
    return route === 'verify-email' || route === 'verify-email-proccess' ? null : 'verify-email'
  if (route === 'verify-email') return 'dashboard'
  if (visitor.roleName === applicantRole && !visitor.hasProfile && route !== 'account-settings')
    return 'account-settings'
  if (visitor.roleName !== applicantRole && applicantForms.has(route)) return 'account-settings'
  return null
}

/** A path to come back to after signing in: ours only, never another site and never the sign-in pages themselves. */
export function safeReturnPath(path: string | null | undefined): string | null {
  if (!path || path.length > 500 || !/^\/(?![/\\])/.test(path)) return null
  // A browser drops control characters, so `/\t/evil.example` would leave the site.
  for (const character of path) if (character < ' ' || character === '\\') return null
  if (
    /^\/(sign-in|sign-in-google|sign-up|multi-step-sign-up|password-reset|invitation|account\/totp|404|500)(?=[/?#]|$)/.test(
      path,
    )
  )
    return null
  return path
}
