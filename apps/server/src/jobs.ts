import { forgetAttempts } from './modules/accounts/forget-attempts.job.ts'
import { tellOfReview } from './modules/admissions/documents/tell-of-review.job.ts'
import { expireRegistrations } from './modules/admissions/expire-registrations.job.ts'
import { announceResults } from './modules/admissions/results/announce-results.job.ts'
import { settleRegistrationFee } from './modules/admissions/settle-registration-fee.job.ts'
import { deliverMessage } from './modules/messaging/deliver-message.job.ts'
import { sweepMessages } from './modules/messaging/sweep-messages.job.ts'
import { checkEverything } from './modules/ops/check-invariants.job.ts'
import { askAfterRestoreJob } from './modules/payments/banks/after-restore/ask-after-restore.job.ts'
import { askBanksJob } from './modules/payments/banks/ask-banks.job.ts'
import { reportLaterJob } from './modules/payments/banks/demo-counter.ts'
import { forgetUnverifiedReports } from './modules/payments/banks/forget-unverified-reports.job.ts'
import { forgetExternalIds } from './modules/payments/banks/snap/forget-external-ids.job.ts'
import { expireNumbers } from './modules/payments/bills/numbers/expire-virtual-accounts.job.ts'
import { issueAtBankJob } from './modules/payments/bills/numbers/issue-at-bank.job.ts'
import { tellBanksJob } from './modules/payments/bills/numbers/tell-banks.job.ts'
import { reconcileLater, reconcileYesterday } from './modules/payments/reconciliation/reconcile.job.ts'
import { compareNewSchools } from './modules/schools/compare-schools.job.ts'
import { issueStudentNumberWhenPaid } from './modules/students/issue-student-number.job.ts'
import { releaseUnusedSeats } from './modules/testing/release-unused-seats.job.ts'
import { endAbandonedExports } from './modules/transfer/end-exports.job.ts'
import { checkImportJob, forgetImportFiles, runImportJob } from './modules/transfer/imports/imports.job.ts'
import { deliverWhatsapp } from './modules/whatsapp/deliver/deliver-whatsapp.job.ts'
import { keepDevices } from './modules/whatsapp/device/keep-devices.job.ts'
import { forgetWhatsappReports } from './modules/whatsapp/forget-reports.job.ts'
import { cleanUp } from './platform/clean-up.job.ts'
import type { AnyJob } from './platform/jobs.ts'

/** Every job of the product, one line each. */
export const jobs: readonly AnyJob[] = [
  announceResults,
  checkImportJob,
  forgetImportFiles,
  runImportJob,
  endAbandonedExports,
  deliverMessage,
  sweepMessages,
  deliverWhatsapp,
  keepDevices,
  forgetWhatsappReports,
  forgetAttempts,
  askBanksJob,
  askAfterRestoreJob,
  issueAtBankJob,
  tellBanksJob,
  reportLaterJob,
  forgetExternalIds,
  forgetUnverifiedReports,
  checkEverything,
  compareNewSchools,
  cleanUp,
  expireNumbers,
  reconcileYesterday,
  reconcileLater,
  expireRegistrations,
  issueStudentNumberWhenPaid,
  releaseUnusedSeats,
  settleRegistrationFee,
  tellOfReview,
]
