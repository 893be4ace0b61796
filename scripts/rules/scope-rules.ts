import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks that only `row-scope.ts` and `decision-scope.ts` in `platform/access` read an actor's row scope. A module that
 * reads it writes a second condition for visible rows, and the two drift apart. The same applies to comparing
 * publication times.
 */
const root = path.resolve(import.meta.dirname, '../../apps/server/src')
const homes = ['platform/access/row-scope.ts', 'platform/access/decision-scope.ts']

/** Patterns for reading a scope's properties, destructuring that renames them, and comparing publication times. */
const readings = [
  /\bscope\??\.(kind|programmeIds)\b/,
  /\{[^{}]*\}\s*=\s*(?:\w+\.)*scope\b/,
  /\{[^{}]*\bscope\b[^{}]*\}\s*:\s*(?:Actor|Acting|Pick<Actor)\b/,
  /\bpublish(?:_at|At)\s*(?:<=|>)/,
]

/** Files that read a scope other than to filter rows, with the reason. */
const exceptions: Record<string, string> = {}

const files = fs
  .readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !homes.includes(file))
const unusedExceptions = new Set(Object.keys(exceptions))
const problems: string[] = []
for (const file of files) {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  const found = readings.map((reading) => reading.exec(text)?.[0]).find(Boolean)
  if (found && !unusedExceptions.delete(file))
    problems.push(
      `apps/server/src/${file} reads a row scope or a publication (${found}); take a condition of ${homes.join(' or ')}`,
    )
}

if (files.length < 50) problems.push(`only ${files.length} files were read`)
for (const file of unusedExceptions)
  problems.push(`scripts/rules/scope-rules.ts: nothing needs the exception "${file}"`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
