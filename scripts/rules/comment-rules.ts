import fs from 'node:fs'
import path from 'node:path'

/** Refuses turns of phrase in comments, test titles and English sentences that have to be read twice. */
const rooms = ['apps', 'bench', 'e2e', 'packages', 'scripts', 'torture']
/** Titles quote the specification. */
const quotations = /^apps\/web\/test\/spec-/

const refused: [pattern: RegExp, instead: string][] = [
  [/, the (?:(?!of|to|the|its|at)\w+ )+first\b/, 'say "Newest first." or use an adverb'],
  [/ anew\b/, 'say "again"'],
  [/\bwhoever\b/i, 'name the actor: applicant, agent, reader'],
  [/\bthat which\b/, 'name the thing'],
  [/\bthe own\b/, 'say "your own", "its own" or "their own"'],
  [/\bbe told\b/, 'say "is notified" or name the answer'],
  [/^Of (?:the|a|an|all|both|each)\b/, 'begin with the noun: "Campaign version when …"'],
  [/\b(?:says?|tells?) (?:nothing )?of\b/, 'say "about", or use another verb'],
  [/\bstands? (?:above|among|below|beside|first|in|there|under)\b/, 'say "is", or "appears"'],
]

const root = path.resolve(import.meta.dirname, '../..')

function filesOf(room: string): string[] {
  const place = path.join(root, room)
  if (!fs.existsSync(place)) return []
  if (fs.statSync(place).isFile()) return [room]
  return fs
    .readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((file) => `${room}/${file.replaceAll(path.sep, '/')}`)
    .filter(
      (file) => /\.(tsx?|mjs|css)$/.test(file) && !quotations.test(file) && !/(^|\/)(dist|node_modules)\//.test(file),
    )
}

type Text = { words: string; index: number }

/** Text of a comment on one line, without stars and slashes. */
const wordsOf = (comment: string) =>
  comment
    .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/|--)|\*\/$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const comments = /\/\*[\s\S]*?\*\/|(?:^[ \t]*(?:\/\/|--) .*\n)+|(?<=\s)\/\/ .*$/gm
const titles = /(?:\b(?:describe|it|test)(?:\.\w+)*|^\s*\](?: as const)?\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm
const sentences = /(['"])((?:\\.|(?!\1)[^\n])+)\1/g

function textsOf(file: string, source: string): Text[] {
  const found = [...source.matchAll(comments)].map(({ 0: comment, index }) => ({ words: wordsOf(comment), index }))
  const literals = file.startsWith('packages/locales/') ? sentences : /\.test\.tsx?$/.test(file) ? titles : null
  const inQuotes = literals
    ? [...source.matchAll(literals)].map(({ 2: words, index }) => ({ words: words!, index }))
    : []
  return [...found, ...inQuotes]
}

const problems: string[] = []
let count = 0
for (const room of rooms) {
  const files = filesOf(room)
  if (files.length === 0) problems.push(`scripts/rules/comment-rules.ts: there is no room "${room}"`)
  for (const file of files) {
    const source = fs.readFileSync(path.join(root, file), 'utf8')
    for (const { words, index } of textsOf(file, source)) {
      count++
      for (const [pattern, instead] of refused) {
        const [phrase] = pattern.exec(words) ?? []
        if (phrase) problems.push(`${file}:${source.slice(0, index).split('\n').length} "${phrase.trim()}": ${instead}`)
      }
    }
  }
}

if (count < 500) problems.push(`only ${count} comments and titles were read`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
