import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readEnvironmentFile } from '../service/environment-file.mjs'
import { findUser } from '../service/find-user.mjs'
import { node24, nodeOptions, root } from '../steps.mjs'

/** An error whose message tells the operator what to do; printed without a stack. */
export function advice(message, status) {
  return Object.assign(new Error(message), { isAdvice: true, status })
}

/** Runs git in the checkout and returns its output; throws with git's own words. */
export function git(...args) {
  // Root may update a checkout that belongs to another user.
  const result = spawnSync('git', ['-c', `safe.directory=${root}`, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (result.error) throw advice(`git could not be run: ${result.error.message}`)
  if (result.status !== 0) throw advice(`git ${args[0]} failed: ${result.stderr.trim()}`)
  return result.stdout.trimEnd()
}

const systemctl = (...args) => spawnSync('systemctl', args, { encoding: 'utf8' })
const unit = 'pmb.service'

const isRoot = () => process.getuid?.() === 0

/** Throws if this user may not stop the service. */
export function refuseWithoutRoot({ name }) {
  if (name === unit && !isRoot()) throw advice('The service can only be stopped by root: sudo npm run update')
}

const runShell = (command) => {
  const { status } = spawnSync('/bin/sh', ['-c', command], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} failed`)
}

/**
 * How to stop and start the product, and its settings and user: by the given commands, by the systemd unit, or not at
 * all (`managed` is false: the operator stops and starts it).
 */
export function findService({ stop, start, env }) {
  if (Boolean(stop) !== Boolean(start)) throw advice('--stop and --start are needed together.')
  const withEnvironment = (file) => ({ ...process.env, ...(file && readEnvironmentFile(file)) })
  if (stop)
    return {
      managed: true,
      name: 'the given commands',
      environment: withEnvironment(env),
      stop: () => runShell(stop),
      start: () => runShell(start),
    }
  const hasUnit = fs.existsSync('/run/systemd/system') && systemctl('cat', unit).status === 0
  if (!hasUnit) return { managed: false, name: 'nothing', environment: withEnvironment(env), stop() {}, start() {} }
  const show = (property) => systemctl('show', unit, '--property', property, '--value').stdout.trim()
  const control = (verb) => {
    const result = systemctl(verb, unit)
    if (result.status !== 0) throw new Error(`systemctl ${verb} ${unit} failed: ${result.stderr.trim()}`)
  }
  // Only root may read the settings; without root, `--check` uses its own.
  const file = env ?? (isRoot() ? /^(\/\S+)/.exec(show('EnvironmentFiles'))?.[1] : undefined)
  const user = findUser(show('User') || 'root')
  return {
    managed: true,
    name: unit,
    environment: { ...withEnvironment(file), HOME: '/', USER: show('User') },
    user,
    stop: () => control('stop'),
    start: () => control('start'),
  }
}

export const portOf = ({ environment }) => Number(environment.PORT || 3000)
export const dataDirOf = ({ environment }) => path.resolve(root, environment.PMB_DATA_DIR || '.data')
export const backupDirOf = (service) =>
  path.resolve(root, service.environment.BACKUP_DIR || path.join(dataDirOf(service), 'backups'))

/** Runs a server program as the service's user and with its settings; throws with the first line of its errors. */
export function runServerProgram(service, file, args = [], folder = root) {
  const result = spawnSync(node24(), [...nodeOptions, `apps/server/src/${file}`, ...args], {
    cwd: folder,
    env: { ...service.environment, PMB_DATA_DIR: dataDirOf(service), LOG_LEVEL: 'error' },
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 3_600_000,
    // Ctrl-C and a lost terminal reach only this program, which then rolls back cleanly.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...service.user,
  })
  const lastLine = (text) => (text ?? '').trim().split('\n').at(-1)
  if (result.status !== 0) {
    const words = (result.stderr ?? '')
      .trim()
      .split('\n')[0]
      .replace(/^Error: /, '')
    throw new Error(words || `${file} ended with ${result.signal ?? result.status}`)
  }
  return lastLine(result.stdout)
}

/** Answer of one `maintenance.ts` command, from this checkout or from the version in another folder. */
export const maintenanceIn = (folder, service, ...args) =>
  JSON.parse(runServerProgram(service, 'maintenance.ts', args, folder))
export const maintenance = (service, ...args) => maintenanceIn(root, service, ...args)

/** Whether anything answers on the product's port; `path` must be answered with 200. */
export async function answersAt(service, path) {
  try {
    const response = await fetch(`http://127.0.0.1:${portOf(service)}${path}`, { signal: AbortSignal.timeout(2_000) })
    return { any: true, ok: response.status === 200 }
  } catch {
    return { any: false, ok: false }
  }
}

/** Runs a program at lower priority than the server, which keeps answering meanwhile. */
export function runQuietly(command, args, cwd) {
  const [program, ...rest] = os.platform() === 'linux' ? ['nice', '-n', '10', command, ...args] : [command, ...args]
  const result = spawnSync(program, rest, { cwd, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'pipe'] })
  if (result.status !== 0)
    throw advice(`${`${result.stdout}${result.stderr}`.trim().split('\n').slice(-20).join('\n')}`)
}
