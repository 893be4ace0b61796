import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const memory = '/dev/shm'
const ownerFile = 'owner.pid'

/**
 * Makes a folder for this process's databases: in memory if `neededBytes` are free there, otherwise among the temporary
 * files. Removes folders with the same prefix whose process was killed, together with their servers, which would fill
 * the memory.
 */
export function newRunFolder(prefix: string, neededBytes: number): string {
  for (const home of [memory, os.tmpdir()]) if (fs.existsSync(home)) removeAbandoned(home, prefix)
  const folder = fs.mkdtempSync(path.join(hasRoom(neededBytes) ? memory : os.tmpdir(), prefix))
  // PostgreSQL's user must be able to enter.
  fs.chmodSync(folder, 0o711)
  fs.writeFileSync(path.join(folder, ownerFile), String(process.pid))
  return folder
}

function hasRoom(neededBytes: number): boolean {
  if (!fs.existsSync(memory)) return false
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize >= neededBytes
}

function removeAbandoned(home: string, prefix: string) {
  for (const name of fs.readdirSync(home).filter((name) => name.startsWith(prefix))) {
    const folder = path.join(home, name)
    try {
      const owner = readPid(path.join(folder, ownerFile))
      if (!owner || isAlive(owner)) continue
      const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((file) => path.basename(file) === 'postmaster.pid'))
        endPostmaster(path.join(folder, file))
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // The folder belongs to another user.
    }
  }
}

function endPostmaster(pidFile: string) {
  const pid = readPid(pidFile)
  // After a reboot another process may have its id.
  if (pid && isAlive(pid) && fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(path.dirname(pidFile)))
    process.kill(pid, 'SIGQUIT')
}

function readPid(file: string): number | undefined {
  return fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, 'utf8'), 10) || undefined : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
