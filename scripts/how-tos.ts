import fs from 'node:fs'
import path from 'node:path'
import { addedFiles, applyHowTo, readHowTos, runInCopy, testArguments } from './how-tos/how-to.ts'
import { copyCheckout } from './tests/copy-checkout.ts'

/**
 * `npm run how-tos` applies every how-to of docs/how-to to one copy of this checkout and runs what they tell a newcomer
 * to run: generated files, tests, checks. Exit code 1 if a diff does not apply or a command fails.
 */
const checkout = path.resolve(import.meta.dirname, '..')
const howTos = readHowTos(checkout)
const copy = copyCheckout(checkout)
process.on('exit', () => fs.rmSync(copy, { recursive: true, force: true }))

const { scripts } = JSON.parse(fs.readFileSync(path.join(copy, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
let failures = 0

function run(title: string, args: readonly string[], isQuiet = false) {
  console.log(`\n${title}`)
  const { status, output } = runInCopy(copy, args, { isQuiet })
  if (status === 0) return output
  console.log(`FAILED ${title} ended with ${status}\n${output}`)
  failures++
  return output
}

/** Node's arguments for a script of package.json, which all begin with `node`. */
function argumentsOf(script: string, rest: readonly string[] = []): string[] {
  const [, ...args] = scripts[script]?.split(' ') ?? []
  if (args.length === 0) throw new Error(`A how-to says npm run ${script}, which does not exist.`)
  return [...args, ...rest]
}

for (const howTo of howTos) {
  applyHowTo(howTo, copy)
  console.log(`${howTo.name} applies`)
}

const commands = [...new Set(howTos.flatMap((howTo) => howTo.commands))]
const migrations = howTos.flatMap(addedFiles).filter((file) => file.endsWith('.sql'))
const patches = howTos.map(({ patch }) => patch.replaceAll(/^\+/gm, '')).join('\n')
const filesOfTests: string[] = []
/** Commands with a test's name, and checks, which run when everything else is there. */
const later: (() => void)[] = []
for (const command of commands) {
  const [, draft, ...names] = /^npm run (entity:sql) -- (.+)$/.exec(command) ?? []
  const [, script] = /^npm run ([\w:-]+)$/.exec(command) ?? []
  const [, files] = /^npm test -- (.+)$/.exec(command) ?? []
  const [, named] = /^npx vitest run (.+)$/.exec(command) ?? []
  if (draft) {
    const sql = run(command, argumentsOf(draft, names), true).trim()
    if (!patches.includes(sql)) {
      console.log(`FAILED ${command} drafts another table than ${migrations.join(', ')}:\n${sql}`)
      failures++
    }
  } else if (script === 'check') later.push(() => run(command, argumentsOf(script)))
  else if (script) run(command, argumentsOf(script))
  else if (files) filesOfTests.push(...files.split(' '))
  else if (named) later.unshift(() => run(command, testArguments(named.split(' '))))
  else throw new Error(`It is not known how to run this line of a how-to: ${command}`)
}
run('tests that the how-tos name', testArguments([...new Set(filesOfTests)]))
for (const work of later) work()

console.log(`\n${howTos.length} how-tos applied, ${commands.length} commands, ${failures} failed`)
process.exitCode = failures > 0 ? 1 : 0
