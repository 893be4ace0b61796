import fs from 'node:fs'

const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000

/** Prints the memory of a process in MB before the work, and its highest value during it. */
export async function watchingMemory<T>(pid: number, name: string, work: () => Promise<T>): Promise<T> {
  const beforeMb = memoryOf(pid)
  let peakMb = beforeMb
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(pid))
  }, 50)
  try {
    return await work()
  } finally {
    clearInterval(watch)
    console.log(`Memory during the ${name}: ${beforeMb.toFixed(0)} MB before, at most ${peakMb.toFixed(0)} MB`)
  }
}
