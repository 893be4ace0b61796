import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { node24, run } from '../steps.mjs'

/** Runs tests with a Vitest configuration; returns what passed, what failed, and the files with failures. */
export async function runVitest(config, paths = []) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-results-'))
  const file = path.join(folder, 'results.json')
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', config, '--passWithNoTests']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const status = await run(node24(), [...args, ...reporters, ...paths], {
    env: { ...process.env, PATH: `${path.dirname(node24())}${path.delimiter}${process.env.PATH}` },
  })
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
      // A file that could not be loaded has no failed test of its own.
      if (end === 'failed' && failedTests.length === 0) failures.push(failureOf(name, 'could not be run', message))
      if (end === 'failed') failedFiles.push(name)
      else passedElsewhere += assertionResults.filter((test) => test.status === 'passed').length
    }
  }
  if (status !== 0 && failures.length === 0) failures.push(`${config} ended with ${status}`)
  fs.rmSync(folder, { recursive: true, force: true })
  return { passed, failures, failedFiles, passedElsewhere }
}

const failureOf = (file, test, message = '') =>
  `${path.relative('.', file)}: ${test}\n${message.split('\n').slice(0, 12).join('\n')}`

/**
 * Runs the browser journeys. A failed file runs once more in a new world, to tell flaky journeys from broken ones; both
 * are failures, but if CI=true a flaky one is only printed.
 */
export async function walkJourneys() {
  const first = await runVitest('vitest.e2e.config.ts')
  if (first.failedFiles.length === 0) return first
  const second = await runVitest('vitest.e2e.config.ts', first.failedFiles)
  const isSteady = (failure) => second.failures.some((other) => nameOf(other) === nameOf(failure))
  const unsteady = first.failures.filter((failure) => !isSteady(failure)).map((failure) => `UNSTEADY ${failure}`)
  for (const failure of unsteady) console.log(`\n${failure}`)
  return {
    // Tests in files that passed the first time are counted by the first run, the others by the second.
    passed: first.passedElsewhere + second.passed,
    failures: [...second.failures, ...(process.env.CI === 'true' ? [] : unsteady)],
  }
}

const nameOf = (failure) => failure.split('\n')[0]
