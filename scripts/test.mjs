import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { checks, runChecks } from './check.mjs'
import { buildWeb, fail, install, needsNode20, node24, run } from './steps.mjs'

/** `npm test`: checks, tests on real PostgreSQL, and the browser journeys; ends with what passed and what failed. */
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

/** Installs what a journey needs and this machine lacks, if root may. */
function installWithApt(packages) {
  if (packages.length === 0 || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing with apt: ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env })
  spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'ignore', env })
}

async function vitest(config, paths = []) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-results-'))
  const file = path.join(folder, 'results.json')
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', config, '--passWithNoTests']
  const status = await run(
    node24(),
    [...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...paths],
    {
      env: { ...process.env, PATH: `${path.dirname(node24())}${path.delimiter}${process.env.PATH}` },
    },
  )
  const failures = []
  const failedFiles = []
  let passed = 0
  let passedElsewhere = 0
  if (fs.existsSync(file)) {
    const results = JSON.parse(fs.readFileSync(file, 'utf8'))
    passed = results.numPassedTests
    for (const { name, status: end, message, assertionResults } of results.testResults) {
      const failedTests = assertionResults.filter((test) => test.status === 'failed')
      for (const test of failedTests)
        failures.push(failureOf(name, [...test.ancestorTitles, test.title].join(' > '), test.failureMessages[0]))
      // A file that could not even be loaded has no failed test of its own.
      if (end === 'failed' && failedTests.length === 0) failures.push(failureOf(name, 'could not be run', message))
      if (end === 'failed') failedFiles.push(name)
      else passedElsewhere += assertionResults.filter((test) => test.status === 'passed').length
    }
  }
  if (status !== 0 && failures.length === 0) failures.push(`${config} ended with ${status}`)
  fs.rmSync(folder, { recursive: true, force: true })
  return { passed, failures, failedFiles, passedElsewhere }
}

/**
 * Walks the browser journeys. A file that fails is walked once more in a new world, because a busy machine can lose a
 * click; a failure that returns counts, one that does not is printed as unsteady.
 */
async function walkJourneys() {
  const first = await vitest('vitest.e2e.config.ts')
  if (first.failedFiles.length === 0) return first
  const second = await vitest('vitest.e2e.config.ts', first.failedFiles)
  for (const failure of first.failures) console.log(`\nUNSTEADY, or below among the failures: ${failure}`)
  // Tests of a file that passed the first time are counted by the first run, the others by the second.
  return { passed: first.passedElsewhere + second.passed, failures: second.failures }
}

const failureOf = (file, test, message = '') =>
  `${path.relative('.', file)}: ${test}\n${message.split('\n').slice(0, 12).join('\n')}`

needsNode20()
await install()
const total = { passed: 0, failures: [] }
const add = ({ passed, failures }) => {
  total.passed += passed
  total.failures.push(...failures)
}
await buildWeb()
if (only.length === 0) {
  const failed = runChecks()
  add({ passed: checks.length - failed.length, failures: failed.map((name) => `check of ${name}`) })
}
add(await vitest('vitest.config.ts', only))
if (only.length === 0) {
  installWithApt([...(findChromium() ? [] : ['chromium']), ...(findPostgres() ? [] : ['postgresql'])])
  const browser = findChromium()
  if (!browser)
    fail('The browser journeys need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.')
  process.env.CHROMIUM_PATH = browser
  add(await walkJourneys())
}
// The end of a long output is what is read first.
for (const failure of total.failures) console.log(`\nFAILED ${failure}`)
console.log(`\n${total.passed} passed, ${total.failures.length} failed`)
process.exitCode = total.failures.length > 0 ? 1 : 0
