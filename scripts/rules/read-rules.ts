import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks that the web shows a failed read twice: in the failure dialog, which every query opens unless
 * `apps/web/src/api/quiet-reads.ts` lists its name, and where the data is missing. Finds calls outside queries, which
 * open no dialog; files that never use the error of their reads; and files that replace a form and its typed values
 * when a second read fails (after a focus or reconnect).
 */
const web = path.resolve(import.meta.dirname, '../../apps/web/src')

/** Files that call the server outside `useEndpoint`, and how they show a failure. */
const directCalls: Record<string, string> = {
  'shell/session/session-store.ts':
    'a failed check ends the session or is repeated; the frame and the sign-in page say so',
  'list/use-rows.ts': 'inside a query: the dialog opens',
  'modules/access/role-menus-page.tsx': 'part of a save, whose failure stands beside the button',
  'modules/accounts/invitation-page.tsx': 'inside a query, listed as `invitation`',
  'modules/accounts/setup-page.tsx': 'inside a query, listed as `setup`',
  'modules/accounts/sign-up/multi-step-sign-up-page.tsx': 'inside a query: the dialog opens',
  'modules/accounts/staff/bulk-dialog.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'modules/admissions/offers/offer-dialogs.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'modules/chat/thread/port.ts': 'the conversation shows what it could not read, and the stream makes it read again',
  'modules/chat/staff/use-inbox.ts': 'inside a query: the dialog opens',
  'modules/payments/bills/remind-dialog.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'modules/accounts/staff/history-card.tsx': 'inside a query: the dialog opens',
  'modules/accounts/use-auth-options.ts': 'inside a query: the dialog opens',
  'modules/accounts/sign-up/use-intake.ts': 'inside a query: the dialog opens',
  'modules/accounts/verify-email-page.tsx': 'inside a query, and behind a button that shows the failure above itself',
  'modules/admission-year/use-year-wizard.ts': 'inside a query, listed as `yearPreview`',
  'modules/admissions/staff/bulk-dialog.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'modules/admissions/apply/use-registration-form.ts': 'part of a save, whose failure stands beside the button',
  'modules/fees/tuition/copy-all-tuition.tsx': 'inside a query, listed as `tuitionCopyPreview`',
  'modules/master/use-ancestors.ts': 'inside a query, listed as `ancestors`',
  'modules/schools/merge-dialog.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'modules/letters/batches/start-batch-page.tsx': 'a preview that follows the typing; refusals stand beside the fields',
  'modules/students/print-cards-dialog.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'modules/students/feeder/bulk-dialogs.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'modules/testing/sessions/create/use-series.ts': 'inside a query, listed as `sessionsPreview`',
  'resource/bulk-rows.tsx': 'a preview sent with a form; the dialog of the form shows the refusal',
  'resource/form/delete-button.tsx': 'a preview; after a failed one the deletion is offered, and its refusal is shown',
  'resource/form/use-resource-form.ts': 'after a save refused as stale, which is shown; saving again reads again',
}

/** Files that pass a read on, or whose failed read is shown by another part of the page. */
const shownElsewhere: Record<string, string> = {
  'shell/menu/menu.ts': 'the failure dialog opens; the menu only lacks the payments',
  'modules/accounts/staff/accounts-page.tsx': 'choices of a filter; the list below fails with them',
  'modules/accounts/sign-up/sign-up-form.tsx':
    'only the name of the university in a sentence that is complete without it',
  'modules/accounts/sign-up/sign-up-page.tsx': 'only whether signing in by Google is offered',
  'modules/accounts/use-auth-options.ts': 'hands the read on',
  'modules/accounts/sign-up/use-intake.ts': 'hands the read on',
  'modules/admission-year/use-year-wizard.ts': 'hands the read on',
  'modules/admissions/apply/steps/use-registration-draft.ts': 'hands the reads on',
  'modules/admissions/registration/use-registration.ts': 'hands the read on',
  'modules/applicants/use-profile.ts': 'hands the read on',
  'modules/documents/use-documents.ts': 'hands the read on',
  'modules/events/door/use-check-in.ts': 'hands the read on',
  'modules/master/use-ancestors.ts': 'crumbs above a page that reads the same row',
  'modules/payments/bills/use-bills.ts': 'hands the read on',
  'modules/schools/use-school-data.ts': 'hands the read on',
  'list/use-total.ts': 'a count above a list of the same rows, which fails with it',
  'modules/chat/staff/use-inbox.ts': 'hands the read on',
  'modules/chat/use-waiting.ts': 'a number in the menu, read again within a minute',
  'modules/leads/leads-page.tsx': 'choices of a filter; the failure dialog opens',
  'modules/letters/register-page.tsx': 'choices of a filter; the failure dialog opens',
  'modules/students/files/student-files-page.tsx': 'choices of a filter; the failure dialog opens',
  'modules/testing/attendance/use-attendance.ts': 'hands the read on',
  'modules/testing/use-test-seat.ts': 'hands the read on',
}

const reads =
  /\buse(Endpoint|Query|InfiniteQuery|Profile|ProfileOptions|Documents|Registration|Bills|AuthOptions|Intake)(?:<[^(]*>)?\(/
const looks = /\b(LoadFailed|LoadingOrFailed|Missing|useMissing|isError|isLoadingError|error)\b/

/** Files whose early return after a failed second read loses nothing, with the reason. */
const keptElsewhere: Record<string, string> = {
  'modules/admissions/programme-change/change-programme-page.tsx': 'the component that returns early keeps the reason',
}
const earlyReturns = /\bif \(((?:[^()]|\([^()]*\))*)\)\s*return\b/g
/** Whether a condition also holds after a failed second read: it names the error and does not check for data. */
function holdsDespiteData(condition: string) {
  const withoutCalls = condition.replace(/\w+\([^)]*\)/g, '')
  const namesError = /(?<![!\w.])(?:\w+\.)?(?:isError|error)(?![\w.])/.test(withoutCalls)
  return namesError && !/instanceof|!(?:data|row|grid|loaded)\b/.test(withoutCalls)
}

const problems: string[] = []
const unusedExceptions = new Set([directCalls, shownElsewhere, keptElsewhere].flatMap((list) => Object.keys(list)))
const files = fs
  .readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('api/'))
for (const file of files) {
  const source = fs.readFileSync(path.join(web, file), 'utf8')
  if (/\bimport \{[^}]*\bcall\b[^}]*\} from '[^']*api\/client\.ts'/.test(source)) {
    unusedExceptions.delete(file)
    if (!directCalls[file])
      problems.push(`apps/web/src/${file} calls the server without the failure dialog: take useEndpoint`)
  }
  if (reads.test(source) && !looks.test(source)) {
    unusedExceptions.delete(file)
    if (!shownElsewhere[file])
      problems.push(`apps/web/src/${file} shows nothing when its read fails: take ui/states/missing.tsx`)
  }
  const lossy = [...source.matchAll(earlyReturns)].filter(([, condition]) => holdsDespiteData(condition!))
  if (reads.test(source) && lossy.length > 0) {
    unusedExceptions.delete(file)
    if (!keptElsewhere[file])
      for (const [, condition] of lossy)
        problems.push(
          `apps/web/src/${file} drops its forms when a second read fails (if (${condition})): keep what was read before`,
        )
  }
}
for (const file of unusedExceptions) problems.push(`scripts/rules/read-rules.ts lists ${file} without need`)

if (files.length < 50) problems.push(`only ${files.length} files were read`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
