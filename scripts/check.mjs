import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb, install, needsNode20, node24, root } from './steps.mjs'

const bin = (name) => path.join(root, 'node_modules', name)

/** Checks of `npm run check`, which need neither a test database nor a browser. */
export const checks = [
  ['types', [bin('typescript/bin/tsc'), '--noEmit']],
  ['lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']],
  ['import rules', ['scripts/rules/import-rules.ts']],
  ['row scope', ['scripts/rules/scope-rules.ts']],
  ['writes of the web', ['scripts/rules/write-rules.ts']],
  ['reads of the web', ['scripts/rules/read-rules.ts']],
  ['forms of the web', ['scripts/rules/form-rules.ts']],
  ['dead code', [bin('knip/bin/knip.js'), '--no-progress']],
  ['row types', ['scripts/db-types.ts', '--check']],
  ['API description', ['scripts/openapi.ts', '--check']],
  ['sentences', ['scripts/locale-keys.ts']],
  ['names', ['scripts/rules/name-rules.ts']],
  ['pages of docs', ['scripts/rules/doc-rules.ts']],
  ['bundle size', ['scripts/bundle-size.mjs']],
]

/** Runs all checks and returns the names of the failed ones. */
export function runChecks() {
  const failed = []
  for (const [name, args] of checks) {
    if (args[0].startsWith('scripts/') && !fs.existsSync(path.join(root, args[0]))) continue
    const started = performance.now()
    const { status, stdout, stderr } = spawnSync(node24(), args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(18)}${seconds} s`)
    if (status !== 0) {
      failed.push(name)
      console.log(
        `${stdout}${stderr}`
          .split('\n')
          .slice(0, 60)
          .map((line) => `        ${line}`)
          .join('\n'),
      )
    }
  }
  return failed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  needsNode20()
  await install()
  await buildWeb()
  process.exitCode = runChecks().length > 0 ? 1 : 0
}
