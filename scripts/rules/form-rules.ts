import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { definitionOf } from '#domain/body-check.ts'
import type { Endpoint } from '#domain/endpoint.ts'

/**
 * Checks the web's forms: a call whose body a user fills in is sent by `useForm`, which validates it with the call's
 * schema and rules; `ui/form/form.tsx` draws the form; text lengths come from the schema (`form.field`). A button may
 * send a call without `useForm` if the call takes only ids and choices, if its component draws no control for typing, or
 * if its module checks the call with `useChecks`. The sign-up and account forms belong to the first page, so they use
 * `useFields` and draw themselves.
 */
const root = path.resolve(import.meta.dirname, '../..')
const web = path.join(root, 'apps/web/src')
const domain = path.join(root, 'packages/domain/src')

/** Fields filled in by code. */
const technicalFields = new Set(['version', 'ids', 'seq', 'seenSeq'])
/** Types of values chosen from what is offered; a call with nothing else may be sent by a click. */
const chosenTypes = new Set(['boolean', 'enum', 'literal', 'null'])
/** Controls that take typed text, numbers, days or files. */
const typingPattern =
  /<(\w*(Input|Picker|Textarea|Autocomplete|BirthDateField|SecretField|FileDrop)|ReasonDialog|textarea|input)\b/

const byClick = 'a click sends what is offered; the typed fields of the call stand in another form or are left out'
const severalPages = 'filled in on several pages; checked with useChecks'

/** Calls sent without `useForm`, with the reason. */
const sentOtherwise: Record<string, string> = {
  'list/bar/saved-views.tsx updateView': 'keeps what the list shows under a name that was checked when it was given',
  'modules/access/role-menus-page.tsx setRolePermissions': byClick,
  'modules/accounts/google-page.tsx googleExchange': 'sends the code of Google; code-step.tsx checks the typed one',
  'modules/accounts/tell-touch.ts recordTouch': 'sends the code of the address',
  'modules/admissions/apply/use-registration-form.ts updateRegistration':
    'checked with createRegistration, of which it is a part',
  'modules/admissions/apply/use-registration-form.ts withdrawRegistration': 'sends a reason of the program',
  'modules/admissions/registration/use-registration.ts confirmRegistration': byClick,
  'modules/applicants/profile/use-section-form.ts updateProfile':
    'field-problems.ts checks each answer with the rules of the call; an empty answer is saved',
  'modules/chat/thread/outbox.ts sendChatMessage': 'waits in the queue of the device; checked in composer.tsx',
  'modules/chat/thread/outbox.ts sendOwnMessage': 'waits in the queue of the device; checked in composer.tsx',
  'modules/campaigns/staff/form/sheet-fields.tsx assignSheetColumns': byClick,
  'modules/campaigns/staff/view/step-buttons.tsx campaignSteps[step]': byClick,
  'modules/events/door/use-check-in.ts recordCheckIns': 'sends what was scanned, later without network',
  'modules/accounts/sign-up/lead-arrival.tsx openLeadLink': 'sends the text of the link; typed digits go by useForm',
  'modules/leads/lead-page.tsx moveLead': byClick,
  'modules/leads/leads-page.tsx recordCall': byClick,
  'modules/payments/bills/pay/pay-card.tsx requestVirtualAccount': byClick,
  'modules/payments/reconciliation/day-page.tsx computeDay': byClick,
  'modules/scores/use-score-drafts.ts recordScore': 'a grid saved row by row; each input is checked as it is typed',
  'modules/testing/attendance/use-attendance.ts recordScans': 'sends what was scanned, later without network',
  'modules/transfer/import-page.tsx endpoint': byClick,
  'modules/surveys/builder/use-builder.ts createSurvey':
    'a copy of what saveSurvey, whose form is on the page, has checked',
  'modules/whatsapp/state-card.tsx connectDevice': 'connects without a phone; pairing.tsx sends the typed one',
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
  'survey/form/survey-form.tsx': 'questions of a survey; the answers wait on the device, under rules of their own',
}

/** Pages with literal lengths, and why the schema does not provide them. */
const lengthsElsewhere: Record<string, string> = {
  'modules/events/door/walk-in-dialog.tsx': 'waits in the queue of the device',
  'modules/events/staff/materials-card.tsx': 'a query beside a file',
  'modules/applicants/form/address-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/form/contact-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/more-data/driving-licence-form.tsx': 'digits, written with spaces',
  'modules/applicants/form/education-fields.tsx': 'answers of the profile, each with a rule of its own',
  'modules/applicants/form/identity-fields.tsx': 'answers of the profile, each with a rule of its own',
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

/** Whether a value of this schema is typed, not chosen. */
function isTyped(schema: z.ZodType): boolean {
  const { type, shape, innerType, element, options } = definitionOf(schema)
  const inner = innerType ?? element
  if (inner) return isTyped(inner)
  if (shape) return Object.entries(shape).some(([field, value]) => !technicalFields.has(field) && isTyped(value))
  if (options) return options.some(isTyped)
  return !chosenTypes.has(type) && (schema.def as { format?: string }).format !== 'uuid'
}

/** Whether a call has a value to type; unknown calls might. */
const takesTyping = (name: string) => {
  const call = calls.get(name)
  return !call || (call.body !== undefined && isTyped(call.body as z.ZodType))
}

const textOf = (file: string) => fs.readFileSync(path.join(web, file), 'utf8')
const moduleOf = (file: string) => file.split('/').slice(0, 2).join('/')
const importPattern = /(?:from|import\() ?'(\.{1,2}\/|#web\/)([^']+\.tsx)'/g

/** Whether a component, or one of its module that it draws, has a control for typing. */
function drawsTyping(file: string, visited = new Set<string>()): boolean {
  visited.add(file)
  const text = textOf(file)
  if (typingPattern.test(text)) return true
  return [...text.matchAll(importPattern)]
    .map(([, base, target]) => (base === '#web/' ? target! : path.join(path.dirname(file), base!, target!)))
    .filter((imported) => moduleOf(imported) === moduleOf(file) && !visited.has(imported))
    .some((imported) => drawsTyping(imported, visited))
}

const checkPattern = /\buseChecks\(\s*(\w+),/g
/** Calls whose bodies a module checks with `useChecks`, such as for a table of rows. */
const checkedCalls = new Set<string>()

const sendPattern = /\bsendOnce\(\s*(\w+(?:\([\w.]*\))?(?:\.\w+|\[\w+\])*)/g

const files = filesOf(web, /\.tsx?$/).filter((file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('api/'))
const unusedExceptions = new Set([sentOtherwise, drawnOtherwise, lengthsElsewhere].flatMap(Object.keys))
const problems: string[] = []
for (const file of files)
  for (const [, name] of textOf(file).matchAll(checkPattern)) checkedCalls.add(`${moduleOf(file)} ${name}`)
const isFirstPage = (file: string) => /^modules\/accounts\/((sign-up|settings)\/)?[\w-]+\.tsx?$/.test(file)
const refuse = (exceptions: Record<string, string>, place: string, sentence: string) => {
  if (place in exceptions) unusedExceptions.delete(place)
  else problems.push(`apps/web/src/${sentence}`)
}
for (const file of files) {
  const text = textOf(file)
  for (const name of new Set([...text.matchAll(sendPattern)].map(([, sent]) => sent!)))
    if (
      !(isFirstPage(file) && text.includes('useFields(')) &&
      !checkedCalls.has(`${moduleOf(file)} ${name}`) &&
      takesTyping(name) &&
      (file.endsWith('.ts') || drawsTyping(file))
    )
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
for (const candidate of unusedExceptions)
  problems.push(`scripts/rules/form-rules.ts: nothing needs the exception "${candidate}"`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
