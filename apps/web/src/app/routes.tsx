import { screens } from '#domain/navigation/screens.ts'
import type { PageImport } from './lazy-page.tsx'

const masterPage = (path: string): PageImport => {
  if (path.includes('/view/')) return () => import('../modules/master/view-page.tsx')
  return /\/(create|edit|:id)/.test(path)
    ? () => import('../modules/master/form-page.tsx')
    : () => import('../modules/master/list-page.tsx')
}
const laterMaster = /^\/master\/prodi\/:id\/(program|file)/
/** All paths of the master data show the generic list, form and view. */
const masterPages = Object.fromEntries(
  screens
    .filter(({ path }) => path.startsWith('/master/') && !laterMaster.test(path))
    .map(({ path }) => [path, masterPage(path)]),
)

/**
 * Which page each path shows. Paths, names, titles, breadcrumbs and permissions are in
 * packages/domain/src/navigation/screens.ts; a path stands either here or in unbuilt-paths.ts.
 */
export const pages: Record<string, PageImport | undefined> = {
  ...masterPages,

  // Entrance and account
  '/sign-in': () => import('../modules/accounts/sign-in-page.tsx'),
  '/sign-in-google': () => import('../modules/accounts/google-page.tsx'),
  '/sign-up': () => import('../modules/accounts/sign-up-page.tsx'),
  '/multi-step-sign-up': () => import('../modules/accounts/multi-step-sign-up-page.tsx'),
  '/password-reset': () => import('../modules/accounts/password-reset-page.tsx'),
  '/password-reset/:token': () => import('../modules/accounts/password-reset-submit-page.tsx'),
  '/invitation/:token': () => import('../modules/accounts/invitation-page.tsx'),
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
  '/master/prodi/:id/program/:idDetail': () => import('../modules/admissions/registration-program-page.tsx'),
  '/konfirmasi-kelulusan': () => import('../modules/admissions/confirm-results-page.tsx'),

  // Schools
  '/master/sma-nama/proposals': () => import('../modules/schools/proposals-page.tsx'),
  '/master/sma-nama/duplicates': () => import('../modules/schools/duplicates-page.tsx'),
  '/master/sma-nama/merges': () => import('../modules/schools/merges-page.tsx'),

  // Settings
  '/settings/accounts': () => import('../modules/accounts/staff/accounts-page.tsx'),
  '/settings/accounts/create': () => import('../modules/accounts/staff/invite-page.tsx'),
  '/settings/accounts/:id': () => import('../modules/accounts/staff/account-page.tsx'),
  '/settings/general': () => import('../modules/settings/general-settings-page.tsx'),
  '/settings/imports': () => import('../modules/transfer/imports-page.tsx'),
  '/settings/imports/:id': () => import('../modules/transfer/import-page.tsx'),
  '/settings/exports': () => import('../modules/transfer/exports-page.tsx'),
  '/settings/audit': () => import('../modules/audit/audit-page.tsx'),

  // Settings: who may see and do what
  '/settings/url': () => import('../modules/access/menus-page.tsx'),
  '/settings/url/create': () => import('../modules/access/menu-form-page.tsx'),
  '/settings/url/:id': () => import('../modules/access/menu-form-page.tsx'),
  '/settings/roles': () => import('../modules/access/roles-page.tsx'),
  '/settings/roles/create': () => import('../modules/access/role-form-page.tsx'),
  '/settings/roles/:id': () => import('../modules/access/role-form-page.tsx'),
  '/settings/roles/menus/:id': () => import('../modules/access/role-menus-page.tsx'),
  '/settings/roles/permissions/:id': () => import('../modules/access/role-permissions-page.tsx'),
  '/settings/permissions': () => import('../modules/access/permissions-page.tsx'),
  '/settings/permissions/create': () => import('../modules/access/permission-form-page.tsx'),
  '/settings/permissions/:id': () => import('../modules/access/permission-form-page.tsx'),

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

  // Admission years
  '/master/periode/new-year': () => import('../modules/admission-year/new-year-page.tsx'),

  // Payments
  '/sandbox-bank/:number?': () => import('../modules/payments/sandbox-bank-page.tsx'),
  '/verifikasi-kuitansi/:code': () => import('../modules/payments/receipt-check-page.tsx'),
  '/pembayaran-mahasiswa': () => import('../modules/payments/staff-payments-page.tsx'),
}
