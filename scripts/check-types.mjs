import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { fail, node24, root } from './steps.mjs'

/** The seconds leave room for a busy machine, which counts more of them for the same work. */
const limits = { seconds: 140, megabytes: 3072 }

/** Checked one after another, because each needs memory only for its own types. */
const programs = ['tsconfig.json', 'apps/web/tsconfig.json']

// The compiler is a Go program. GOGC=200 halves its garbage collections and saves a fifth of its time; near GOMEMLIMIT
// it collects instead of growing.
const env = { GOGC: '200', GOMEMLIMIT: '1950MiB', ...process.env }
const clockTicksPerSecond = 100

/** Checks a program; returns the compiler's exit status, CPU seconds and peak memory. */
async function check(program) {
  // One checker: each additional one rebuilds the types of all declarations; four took twice the CPU time and twice the
  // memory of one.
  const args = ['--project', program, '--noEmit', '--checkers', '1', ...process.argv.slice(2)]
  const tsc = spawn(node24(), ['node_modules/typescript/bin/tsc', ...args], { cwd: root, env, stdio: 'inherit' })

  // TypeScript's bin replaces its process with the compiler, so /proc counts the compiler. Systems without /proc have
  // no limits.
  const usage = { seconds: 0, megabytes: 0 }
  const measure = () => {
    try {
      const afterName = fs.readFileSync(`/proc/${tsc.pid}/stat`, 'utf8').split(') ')[1].split(' ')
      const peak = fs.readFileSync(`/proc/${tsc.pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/)
      if (peak)
        Object.assign(usage, {
          seconds: Number(afterName[11]) / clockTicksPerSecond,
          megabytes: Number(peak[1]) / 1024,
        })
    } catch {
      // The process has ended.
    }
  }
  const timer = setInterval(measure, 100)
  const status = await new Promise((resolve) => tsc.on('exit', (code) => resolve(code ?? 1)))
  clearInterval(timer)
  return { status, ...usage }
}

const results = []
for (const program of programs) results.push(await check(program))

const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
const megabytes = Math.max(...results.map((result) => result.megabytes))
if (megabytes > 0) console.log(`${seconds.toFixed(0)} s of processor, ${megabytes.toFixed(0)} MB`)
process.exitCode = Math.max(...results.map(({ status }) => status))
if (process.exitCode === 0 && (seconds > limits.seconds || megabytes > limits.megabytes))
  fail(
    `Checking the types may take ${limits.seconds} s of processor and ${limits.megabytes} MB. docs/testing.md says how to find the costly declarations.`,
  )
