import { followUpDocumentsJob } from '#server/modules/admissions/documents/follow-up-documents.job.ts'
import { forgetAttemptsJob } from './modules/accounts/forget-attempts.job.ts'
import { tellOfReviewJob } from './modules/admissions/documents/tell-of-review.job.ts'
import { expireRegistrationsJob } from './modules/admissions/expire-registrations.job.ts'
import { expireOffersJob } from './modules/admissions/offers/expire-offers.job.ts'
import { passOnPlacesJob } from './modules/admissions/reserve/pass-on-places.job.ts'
import { announceResultsJob } from './modules/admissions/results/announce-results.job.ts'
import { settleRegistrationFeeJob } from './modules/admissions/settle-registration-fee.job.ts'
import { attributeAccountJob } from './modules/affiliates/attribute-account.job.ts'
import { settleCommissionJob } from './modules/affiliates/settle/settle-commission.job.ts'
import { takeStopWordJob } from './modules/campaigns/addresses/take-stop-word.job.ts'
import { forgetCampaignsJob } from './modules/campaigns/forget-campaigns.job.ts'
import { fetchMediaJob } from './modules/chat/inbound/fetch-media.job.ts'
import { receiveWhatsappJob } from './modules/chat/inbound/receive-whatsapp.job.ts'
import { forgetChatEventsJob, watchChatJob } from './modules/chat/watch-chat.job.ts'
import { forgetGuestsJob } from './modules/events/visitors/forget-guests.job.ts'
import { remindVisitorsJob } from './modules/events/visitors/remind-visitors.job.ts'
import { watchHealthJob } from './modules/health/watch-health.job.ts'
import { forgetLeadsJob } from './modules/leads/forget-leads.job.ts'
import { linkLeadAccountJob } from './modules/leads/link-account.job.ts'
import { registerLeadsJob } from './modules/leads/register-leads.job.ts'
import { letterBatchJob } from './modules/letters/batches/letter-batch.job.ts'
import { checkInvariantsJob } from './modules/ops/check-invariants.job.ts'
import { askAfterRestoreJob } from './modules/payments/banks/after-restore/ask-after-restore.job.ts'
import { askBanksJob } from './modules/payments/banks/ask-banks.job.ts'
import { forgetUnverifiedReportsJob } from './modules/payments/banks/forget-unverified-reports.job.ts'
import { reportLaterJob } from './modules/payments/banks/report-later.job.ts'
import { forgetExternalIdsJob } from './modules/payments/banks/snap/forget-external-ids.job.ts'
import { expireVirtualAccountsJob } from './modules/payments/bills/numbers/expire-virtual-accounts.job.ts'
import { issueAtBankJob } from './modules/payments/bills/numbers/issue-at-bank.job.ts'
import { tellBanksJob } from './modules/payments/bills/numbers/tell-banks.job.ts'
import { returnStaleProofsJob } from './modules/payments/proofs/return-stale-proofs.job.ts'
import { settleProofJob } from './modules/payments/proofs/settle-proof.job.ts'
import { reconcileLaterJob, reconcileYesterdayJob } from './modules/payments/reconciliation/reconcile.job.ts'
import { reportMailFailedJob } from './modules/report-mail/report-mail-failed.job.ts'
import { sendReportMailJob } from './modules/report-mail/send-report-mail.job.ts'
import { startReportMailsJob } from './modules/report-mail/start-report-mails.job.ts'
import { divideMoneyJob } from './modules/reports/facts/divide-money.job.ts'
import { compareSchoolsJob } from './modules/schools/compare-schools.job.ts'
import { forgetScoreFilesJob } from './modules/scores/forget-score-files.job.ts'
import { keepSeasonsJob } from './modules/seasons/keep-seasons.job.ts'
import { adoptSelectionJob } from './modules/selection/adopt/adopt-selection.job.ts'
import { computeSelectionJob } from './modules/selection/runs/compute-selection.job.ts'
import { forgetCountsJob } from './modules/sending/forget-counts.job.ts'
import { sendToFeederJob } from './modules/students/feeder/send-to-feeder.job.ts'
import { issueStudentNumberJob } from './modules/students/issue-student-number.job.ts'
import { checkPhotosJob } from './modules/students/photos/check-photos.job.ts'
import { releaseUnusedSeatsJob } from './modules/testing/seats/release-unused-seats.job.ts'
import { remindOfSessionsJob } from './modules/testing/sessions/remind-of-sessions.job.ts'
import { keepWaitingListsJob } from './modules/testing/waiting-list/keep-waiting-lists.job.ts'
import { passOnSeatsJob } from './modules/testing/waiting-list/pass-on-seats.job.ts'
import { endExportsJob } from './modules/transfer/end-exports.job.ts'
import { checkImportJob, forgetImportFilesJob, runImportJob } from './modules/transfer/imports/imports.job.ts'
import { forgetTrialsJob } from './modules/trial/forget-trials.job.ts'
import { keepDevicesJob } from './modules/whatsapp/device/keep-devices.job.ts'
import { forgetReportsJob } from './modules/whatsapp/forget-reports.job.ts'
import { takeStatusesJob } from './modules/whatsapp/items/take-statuses.job.ts'
import { workOnWorkbookJob } from './modules/workbook/workbook.job.ts'
import { cleanUpJob } from './platform/clean-up.job.ts'
import { forgetUploadsJob } from './platform/files/forget-uploads.job.ts'
import type { AnyJob } from './platform/jobs.ts'

/** Every job of the product. */
export const jobs: readonly AnyJob[] = [
  announceResultsJob,
  checkImportJob,
  forgetImportFilesJob,
  runImportJob,
  endExportsJob,
  workOnWorkbookJob,
  forgetScoreFilesJob,
  keepDevicesJob,
  forgetReportsJob,
  takeStatusesJob,
  forgetAttemptsJob,
  askBanksJob,
  askAfterRestoreJob,
  issueAtBankJob,
  tellBanksJob,
  reportLaterJob,
  forgetExternalIdsJob,
  forgetUnverifiedReportsJob,
  checkInvariantsJob,
  keepSeasonsJob,
  divideMoneyJob,
  receiveWhatsappJob,
  fetchMediaJob,
  takeStopWordJob,
  watchChatJob,
  watchHealthJob,
  compareSchoolsJob,
  cleanUpJob,
  forgetUploadsJob,
  expireVirtualAccountsJob,
  reconcileYesterdayJob,
  reconcileLaterJob,
  returnStaleProofsJob,
  settleProofJob,
  expireRegistrationsJob,
  computeSelectionJob,
  adoptSelectionJob,
  expireOffersJob,
  passOnPlacesJob,
  issueStudentNumberJob,
  sendToFeederJob,
  letterBatchJob,
  checkPhotosJob,
  releaseUnusedSeatsJob,
  keepWaitingListsJob,
  passOnSeatsJob,
  remindOfSessionsJob,
  remindVisitorsJob,
  forgetChatEventsJob,
  forgetGuestsJob,
  settleRegistrationFeeJob,
  tellOfReviewJob,
  followUpDocumentsJob,
  forgetTrialsJob,
  startReportMailsJob,
  sendReportMailJob,
  reportMailFailedJob,
  attributeAccountJob,
  settleCommissionJob,
  linkLeadAccountJob,
  registerLeadsJob,
  forgetLeadsJob,
  forgetCountsJob,
  forgetCampaignsJob,
]
