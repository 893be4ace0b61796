import fs from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'vite'
import { root, sourceFilesIn } from './source-files.ts'

/**
 * Checks that non-null assertions (`x!`) outside tests stay within a budget, because each one hides a missing value
 * from the compiler. Lower the budget when the count falls.
 */
const budget = 400

const countByFolder = new Map<string, number>()
let count = 0
for (const file of sourceFilesIn(['apps', 'packages', 'scripts'])) {
  const visitor = new Visitor({
    TSNonNullExpression() {
      const folder = path.dirname(file)
      countByFolder.set(folder, (countByFolder.get(folder) ?? 0) + 1)
      count++
    },
  })
  visitor.visit(parseSync(file, fs.readFileSync(path.join(root, file), 'utf8')).program)
}

const problems: string[] = []
if (count > budget) {
  const most = [...countByFolder].toSorted(([, a], [, b]) => b - a).slice(0, 10)
  problems.push(
    `${count} non-null assertions outside tests, ${count - budget} more than allowed: narrow the type, or take theOnly or mustGet of packages/domain/src/must.ts`,
    ...most.map(([folder, assertions]) => `  ${assertions} ${folder}`),
  )
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
