import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { definitionOf } from '#domain/body-check.ts'
import type { Endpoint } from '#domain/endpoint.ts'

/**
 * Checks the web's forms: a call whose body a user fills in is sent by `useForm`, which validates it with the call's
 * schema and rules; `ui/form/form.tsx` draws the form; text lengths come from the schema (`form.field`). The sign-up
 * and account forms belong to the first page, so they use `useFields` and draw themselves.
 */
const root = path.resolve(import.meta.dirname, '../..')
const web = path.join(root, 'apps/web/src')
const domain = path.join(root, 'packages/domain/src')

/** Fields filled in by code; a call without other fields may be sent by a button. */
const technicalFields = new Set(['version', 'ids'])

const byClick = 'chosen by a click of what is offered; nothing is typed'
const checkedIn = (file: string) => `checked in ${file}`
const rows = 'a table of rows saved together; checked with useChecks'
const severalPages = 'filled in on several pages; checked with useChecks'
const upload = 'stands beside a file that is looked at first; checked with useChecks'

/** Calls sent without `useForm`, with the reason. */
const sentOtherwise: Record<string, string> = {
  'app/parts/language-switch.tsx updatePreferences': byClick,
  'list/bar/saved-views.tsx createView': 'a part of the list; checked with useChecks',
  'list/bar/saved-views.tsx updateView': 'keeps what the list shows under a name that was checked when it was given',
  'modules/access/menus/menus-page.tsx orderMenus': byClick,
  'modules/access/role-menus-page.tsx setRolePermissions': byClick,
  'modules/accounts/confirm-email-page.tsx verifyEmail': 'sends the token of the link',
  'modules/accounts/google-page.tsx googleExchange': 'sends the code of Google; code-step.tsx checks the typed one',
  'modules/accounts/tell-touch.ts recordTouch': 'sends the code of the address',
  'modules/accounts/sign-up/keep-study-choice.ts saveStudyIntent': 'sends what was picked before signing in',
  'modules/accounts/sign-up/use-study-choice.ts saveStudyIntent': byClick,
  'modules/accounts/staff/bulk-dialog.tsx runAccountsBulk': byClick,
  'modules/admission-year/new-year-page.tsx createAdmissionYear': checkedIn('use-year-wizard.ts'),
  'modules/admissions/apply/steps/use-registration-steps.ts takeTestSeat': byClick,
  'modules/admissions/staff/bulk-dialog.tsx runBulk': 'the dialog of many rows sends it; checked with useChecks',
  'modules/admissions/apply/use-registration-form.ts createRegistration': severalPages,
  'modules/admissions/apply/use-registration-form.ts updateRegistration':
    'checked with createRegistration, of which it is a part',
  'modules/admissions/apply/use-registration-form.ts withdrawRegistration': 'sends a reason of the program',
  'modules/admissions/registration/use-registration.ts confirmRegistration': byClick,
  'modules/applicants/applicant-profile.tsx changeApplicantProfile': 'use-section-form.ts sends it with its answers',
  'modules/applicants/profile/use-section-form.ts updateProfile':
    'field-problems.ts checks each answer with the rules of the call; an empty answer is saved',
  'modules/chat/staff/conversation-actions.tsx closeConversation': 'sends the last message that was on the screen',
  'modules/chat/staff/duty.tsx saveOwnDuty': byClick,
  'modules/chat/thread/outbox.ts sendChatMessage': 'waits in the queue of the device; checked in composer.tsx',
  'modules/chat/thread/outbox.ts sendOwnMessage': 'waits in the queue of the device; checked in composer.tsx',
  'modules/chat/thread/port.ts markChatRead': 'sends the last message that was on the screen',
  'modules/chat/thread/port.ts markOwnRead': 'sends the last message that was on the screen',
  'modules/campaigns/opt-out-page.tsx saveOptOut': byClick,
  'modules/campaigns/purposes.tsx saveOwnOptOuts': byClick,
  'modules/campaigns/staff/form/sheet-fields.tsx assignSheetColumns': byClick,
  'modules/campaigns/staff/view/step-buttons.tsx campaignSteps[step]': byClick,
  'modules/events/door/use-door.ts recordCheckIns': 'sends what was scanned, later without network',
  'modules/events/staff/materials-card.tsx publishMaterial': byClick,
  'modules/fees/plan/plan-terms.tsx savePlanTerms': rows,
  'modules/fees/tuition/use-save-tuition.ts saveTuitionGrid': rows,
  'modules/health/jobs-card.tsx retryJobs': byClick,
  'modules/accounts/sign-up/lead-arrival.tsx openLeadLink': 'sends the text of the link; typed digits go by useForm',
  'modules/leads/lead-cards.tsx mergeLeads': byClick,
  'modules/leads/lead-cards.tsx keepApart': byClick,
  'modules/leads/lead-page.tsx moveLead': byClick,
  'modules/leads/leads-page.tsx recordCall': byClick,
  'modules/messaging/message-choice.tsx updatePreferences': byClick,
  'modules/payments/money/arrived.tsx seePayments': 'sends which payments were shown',
  'modules/payments/approvals/approve-many-dialog.tsx approveMany': byClick,
  'modules/payments/bills/pay/pay-card.tsx requestVirtualAccount': byClick,
  'modules/payments/reconciliation/day-page.tsx computeDay': byClick,
  'modules/payments/reconciliation/statement/use-statement-sending.ts saveMapping': upload,
  'modules/payments/banks/sandbox/counter.tsx paySandboxAccount': 'a dozen buttons send it; checked with useChecks',
  'modules/report-mail/use-mail-actions.tsx pauseReportMail': byClick,
  'modules/schools/merge-dialog.tsx mergeSchools': 'chosen of what is shown; the server previews every choice',
  'modules/schools/use-dismiss.ts dismissPair': byClick,
  'modules/schools/verify-many-dialog.tsx verifyProposals': byClick,
  'modules/students/print-cards-dialog.tsx printCards': 'the dialog of many rows sends it; checked with useChecks',
  'modules/scores/people-card.tsx confirmPeople': byClick,
  'modules/scores/use-score-drafts.ts recordScore': 'a grid saved row by row; each input is checked as it is typed',
  'modules/students/files/approve-dialog.tsx approveFiles': byClick,
  'modules/testing/use-test-seat.ts takeTestSeat': byClick,
  'modules/testing/use-test-seat.ts joinWaitingList': byClick,
  'modules/testing/attendance/use-attendance.ts recordScans': 'sends what was scanned, later without network',
  'modules/transfer/import-page.tsx endpoint': byClick,
  'modules/surveys/builder/use-builder.ts createSurvey':
    'a copy of what saveSurvey, whose form is on the page, has checked',
  'modules/whatsapp/state-card.tsx connectDevice': 'connects without a phone; pairing.tsx sends the typed one',
  'modules/whatsapp/state-card.tsx disconnectDevice': byClick,
  'resource/bulk-rows.tsx run': byClick,
  'resource/history-panel.tsx endpointsOf(entity).update': 'writes an earlier state of a row back',
}

/** Forms drawn without `PageForm` or `DialogForm`, with the reason. */
const drawnOtherwise: Record<string, string> = {
  'list/bar/saved-views.tsx': 'a part of the list',
  'modules/admissions/apply/create-registration-page.tsx': severalPages,
  'modules/applicants/profile/profile-section.tsx': 'saves while one types, and has a button of its own for each step',
  'modules/chat/thread/composer.tsx': 'one field that Enter sends; the message waits in the queue of the device',
  'modules/events/door/check-in-page.tsx': 'a code that is judged like a scanned one; sends nothing itself',
  'modules/events/door/walk-in-dialog.tsx': 'waits in the queue of the device; checked with the rules of the call',
  'modules/outbox/outbox-page.tsx': 'looks for mails; sends nothing',
  'modules/payments/banks/sandbox/sandbox-bank-page.tsx': 'opens an address; sends nothing',
}

/** Pages with literal lengths, and why the schema does not provide them. */
const lengthsElsewhere: Record<string, string> = {
  'list/bar/saved-views.tsx': 'a part of the list',
  'modules/events/door/walk-in-dialog.tsx': 'waits in the queue of the device',
  'modules/events/staff/materials-card.tsx': 'a query beside a file',
  'modules/applicants/form/address-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/form/contact-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/more-data/driving-licence-form.tsx': 'digits, written with spaces',
  'modules/applicants/form/education-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/form/identity-fields.tsx': 'answers of the profile, each with a rule of its own',
  'ui/form/money-input.tsx': 'an amount with its points',
  'modules/payments/reconciliation/statement/mapping-form.tsx': 'signs of a bank file, before there is a mapping',
  'modules/search/search-dialog.tsx': 'a search',
}

const filesOf = (folder: string, namePattern: RegExp) =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => namePattern.test(file))

const calls = new Map<string, Endpoint>()
for (const file of filesOf(domain, /(^|[/-])endpoints\.ts$/)) {
  const declared: Record<string, unknown> = await import(path.join(domain, file))
  for (const [name, candidate] of Object.entries(declared))
    if (candidate && typeof candidate === 'object' && 'path' in candidate && 'method' in candidate)
      calls.set(name, candidate as Endpoint)
}

const isFilledIn = (name: string) => {
  const call = calls.get(name)
  if (!call) return true
  const { shape } = call.body ? definitionOf(call.body as z.ZodType) : {}
  return call.body !== undefined && (!shape || Object.keys(shape).some((field) => !technicalFields.has(field)))
}

const sendPattern = /\bsendOnce\(\s*(\w+(?:\([\w.]*\))?(?:\.\w+|\[\w+\])*)/g

const files = filesOf(web, /\.tsx?$/).filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('api/'))
const unusedExceptions = new Set([sentOtherwise, drawnOtherwise, lengthsElsewhere].flatMap(Object.keys))
const problems: string[] = []
const isFirstPage = (file: string) => /^modules\/accounts\/((sign-up|settings)\/)?[\w-]+\.tsx?$/.test(file)
const refuse = (exceptions: Record<string, string>, place: string, sentence: string) => {
  if (place in exceptions) unusedExceptions.delete(place)
  else problems.push(`apps/web/src/${sentence}`)
}
for (const file of files) {
  const text = fs.readFileSync(path.join(web, file), 'utf8')
  for (const name of new Set([...text.matchAll(sendPattern)].map(([, sent]) => sent!)))
    if (!(isFirstPage(file) && text.includes('useFields(')) && isFilledIn(name))
      refuse(sentOtherwise, `${file} ${name}`, `${file} sends ${name}, whose body is filled in, without useForm`)
  if (/\buseFields\(/.test(text) && !isFirstPage(file))
    problems.push(`apps/web/src/${file} uses useFields, which is for the first page: take useForm`)
  if (isFirstPage(file)) continue
  if (/<form\b/.test(text) && file !== 'ui/form/form.tsx')
    refuse(drawnOtherwise, file, `${file} draws a form itself: take PageForm or DialogForm`)
  if (/\bmaxLength=\{\d/.test(text))
    refuse(lengthsElsewhere, file, `${file} says a length that \`form.field\` reads from the schema`)
}

if (files.length < 50) problems.push(`only ${files.length} files were read`)
if (calls.size < 100) problems.push(`only ${calls.size} calls were read`)
for (const candidate of unusedExceptions)
  problems.push(`scripts/rules/form-rules.ts: nothing needs the exception "${candidate}"`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
