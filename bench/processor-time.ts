import fs from 'node:fs'

/** Clock ticks per second in /proc, 100 on every Linux. */
const ticksPerSecond = 100

type Process = { pid: number; parent: number; ticks: number; ticksWithChildren: number }

function readProcess(pid: number): Process | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name is in parentheses and may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user, system, userOfChildren, systemOfChildren] = fields.slice(11, 15) as [number, number, number, number]
    const ticks = user + system
    return { pid, parent: fields[1]!, ticks, ticksWithChildren: ticks + userOfChildren + systemOfChildren }
  } catch {
    return undefined
  }
}

/** Processor milliseconds a process has used, plus those of its children if `withChildren` is set; 0 without /proc. */
export function processorMs(pid: number, { withChildren = false } = {}): number {
  const root = readProcess(pid)
  if (!root) return 0
  if (!withChildren) return (root.ticks * 1000) / ticksPerSecond
  const children = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((child) => child?.parent === pid)
  const ticks = children.reduce((sum, child) => sum + child!.ticks, root.ticksWithChildren)
  return (ticks * 1000) / ticksPerSecond
}
