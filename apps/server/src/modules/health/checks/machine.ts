import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { CheckResult } from '#domain/health/endpoints.ts'
import { readClock, readDisk, stateOfClock, stateOfDisk } from '#server/modules/health/measure/machine.ts'
import type { Services } from '#server/platform/services.ts'
import { resultOf } from './result.ts'

/** Compares this server's clock with the database's, and says whether NTP synchronises it. */
export async function checkTime(services: Services): Promise<CheckResult[]> {
  const { aheadSeconds, synchronised } = await readClock(services)
  const state = stateOfClock(aheadSeconds)
  const facts = { aheadSeconds }
  return [
    state === 'ok' ? resultOf('time-ok', 'ok', { facts }) : resultOf('time-differs', state, { facts }),
    synchronised === null
      ? resultOf('time-unknown', 'ok')
      : synchronised
        ? resultOf('time-synchronised', 'ok')
        : resultOf('time-unsynchronised', 'soon'),
  ]
}

/** Whether the backup folder exists, is writable, has room, and is on a different disk than the data. */
export async function checkBackupFolder(services: Services): Promise<CheckResult[]> {
  const folder = services.config.backupDir
  if (!fs.existsSync(folder)) return [resultOf('backup-folder-missing', 'red', { facts: { folder } })]
  const file = path.join(folder, `.health-${crypto.randomUUID()}`)
  try {
    await fs.promises.writeFile(file, 'health', { mode: 0o600 })
    await fs.promises.rm(file)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    const name = isFull ? 'backup-folder-full' : 'backup-folder-forbidden'
    return [resultOf(name, 'red', { facts: { folder, freeBytes: 0 }, answer: message.slice(0, 300) })]
  }
  const disk = await readDisk(folder)
  const facts = { folder, freeBytes: disk.freeBytes }
  const state = stateOfDisk(disk)
  if (state !== 'ok') return [resultOf('backup-folder-full', state, { facts })]
  const results = [resultOf('backup-folder-ok', 'ok', { facts })]
  if (isSameDisk(folder, services.config.dataDir)) results.push(resultOf('backup-folder-same-disk', 'soon', { facts }))
  return results
}

const isSameDisk = (folder: string, dataDir: string) =>
  fs.existsSync(dataDir) && fs.statSync(folder).dev === fs.statSync(dataDir).dev
