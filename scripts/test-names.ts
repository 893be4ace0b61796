import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * `node scripts/run.mjs scripts/test-names.ts <file>` writes every test of `npm test` into the file, one `file >
 * describe > test` per line, sorted. With two such files it compares them instead: tests that are missing, new or in
 * another file, and the counts per folder. Exit code 1 if a test is missing.
 */
const root = path.resolve(import.meta.dirname, '..')

function listTests(config: string): string[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-names-'))
  const file = path.join(folder, 'tests.json')
  // Without static parsing, which knows neither the rows of `test.each` nor tests declared by a helper.
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--config', config, '--no-static-parse', `--json=${file}`]
  const nodeFolder = path.dirname(process.execPath)
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${nodeFolder}${path.delimiter}${process.env.PATH}` },
  })
  // Vitest leaves out files it cannot load.
  if (status !== 0 || !fs.existsSync(file)) throw new Error(`The tests of ${config} could not be listed.`)
  const tests = JSON.parse(fs.readFileSync(file, 'utf8')) as { name: string; file: string }[]
  fs.rmSync(folder, { recursive: true })
  return tests.map((test) => `${path.relative(root, test.file)} > ${test.name.replaceAll(/\s+/g, ' ')}`)
}

const readNames = (file: string) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)

/** Elements of the first list that occur less often in the second. */
function without(names: string[], others: string[]): string[] {
  const left = new Map<string, number>()
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1)
  return names.filter((name) => {
    const count = left.get(name) ?? 0
    left.set(name, count - 1)
    return count <= 0
  })
}

const fileOf = (name: string) => name.slice(0, name.indexOf(' > '))
const titleOf = (name: string) => name.slice(name.indexOf(' > ') + 3)

function printComparison(before: string[], after: string[]): boolean {
  const missingNames = without(before, after)
  const added = without(after, before)
  const missingTitles = new Set(without(missingNames.map(titleOf), added.map(titleOf)))
  const newTitles = new Set(without(added.map(titleOf), missingNames.map(titleOf)))
  const sections: [string, string[]][] = [
    ['missing', missingNames.filter((name) => missingTitles.has(titleOf(name)))],
    ['new', added.filter((name) => newTitles.has(titleOf(name)))],
    ['in another file', added.filter((name) => !newTitles.has(titleOf(name)))],
  ]
  for (const [heading, names] of sections) {
    console.log(`\n${names.length} ${heading}`)
    for (const name of names) console.log(`  ${name}`)
  }
  const folderOf = (name: string) => path.dirname(fileOf(name))
  console.log('\nbefore  after  folder')
  for (const folder of [...new Set([...before, ...after].map(folderOf))].sort()) {
    const [old, now] = [before, after].map((names) => names.filter((name) => folderOf(name) === folder).length)
    console.log(`${String(old).padStart(6)}${String(now).padStart(7)}  ${folder}${old === now ? '' : '  *'}`)
  }
  console.log(`${String(before.length).padStart(6)}${String(after.length).padStart(7)}  all`)
  return missingTitles.size === 0
}

const [first, second] = process.argv.slice(2)
if (!first) {
  console.error('Name a file to write the tests into, or two files to compare.')
  process.exitCode = 1
} else if (second) {
  if (!printComparison(readNames(first), readNames(second))) process.exitCode = 1
} else {
  const names = ['vitest.config.ts', 'vitest.e2e.config.ts'].flatMap(listTests).sort()
  fs.writeFileSync(first, `${names.join('\n')}\n`)
  console.log(`${names.length} tests`)
}
