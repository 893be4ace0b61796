import path from 'node:path'
import { createVitest, type TestCase } from 'vitest/node'

export type Outcome = {
  passed: string[]
  /** Tests that failed by an assertion. */
  failed: string[]
  /** All other failures: files that do not load, hooks and tests that throw. */
  broken: string[]
}

export type Tests = {
  /** Runs the tests in these files whose name contains one of the parts. */
  run(files: readonly string[], nameParts: readonly string[]): Promise<Outcome>
  /** Forgets the cached contents of a file, because its text has changed. */
  forget(file: string): void
  close(): Promise<void>
}

/** Opens a Vitest that keeps its global setup, such as the migrated database, between runs. */
export async function openTests(root: string, config: string): Promise<Tests> {
  const vitest = await createVitest('test', {
    root,
    config: path.join(root, config),
    watch: false,
    silent: true,
    reporters: [{}],
  })
  return {
    forget: (file) => vitest.invalidateFile(path.join(root, file)),
    async run(files, nameParts) {
      vitest.setGlobalTestNamePattern(new RegExp(nameParts.map(escapePattern).join('|')))
      const paths = new Set(files.map((file) => path.join(root, file)))
      const specifications = (await vitest.getRelevantTestSpecifications([...paths])).filter(({ moduleId }) =>
        paths.has(moduleId),
      )
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
      const outcome: Outcome = { passed: [], failed: [], broken: unhandledErrors.map(messageOf) }
      for (const module of testModules) {
        if (!paths.has(module.moduleId)) continue
        outcome.broken.push(...module.errors().map(messageOf))
        for (const suite of module.children.allSuites()) outcome.broken.push(...suite.errors().map(messageOf))
        for (const test of module.children.allTests()) addTest(outcome, test)
      }
      return outcome
    },
    close: () => vitest.close(),
  }
}

function addTest(outcome: Outcome, test: TestCase) {
  const { state, errors = [] } = test.result()
  const name = test.fullName.replaceAll(' > ', ' ')
  if (state === 'passed') outcome.passed.push(name)
  if (state !== 'failed') return
  if (errors.some(isAssertion)) outcome.failed.push(name)
  else outcome.broken.push(`${name}: ${messageOf(errors[0])}`)
}

/** Property tests wrap the assertion in their own error. */
const isAssertion = ({ name, cause }: { name?: string; cause?: unknown }): boolean =>
  name === 'AssertionError' || (typeof cause === 'object' && cause !== null && isAssertion(cause))

const messageOf = (error: unknown) => String((error as Error | undefined)?.message ?? error).split('\n')[0]!

/** Matches a part of a full name, in which ` > ` separates the titles of suites and test. */
const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' ', '(?: > | )')
