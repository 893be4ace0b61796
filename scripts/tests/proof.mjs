import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from '../steps.mjs'

const page = 'docs/proof.md'
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** Lines of an earlier proof's table, by part name. */
function linesByPart() {
  const lines = fs.readFileSync(path.join(root, page), 'utf8').split('\n')
  const rows = lines.filter((line) => /^\| .* \d{4}-\d\d-\d\d /.test(line))
  return new Map(rows.map((line) => [line.split('|')[1].trim(), line]))
}

/**
 * Writes into docs/proof.md if parts of `npm run test:all` passed; the other parts' lines stay. Says why it does not
 * write if the commit is not what ran.
 */
export function writeProof({ parts, allNames, seed }) {
  const changed = git('status', '--porcelain', '--', '.', `:!${page}`)
  if (changed) {
    console.log(`\n${page} stays: the proof would be of no commit, because there are uncommitted changes.`)
    return
  }
  const commit = git('rev-parse', '--short=12', 'HEAD')
  const finished = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const lines = linesByPart()
  for (const { name, minutes, passed } of parts)
    lines.set(name, `| ${name} | ${finished} | ${commit} | ${minutes.toFixed(0)} | ${passed} | ${seed} |`)
  fs.writeFileSync(
    path.join(root, page),
    `# When everything last held

\`npm run test:all\` takes every combination that \`npm test\` draws from, ten times as many runs of each property test, every page in all sixteen looks, the planted faults, and money and campaigns under SIGKILL. \`npm run test:all -- <part> …\` takes some of these parts. A part that is green writes its line here.

| part | finished (UTC) | commit | minutes | passed | seed |
|---|---|---|---|---|---|
${allNames.flatMap((name) => lines.get(name) ?? []).join('\n')}
`,
  )
  console.log(`\n${page} tells of this run: commit it.`)
}
