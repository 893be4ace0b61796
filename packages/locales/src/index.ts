import type { Language } from '#entities/define/language.ts'
import { access as enAccess } from './en/access.ts'
import { accountSettings as enAccountSettings } from './en/account-settings.ts'
import { accounts as enAccounts } from './en/accounts.ts'
import { admissionCalendar as enAdmissionCalendar } from './en/admission-calendar.ts'
import { admissionYear as enAdmissionYear } from './en/admission-year.ts'
import { admissions as enAdmissions } from './en/admissions.ts'
import { affiliates as enAffiliates } from './en/affiliates.ts'
import { applicants as enApplicants } from './en/applicants.ts'
import { approvals as enApprovals } from './en/approvals.ts'
import { attendance as enAttendance } from './en/attendance.ts'
import { audit as enAudit } from './en/audit.ts'
import { banks as enBanks } from './en/banks.ts'
import { bills as enBills } from './en/bills.ts'
import { campaigns as enCampaigns } from './en/campaigns.ts'
import { campus as enCampus } from './en/campus.ts'
import { chat as enChat } from './en/chat.ts'
import { common as enCommon } from './en/common.ts'
import { counter as enCounter } from './en/counter.ts'
import { dashboard as enDashboard } from './en/dashboard.ts'
import { dashboards as enDashboards } from './en/dashboards.ts'
import { documents as enDocuments } from './en/documents.ts'
import { door as enDoor } from './en/door.ts'
import { enrolmentData as enEnrolmentData } from './en/enrolment-data.ts'
import { errors as enErrors } from './en/errors.ts'
import { events as enEvents } from './en/events.ts'
import { evidence as enEvidence } from './en/evidence.ts'
import { feeder as enFeeder } from './en/feeder.ts'
import { fees as enFees } from './en/fees.ts'
import { health as enHealth } from './en/health.ts'
import { inbox as enInbox } from './en/inbox.ts'
import { jackets as enJackets } from './en/jackets.ts'
import { leadArrival as enLeadArrival } from './en/lead-arrival.ts'
import { leads as enLeads } from './en/leads.ts'
import { letters as enLetters } from './en/letters.ts'
import { licences as enLicences } from './en/licences.ts'
import { list as enList } from './en/list.ts'
import { messages as enMessages } from './en/messages.ts'
import { money as enMoney } from './en/money.ts'
import { navigation as enNavigation } from './en/navigation.ts'
import { offers as enOffers } from './en/offers.ts'
import { opening as enOpening } from './en/opening.ts'
import { ops as enOps } from './en/ops.ts'
import { optOut as enOptOut } from './en/opt-out.ts'
import { paymentLinks as enPaymentLinks } from './en/payment-links.ts'
import { paymentPage as enPaymentPage } from './en/payment-page.ts'
import { photos as enPhotos } from './en/photos.ts'
import { preferences as enPreferences } from './en/preferences.ts'
import { programmeChange as enProgrammeChange } from './en/programme-change.ts'
import { prospectus as enProspectus } from './en/prospectus.ts'
import { providers as enProviders } from './en/providers.ts'
import { reconciliation as enReconciliation } from './en/reconciliation.ts'
import { registration as enRegistration } from './en/registration.ts'
import { reportMail as enReportMail } from './en/report-mail.ts'
import { reports as enReports } from './en/reports.ts'
import { resource as enResource } from './en/resource.ts'
import { samples as enSamples } from './en/samples.ts'
import { schools as enSchools } from './en/schools.ts'
import { scores as enScores } from './en/scores.ts'
import { search as enSearch } from './en/search.ts'
import { seasons as enSeasons } from './en/seasons.ts'
import { selection as enSelection } from './en/selection.ts'
import { send as enSend } from './en/send.ts'
import { settings as enSettings } from './en/settings.ts'
import { staff as enStaff } from './en/staff.ts'
import { staffAccounts as enStaffAccounts } from './en/staff-accounts.ts'
import { staffTitles as enStaffTitles } from './en/staff-titles.ts'
import { studentFiles as enStudentFiles } from './en/student-files.ts'
import { students as enStudents } from './en/students.ts'
import { surveyBuilder as enSurveyBuilder } from './en/survey-builder.ts'
import { surveyForm as enSurveyForm } from './en/survey-form.ts'
import { surveys as enSurveys } from './en/surveys.ts'
import { templates as enTemplates } from './en/templates.ts'
import { testSessions as enTestSessions } from './en/test-sessions.ts'
import { testing as enTesting } from './en/testing.ts'
import { titles as enTitles } from './en/titles.ts'
import { transfer as enTransfer } from './en/transfer.ts'
import { transferProofs as enTransferProofs } from './en/transfer-proofs.ts'
import { trial as enTrial } from './en/trial.ts'
import { validation as enValidation } from './en/validation.ts'
import { verification as enVerification } from './en/verification.ts'
import { whatsapp as enWhatsapp } from './en/whatsapp.ts'
import { workbook as enWorkbook } from './en/workbook.ts'
import { access as idAccess } from './id/access.ts'
import { accountSettings as idAccountSettings } from './id/account-settings.ts'
import { accounts as idAccounts } from './id/accounts.ts'
import { admissionCalendar as idAdmissionCalendar } from './id/admission-calendar.ts'
import { admissionYear as idAdmissionYear } from './id/admission-year.ts'
import { admissions as idAdmissions } from './id/admissions.ts'
import { affiliates as idAffiliates } from './id/affiliates.ts'
import { applicants as idApplicants } from './id/applicants.ts'
import { approvals as idApprovals } from './id/approvals.ts'
import { attendance as idAttendance } from './id/attendance.ts'
import { audit as idAudit } from './id/audit.ts'
import { banks as idBanks } from './id/banks.ts'
import { bills as idBills } from './id/bills.ts'
import { campaigns as idCampaigns } from './id/campaigns.ts'
import { campus as idCampus } from './id/campus.ts'
import { chat as idChat } from './id/chat.ts'
import { common as idCommon } from './id/common.ts'
import { counter as idCounter } from './id/counter.ts'
import { dashboard as idDashboard } from './id/dashboard.ts'
import { dashboards as idDashboards } from './id/dashboards.ts'
import { documents as idDocuments } from './id/documents.ts'
import { door as idDoor } from './id/door.ts'
import { enrolmentData as idEnrolmentData } from './id/enrolment-data.ts'
import { errors as idErrors } from './id/errors.ts'
import { events as idEvents } from './id/events.ts'
import { evidence as idEvidence } from './id/evidence.ts'
import { feeder as idFeeder } from './id/feeder.ts'
import { fees as idFees } from './id/fees.ts'
import { health as idHealth } from './id/health.ts'
import { inbox as idInbox } from './id/inbox.ts'
import { jackets as idJackets } from './id/jackets.ts'
import { leadArrival as idLeadArrival } from './id/lead-arrival.ts'
import { leads as idLeads } from './id/leads.ts'
import { letters as idLetters } from './id/letters.ts'
import { licences as idLicences } from './id/licences.ts'
import { list as idList } from './id/list.ts'
import { messages as idMessages } from './id/messages.ts'
import { money as idMoney } from './id/money.ts'
import { navigation as idNavigation } from './id/navigation.ts'
import { offers as idOffers } from './id/offers.ts'
import { opening as idOpening } from './id/opening.ts'
import { ops as idOps } from './id/ops.ts'
import { optOut as idOptOut } from './id/opt-out.ts'
import { paymentLinks as idPaymentLinks } from './id/payment-links.ts'
import { paymentPage as idPaymentPage } from './id/payment-page.ts'
import { photos as idPhotos } from './id/photos.ts'
import { preferences as idPreferences } from './id/preferences.ts'
import { programmeChange as idProgrammeChange } from './id/programme-change.ts'
import { prospectus as idProspectus } from './id/prospectus.ts'
import { providers as idProviders } from './id/providers.ts'
import { reconciliation as idReconciliation } from './id/reconciliation.ts'
import { registration as idRegistration } from './id/registration.ts'
import { reportMail as idReportMail } from './id/report-mail.ts'
import { reports as idReports } from './id/reports.ts'
import { resource as idResource } from './id/resource.ts'
import { samples as idSamples } from './id/samples.ts'
import { schools as idSchools } from './id/schools.ts'
import { scores as idScores } from './id/scores.ts'
import { search as idSearch } from './id/search.ts'
import { seasons as idSeasons } from './id/seasons.ts'
import { selection as idSelection } from './id/selection.ts'
import { send as idSend } from './id/send.ts'
import { settings as idSettings } from './id/settings.ts'
import { staff as idStaff } from './id/staff.ts'
import { staffAccounts as idStaffAccounts } from './id/staff-accounts.ts'
import { staffTitles as idStaffTitles } from './id/staff-titles.ts'
import { studentFiles as idStudentFiles } from './id/student-files.ts'
import { students as idStudents } from './id/students.ts'
import { surveyBuilder as idSurveyBuilder } from './id/survey-builder.ts'
import { surveyForm as idSurveyForm } from './id/survey-form.ts'
import { surveys as idSurveys } from './id/surveys.ts'
import { templates as idTemplates } from './id/templates.ts'
import { testSessions as idTestSessions } from './id/test-sessions.ts'
import { testing as idTesting } from './id/testing.ts'
import { titles as idTitles } from './id/titles.ts'
import { transfer as idTransfer } from './id/transfer.ts'
import { transferProofs as idTransferProofs } from './id/transfer-proofs.ts'
import { trial as idTrial } from './id/trial.ts'
import { validation as idValidation } from './id/validation.ts'
import { verification as idVerification } from './id/verification.ts'
import { whatsapp as idWhatsapp } from './id/whatsapp.ts'
import { workbook as idWorkbook } from './id/workbook.ts'

/** Every sentence of the product: one namespace per module, one file per language. */
export const resources = {
  en: {
    common: enCommon,
    admissions: enAdmissions,
    'admission-calendar': enAdmissionCalendar,
    'admission-year': enAdmissionYear,
    navigation: enNavigation,
    titles: enTitles,
    verification: enVerification,
    'staff-titles': enStaffTitles,
    access: enAccess,
    'account-settings': enAccountSettings,
    accounts: enAccounts,
    errors: enErrors,
    messages: enMessages,
    feeder: enFeeder,
    fees: enFees,
    health: enHealth,
    affiliates: enAffiliates,
    'lead-arrival': enLeadArrival,
    leads: enLeads,
    events: enEvents,
    surveys: enSurveys,
    letters: enLetters,
    campaigns: enCampaigns,
    'opt-out': enOptOut,
    'payment-links': enPaymentLinks,
    'transfer-proofs': enTransferProofs,
    'payment-page': enPaymentPage,
    send: enSend,
    campus: enCampus,
    chat: enChat,
    inbox: enInbox,
    jackets: enJackets,
    licences: enLicences,
    list: enList,
    'report-mail': enReportMail,
    reports: enReports,
    resource: enResource,
    validation: enValidation,
    'test-sessions': enTestSessions,
    testing: enTesting,
    registration: enRegistration,
    counter: enCounter,
    dashboard: enDashboard,
    dashboards: enDashboards,
    approvals: enApprovals,
    bills: enBills,
    money: enMoney,
    banks: enBanks,
    reconciliation: enReconciliation,
    applicants: enApplicants,
    documents: enDocuments,
    staff: enStaff,
    'staff-accounts': enStaffAccounts,
    'enrolment-data': enEnrolmentData,
    'student-files': enStudentFiles,
    evidence: enEvidence,
    students: enStudents,
    offers: enOffers,
    opening: enOpening,
    ops: enOps,
    attendance: enAttendance,
    door: enDoor,
    audit: enAudit,
    samples: enSamples,
    schools: enSchools,
    scores: enScores,
    search: enSearch,
    seasons: enSeasons,
    selection: enSelection,
    settings: enSettings,
    'survey-builder': enSurveyBuilder,
    'survey-form': enSurveyForm,
    templates: enTemplates,
    transfer: enTransfer,
    trial: enTrial,
    'programme-change': enProgrammeChange,
    prospectus: enProspectus,
    providers: enProviders,
    whatsapp: enWhatsapp,
    workbook: enWorkbook,
    photos: enPhotos,
    preferences: enPreferences,
  },
  id: {
    common: idCommon,
    admissions: idAdmissions,
    'admission-calendar': idAdmissionCalendar,
    'admission-year': idAdmissionYear,
    navigation: idNavigation,
    titles: idTitles,
    verification: idVerification,
    'staff-titles': idStaffTitles,
    access: idAccess,
    'account-settings': idAccountSettings,
    accounts: idAccounts,
    errors: idErrors,
    messages: idMessages,
    feeder: idFeeder,
    fees: idFees,
    health: idHealth,
    affiliates: idAffiliates,
    'lead-arrival': idLeadArrival,
    leads: idLeads,
    events: idEvents,
    surveys: idSurveys,
    letters: idLetters,
    campaigns: idCampaigns,
    'opt-out': idOptOut,
    'payment-links': idPaymentLinks,
    'transfer-proofs': idTransferProofs,
    'payment-page': idPaymentPage,
    send: idSend,
    campus: idCampus,
    chat: idChat,
    inbox: idInbox,
    jackets: idJackets,
    licences: idLicences,
    list: idList,
    'report-mail': idReportMail,
    reports: idReports,
    resource: idResource,
    validation: idValidation,
    'test-sessions': idTestSessions,
    testing: idTesting,
    registration: idRegistration,
    counter: idCounter,
    dashboard: idDashboard,
    dashboards: idDashboards,
    approvals: idApprovals,
    bills: idBills,
    money: idMoney,
    banks: idBanks,
    reconciliation: idReconciliation,
    applicants: idApplicants,
    documents: idDocuments,
    staff: idStaff,
    'staff-accounts': idStaffAccounts,
    'enrolment-data': idEnrolmentData,
    'student-files': idStudentFiles,
    evidence: idEvidence,
    students: idStudents,
    offers: idOffers,
    opening: idOpening,
    ops: idOps,
    attendance: idAttendance,
    door: idDoor,
    audit: idAudit,
    samples: idSamples,
    schools: idSchools,
    scores: idScores,
    search: idSearch,
    seasons: idSeasons,
    selection: idSelection,
    settings: idSettings,
    'survey-builder': idSurveyBuilder,
    'survey-form': idSurveyForm,
    templates: idTemplates,
    transfer: idTransfer,
    trial: idTrial,
    'programme-change': idProgrammeChange,
    prospectus: idProspectus,
    providers: idProviders,
    whatsapp: idWhatsapp,
    workbook: idWorkbook,
    photos: idPhotos,
    preferences: idPreferences,
  },
} satisfies Record<Language, object>
