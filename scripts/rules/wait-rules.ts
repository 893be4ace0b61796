import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks that tests wait for real time no longer than `mostMs`: a fixed wait is too short on a busy machine and wasted
 * on an idle one. Tests move their clock or poll; a wait within a loop counts as polling.
 */
const mostMs = 20
const root = path.resolve(import.meta.dirname, '../..')
const folders = ['apps', 'packages', 'scripts', 'e2e']

/** Exceptions that wait longer, with the reason. */
const exceptions: Record<string, string> = {
  'apps/server/test/deadlocks.ts': 'PostgreSQL reports deadlocks with up to a second of delay',
  'apps/server/test/walks/odd-input.test.ts': 'gives up on a call without an answer',
  'apps/server/src/first-start.test.ts': 'a server that has printed its address may print more',
  'apps/server/src/modules/accounts/links.test.ts': 'no second mail is sent after the answer',
  'apps/server/src/modules/admissions/results/announce-many.test.ts': 'kills a process at any moment',
  'apps/server/src/modules/sending/servers.test.ts': 'servers that send by real time, and what they no longer send',
  'apps/server/src/modules/sending/whatsapp.test.ts': 'a service that answers late',
  'apps/server/src/modules/chat/stream/stream.test.ts': 'a stream looks at its session every five seconds',
  'apps/server/src/modules/dashboards/dashboards.test.ts': 'an answer that takes longer than its reader waits',
  'apps/server/src/modules/letters/batches/batches.test.ts': 'kills a process at any moment',
  'apps/server/src/platform/files/stalled-reader.test.ts': 'readers that stall for less and more than the limit',
  'apps/server/src/platform/files/uploads.test.ts': 'uploads that stall for less and more than the limit',
  'apps/server/src/platform/mail.test.ts': 'no second mail is sent after the failure',
  'apps/server/src/platform/sheets/read-sheet.test.ts': 'a thread that has a slow reader',
  'apps/server/src/platform/sheets/sheets.test.ts': 'a writer that has a slow reader',
  'apps/server/src/platform/threads/threads.test.ts': 'a thread that has a slow caller',
  'e2e/chat.e2e.ts': 'a second click takes no second person',
  'e2e/finance-office.e2e.ts': 'a picture is uploaded',
  'e2e/reviews.e2e.ts': 'no third review is sent',
  'e2e/spec-section-5.e2e.ts': 'a draft is kept a moment after the last key',
  'e2e/spec-section-8.e2e.ts': 'calls of the first page have ended',
  'e2e/support/world.ts': 'a page that draws no frame',
  'e2e/survey-builder.e2e.ts': 'a draft is kept a moment after the last key',
}

const isTest = (file: string) => /\.(test|e2e)\.tsx?$/.test(file) || /^(e2e|apps\/\w+\/test)\/.*\.tsx?$/.test(file)
const files = folders
  .flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name)),
  )
  .filter((file) => isTest(file) && !file.includes('node_modules'))

/** Arguments of the call whose opening parenthesis is at `start`. */
function argumentsAt(text: string, start: number): string[] {
  const found: string[] = []
  let [depth, from] = [0, start + 1]
  for (let at = start; at < text.length; at++) {
    if ('([{'.includes(text.charAt(at))) depth++
    if (')]}'.includes(text.charAt(at))) depth--
    if ((text[at] === ',' && depth === 1) || depth === 0) {
      found.push(text.slice(from, at).trim())
      from = at + 1
    }
    if (depth === 0) break
  }
  return found.filter(Boolean)
}

/** Largest number in an expression; the file's constants count with their value. */
function largestNumber(expression: string, text: string) {
  const named = expression.replace(/\b[a-z]\w*\b/gi, (name) => {
    return new RegExp(`\\bconst ${name} = ([\\d_]+)\\b`).exec(text)?.[1] ?? name
  })
  const numbers = [...named.matchAll(/(?<![\w.])[\d_]+(?:\.\d+)?/g)].map(([number]) =>
    Number(number.replaceAll('_', '')),
  )
  return Math.max(0, ...numbers)
}

/** Names a file waits with: from node:timers/promises, and its own functions around setTimeout. */
function waitsOf(text: string) {
  const imported = /import \{ setTimeout(?: as (\w+))? \} from 'node:timers\/promises'/.exec(text)
  const own = [...text.matchAll(/\bconst (\w+) = \(\w+(?:: number)?\) =>\s*new Promise\b[^\n]*setTimeout/g)]
  return [...(imported?.[1] ? [imported[1]] : []), ...own.map(([, name]) => name!)]
}

/** A polling loop: on a condition, or for a number of attempts. */
const polling = /\bwhile \(|\bfor \([^)]*\b(attempt|tries|waited|i)\b/

const problems: string[] = []
const unusedExceptions = new Set(Object.keys(exceptions))
for (const file of files) {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  const isPromised = /import \{ setTimeout \} from 'node:timers\/promises'/.test(text)
  const calls = ['(?<![.\\w])setTimeout', 'waitForTimeout', ...waitsOf(text).map((name) => `(?<![.\\w])${name}`)]
  for (const { 0: call, index } of text.matchAll(new RegExp(`(?:${calls.join('|')})\\(`, 'g'))) {
    const line = text.slice(0, index).split('\n').length
    const isPolling = polling.test(
      text
        .split('\n')
        .slice(Math.max(line - 10, 0), line)
        .join('\n'),
    )
    const isPlain = call === 'setTimeout(' && !isPromised
    const duration = argumentsAt(text, index + call.length - 1)[isPlain ? 1 : 0] ?? ''
    const ms = largestNumber(duration, text)
    if (ms <= mostMs || isPolling) continue
    if (file in exceptions) unusedExceptions.delete(file)
    else problems.push(`${file}:${line} waits ${duration} ms; move the test's clock or poll what it waits for`)
  }
}

if (files.length < 400) problems.push(`only ${files.length} files were read`)
for (const file of unusedExceptions) problems.push(`scripts/rules/wait-rules.ts: nothing needs the exception "${file}"`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
