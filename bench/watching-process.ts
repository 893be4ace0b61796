import fs from 'node:fs'
import { processorMs } from './processor-time.ts'

/** Resident memory of a process in MB. */
export const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000

type Watched = { pid: number; postgresPid?: number }

/** Prints a process's memory in MB before and at most during the work, and the processor time of the work. */
export async function watchingProcess<T>(
  { pid, postgresPid }: Watched,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const processor = () => ({
    own: processorMs(pid),
    postgres: postgresPid ? processorMs(postgresPid, { withChildren: true }) : 0,
  })
  const before = processor()
  const beforeMb = memoryOf(pid)
  let peakMb = beforeMb
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(pid))
  }, 50)
  try {
    return await work()
  } finally {
    clearInterval(watch)
    const after = processor()
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    console.log(
      `During the ${name}: ${beforeMb.toFixed(0)} MB before, at most ${peakMb.toFixed(0)} MB; processor ` +
        seconds(after.own - before.own) +
        (postgresPid ? `, PostgreSQL ${seconds(after.postgres - before.postgres)}` : ''),
    )
  }
}
