import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks that what Markdown pages name exists: links and their headings, files and folders, npm scripts, variables of
 * the environment, and functions, types, tables and columns of the code. Placeholders (`<noun>`) are free; diffs of
 * how-tos are applied by scripts/how-tos. Pages and decisions named in code must exist too. The list of decisions must
 * name each by its title.
 */
const root = path.resolve(import.meta.dirname, '../..')
const folders = ['apps', 'packages', 'docs', 'e2e', 'bench', 'torture', 'scripts']

/** Files that are written at run time. */
const atRunTime = ['.data/bench.json', 'manifest.json']

/** Words of PostgreSQL and its tools, and of a table that decision 43 refused. */
const otherWords = ['pg_dump', 'pg_restore', 'pg_wal', 'uuidv7', 'is_trial']

const below = (folder: string) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => !file.includes('/dist/'))
const files = [...fs.readdirSync(root), ...folders.flatMap(below)]
const pages = files.filter((file) => file.endsWith('.md'))
const problems: string[] = []

/** Anchors of a page: its headings as GitHub names them, and elements with an id. */
function headingsOf(page: string) {
  const text = fs.readFileSync(path.join(root, page), 'utf8')
  const headings = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)].map(([, words]) =>
    words!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)])
}

const numbers = new Set(
  fs.readdirSync(path.join(root, 'docs/decisions')).flatMap((name) => /^\d{4}(?=-)/.exec(name)?.map(Number) ?? []),
)
for (const file of files.filter((name) => /\.(tsx?|mjs|sql|css|md)$|^\.env/.test(name))) {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  for (const [, number] of text.matchAll(/\bdecisions?(?: |\/|%20)\[?(\d{1,4})\b/gi))
    if (!numbers.has(Number(number))) problems.push(`${file} names decision ${number}, which is not there`)
  if (!file.endsWith('.md'))
    for (const [name] of text.matchAll(/\bdocs\/[\w/-]+\.md\b/g))
      if (!files.includes(name)) problems.push(`${file} names ${name}, which is not there`)
}

const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const isSource = (file: string) =>
  /\.(tsx?|mjs|js|sql|css|html|yaml|json)$|^Dockerfile$|^\.env/.test(file) &&
  // The first is made from the code, the second holds words that are in no code.
  !['docs/openapi.json', 'scripts/rules/doc-rules.ts'].includes(file)
const wordsOf = (text: string) => text.match(/[A-Za-z_$][\w$]*/g) ?? []
const wordsOfCode = new Set([
  ...otherWords,
  ...files.filter(isSource).flatMap((file) => wordsOf(fs.readFileSync(path.join(root, file), 'utf8'))),
])

/** `a/{b,c}` as `a/b` and `a/c`. */
function spelledOut(text: string): string[] {
  const [braces, inside] = /\{([^{}]+)\}/.exec(text) ?? []
  return braces ? inside!.split(',').flatMap((one) => spelledOut(text.replace(braces, one))) : [text]
}

/** Words of code in backticks that a rename would leave behind. */
function namesIn(code: string): string[] {
  const called = wordsOf(/^([\w.]+)\(.*\)$/.exec(code)?.[1] ?? '')
  const isName = /^[A-Za-z]\w*$/.test(code) && /[a-z][A-Z]|[a-z]_[a-z]/.test(code)
  return [...called, ...(isName ? [code] : []), ...(code.match(/\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/g) ?? [])]
}

for (const page of pages) {
  const diffs: string[] = []
  const text = fs.readFileSync(path.join(root, page), 'utf8').replace(/```diff[\s\S]*?```/g, (diff) => {
    diffs.push(diff)
    return ''
  })
  const wordsOfDiffs = new Set(diffs.flatMap(wordsOf))
  const isKnown = (word: string) => wordsOfCode.has(word) || wordsOfDiffs.has(word)
  for (const [, link, heading] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
    const target = link ? path.join(path.dirname(page), link) : page
    if (!fs.existsSync(path.join(root, target))) problems.push(`${page} links to ${link}, which is not there`)
    else if (heading && target.endsWith('.md') && !headingsOf(target).has(heading))
      problems.push(`${page} links to the heading ${heading} of ${target}, which is not there`)
  }
  for (const [, name] of text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql|json))`/g))
    if (!atRunTime.includes(name!) && !files.some((file) => file === name || file.endsWith(`/${name}`)))
      problems.push(`${page} names ${name}, which is not there`)
  for (const [, script] of text.matchAll(/\bnpm run ([a-z][\w:-]*)/g))
    if (!scripts[script!]) problems.push(`${page} names npm run ${script}, which is not there`)
  for (const [, code] of text.matchAll(/`([^`\n]+)`/g)) {
    for (const name of namesIn(code!)) if (!isKnown(name)) problems.push(`${page} names ${name}, which no code has`)
    if (/^(apps|packages|docs|e2e|bench|torture|scripts)\/[\w.{},/-]+$/.test(code!))
      for (const place of spelledOut(code!))
        if (!fs.existsSync(path.join(root, place))) problems.push(`${page} names ${place}, which is not there`)
  }
  for (const [, block] of text.matchAll(/^```sh\n([\s\S]*?)^```$/gm))
    for (const [name] of block!.matchAll(/\b[A-Z][A-Z\d]*_[A-Z\d_]+(?==)/g))
      if (!isKnown(name)) problems.push(`${page} sets ${name}, which no code has`)
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
