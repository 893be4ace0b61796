import { screens } from '#domain/navigation/screens.ts'
import type { PageImport } from './lazy-page.tsx'
import { isOfStaff, reportPaths } from './staff-paths.ts'

const masterPage = (path: string): PageImport => {
  if (path.includes('/view/')) return () => import('../modules/master/view-page.tsx')
  return /\/(create|edit|:id)/.test(path)
    ? () => import('../modules/master/form-page.tsx')
    : () => import('../modules/master/list-page.tsx')
}
/** All paths of the master data show the generic list, form and view. */
const masterPages = Object.fromEntries(
  screens
    .filter(({ path }) => path.startsWith('/master/') && isOfStaff(path))
    .map(({ path }) => [path, masterPage(path)]),
)

/** Which page each path below /master and /settings shows. */
export const staffPages: Record<string, PageImport | undefined> = {
  ...masterPages,
  ...Object.fromEntries(reportPaths.map((path) => [path, () => import('../modules/reports/report-page.tsx')])),

  // Schools
  '/master/sma-nama/proposals': () => import('../modules/schools/proposals-page.tsx'),
  '/master/sma-nama/duplicates': () => import('../modules/schools/duplicates-page.tsx'),
  '/master/sma-nama/merges': () => import('../modules/schools/merges-page.tsx'),

  // Admission years
  '/master/periode/new-year': () => import('../modules/admission-year/new-year-page.tsx'),

  // Change of study programme
  '/pindah-prodi': () => import('../modules/admissions/programme-change/programme-changes-page.tsx'),
  '/pindah-prodi/create': () => import('../modules/admissions/programme-change/change-programme-page.tsx'),

  // Payments
  '/pembayaran-mahasiswa': () => import('../modules/payments/staff-payments-page.tsx'),
  '/pembayaran-mahasiswa/create': () => import('../modules/payments/desk/enter-payment-page.tsx'),
  '/pembayaran-mahasiswa/:id': () => import('../modules/payments/desk/payment-detail-page.tsx'),
  '/rekonsiliasi': () => import('../modules/payments/reconciliation/reconciliation-page.tsx'),
  '/rekonsiliasi/mutasi': () => import('../modules/payments/reconciliation/lines-page.tsx'),
  '/rekonsiliasi/impor': () => import('../modules/payments/reconciliation/statements-page.tsx'),
  '/rekonsiliasi/:id': () => import('../modules/payments/reconciliation/day-page.tsx'),
  '/uang-menunggu': () => import('../modules/payments/desk/waiting-page.tsx'),
  '/persetujuan': () => import('../modules/payments/desk/approvals-page.tsx'),
  '/settings/approval-limits': () => import('../modules/payments/desk/approval-limits-page.tsx'),

  // Settings
  '/settings/accounts': () => import('../modules/accounts/staff/accounts-page.tsx'),
  '/settings/accounts/create': () => import('../modules/accounts/staff/invite-page.tsx'),
  '/settings/accounts/:id': () => import('../modules/accounts/staff/account-page.tsx'),
  '/settings/general': () => import('../modules/settings/general-settings-page.tsx'),
  '/settings/imports': () => import('../modules/transfer/imports-page.tsx'),
  '/settings/imports/:id': () => import('../modules/transfer/import-page.tsx'),
  '/settings/exports': () => import('../modules/transfer/exports-page.tsx'),
  '/settings/audit': () => import('../modules/audit/audit-page.tsx'),
  '/transaksi-va': () => import('../modules/payments/virtual-accounts/virtual-accounts-page.tsx'),
  '/transaksi-va/create': () => import('../modules/payments/virtual-accounts/virtual-account-create-page.tsx'),
  '/transaksi-va/:id': () => import('../modules/payments/virtual-accounts/virtual-account-page.tsx'),
  '/settings/providers': () => import('../modules/payments/providers/providers-page.tsx'),
  '/settings/providers/create': () => import('../modules/payments/providers/provider-form-page.tsx'),
  '/settings/providers/:id': () => import('../modules/payments/providers/provider-form-page.tsx'),
  '/settings/providers/:id/view': () => import('../modules/payments/providers/provider-view-page.tsx'),
  '/settings/invariants': () => import('../modules/ops/invariants-page.tsx'),
  '/settings/whatsapp': () => import('../modules/whatsapp/whatsapp-connections-page.tsx'),
  '/settings/whatsapp/create': () => import('../modules/whatsapp/whatsapp-form-page.tsx'),
  '/settings/whatsapp/:id': () => import('../modules/whatsapp/whatsapp-form-page.tsx'),
  '/settings/whatsapp/:id/view': () => import('../modules/whatsapp/whatsapp-view-page.tsx'),

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
}
