import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from '../steps.mjs'

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** Writes docs/proof.md after a green `npm run test:all`; says why it does not where the commit is not what ran. */
export function writeProof({ parts, passed, seed }) {
  const page = 'docs/proof.md'
  const changed = git('status', '--porcelain', '--', '.', `:!${page}`)
  if (changed) {
    console.log(`\n${page} stays: the proof would be of no commit, because there are uncommitted changes.`)
    return
  }
  const finished = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const minutes = parts.reduce((sum, part) => sum + part.minutes, 0)
  const rows = parts.map((part) => `| ${part.name} | ${part.minutes.toFixed(1)} | ${part.passed ?? ''} |`)
  fs.writeFileSync(
    path.join(root, page),
    `# When everything last held

\`npm run test:all\` takes every combination that \`npm test\` draws from, ten times as many runs of each property test, every page in all sixteen looks, the planted faults, and money and campaigns under SIGKILL. It writes this page when all of it is green.

| commit | finished (UTC) | minutes | passed | seed |
|---|---|---|---|---|
| ${git('rev-parse', '--short=12', 'HEAD')} | ${finished} | ${minutes.toFixed(0)} | ${passed} | ${seed} |

| part | minutes | passed |
|---|---|---|
${rows.join('\n')}
`,
  )
  console.log(`\n${page} tells of this run: commit it.`)
}
