import fs from 'node:fs'
import path from 'node:path'

/**
 * Refuses turns of phrase in comments, test titles and English sentences that have to be read twice. Checks only rooms
 * that were cleaned of them; add a room once it passes.
 */
const rooms = [
  'apps/server/src/modules/admission-calendar',
  'apps/server/src/modules/admission-year',
  'apps/server/src/modules/admissions',
  'apps/server/src/modules/applicants',
  'apps/server/src/modules/affiliates',
  'apps/server/seeds',
  'apps/server/src/administrator.ts',
  'apps/server/src/app.ts',
  'apps/server/src/backup.ts',
  'apps/server/src/clear-demo.test.ts',
  'apps/server/src/clear-demo.ts',
  'apps/server/src/config.test.ts',
  'apps/server/src/config.ts',
  'apps/server/src/demo.ts',
  'apps/server/src/first-start.test.ts',
  'apps/server/src/jobs.ts',
  'apps/server/src/list',
  'apps/server/src/main.ts',
  'apps/server/src/maintenance.ts',
  'apps/server/src/modules/access',
  'apps/server/src/modules/accounts',
  'apps/server/src/modules/audit',
  'apps/server/src/modules/chat',
  'apps/server/src/modules/counter',
  'apps/server/src/modules/campaigns',
  'apps/server/src/modules/chat',
  'apps/server/src/modules/dashboards',
  'apps/server/src/modules/events',
  'apps/server/src/modules/fees',
  'apps/server/src/modules/leads',
  'apps/server/src/modules/letters',
  'apps/server/src/modules/payments',
  'apps/server/src/modules/messaging',
  'apps/server/src/modules/report-mail',
  'apps/server/src/modules/reports',
  'apps/server/src/modules/evidence',
  'apps/server/src/modules/health',
  'apps/server/src/modules/leads',
  'apps/server/src/modules/letters',
  'apps/server/src/modules/master-data',
  'apps/server/src/modules/opening',
  'apps/server/src/modules/ops',
  'apps/server/src/modules/schools',
  'apps/server/src/modules/scores',
  'apps/server/src/modules/search',
  'apps/server/src/modules/seasons',
  'apps/server/src/modules/students',
  'apps/server/src/modules/surveys',
  'apps/server/src/modules/verification',
  'apps/server/src/modules/testing',
  'apps/server/src/modules/selection',
  'apps/server/src/modules/sending',
  'apps/server/src/modules/surveys',
  'apps/server/src/modules/views',
  'apps/server/src/modules/whatsapp',
  'apps/server/src/modules/settings',
  'apps/server/src/modules/surveys',
  'apps/server/src/modules/transfer',
  'apps/server/src/modules/trial',
  'apps/server/src/modules/workbook',
  'apps/server/src/platform',
  'apps/server/src/resource',
  'apps/server/src/restore-into-scratch.ts',
  'apps/server/src/restore-into.test.ts',
  'apps/server/src/restore-into.ts',
  'apps/server/src/restore-test.ts',
  'apps/server/src/restore.ts',
  'apps/server/src/server.ts',
  'apps/server/src/worker.ts',
  'apps/server/test',
  'apps/web/src/api',
  'apps/web/src/app',
  'apps/web/src/list',
  'apps/web/src/main.tsx',
  'apps/web/src/modules/access',
  'apps/web/src/modules/accounts',
  'apps/web/src/modules/admission-calendar',
  'apps/web/src/modules/admission-year',
  'apps/web/src/modules/admissions',
  'apps/web/src/modules/affiliates',
  'apps/web/src/modules/applicants',
  'apps/web/src/modules/audit',
  'apps/web/src/modules/chat',
  'apps/web/src/modules/dashboards',
  'apps/web/src/modules/documents',
  'apps/web/src/modules/enrolment',
  'apps/web/src/modules/errors',
  'apps/web/src/modules/events',
  'apps/web/src/modules/evidence',
  'apps/web/src/modules/fees',
  'apps/web/src/modules/health',
  'apps/web/src/modules/leads',
  'apps/web/src/modules/letters',
  'apps/web/src/modules/master',
  'apps/web/src/modules/messaging',
  'apps/web/src/modules/opening',
  'apps/web/src/modules/ops',
  'apps/web/src/modules/outbox',
  'apps/web/src/modules/payments',
  'apps/web/src/modules/report-mail',
  'apps/web/src/modules/reports',
  'apps/web/src/modules/samples',
  'apps/web/src/modules/schools',
  'apps/web/src/modules/scores',
  'apps/web/src/modules/search',
  'apps/web/src/modules/seasons',
  'apps/web/src/modules/selection',
  'apps/web/src/modules/settings',
  'apps/web/src/modules/students',
  'apps/web/src/modules/surveys',
  'apps/web/src/modules/testing',
  'apps/web/src/modules/transfer',
  'apps/web/src/modules/trial',
  'apps/web/src/modules/verification',
  'apps/web/src/modules/whatsapp',
  'apps/web/src/modules/workbook',
  'apps/web/src/offline',
  'apps/web/src/resource',
  'apps/web/src/shell',
  'apps/web/src/survey',
  'apps/web/src/ui',
  'bench',
  'e2e',
  'packages/domain/src/access',
  'packages/domain/src/accounts',
  'packages/domain/src/admission-calendar',
  'packages/domain/src/admission-year',
  'packages/domain/src/admissions',
  'packages/domain/src/affiliates',
  'packages/domain/src/applicants',
  'packages/domain/src/audit',
  'packages/domain/src/body-check.test.ts',
  'packages/domain/src/body-check.ts',
  'packages/domain/src/calendar.test.ts',
  'packages/domain/src/calendar.ts',
  'packages/domain/src/chat',
  'packages/domain/src/counter',
  'packages/domain/src/dashboards',
  'packages/domain/src/documents',
  'packages/domain/src/endpoint.ts',
  'packages/domain/src/errors.ts',
  'packages/domain/src/events',
  'packages/domain/src/evidence',
  'packages/domain/src/fees',
  'packages/domain/src/field-limits.test.ts',
  'packages/domain/src/field-limits.ts',
  'packages/domain/src/file-names.test.ts',
  'packages/domain/src/file-names.ts',
  'packages/domain/src/formula-text.ts',
  'packages/domain/src/health',
  'packages/domain/src/leads',
  'packages/domain/src/letters',
  'packages/domain/src/list.test.ts',
  'packages/domain/src/list.ts',
  'packages/domain/src/navigation',
  'packages/domain/src/opening',
  'packages/domain/src/ops',
  'packages/domain/src/payments',
  'packages/domain/src/problem-sentences.ts',
  'packages/domain/src/report-mail',
  'packages/domain/src/reports',
  'packages/domain/src/rounding.test.ts',
  'packages/domain/src/rounding.ts',
  'packages/domain/src/row-version.ts',
  'packages/domain/src/safe-address.ts',
  'packages/domain/src/schools',
  'packages/domain/src/scores',
  'packages/domain/src/search',
  'packages/domain/src/seasons',
  'packages/domain/src/selection',
  'packages/domain/src/settings',
  'packages/domain/src/students',
  'packages/domain/src/surveys',
  'packages/domain/src/testing',
  'packages/domain/src/transfer',
  'packages/domain/src/trial',
  'packages/domain/src/verification',
  'packages/domain/src/views',
  'packages/domain/src/workbook',
  'packages/entities',
  'packages/locales/src/en/chat.ts',
  'packages/locales/src/en/events.ts',
  'packages/locales/src/en/inbox.ts',
  'packages/locales/src/en/leads.ts',
  'packages/locales/src/en/letters.ts',
  'packages/locales/src/en/scores.ts',
  'packages/locales/src/en/seasons.ts',
  'packages/locales/src/en/survey-builder.ts',
  'packages/locales/src/en/survey-form.ts',
  'packages/locales/src/en/surveys.ts',
  'packages/testing',
  'scripts',
  'torture',
]

const refused: [pattern: RegExp, instead: string][] = [
  [/, the (?:(?!of|to|the|its|at)\w+ )+first\b/, 'say "Newest first." or use an adverb'],
  [/ anew\b/, 'say "again"'],
  [/\bwhoever\b/i, 'name the actor: applicant, agent, reader'],
  [/\bthat which\b/, 'name the thing'],
  [/\bthe own\b/, 'say "your own", "its own" or "their own"'],
  [/\bbe told\b/, 'say "is notified" or name the answer'],
  [/^Of (?:the|a|an|all|both|each)\b/, 'begin with the noun: "Campaign version when …"'],
  [/\b(?:says?|tells?) (?:nothing )?of\b/, 'say "about", or use another verb'],
  [/\bstands? (?:above|among|below|beside|first|in|there|under)\b/, 'say "is", or "appears"'],
]

const root = path.resolve(import.meta.dirname, '../..')

function filesOf(room: string): string[] {
  const place = path.join(root, room)
  if (!fs.existsSync(place)) return []
  if (fs.statSync(place).isFile()) return [room]
  return fs
    .readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((file) => `${room}/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => /\.(tsx?|mjs|css)$/.test(file))
}

type Text = { words: string; index: number }

/** Text of a comment on one line, without stars and slashes. */
const wordsOf = (comment: string) =>
  comment
    .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/|--)|\*\/$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const comments = /\/\*[\s\S]*?\*\/|(?:^[ \t]*(?:\/\/|--) .*\n)+|(?<=\s)\/\/ .*$/gm
const titles = /(?:\b(?:describe|it|test)(?:\.\w+)*|^\s*\](?: as const)?\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm
const sentences = /(['"])((?:\\.|(?!\1)[^\n])+)\1/g

function textsOf(file: string, source: string): Text[] {
  const found = [...source.matchAll(comments)].map(({ 0: comment, index }) => ({ words: wordsOf(comment), index }))
  const literals = file.startsWith('packages/locales/') ? sentences : /\.test\.tsx?$/.test(file) ? titles : null
  const inQuotes = literals
    ? [...source.matchAll(literals)].map(({ 2: words, index }) => ({ words: words!, index }))
    : []
  return [...found, ...inQuotes]
}

const problems: string[] = []
let count = 0
for (const room of rooms) {
  const files = filesOf(room)
  if (files.length === 0) problems.push(`scripts/rules/comment-rules.ts: there is no room "${room}"`)
  for (const file of files) {
    const source = fs.readFileSync(path.join(root, file), 'utf8')
    for (const { words, index } of textsOf(file, source)) {
      count++
      for (const [pattern, instead] of refused) {
        const [phrase] = pattern.exec(words) ?? []
        if (phrase) problems.push(`${file}:${source.slice(0, index).split('\n').length} "${phrase.trim()}": ${instead}`)
      }
    }
  }
}

if (count < 500) problems.push(`only ${count} comments and titles were read`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
