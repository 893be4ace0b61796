import { screens } from '#domain/navigation/screens.ts'
import type { PageImport } from './lazy-page.tsx'
import { isOfStaff } from './staff-paths.ts'

const staffPage =
  (path: string): PageImport =>
  () =>
    import('./staff-pages.ts').then(({ staffPages }) => staffPages[path]!())

/**
 * Which page each path shows. Paths, names, titles, breadcrumbs and permissions are in
 * packages/domain/src/navigation/screens.ts; a path stands either here or in unbuilt-paths.ts.
 */
export const pages: Record<string, PageImport | undefined> = {
  ...Object.fromEntries(screens.flatMap(({ path }) => (isOfStaff(path) ? [[path, staffPage(path)]] : []))),

  // Entrance and account
  '/sign-in': () => import('../modules/accounts/sign-in-page.tsx'),
  '/sign-in-google': () => import('../modules/accounts/google-page.tsx'),
  '/sign-up': () => import('../modules/accounts/sign-up-page.tsx'),
  '/multi-step-sign-up': () => import('../modules/accounts/multi-step-sign-up-page.tsx'),
  '/password-reset': () => import('../modules/accounts/password-reset-page.tsx'),
  '/password-reset/:token': () => import('../modules/accounts/password-reset-submit-page.tsx'),
  '/invitation/:token': () => import('../modules/accounts/invitation-page.tsx'),
  '/confirm-email/:token': () => import('../modules/accounts/confirm-email-page.tsx'),
  '/account/totp': () => import('../modules/accounts/totp-page.tsx'),
  '/verify-email': () => import('../modules/accounts/verify-email-page.tsx'),
  '/verify-email/:id': () => import('../modules/accounts/verify-email-link-page.tsx'),
  '/account/settings': () => import('../modules/accounts/account-settings-page.tsx'),

  // Applicant (and, behind the same paths, staff)
  '/dashboard': () => import('../modules/admissions/dashboard-page.tsx'),
  '/pendaftaran': () => import('../modules/admissions/pendaftaran-page.tsx'),
  '/pendaftaran/create': () => import('../modules/admissions/create-registration-page.tsx'),
  '/pendaftaran/:id': () => import('../modules/admissions/registration-page.tsx'),
  '/pendaftaran/:id/program': () => import('../modules/admissions/registration-program-page.tsx'),
  '/pendaftaran/:id/pembayaran': () => import('../modules/admissions/registration-payment-page.tsx'),
  '/pendaftaran/:id/file': () => import('../modules/admissions/registration-file-page.tsx'),
  '/master/prodi/:id/program/:idDetail': () => import('../modules/admissions/edit-programme-page.tsx'),
  '/pendaftaran/voucher/:id': () => import('../modules/payments/voucher-page.tsx'),
  '/konfirmasi-kelulusan': () => import('../modules/admissions/confirm-results-page.tsx'),

  // Public
  '/verifikasi/:code': () => import('../modules/admissions/verify-card-page.tsx'),
  '/404': () => import('../modules/errors/not-found-page.tsx'),
  '/500': () => import('../modules/errors/server-error-page.tsx'),
  '/outbox': () => import('../modules/outbox/outbox-page.tsx'),

  // Own data and documents
  '/account/overview': () => import('../modules/applicants/account-overview-page.tsx'),
  '/account/pendidikan-terakhir': () => import('../modules/applicants/last-education-page.tsx'),
  '/account/berkas': () => import('../modules/documents/account-documents-page.tsx'),
  '/account/sim': () => import('../modules/applicants/driving-licence-page.tsx'),
  '/account/kuesioner': () => import('../modules/applicants/questionnaire-page.tsx'),
  '/master/prodi/:id/file/:idDetail': () => import('../modules/documents/registration-files-page.tsx'),

  // Payments
  '/sandbox-bank/:number?': () => import('../modules/payments/sandbox-bank-page.tsx'),
  '/verifikasi-kuitansi/:code': () => import('../modules/payments/receipt-check-page.tsx'),
}
