import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { checks, runChecks } from './check.mjs'
import { buildServer, buildWeb, fail, install, needsNode20, node24, nodeOptions, run } from './steps.mjs'
import { findChromium } from './tests/browsers.mjs'
import { writeProof } from './tests/proof.mjs'
import { runVitest, walkJourneys } from './tests/run-vitest.mjs'
import { keepTimes, newTimesFile } from './tests/times.mjs'

/**
 * `npm test [-- <file> …]`: checks, tests on a real PostgreSQL, and the browser journeys in their quick form, without
 * the files whose turn is another day (packages/testing/src/turns.ts); ends with what passed and what failed. `npm run
 * test:all [-- <part> …]` (`--all`) runs everything in its whole form, applies the how-tos, plants faults, runs the
 * torture, and writes docs/proof.md.
 */
const isWhole = process.argv.includes('--all')
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))

/** Debian packages journeys need; the first-day journey starts on Debian's PostgreSQL. */
const packagesOfJourneys = [
  ['chromium', () => Boolean(findChromium())],
  // Lighter, but only tried besides the other, because not every distribution has it.
  ['chromium-headless-shell', () => Boolean(findChromium())],
  ['postgresql', () => fs.existsSync('/usr/lib/postgresql')],
]

/** Installs what journeys need and this machine lacks, if run as root. */
function installForJourneys() {
  const packages = packagesOfJourneys.filter(([, isThere]) => !isThere()).map(([name]) => name)
  if (packages.length === 0 || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing with apt: ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env })
  // One at a time, so that a missing one does not block the others.
  for (const name of packages) spawnSync('apt-get', ['install', '-y', '-qq', name], { stdio: 'ignore', env })
}

const results = []
const failures = []

/** Runs a part, records its minutes and collects what passed and failed. */
async function part(name, work) {
  const startedMs = performance.now()
  const result = await work()
  const failed = result?.failures ?? []
  failures.push(...failed)
  const minutes = (performance.now() - startedMs) / 60_000
  results.push({ name, minutes, passed: result?.passed, isGreen: failed.length === 0 })
}

async function check() {
  const failed = await runChecks()
  return { passed: checks.length - failed.length, failures: failed.map((name) => `check of ${name}`) }
}

async function walk() {
  installForJourneys()
  if (!findChromium())
    fail('The browser journeys need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.')
  return walkJourneys()
}

/** Runs a program whose exit code says whether everything held. */
async function prove(file, ...args) {
  const status = await run(node24(), [...nodeOptions, file, ...args])
  return status === 0 ? { passed: 1 } : { failures: [`${[file, ...args].join(' ')} ended with ${status}`] }
}

const tests = (files) => runVitest('vitest.config.ts', files)
const wholeParts = {
  checks: check,
  tests: () => tests(),
  journeys: walk,
  'how-tos': () => prove('scripts/how-tos.ts'),
  faults: () => prove('scripts/planted-faults.ts'),
  money: () => prove('torture/run.ts'),
  sending: () => prove('torture/run.ts', 'sending'),
}

needsNode20()
const unknown = isWhole && names.find((name) => !(name in wholeParts))
if (unknown) fail(`There is no part ${unknown}: ${Object.keys(wholeParts).join(', ')}.`)
process.env.TEST_FORM = isWhole ? 'whole' : 'quick'
process.env.TEST_SEED ??= String(Math.floor(Date.now() / 86_400_000))
if (!isWhole && names.length === 0) process.env.TEST_TURNS = 'yes'
process.env.TEST_TIMES = newTimesFile()
console.log(`Seed of what is drawn: ${process.env.TEST_SEED} (TEST_SEED=${process.env.TEST_SEED} repeats this run)`)
await part('install and build', async () => {
  await install()
  await buildServer()
  await buildWeb()
})
if (isWhole) {
  for (const [name, work] of Object.entries(wholeParts))
    if (names.length === 0 || names.includes(name)) await part(name, work)
} else if (names.length > 0) await part('tests', () => tests(names))
else {
  await Promise.all([part('checks', check), part('tests', () => tests())])
  await part('journeys', walk)
}
keepTimes(process.env.TEST_TIMES)
console.log(`\nMinutes: ${results.map(({ name, minutes }) => `${name} ${minutes.toFixed(1)}`).join(', ')}`)
// Printed last, because the end of a long output is read first.
for (const failure of failures) console.log(`\nFAILED ${failure}`)
const passed = results.reduce((sum, result) => sum + (result.passed ?? 0), 0)
const provenParts = results.filter(({ name, isGreen }) => name in wholeParts && isGreen)
if (isWhole && provenParts.length > 0)
  writeProof({ parts: provenParts, allNames: Object.keys(wholeParts), seed: process.env.TEST_SEED })
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0
