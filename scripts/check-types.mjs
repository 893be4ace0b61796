import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { fail, node24, root } from './steps.mjs'

/** The seconds leave room for a busy machine, which counts more of them for the same work. */
const limits = { seconds: 200, megabytes: 4096 }

// One checker: each further one builds the types of all declarations again, and four took twice the processor time and
// twice the memory of one.
const args = ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', ...process.argv.slice(2)]
// The compiler is a Go program: near this limit it collects its garbage instead of growing.
const env = { GOMEMLIMIT: '3500MiB', ...process.env }
const tsc = spawn(node24(), args, { cwd: root, env, stdio: 'inherit' })

// The bin of TypeScript replaces its process by the compiler, so /proc counts the compiler. Other systems have no /proc:
// there the check has no limits.
let usage
const clockTicksPerSecond = 100
function measure() {
  try {
    const afterName = fs.readFileSync(`/proc/${tsc.pid}/stat`, 'utf8').split(') ')[1].split(' ')
    const peak = fs.readFileSync(`/proc/${tsc.pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/)
    if (!peak) return
    usage = { seconds: Number(afterName[11]) / clockTicksPerSecond, megabytes: Number(peak[1]) / 1024 }
  } catch {
    // The process has ended.
  }
}
const timer = setInterval(measure, 100)

const status = await new Promise((resolve) => tsc.on('exit', (code) => resolve(code ?? 1)))
clearInterval(timer)
if (usage) {
  const { seconds, megabytes } = usage
  console.log(`${seconds.toFixed(0)} s of processor, ${megabytes.toFixed(0)} MB`)
  if (status === 0 && (seconds > limits.seconds || megabytes > limits.megabytes))
    fail(
      `Checking the types may take ${limits.seconds} s of processor and ${limits.megabytes} MB. Decision 101 tells how to find the costly declarations.`,
    )
}
process.exitCode = status
