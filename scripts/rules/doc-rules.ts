import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks that links and project files named in Markdown pages exist; placeholders (`<noun>`) are free. The list of
 * decisions must name each by its title.
 */
const root = path.resolve(import.meta.dirname, '../..')
const folders = ['apps', 'packages', 'docs', 'e2e', 'bench', 'torture', 'scripts']

/** Files that are written at run time. */
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
    if (!fs.existsSync(path.resolve(root, path.dirname(page), link!)))
      problems.push(`${page} links to ${link}, which is not there`)
  for (const [, name] of text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql|json))`/g))
    if (!atRunTime.includes(name!) && !files.some((file) => file === name || file.endsWith(`/${name}`)))
      problems.push(`${page} names ${name}, which is not there`)
}

const list = fs.readFileSync(path.join(root, 'docs/decisions/README.md'), 'utf8')
for (const file of fs.readdirSync(path.join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name))) {
  const text = fs.readFileSync(path.join(root, 'docs/decisions', file), 'utf8')
  const [, number, title] = /^# (\d+)\. (.+)\n/.exec(text) ?? []
  if (Number(number) !== Number(file.slice(0, 4)) || !list.includes(`- ${number}. [${title}](${file})`))
    problems.push(`docs/decisions/README.md lists ${file} without its number or title`)
}

if (pages.length < 20) problems.push(`only ${pages.length} pages were read`)
if (problems.length > 0) {
  console.error([...new Set(problems)].join('\n'))
  process.exitCode = 1
}
