import fs from 'node:fs'
import os from 'node:os'

const memory = '/dev/shm'
const neededBytes = 2e9

/** Where databases of tests lie: in memory if there are two free gigabytes, otherwise in the temporary folder. */
export function folderInMemory(): string {
  if (!fs.existsSync(memory)) return os.tmpdir()
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize >= neededBytes ? memory : os.tmpdir()
}
