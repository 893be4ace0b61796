import fs from 'node:fs'
import path from 'node:path'
import { StartError } from '#server/platform/postgres/start-error.ts'

/** Start time of a process. Distinguishes it from an earlier process with the same id, whose lock is stale. */
export function processStartTime(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

function isAlive(pid: number, startTime: string | undefined) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !startTime || processStartTime(pid) === undefined || processStartTime(pid) === startTime
}

/**
 * Locks a data folder for this process and returns the unlock function. Takes over the lock of a dead process; throws
 * StartError if the process is alive.
 */
export function lockDataDir(dataDir: string): () => void {
  fs.mkdirSync(dataDir, { recursive: true })
  const file = path.join(dataDir, 'lock')
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      fs.writeFileSync(file, `${process.pid} ${processStartTime(process.pid) ?? ''}`, { flag: 'wx' })
      return () => fs.rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const [pid = '', startTime] = readOrEmpty(file).split(' ')
    if (Number(pid) > 0 && Number(pid) !== process.pid && isAlive(Number(pid), startTime || undefined))
      throw new StartError(
        `The data folder ${dataDir} is in use by another PMB Online (process ${pid}). Stop that one, or set PMB_DATA_DIR to another folder.`,
      )
    fs.rmSync(file, { force: true })
  }
  throw new StartError(`The data folder ${dataDir} is in use by another PMB Online.`)
}

function readOrEmpty(file: string) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
