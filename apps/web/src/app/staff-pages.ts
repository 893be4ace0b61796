import { screens } from '#domain/navigation/screens.ts'
import type { PageImport } from './lazy-page.tsx'
import { isOfStaff, reportPaths } from './staff-paths.ts'

const masterPage = (path: string): PageImport => {
  if (path.includes('/view/')) return () => import('#web/modules/master/view-page.tsx')
  return /\/(create|edit|:id)/.test(path)
    ? () => import('#web/modules/master/form-page.tsx')
    : () => import('#web/modules/master/list-page.tsx')
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
  ...Object.fromEntries(reportPaths.map((path) => [path, () => import('#web/modules/reports/report-page.tsx')])),

  // Schools
  '/master/sma-nama/proposals': () => import('#web/modules/schools/proposals-page.tsx'),
  '/master/sma-nama/duplicates': () => import('#web/modules/schools/duplicates-page.tsx'),
  '/master/sma-nama/merges': () => import('#web/modules/schools/merges-page.tsx'),

  // Admission years
  '/master/periode/new-year': () => import('#web/modules/admission-year/new-year-page.tsx'),

  // Change of study programme
  '/pindah-prodi': () => import('#web/modules/admissions/programme-change/programme-changes-page.tsx'),
  '/pindah-prodi/create': () => import('#web/modules/admissions/programme-change/change-programme-page.tsx'),

  // Payments
  '/pembayaran-mahasiswa': () => import('#web/modules/payments/money/staff-payments-page.tsx'),
  '/pembayaran-mahasiswa/create': () => import('#web/modules/payments/money/enter-payment-page.tsx'),
  '/pembayaran-mahasiswa/:id': () => import('#web/modules/payments/money/payment-detail-page.tsx'),
  '/rekonsiliasi': () => import('#web/modules/payments/reconciliation/reconciliation-page.tsx'),
  '/rekonsiliasi/mutasi': () => import('#web/modules/payments/reconciliation/lines-page.tsx'),
  '/rekonsiliasi/impor': () => import('#web/modules/payments/reconciliation/statements-page.tsx'),
  '/rekonsiliasi/:id': () => import('#web/modules/payments/reconciliation/day-page.tsx'),
  '/uang-menunggu': () => import('#web/modules/payments/money/waiting-page.tsx'),
  '/persetujuan': () => import('#web/modules/payments/approvals/approvals-page.tsx'),
  '/settings/approval-limits': () => import('#web/modules/payments/approvals/approval-limits-page.tsx'),

  // Settings
  '/settings/accounts': () => import('#web/modules/accounts/staff/accounts-page.tsx'),
  '/settings/accounts/create': () => import('#web/modules/accounts/staff/invite-page.tsx'),
  '/settings/accounts/:id': () => import('#web/modules/accounts/staff/account-page.tsx'),
  '/settings/general': () => import('#web/modules/settings/general-settings-page.tsx'),
  '/settings/imports': () => import('#web/modules/transfer/imports-page.tsx'),
  '/settings/imports/:id': () => import('#web/modules/transfer/import-page.tsx'),
  '/settings/exports': () => import('#web/modules/transfer/exports-page.tsx'),
  '/settings/audit': () => import('#web/modules/audit/audit-page.tsx'),
  '/transaksi-va': () => import('#web/modules/payments/banks/virtual-accounts/virtual-accounts-page.tsx'),
  '/transaksi-va/create': () => import('#web/modules/payments/banks/virtual-accounts/virtual-account-create-page.tsx'),
  '/transaksi-va/:id': () => import('#web/modules/payments/banks/virtual-accounts/virtual-account-page.tsx'),
  '/settings/providers': () => import('#web/modules/payments/providers/providers-page.tsx'),
  '/settings/providers/create': () => import('#web/modules/payments/providers/provider-form-page.tsx'),
  '/settings/providers/:id': () => import('#web/modules/payments/providers/provider-form-page.tsx'),
  '/settings/providers/:id/view': () => import('#web/modules/payments/providers/provider-view-page.tsx'),
  '/settings/invariants': () => import('#web/modules/ops/invariants-page.tsx'),
  '/settings/whatsapp': () => import('#web/modules/whatsapp/whatsapp-connections-page.tsx'),
  '/settings/whatsapp/create': () => import('#web/modules/whatsapp/whatsapp-form-page.tsx'),
  '/settings/whatsapp/:id': () => import('#web/modules/whatsapp/whatsapp-form-page.tsx'),
  '/settings/whatsapp/:id/view': () => import('#web/modules/whatsapp/whatsapp-view-page.tsx'),

  // Settings: who may see and do what
  '/settings/url': () => import('#web/modules/access/menus/menus-page.tsx'),
  '/settings/url/create': () => import('#web/modules/access/menus/menu-form-page.tsx'),
  '/settings/url/:id': () => import('#web/modules/access/menus/menu-form-page.tsx'),
  '/settings/roles': () => import('#web/modules/access/roles-page.tsx'),
  '/settings/roles/create': () => import('#web/modules/access/role-form-page.tsx'),
  '/settings/roles/:id': () => import('#web/modules/access/role-form-page.tsx'),
  '/settings/roles/menus/:id': () => import('#web/modules/access/role-menus-page.tsx'),
  '/settings/roles/permissions/:id': () => import('#web/modules/access/role-permissions-page.tsx'),
  '/settings/permissions': () => import('#web/modules/access/permissions/permissions-page.tsx'),
  '/settings/permissions/create': () => import('#web/modules/access/permissions/permission-form-page.tsx'),
  '/settings/permissions/:id': () => import('#web/modules/access/permissions/permission-form-page.tsx'),
}
