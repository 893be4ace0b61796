import fs from 'node:fs'
import path from 'node:path'
import type { Endpoint } from '#domain/endpoint.ts'

/**
 * Checks that every form of the web runs `useChecks` with the call it sends: the file of a `useSend` or `sendOnce` whose
 * body a person fills in names the same call in `useChecks`. Forms of accounts, part of the first page, use `useFields`.
 */
const root = path.resolve(import.meta.dirname, '..')
const web = path.join(root, 'apps/web/src')
const domain = path.join(root, 'packages/domain/src')

/** Fields that no person fills in; a call with no others is sent by a button. */
const unfilled = new Set(['version', 'ids'])

const picked = 'chosen by a click of what is offered; nothing is typed'
const elsewhere = (file: string) => `checked in ${file}`

/** Calls sent without checks in their file, and why. */
const exceptions: Record<string, string> = {
  'list/saved-views.tsx updateView': 'keeps what the list shows under a name that was checked when it was given',
  'modules/access/menus-page.tsx orderMenus': picked,
  'modules/access/role-menus-page.tsx setRoleMenus': picked,
  'modules/access/role-menus-page.tsx setRolePermissions': picked,
  'modules/access/role-permissions-page.tsx setRolePermissions': picked,
  'modules/accounts/confirm-email-page.tsx verifyEmail': 'sends the token of the link',
  'modules/accounts/google-page.tsx googleExchange': 'sends the code of Google; code-step.tsx checks the typed one',
  'modules/accounts/keep-study-choice.ts saveStudyIntent': 'sends what was picked before signing in',
  'modules/accounts/wizard-study.tsx saveStudyIntent': picked,
  'modules/accounts/staff/bulk-dialog.tsx runAccountsBulk': picked,
  'modules/admission-year/new-year-page.tsx createAdmissionYear': elsewhere('use-year-wizard.ts'),
  'modules/admissions/create-registration-page.tsx takeTestSeat': picked,
  'modules/admissions/use-registration-form.ts updateRegistration':
    'checked with createRegistration, of which it is a part',
  'modules/admissions/use-registration-form.ts withdrawRegistration': 'sends a reason of the program',
  'modules/admissions/use-registration.ts withdrawRegistration': elsewhere('withdraw-button.tsx'),
  'modules/admissions/use-registration.ts confirmRegistration': picked,
  'modules/applicants/profile-section.tsx updateProfile':
    'field-problems.ts checks each answer with the rules of the call; an empty answer is saved',
  'modules/documents/document-review.tsx rejectDocument': elsewhere('review-dialog.tsx'),
  'modules/documents/document-review.tsx reopenDocument': elsewhere('review-dialog.tsx'),
  'modules/documents/document-review.tsx waiveDocument': elsewhere('review-dialog.tsx'),
  'modules/documents/document-review.tsx deferDocument': elsewhere('review-dialog.tsx'),
  'modules/messaging/message-choice.tsx updatePreferences': picked,
  'modules/payments/arrived.tsx seePayments': 'sends which payments were shown',
  'modules/payments/desk/approve-many-dialog.tsx approveMany': picked,
  'modules/payments/pay-card.tsx requestVirtualAccount': picked,
  'modules/payments/reconciliation/day-page.tsx computeDay': picked,
  'modules/payments/reconciliation/line-dialogs.tsx reopenLine': elsewhere('its ReasonDialog'),
  'modules/payments/reconciliation/line-dialogs.tsx settleDifference': elsewhere('its ReasonDialog'),
  'modules/schools/merge-dialog.tsx mergeSchools': 'chosen of what is shown; the server previews every choice',
  'modules/schools/use-dismiss.ts dismissPair': picked,
  'modules/schools/verify-many.tsx verifyProposals': picked,
  'modules/testing/use-test-seat.ts takeTestSeat': picked,
  'modules/transfer/import-page.tsx endpoint': picked,
  'modules/whatsapp/state-card.tsx connectDevice': 'connects without a phone; pairing.tsx checks the typed one',
  'modules/whatsapp/state-card.tsx disconnectDevice': picked,
  'resource/bulk-dialog.tsx run': picked,
  'resource/history-panel.tsx endpointsOf(entity).update': 'writes an earlier state of a row back',
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
/** Long enough for the two calls of a form that creates and changes. */
const checkingLength = 300
const checking = new RegExp(`(?:\\buseChecks\\(|\\bchecked: )[^]{0,${checkingLength}}`, 'g')

const files = filesOf(web, /\.tsx?$/).filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('api/'))
const unused = new Set(Object.keys(exceptions))
const problems: string[] = []
for (const file of files) {
  const text = fs.readFileSync(path.join(web, file), 'utf8')
  const checked = [...text.matchAll(checking)].map(([found]) => found).join('\n')
  const isAccounts = file.startsWith('modules/accounts/') && text.includes('useFields(')
  for (const name of new Set([...text.matchAll(sending)].map(([, sent]) => sent!))) {
    const isChecked = new RegExp(`(?<![.\\w])${name.replace(/[[\]().]/g, '\\$&')}(?!\\w)`).test(checked)
    if (isAccounts || isChecked || !isFilledIn(name)) continue
    if (!unused.delete(`${file} ${name}`)) problems.push(`apps/web/src/${file} sends ${name} without useChecks`)
  }
}

if (files.length < 50) problems.push(`only ${files.length} files were read`)
if (calls.size < 100) problems.push(`only ${calls.size} calls were read`)
for (const one of unused) problems.push(`scripts/form-rules.ts: nothing needs the exception "${one}"`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
