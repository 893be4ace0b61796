import fs from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'vite'

/**
 * Checks that non-null assertions (`x!`) outside tests stay within a budget, because each one hides a missing value
 * from the compiler. Lower the budget when the count falls.
 */
const budget = 400
const root = path.resolve(import.meta.dirname, '../..')
const folders = ['apps', 'packages', 'scripts']

const isTest = (file: string) => /\.test\.tsx?$|^apps\/\w+\/test\/|^packages\/testing\//.test(file)
const files = folders
  .flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name)),
  )
  .filter((file) => /\.tsx?$/.test(file) && !isTest(file) && !/node_modules|\/dist\//.test(file))

const countByFolder = new Map<string, number>()
let count = 0
for (const file of files) {
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
if (files.length < 500) problems.push(`only ${files.length} files were read`)
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
