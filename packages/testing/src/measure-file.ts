import fs from 'node:fs'
import { afterAll, expect } from 'vitest'

/*
 * Setup file of every test file: adds its clock and CPU seconds to the file named by TEST_TIMES, including processes
 * the test starts and its database connections.
 */
const timesFile = process.env.TEST_TIMES
const ticksPerSecond = 100

if (timesFile) {
  const startedMs = performance.now()
  const before = secondsByProcess()
  afterAll(() => {
    const file = expect.getState().testPath?.slice(process.cwd().length + 1)
    const seconds = (performance.now() - startedMs) / 1000
    const line = { file, seconds: rounded(seconds), processor: rounded(secondsSince(before)) }
    fs.appendFileSync(timesFile, `${JSON.stringify(line)}\n`)
  })
}

function rounded(seconds: number) {
  return Math.round(seconds * 10) / 10
}

type Process = { pid: number; parent: number; seconds: number }

/** CPU seconds used since `before`; those of processes that have ended meanwhile are unknown. */
function secondsSince(before: ReadonlyMap<number, number>): number {
  let sum = 0
  for (const [pid, seconds] of secondsByProcess()) sum += seconds - (before.get(pid) ?? 0)
  return sum
}

/** CPU seconds of this process, its child processes, and the backends of its lent databases. */
function secondsByProcess(): Map<number, number> {
  const { user, system } = process.cpuUsage()
  const seconds = new Map([[process.pid, (user + system) / 1e6]])
  if (process.platform !== 'linux') return seconds
  const all = fs.readdirSync('/proc').flatMap((pid) => readProcess(Number(pid)) ?? [])
  const family = new Set([process.pid])
  // A child's id is greater than its parent's, except after ids have wrapped around.
  for (const { pid, parent } of all.sort((a, b) => a.pid - b.pid)) if (family.has(parent)) family.add(pid)
  for (const one of all)
    if (one.pid !== process.pid && (family.has(one.pid) || isOwnBackend(one.pid))) seconds.set(one.pid, one.seconds)
  return seconds
}

function readProcess(pid: number): Process | undefined {
  if (!(pid > 0)) return undefined
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
    return { pid, parent: fields[1]!, seconds: ticks / ticksPerSecond }
  } catch {
    return undefined
  }
}

function isOwnBackend(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`pmb_test_lent_${process.pid}_`)
  } catch {
    return false
  }
}
