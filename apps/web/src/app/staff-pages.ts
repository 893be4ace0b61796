import { pages as access } from '#web/modules/access/pages.ts'
import { pages as accounts } from '#web/modules/accounts/staff/pages.ts'
import { pages as admissionYear } from '#web/modules/admission-year/pages.ts'
import { pages as programmeChange } from '#web/modules/admissions/programme-change/pages.ts'
import { pages as reserve } from '#web/modules/admissions/reserve/pages.ts'
import { pages as commission } from '#web/modules/affiliates/staff/pages.ts'
import { pages as audit } from '#web/modules/audit/pages.ts'
import { pages as campaigns } from '#web/modules/campaigns/staff/pages.ts'
import { pages as chat } from '#web/modules/chat/staff/pages.ts'
import { pages as dashboards } from '#web/modules/dashboards/pages.ts'
import { pages as events } from '#web/modules/events/staff/pages.ts'
import { pages as health } from '#web/modules/health/pages.ts'
import { pages as leads } from '#web/modules/leads/pages.ts'
import { pages as letters } from '#web/modules/letters/pages.ts'
import { pages as master } from '#web/modules/master/pages.ts'
import { pages as opening } from '#web/modules/opening/pages.ts'
import { pages as ops } from '#web/modules/ops/pages.ts'
import { pages as approvals } from '#web/modules/payments/approvals/pages.ts'
import { pages as virtualAccounts } from '#web/modules/payments/banks/virtual-accounts/pages.ts'
import { pages as money } from '#web/modules/payments/money/pages.ts'
import { pages as proofs } from '#web/modules/payments/proofs/pages.ts'
import { pages as providers } from '#web/modules/payments/providers/pages.ts'
import { pages as reconciliation } from '#web/modules/payments/reconciliation/pages.ts'
import { pages as reportMail } from '#web/modules/report-mail/pages.ts'
import { pages as reports } from '#web/modules/reports/pages.ts'
import { pages as samples } from '#web/modules/samples/pages.ts'
import { pages as schools } from '#web/modules/schools/pages.ts'
import { pages as scores } from '#web/modules/scores/pages.ts'
import { pages as selection } from '#web/modules/selection/pages.ts'
import { pages as settings } from '#web/modules/settings/pages.ts'
import { pages as students } from '#web/modules/students/pages.ts'
import { pages as surveys } from '#web/modules/surveys/pages.ts'
import { pages as testing } from '#web/modules/testing/pages.ts'
import { pages as transfer } from '#web/modules/transfer/pages.ts'
import { pages as trial } from '#web/modules/trial/pages.ts'
import { pages as whatsapp } from '#web/modules/whatsapp/pages.ts'
import { pages as workbook } from '#web/modules/workbook/pages.ts'
import type { Page } from '#web/shell/page.ts'

/** Staff pages, all with the menu; applicants never load this list. */
export const staffPages: readonly Page[] = [
  ...programmeChange,
  ...testing,
  ...selection,
  ...reserve,
  ...scores,
  ...students,
  ...letters,
  ...money,
  ...approvals,
  ...reconciliation,
  ...virtualAccounts,
  ...proofs,
  ...providers,
  ...campaigns,
  ...events,
  ...commission,
  ...leads,
  ...surveys,
  ...master,
  ...schools,
  ...admissionYear,
  ...reports,
  ...reportMail,
  ...dashboards,
  ...access,
  ...accounts,
  ...whatsapp,
  ...opening,
  ...settings,
  ...health,
  ...trial,
  ...transfer,
  ...workbook,
  ...audit,
  ...ops,
  ...chat,
  ...samples,
]
