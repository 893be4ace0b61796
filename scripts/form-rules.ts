import fs from 'node:fs'
import path from 'node:path'
import type { Endpoint } from '#domain/endpoint.ts'

/**
 * Checks that forms of the web go one way: a call whose body a person fills in is sent by `useForm`, which checks it with
 * the schema and rules of that call; the shell of `ui/form/form.tsx` shows it; and how long a text may be is read from the
 * schema (`form.field`). Forms of one's own account, part of the first page, use `useFields` and draw themselves.
 */
const root = path.resolve(import.meta.dirname, '..')
const web = path.join(root, 'apps/web/src')
const domain = path.join(root, 'packages/domain/src')

/** Fields that no person fills in; a call with no others is sent by a button. */
const unfilled = new Set(['version', 'ids'])

const picked = 'chosen by a click of what is offered; nothing is typed'
const elsewhere = (file: string) => `checked in ${file}`
const rows = 'a table of rows saved together; checked with useChecks'
const severalPages = 'filled in on several pages; checked with useChecks'
const upload = 'stands beside a file that is looked at first; checked with useChecks'

/** Calls sent without `useForm`, and why. */
const sentOtherwise: Record<string, string> = {
  'list/bar/saved-views.tsx createView': 'a part of the list; checked with useChecks',
  'list/bar/saved-views.tsx updateView': 'keeps what the list shows under a name that was checked when it was given',
  'modules/access/menus/menus-page.tsx orderMenus': picked,
  'modules/access/role-menus-page.tsx setRolePermissions': picked,
  'modules/accounts/confirm-email-page.tsx verifyEmail': 'sends the token of the link',
  'modules/accounts/google-page.tsx googleExchange': 'sends the code of Google; code-step.tsx checks the typed one',
  'modules/accounts/sign-up/keep-study-choice.ts saveStudyIntent': 'sends what was picked before signing in',
  'modules/accounts/sign-up/wizard-study.tsx saveStudyIntent': picked,
  'modules/accounts/staff/bulk-dialog.tsx runAccountsBulk': picked,
  'modules/admission-year/new-year-page.tsx createAdmissionYear': elsewhere('use-year-wizard.ts'),
  'modules/admissions/apply/steps/use-registration-steps.ts takeTestSeat': picked,
  'modules/admissions/staff/bulk-dialog.tsx runBulk': 'the dialog of many rows sends it; checked with useChecks',
  'modules/admissions/apply/use-registration-form.ts createRegistration': severalPages,
  'modules/admissions/apply/use-registration-form.ts updateRegistration':
    'checked with createRegistration, of which it is a part',
  'modules/admissions/apply/use-registration-form.ts withdrawRegistration': 'sends a reason of the program',
  'modules/admissions/use-registration.ts confirmRegistration': picked,
  'modules/applicants/applicant-profile.tsx changeApplicantProfile': 'profile-section.tsx sends it with its answers',
  'modules/applicants/profile-section.tsx updateProfile':
    'field-problems.ts checks each answer with the rules of the call; an empty answer is saved',
  'modules/fees/plan-terms.tsx savePlanTerms': rows,
  'modules/fees/tuition-panel.tsx saveTuitionGrid': rows,
  'modules/messaging/message-choice.tsx updatePreferences': picked,
  'modules/payments/money/arrived.tsx seePayments': 'sends which payments were shown',
  'modules/payments/approvals/approve-many-dialog.tsx approveMany': picked,
  'modules/payments/bills/pay-card.tsx requestVirtualAccount': picked,
  'modules/payments/reconciliation/day-page.tsx computeDay': picked,
  'modules/payments/reconciliation/statement-upload.tsx saveMapping': upload,
  'modules/payments/banks/sandbox-bank-page.tsx paySandboxAccount': 'a dozen buttons send it; checked with useChecks',
  'modules/schools/merge-dialog.tsx mergeSchools': 'chosen of what is shown; the server previews every choice',
  'modules/schools/use-dismiss.ts dismissPair': picked,
  'modules/schools/verify-many-dialog.tsx verifyProposals': picked,
  'modules/testing/use-test-seat.ts takeTestSeat': picked,
  'modules/transfer/import-page.tsx endpoint': picked,
  'modules/whatsapp/state-card.tsx connectDevice': 'connects without a phone; pairing.tsx sends the typed one',
  'modules/whatsapp/state-card.tsx disconnectDevice': picked,
  'resource/bulk-rows.tsx run': picked,
  'resource/history-panel.tsx endpointsOf(entity).update': 'writes an earlier state of a row back',
}

/** Forms drawn without the shell, and why. */
const drawnOtherwise: Record<string, string> = {
  'list/bar/saved-views.tsx': 'a part of the list',
  'modules/admissions/apply/create-registration-page.tsx': severalPages,
  'modules/applicants/profile-section.tsx': 'saves while one types, and has a button of its own for each step',
  'modules/outbox/outbox-page.tsx': 'looks for mails; sends nothing',
  'modules/payments/banks/sandbox-bank-page.tsx': 'opens an address; sends nothing',
}

/** Lengths that are typed into a page, and why its schema does not say them. */
const lengthsElsewhere: Record<string, string> = {
  'list/bar/saved-views.tsx': 'a part of the list',
  'modules/applicants/form/address-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/form/birth-date-field.tsx': 'day, month and year of a date',
  'modules/applicants/form/contact-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/form/driving-licence-form.tsx': 'digits, written with spaces',
  'modules/applicants/form/education-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/form/identity-fields.tsx': 'answers of the profile, each with a rule of its own',
  'ui/form/money-input.tsx': 'an amount with its points',
  'modules/payments/reconciliation/mapping-form.tsx': 'signs of a bank file, before there is a mapping',
  'modules/search/search-dialog.tsx': 'a search',
}

const filesOf = (folder: string, wanted: RegExp) =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => wanted.test(file))

const calls = new Map<string, Endpoint>()
for (const file of filesOf(domain, /(^|[/-])endpoints\.ts$/)) {
  const declared: Record<string, unknown> = await import(path.join(domain, file))
  for (const [name, one] of Object.entries(declared))
    if (one && typeof one === 'object' && 'path' in one && 'method' in one) calls.set(name, one as Endpoint)
}

const isFilledIn = (name: string) => {
  const call = calls.get(name)
  if (!call) return true
  const { shape } = (call.body?.def ?? {}) as { shape?: Record<string, unknown> }
  return call.body !== undefined && (!shape || Object.keys(shape).some((field) => !unfilled.has(field)))
}

const sending = /\b(?:useSend|sendOnce)\(\s*(\w+(?:\([\w.]*\))?(?:\.\w+|\[\w+\])*)/g

const files = filesOf(web, /\.tsx?$/).filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('api/'))
const unused = new Set([sentOtherwise, drawnOtherwise, lengthsElsewhere].flatMap(Object.keys))
const problems: string[] = []
const isFirstPage = (file: string) => /^modules\/accounts\/((sign-up|settings)\/)?[\w-]+\.tsx?$/.test(file)
const refuse = (exceptions: Record<string, string>, place: string, sentence: string) => {
  if (place in exceptions) unused.delete(place)
  else problems.push(`apps/web/src/${sentence}`)
}
for (const file of files) {
  const text = fs.readFileSync(path.join(web, file), 'utf8')
  for (const name of new Set([...text.matchAll(sending)].map(([, sent]) => sent!)))
    if (!(isFirstPage(file) && text.includes('useFields(')) && isFilledIn(name))
      refuse(sentOtherwise, `${file} ${name}`, `${file} sends ${name} without useForm`)
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
for (const one of unused) problems.push(`scripts/form-rules.ts: nothing needs the exception "${one}"`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
