import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** A page of docs/how-to with the code that it adds to this project. */
export type HowTo = {
  name: string
  /** Its diffs in order, as one patch for `git apply`. */
  patch: string
  /** Lines of its `sh` blocks: what a newcomer runs. */
  commands: string[]
}

const pages = 'docs/how-to'

/** Every how-to with diffs, by name. */
export const readHowTos = (root: string): HowTo[] =>
  fs
    .readdirSync(path.join(root, pages))
    .sort()
    .map((file) => {
      const text = fs.readFileSync(path.join(root, pages, file), 'utf8')
      return {
        name: file.replace(/\.md$/, ''),
        patch: blocksOf(text, 'diff').join(''),
        commands: blocksOf(text, 'sh').flatMap((block) => block.split('\n').flatMap((line) => commandOf(line) ?? [])),
      }
    })
    .filter(({ patch }) => patch !== '')

const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!)

const commandOf = (line: string) => line.replace(/\s+#.*$/, '').trim() || undefined

/** Files that the how-to adds. */
export const addedFiles = ({ patch }: HowTo) =>
  [...patch.matchAll(/^--- \/dev\/null\n\+\+\+ b\/(.+)$/gm)].map(([, file]) => file!)

/** Files that the how-to changes or adds by hand. */
export const touchedFiles = ({ patch }: HowTo) => [
  ...new Set([...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file]) => file!)),
]

/**
 * Places of the diffs that do not occur exactly once in their file. Git searches a place by its text near its line, so
 * after a change above it could take another one.
 */
export function findUnclearPlaces({ patch }: HowTo, root: string): string[] {
  return patch.split(/^(?=--- )/m).flatMap((section) => {
    const file = /^--- a\/(.+)$/m.exec(section)?.[1]
    if (!file) return []
    const text = fs.existsSync(path.join(root, file)) ? `\n${fs.readFileSync(path.join(root, file), 'utf8')}` : ''
    return section
      .split(/^@@ .*\n/m)
      .slice(1)
      .map(oldTextOf)
      .filter((place) => text.split(`\n${place}`).length !== 2)
      .map((place) => `${file} does not have these lines exactly once:\n${place}`)
  })
}

/** Context and removed lines of a hunk. An editor may have emptied a line of context. */
const oldTextOf = (hunk: string) =>
  hunk
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith('+'))
    .map((line) => `${line.slice(1)}\n`)
    .join('')

/** Applies a how-to to a copy of the project, or only tries to. Throws with the words of Git. */
export function applyHowTo({ name, patch }: HowTo, copy: string, options: readonly '--check'[] = []): void {
  const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', ...options], {
    cwd: copy,
    input: patch.replaceAll('NNNN', nextMigration(copy)),
    encoding: 'utf8',
    // Otherwise Git would use a repository around the copy.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(copy) },
  })
  if (status !== 0) throw new Error(`${pages}/${name}.md does not apply to this project any more:\n${stderr}`)
}

/** The next free number of a migration, for which how-tos write NNNN. */
function nextMigration(root: string) {
  const names = fs.readdirSync(path.join(root, 'apps/server/migrations')).filter((name) => /^\d{4}_/.test(name))
  return String(Number(names.sort().at(-1)!.slice(0, 4)) + 1).padStart(4, '0')
}

/** Runs Node in a copy, with nothing of the tests that run around it. Output is undefined unless it is wanted. */
export function runInCopy(copy: string, args: readonly string[], { isQuiet = false } = {}) {
  const { DATABASE_URL: _, NODE_ENV: _mode, TEST_TIMES: _times, TEST_TURNS: _turns, ...env } = process.env
  for (const name of Object.keys(env)) if (name.startsWith('VITEST')) delete env[name]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: isQuiet ? 'pipe' : 'inherit',
    env: {
      ...env,
      TEST_FORM: 'quick',
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    },
  })
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` }
}

/** Arguments that run test files in one worker, which loads the server once. */
export const testArguments = (files: readonly string[]) => [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--maxWorkers=1',
  ...files,
]
