import fs from 'node:fs'
import path from 'node:path'
import { root } from '../steps.mjs'
import { advice } from './commands.mjs'

/** Holds the newer version during preparation, the older one while the newer is tried, and the update's progress. */
export const updateDir = path.join(root, '.update')
const stateFile = path.join(updateDir, 'state.json')
const lockFile = path.join(root, '.update.lock')

/** Progress of an interrupted update; undefined if there was none. */
export function findState() {
  if (!fs.existsSync(stateFile)) return undefined
  return JSON.parse(fs.readFileSync(stateFile, 'utf8'))
}

/** Written under another name and renamed, so that a kill leaves the state before or after. */
export function saveState(state) {
  fs.mkdirSync(updateDir, { recursive: true })
  fs.writeFileSync(`${stateFile}.new`, JSON.stringify(state, null, 2))
  fs.renameSync(`${stateFile}.new`, stateFile)
}

/** Deletes the update's state; the folder last, because that takes seconds. */
export function clearState() {
  fs.rmSync(stateFile, { force: true })
  fs.rmSync(updateDir, { recursive: true, force: true })
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Refuses a second parallel update; takes over a dead update's lock. */
export function lockUpdates() {
  const pid = fs.existsSync(lockFile) ? Number(fs.readFileSync(lockFile, 'utf8')) : 0
  if (pid > 0 && pid !== process.pid && isAlive(pid)) throw advice(`Another update is running (process ${pid}).`)
  fs.writeFileSync(lockFile, String(process.pid))
  process.on('exit', () => fs.rmSync(lockFile, { force: true }))
}
