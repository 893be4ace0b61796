import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { checks, countOf, type Fault, type FoundBy } from './faults/fault.ts'
import { faults } from './faults/list.ts'
import { type Outcome, openTests, type Tests } from './faults/run-tests.ts'
import { copyCheckout } from './tests/copy-checkout.ts'

/**
 * `npm run faults [-- <part of a name> …]` plants the faults of `scripts/faults` one at a time in a copy of this
 * checkout and runs the tests that ought to find them. Exit code 1 if a fault survives, if its text does not occur
 * exactly once, or if a test fails without a fault.
 */
const checkout = path.resolve(import.meta.dirname, '..')
const parts = process.argv.slice(2)
const chosen = faults.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
if (chosen.length === 0) {
  console.error(`No fault has this name. All: \n${faults.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(1)
}

const stale = chosen.filter(({ file, find }) => countOf(fs.readFileSync(path.join(checkout, file), 'utf8'), find) !== 1)
for (const { name, file } of stale) console.error(`STALE     ${name}: its text does not occur exactly once in ${file}`)
if (stale.length > 0) process.exit(1)

const copy = copyCheckout(checkout)
process.on('exit', () => fs.rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    // Otherwise the tests' PostgreSQL would keep running.
    closeTests().finally(() => process.exit(1))
  })
process.chdir(copy)
// A fault must be found by what runs every day.
process.env.TEST_FORM = 'quick'
delete process.env.TEST_TIMES
process.env.PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`

type TestFinder = Extract<FoundBy, { file: string }>
const isJourney = ({ file }: TestFinder) => file.endsWith('.e2e.ts')
const testFinders = ({ foundBy }: Fault) => foundBy.filter((finder): finder is TestFinder => 'file' in finder)

/** One Vitest for all unit tests and one for all journeys, each opened when first needed. */
const opened = new Map<string, Promise<Tests>>()
function testsOf(finder: TestFinder): Promise<Tests> {
  const config = isJourney(finder) ? 'vitest.e2e.config.ts' : 'vitest.config.ts'
  const tests = opened.get(config) ?? openTests(copy, config)
  opened.set(config, tests)
  return tests
}

async function closeTests() {
  for (const tests of opened.values()) await (await tests).close()
}

function runNode(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 1e8 })
  return { status, output: `${stdout}${stderr}` }
}

function buildWeb() {
  const { status, output } = runNode(['scripts/run.mjs', '--built'])
  if (status !== 0) throw new Error(`The web app could not be built.\n${output}`)
}

/**
 * Runs the checks and tests without any fault, and prints failures. A fault whose tests fail or are missing is then not
 * planted, because their failure would prove nothing.
 */
async function findPlantable(): Promise<Fault[]> {
  const failingChecks = new Set<string>()
  for (const by of chosen.flatMap(({ foundBy }) => foundBy))
    if ('check' in by && !failingChecks.has(by.check) && runNode(checks[by.check]).status !== 0)
      failingChecks.add(by.check)
  const passed: string[] = []
  for (const group of [false, true]) {
    const finders = chosen.flatMap(testFinders).filter((finder) => isJourney(finder) === group)
    const [first] = finders
    if (!first) continue
    if (group) buildWeb()
    const names = finders.flatMap(({ test, beside }) => [test, beside])
    const outcome = await (await testsOf(first)).run([...new Set(finders.map(({ file }) => file))], names)
    for (const failure of [...outcome.failed, ...outcome.broken])
      console.log(`UNHARMED  fails without a fault: ${failure}`)
    passed.push(...outcome.passed)
  }
  console.log(`${passed.length} tests pass without a fault`)
  const isPassing = (name: string) => passed.some((title) => title.includes(name))
  return chosen.filter(({ name, foundBy }) => {
    const isUsable = foundBy.every((by) =>
      'check' in by ? !failingChecks.has(by.check) : isPassing(by.test) && isPassing(by.beside),
    )
    if (!isUsable) console.log(`UNHARMED  ${name}: a test or check of it fails or is missing without the fault`)
    return isUsable
  })
}

/** What found the planted fault; undefined if nothing did, with the reasons in `notes`. */
async function findWith(finder: FoundBy, file: string, notes: string[]): Promise<string | undefined> {
  if ('check' in finder) {
    const { status, output } = runNode(checks[finder.check])
    if (status !== 0 && output.includes(finder.says)) return `the check of ${finder.check}`
    notes.push(`the check of ${finder.check} does not say "${finder.says}"`)
    return undefined
  }
  if (isJourney(finder)) buildWeb()
  const tests = await testsOf(finder)
  tests.forget(file)
  const outcome = await tests.run([finder.file], [finder.test, finder.beside])
  const found = outcome.failed.find((title) => title.includes(finder.test))
  if (found && isAliveBeside(finder, outcome)) return `${finder.file}: ${found}`
  if (found) notes.push(`${finder.file} fails also "${finder.beside}"`)
  notes.push(...outcome.broken)
  return undefined
}

const isAliveBeside = ({ beside }: TestFinder, { passed }: Outcome) => passed.some((title) => title.includes(beside))

async function plant(fault: Fault): Promise<boolean> {
  const target = path.join(copy, fault.file)
  const source = fs.readFileSync(target, 'utf8')
  const notes: string[] = []
  let foundBy: string | undefined
  fs.writeFileSync(
    target,
    source.replace(fault.find, () => fault.replace),
  )
  try {
    for (const finder of fault.foundBy) foundBy ??= await findWith(finder, fault.file, notes)
  } finally {
    fs.writeFileSync(target, source)
    for (const tests of opened.values()) (await tests).forget(fault.file)
  }
  console.log(`${foundBy ? 'found     ' : 'SURVIVED  '}${fault.name}`)
  for (const line of foundBy ? [foundBy] : notes) console.log(`            ${line}`)
  return foundBy !== undefined
}

const plantable = await findPlantable()
let found = 0
// Groups faults by test file, so that its modules are still warm.
const fileOf = (fault: Fault) => testFinders(fault)[0]?.file ?? ''
for (const fault of plantable.toSorted((a, b) => fileOf(a).localeCompare(fileOf(b)))) if (await plant(fault)) found++
await closeTests()
console.log(
  `\n${found} faults found, ${plantable.length - found} survived, ${chosen.length - plantable.length} not planted`,
)
process.exit(found < chosen.length ? 1 : 0)
