import fs from 'node:fs'
import path from 'node:path'

/** Checks that links and files of the project named in Markdown pages exist; parts that stand for a name (`<noun>`) are free. */
const root = path.resolve(import.meta.dirname, '../..')
const folders = ['apps', 'packages', 'docs', 'e2e', 'bench', 'torture', 'scripts']

/** Names of files that are written at run time. */
const atRunTime = ['.data/bench.json', 'manifest.json']

const below = (folder: string) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => !file.includes('/dist/'))
const files = [...fs.readdirSync(root), ...folders.flatMap(below)]
const pages = files.filter((file) => file.endsWith('.md'))
const problems: string[] = []

for (const page of pages) {
  // A diff shows files of another day.
  const text = fs.readFileSync(path.join(root, page), 'utf8').replace(/```diff[\s\S]*?```/g, '')
  for (const [, link] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g))
    if (!fs.existsSync(path.resolve(root, path.dirname(page), link!))) problems.push(`${page} links to ${link}`)
  for (const [, name] of text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql|json))`/g))
    if (!atRunTime.includes(name!) && !files.some((file) => file === name || file.endsWith(`/${name}`)))
      problems.push(`${page} names ${name}`)
}

if (pages.length < 20) problems.push(`only ${pages.length} pages were read`)
if (problems.length > 0) {
  console.error([...new Set(problems)].map((problem) => `${problem}, which is not there`).join('\n'))
  process.exitCode = 1
}
