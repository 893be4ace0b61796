import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb, install, needsNode20, node24, root } from './steps.mjs'

const bin = (name) => path.join(root, 'node_modules', name)

/** Checks of `npm run check`, which need neither a test database nor a browser. */
export const checks = [
  ['types', ['scripts/check-types.mjs']],
  ['lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']],
  ['import rules', ['scripts/rules/import-rules.ts']],
  ['row scope', ['scripts/rules/scope-rules.ts']],
  ['writes of the web', ['scripts/rules/write-rules.ts']],
  ['reads of the web', ['scripts/rules/read-rules.ts']],
  ['forms of the web', ['scripts/rules/form-rules.ts']],
  ['styles of the web', ['scripts/rules/style-rules.ts']],
  ['casts to never', ['scripts/rules/cast-rules.ts']],
  ['dead code', [bin('knip/bin/knip.js'), '--no-progress']],
  ['row types', ['scripts/db-types.ts', '--check']],
  ['API description', ['scripts/openapi.ts', '--check']],
  ['sentences', ['scripts/locale-keys.ts']],
  ['names', ['scripts/rules/name-rules.ts']],
  ['comments', ['scripts/rules/comment-rules.ts']],
  ['pages of docs', ['scripts/rules/doc-rules.ts']],
  ['waits of tests', ['scripts/rules/wait-rules.ts']],
  ['assertions', ['scripts/rules/assertion-rules.ts']],
  ['bundle size', ['scripts/bundle-size.mjs']],
]

/** Runs all checks, as many in parallel as there are processors; returns the names of failed ones. */
export async function runChecks() {
  const failed = []
  const queue = checks.filter(([, args]) => !args[0].startsWith('scripts/') || fs.existsSync(path.join(root, args[0])))
  const lanes = Array.from({ length: Math.min(os.availableParallelism(), 4) }, async () => {
    for (let check = queue.shift(); check; check = queue.shift()) if (!(await passes(check))) failed.push(check[0])
  })
  await Promise.all(lanes)
  return failed
}

/** Runs a check and prints its outcome. */
async function passes([name, args]) {
  const started = performance.now()
  const { status, output } = await outputOf(node24(), args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const lines = status === 0 ? [] : output.split('\n').slice(0, 60)
  const figures = status === 0 && name === 'types' ? `  (${output.trim()})` : ''
  const head = `${status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(18)}${seconds} s${figures}`
  console.log([head, ...lines.map((line) => `        ${line}`)].join('\n'))
  return status === 0
}

function outputOf(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ status: 1, output: String(error) }))
    child.on('close', (status) => resolve({ status, output }))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  needsNode20()
  await install()
  await buildWeb()
  process.exitCode = (await runChecks()).length > 0 ? 1 : 0
}
