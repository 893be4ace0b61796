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
  '/sign-in': () => import('#web/modules/accounts/sign-in-page.tsx'),
  '/sign-in-google': () => import('#web/modules/accounts/google-page.tsx'),
  '/sign-up': () => import('#web/modules/accounts/sign-up/sign-up-page.tsx'),
  '/multi-step-sign-up': () => import('#web/modules/accounts/sign-up/multi-step-sign-up-page.tsx'),
  '/password-reset': () => import('#web/modules/accounts/password-reset-page.tsx'),
  '/password-reset/:token': () => import('#web/modules/accounts/password-reset-submit-page.tsx'),
  '/invitation/:token': () => import('#web/modules/accounts/invitation-page.tsx'),
  '/confirm-email/:token': () => import('#web/modules/accounts/confirm-email-page.tsx'),
  '/account/totp': () => import('#web/modules/accounts/settings/totp-page.tsx'),
  '/verify-email': () => import('#web/modules/accounts/verify-email-page.tsx'),
  '/verify-email/:id': () => import('#web/modules/accounts/verify-email-link-page.tsx'),
  '/account/settings': () => import('#web/modules/accounts/settings/account-settings-page.tsx'),

  // Applicant (and, behind the same paths, staff)
  '/dashboard': () => import('#web/modules/admissions/dashboard/dashboard-page.tsx'),
  '/pendaftaran': () => import('#web/modules/admissions/pendaftaran-page.tsx'),
  '/pendaftaran/create': () => import('#web/modules/admissions/apply/create-registration-page.tsx'),
  '/pendaftaran/:id': () => import('#web/modules/admissions/registration-page.tsx'),
  '/pendaftaran/:id/program': () => import('#web/modules/admissions/registration-program-page.tsx'),
  '/pendaftaran/:id/pembayaran': () => import('#web/modules/admissions/registration-payment-page.tsx'),
  '/pendaftaran/:id/file': () => import('#web/modules/admissions/registration-file-page.tsx'),
  '/master/prodi/:id/program/:idDetail': () => import('#web/modules/admissions/apply/edit-programme-page.tsx'),
  '/pendaftaran/voucher/:id': () => import('#web/modules/payments/bills/voucher-page.tsx'),
  '/konfirmasi-kelulusan': () => import('#web/modules/admissions/confirm-results-page.tsx'),

  // Public
  '/verifikasi/:code': () => import('#web/modules/admissions/verify-card-page.tsx'),
  '/404': () => import('#web/modules/errors/not-found-page.tsx'),
  '/500': () => import('#web/modules/errors/server-error-page.tsx'),
  '/outbox': () => import('#web/modules/outbox/outbox-page.tsx'),

  // Own data and documents
  '/account/overview': () => import('#web/modules/applicants/account-overview-page.tsx'),
  '/account/pendidikan-terakhir': () => import('#web/modules/applicants/last-education-page.tsx'),
  '/account/berkas': () => import('#web/modules/documents/account-documents-page.tsx'),
  '/account/sim': () => import('#web/modules/applicants/driving-licence-page.tsx'),
  '/account/kuesioner': () => import('#web/modules/applicants/questionnaire-page.tsx'),
  '/master/prodi/:id/file/:idDetail': () => import('#web/modules/documents/registration-files-page.tsx'),

  // Payments
  '/sandbox-bank/:number?': () => import('#web/modules/payments/banks/sandbox-bank-page.tsx'),
  '/verifikasi-kuitansi/:code': () => import('#web/modules/payments/money/receipt-check-page.tsx'),
}
