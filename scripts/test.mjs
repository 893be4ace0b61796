import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { checks, runChecks } from './check.mjs'
import { buildWeb, fail, install, needsNode20, node24, nodeOptions, run } from './steps.mjs'
import { writeProof } from './tests/proof.mjs'
import { runVitest, walkJourneys } from './tests/run-vitest.mjs'
import { keepTimes, newTimesFile } from './tests/times.mjs'

/**
 * `npm test [-- <file> …]`: checks, tests on real PostgreSQL, and the browser journeys in their quick form; ends with what
 * passed and what failed. `npm run test:all` (`--all`) runs everything in its whole form, besides the planted faults and
 * the torture, and writes docs/proof.md.
 */
const isWhole = process.argv.includes('--all')
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))

const chromiumPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]
chromiumPlaces.push('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')

function findChromium() {
  return [process.env.CHROMIUM_PATH, ...chromiumPlaces].find((place) => place && fs.existsSync(place))
}

/** PostgreSQL of Debian, on which the journey of the first day begins. */
const findPostgres = () => fs.existsSync('/usr/lib/postgresql')

/** Installs what journeys need and this machine lacks, if root may. */
function installForJourneys() {
  const packages = [...(findChromium() ? [] : ['chromium']), ...(findPostgres() ? [] : ['postgresql'])]
  if (packages.length === 0 || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing with apt: ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env })
  spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'ignore', env })
}

const parts = []
const failures = []

/** Runs a part, keeps its minutes and collects what passed and failed. */
async function part(name, work) {
  const startedMs = performance.now()
  const result = await work()
  failures.push(...(result?.failures ?? []))
  parts.push({ name, minutes: (performance.now() - startedMs) / 60_000, passed: result?.passed })
}

async function check() {
  const failed = await runChecks()
  return { passed: checks.length - failed.length, failures: failed.map((name) => `check of ${name}`) }
}

async function walk() {
  installForJourneys()
  const browser = findChromium()
  if (!browser)
    fail('The browser journeys need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.')
  process.env.CHROMIUM_PATH = browser
  return walkJourneys()
}

/** Runs a program that says by its exit code whether everything held. */
async function prove(file, ...args) {
  const status = await run(node24(), [...nodeOptions, file, ...args])
  return status === 0 ? { passed: 1 } : { failures: [`${[file, ...args].join(' ')} ended with ${status}`] }
}

needsNode20()
process.env.TEST_FORM = isWhole ? 'whole' : 'quick'
process.env.TEST_SEED ??= String(Math.floor(Date.now() / 86_400_000))
process.env.TEST_TIMES = newTimesFile()
console.log(`Seed of what is drawn: ${process.env.TEST_SEED} (TEST_SEED=${process.env.TEST_SEED} repeats this run)`)
await part('install and build', async () => {
  await install()
  await buildWeb()
})
if (only.length > 0) await part('tests', () => runVitest('vitest.config.ts', only))
else {
  await Promise.all([part('checks', check), part('tests', () => runVitest('vitest.config.ts'))])
  await part('journeys', walk)
}
if (isWhole) {
  await part('every page in every look', () => prove('e2e/look/run.ts'))
  await part('planted faults', () => prove('scripts/planted-faults.ts'))
  await part('torture of money', () => prove('torture/run.ts'))
  await part('torture of sending', () => prove('torture/run.ts', 'sending'))
}
keepTimes(process.env.TEST_TIMES)
console.log(`\nMinutes: ${parts.map(({ name, minutes }) => `${name} ${minutes.toFixed(1)}`).join(', ')}`)
// The end of a long output is what is read first.
for (const failure of failures) console.log(`\nFAILED ${failure}`)
const passed = parts.reduce((sum, one) => sum + (one.passed ?? 0), 0)
if (isWhole && failures.length === 0) writeProof({ parts, passed, seed: process.env.TEST_SEED })
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0
