import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { jobs } from './jobs.ts'
import { accessSettingsRoutes } from './modules/access/access-settings.routes.ts'
import { accountRoutes } from './modules/accounts/accounts.routes.ts'
import { staffAccountRoutes } from './modules/accounts/staff/staff-accounts.routes.ts'
import { admissionCalendarRoutes } from './modules/admission-calendar/admission-calendar.routes.ts'
import { admissionYearRoutes } from './modules/admission-year/admission-year.routes.ts'
import { admissionRoutes } from './modules/admissions/admissions.routes.ts'
import { documentRoutes } from './modules/admissions/documents/documents.routes.ts'
import { offerRoutes } from './modules/admissions/offers/offers.routes.ts'
import { programmeChangeRoutes } from './modules/admissions/programme-change/programme-change.routes.ts'
import { affiliateCards } from './modules/affiliates/affiliate-card.ts'
import { affiliateRoutes } from './modules/affiliates/affiliates.routes.ts'
import { applicantRoutes } from './modules/applicants/applicants.routes.ts'
import { auditRoutes } from './modules/audit/audit.routes.ts'
import { campaignAddressRoutes, oneClickRoutes } from './modules/campaigns/addresses/addresses.routes.ts'
import { campaignRoutes } from './modules/campaigns/campaigns.routes.ts'
import { campaignSheetRoutes } from './modules/campaigns/sheets/sheets.routes.ts'
import { chatRoutes } from './modules/chat/chat.routes.ts'
import { counterRoutes } from './modules/counter/counter.routes.ts'
import { dashboardRoutes } from './modules/dashboards/dashboards.routes.ts'
import { eventCards } from './modules/events/event-card.ts'
import { eventRoutes } from './modules/events/events.routes.ts'
import { evidenceRoutes } from './modules/evidence/evidence.routes.ts'
import { feeRoutes } from './modules/fees/fees.routes.ts'
import { settingsHealthRoutes } from './modules/health/health.routes.ts'
import { leadRoutes } from './modules/leads/leads.routes.ts'
import { letterBatchRoutes } from './modules/letters/batches/batches.routes.ts'
import { letterRoutes } from './modules/letters/letters.routes.ts'
import { masterDataRoutes } from './modules/master-data/master-data.routes.ts'
import { messagingRoutes } from './modules/messaging/messaging.routes.ts'
import { openingRoutes } from './modules/opening/opening.routes.ts'
import { opsRoutes } from './modules/ops/ops.routes.ts'
import { approvalHandlers } from './modules/payments/approval-kinds.ts'
import { approvalRoutes } from './modules/payments/approvals/approvals.routes.ts'
import { restoredRoutes } from './modules/payments/banks/after-restore/restored.routes.ts'
import { bankRoutes } from './modules/payments/banks/banks.routes.ts'
import { snapRoutes } from './modules/payments/banks/snap/snap.routes.ts'
import { virtualAccountRoutes } from './modules/payments/banks/virtual-accounts/virtual-accounts.routes.ts'
import { billRoutes } from './modules/payments/bills/bills.routes.ts'
import { billExceptionRoutes } from './modules/payments/bills/exceptions/exceptions.routes.ts'
import { voucherRoutes } from './modules/payments/bills/prices/vouchers.routes.ts'
import { paymentLinkRoutes } from './modules/payments/links/links.routes.ts'
import { paymentPages } from './modules/payments/links/payment-pages.ts'
import { moneyRoutes } from './modules/payments/money/money.routes.ts'
import { transferProofRoutes } from './modules/payments/proofs/proofs.routes.ts'
import { providerRoutes } from './modules/payments/providers/providers.routes.ts'
import { reconciliationRoutes } from './modules/payments/reconciliation/reconciliation.routes.ts'
import { prospectusPages } from './modules/prospectus/prospectus.routes.ts'
import { reportMailRoutes } from './modules/report-mail/report-mail.routes.ts'
import { forecastRoutes } from './modules/reports/forecast/forecast.routes.ts'
import { reportRoutes } from './modules/reports/reports.routes.ts'
import { schoolRoutes } from './modules/schools/schools.routes.ts'
import { scoreRoutes } from './modules/scores/scores.routes.ts'
import { searchRoutes } from './modules/search/search.routes.ts'
import { seasonRoutes } from './modules/seasons/seasons.routes.ts'
import { selectionRoutes } from './modules/selection/selection.routes.ts'
import { mailReportRoutes } from './modules/sending/mail-reports.routes.ts'
import { settingsRoutes } from './modules/settings/settings.routes.ts'
import { campusRoutes } from './modules/students/campus/campus.routes.ts'
import { feederRoutes } from './modules/students/feeder/feeder.routes.ts'
import { studentFileRoutes } from './modules/students/files/student-files.routes.ts'
import { jacketRoutes } from './modules/students/jackets/jackets.routes.ts'
import { licenceRoutes } from './modules/students/licences/licences.routes.ts'
import { photoRoutes } from './modules/students/photos/photos.routes.ts'
import { studentRoutes } from './modules/students/students.routes.ts'
import { surveyCards } from './modules/surveys/survey-card.ts'
import { surveyRoutes } from './modules/surveys/surveys.routes.ts'
import { attendanceRoutes } from './modules/testing/attendance/attendance.routes.ts'
import { sessionRoutes } from './modules/testing/sessions/sessions.routes.ts'
import { testingRoutes } from './modules/testing/testing.routes.ts'
import { waitingListRoutes } from './modules/testing/waiting-list/waiting-list.routes.ts'
import { transferRoutes } from './modules/transfer/transfer.routes.ts'
import { trialRoutes } from './modules/trial/trial.routes.ts'
import { hostTrials, workOnTrial } from './modules/trial/trial-host.ts'
import { verificationRoutes } from './modules/verification/verification.routes.ts'
import { viewRoutes } from './modules/views/views.routes.ts'
import { whatsappRoutes } from './modules/whatsapp/whatsapp.routes.ts'
import { workbookRoutes } from './modules/workbook/workbook.routes.ts'
import { accessRoutes } from './platform/access/access.routes.ts'
import { authenticate } from './platform/access/authentication.ts'
import { requireAccessOnEveryRoute } from './platform/access/authorization.ts'
import { refuseSharedWrites } from './platform/access/shared-writes.ts'
import { beginOutsideTransactions } from './platform/database/transaction-guard.ts'
import { fileRoutes, imageRoutes } from './platform/files/files.routes.ts'
import { uploadPieceRoutes } from './platform/files/upload-pieces.routes.ts'
import { refuseStrayUploads, settlePieces } from './platform/files/uploads.ts'
import { measureAnswers } from './platform/http/answer-times.ts'
import { answerErrors } from './platform/http/error-handler.ts'
import { healthRoutes } from './platform/http/health.routes.ts'
import { serverOptions, speakZod } from './platform/http/http.ts'
import { keepAnswersOfWrites } from './platform/http/idempotency.ts'
import { collectRoutes, showDocumentation } from './platform/http/openapi.ts'
import { refuseUnderPressure } from './platform/http/refuse-under-pressure.ts'
import { nameEveryAnswer } from './platform/http/request-log.ts'
import { webPages } from './platform/http/web.ts'
import type { Services } from './platform/services.ts'
import { masterRoutes } from './resource/routes.ts'

type Routes = (services: Services) => FastifyPluginAsyncZod

const platformRoutes: Routes[] = [healthRoutes, accessRoutes, fileRoutes, uploadPieceRoutes]

const resourceRoutes: Routes[] = [masterRoutes]

const moduleRoutes: Routes[] = [
  accessSettingsRoutes,
  accountRoutes,
  staffAccountRoutes,
  admissionRoutes,
  offerRoutes,
  programmeChangeRoutes,
  admissionYearRoutes,
  applicantRoutes,
  affiliateRoutes,
  leadRoutes,
  campaignRoutes,
  campaignSheetRoutes,
  campaignAddressRoutes,
  oneClickRoutes,
  mailReportRoutes,
  auditRoutes,
  chatRoutes,
  documentRoutes,
  eventRoutes,
  feeRoutes,
  settingsHealthRoutes,
  letterRoutes,
  letterBatchRoutes,
  masterDataRoutes,
  messagingRoutes,
  openingRoutes,
  opsRoutes,
  approvalRoutes(approvalHandlers),
  providerRoutes,
  billRoutes,
  billExceptionRoutes,
  voucherRoutes,
  moneyRoutes,
  bankRoutes,
  snapRoutes,
  virtualAccountRoutes,
  paymentLinkRoutes,
  transferProofRoutes,
  restoredRoutes,
  reconciliationRoutes,
  reportRoutes,
  forecastRoutes,
  seasonRoutes,
  dashboardRoutes,
  reportMailRoutes,
  schoolRoutes,
  surveyRoutes,
  scoreRoutes,
  searchRoutes,
  selectionRoutes,
  settingsRoutes,
  studentRoutes,
  studentFileRoutes,
  evidenceRoutes,
  campusRoutes,
  feederRoutes,
  jacketRoutes,
  licenceRoutes,
  photoRoutes,
  testingRoutes,
  attendanceRoutes,
  waitingListRoutes,
  admissionCalendarRoutes,
  sessionRoutes,
  transferRoutes,
  trialRoutes,
  counterRoutes,
  verificationRoutes,
  viewRoutes,
  whatsappRoutes,
  workbookRoutes,
]

/** Builds the server: first the hooks that every request passes, then the routes. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { sessions } = services
  const app = fastify(serverOptions(services)) as unknown as FastifyInstance
  if (services.config.guardTransactions) beginOutsideTransactions(app)
  if (services.trialId) workOnTrial(app)
  else hostTrials(app, services, { build: buildApp, jobs })
  speakZod(app, services.clock)
  nameEveryAnswer(app, services)
  measureAnswers(app, services)
  answerErrors(app)
  authenticate(app, sessions, services.clock)
  requireAccessOnEveryRoute(app)
  refuseSharedWrites(app)
  refuseStrayUploads(app)
  settlePieces(app, services)
  keepAnswersOfWrites(app, services)

  refuseUnderPressure(app, services.config.maxEventLoopDelayMs)
  await app.register(rateLimit, { global: false })
  await app.register(compress, { threshold: 2_048 })
  await app.register(multipart, { limits: { fileSize: 30_000_000, files: 10, fields: 50 } })
  await collectRoutes(app)

  for (const routes of [...platformRoutes, ...resourceRoutes, ...moduleRoutes])
    await app.register(routes(services), { prefix: '/api' })
  await app.register(imageRoutes(services))
  await app.register(paymentPages(services))

  await showDocumentation(app)
  await app.register(prospectusPages(services))
  await app.register(webPages(services, [affiliateCards(services), eventCards(services), surveyCards(services)]))
  await app.ready()
  return app
}
