import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { clusterDir, postgresPrograms, postgresUser, type RunAs } from './postgres-user.ts'
import { isDiskFull, StartError } from './start-error.ts'

export type EmbeddedPostgres = {
  /** Connection string of a database of this server. */
  url(database: string): string
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  /** For tests: quick instead of safe against a power cut. */
  unsafe?: boolean
  onPhase?(phase: string): void
  /** With this one that dies is started again, as a service manager would do, and then this is called. */
  onRevived?(milliseconds: number): void
}

/** Starts the PostgreSQL that came with the packages, in `<dataDir>/postgres`, reachable only through a local socket. */
export async function startEmbeddedPostgres({
  dataDir,
  unsafe,
  onPhase,
  onRevived,
}: Options): Promise<EmbeddedPostgres> {
  const runAs = postgresUser()
  const programs = await postgresPrograms(runAs)
  const home = clusterDir(path.resolve(dataDir), runAs)
  const cluster = path.join(home, 'cluster')
  if (!fs.existsSync(cluster)) {
    onPhase?.('initialise the database')
    initialise(programs.initdb, cluster, runAs)
  }
  await clearAfterCrash(cluster)
  const sockets = freshSocketFolder(home, runAs)
  onPhase?.('start the database')
  const begin = () => run(programs.postgres, cluster, sockets, runAs, unsafe ?? false, path.join(home, 'postgres.log'))
  let child = await begin()
  let stopping = false
  let revived = Promise.resolve()
  const watch = () =>
    child.once('exit', () => {
      if (!stopping && onRevived) revived = revive(onRevived)
    })
  async function revive(tell: (milliseconds: number) => void) {
    const died = performance.now()
    for (let attempt = 1; !stopping; attempt++) {
      try {
        await clearAfterCrash(cluster)
        child = await begin()
        watch()
        tell(performance.now() - died)
        return
      } catch {
        // As when the disk is full: it may be emptied any moment.
        await wait(Math.min(attempt, 30) * 1_000, undefined, { ref: false })
      }
    }
  }
  watch()
  return {
    url: (database) => socketUrl(sockets, database),
    async stop() {
      stopping = true
      await revived
      await stop(child)
    },
  }
}

/** The connection string of a database of the PostgreSQL that another process has started in a data folder. */
export const runningEmbeddedUrl = (dataDir: string, database: string) =>
  socketUrl(socketFolder(clusterDir(path.resolve(dataDir), postgresUser())), database)

const socketUrl = (sockets: string, database: string) =>
  `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(sockets)}`

/** Initialised beside and renamed at the end: a start that was killed half-way leaves nothing half-made. */
function initialise(initdb: string, cluster: string, runAs: RunAs) {
  const fresh = `${cluster}.new`
  fs.rmSync(fresh, { recursive: true, force: true })
  const made = spawnSync(
    initdb,
    ['-D', fresh, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--locale-provider=builtin'].concat([
      '--builtin-locale=C.UTF-8',
      '--no-sync',
      '--no-instructions',
    ]),
    { ...runAs, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, encoding: 'utf8' },
  )
  if (made.status !== 0) {
    fs.rmSync(fresh, { recursive: true, force: true })
    throw startError(`${made.stderr ?? ''}${made.error ?? ''}`)
  }
  fs.renameSync(fresh, cluster)
}

const startError = (output: string) =>
  isDiskFull(output)
    ? new StartError('The disk is full: the database could not be written. Free some space and start again.')
    : new StartError(`The embedded database could not start: ${output.trim().split('\n').at(-1)}`)

/**
 * After `kill -9` a PostgreSQL without its server may still run, or its lock file may name a stranger. Of one that was
 * killed itself some processes may still be at work: another beside them would write the same files.
 */
async function clearAfterCrash(cluster: string) {
  const pidFile = path.join(cluster, 'postmaster.pid')
  if (!fs.existsSync(pidFile)) return
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0])
  await endPostmaster(cluster, pid)
  for (const [signal, tries] of [
    ['SIGQUIT', 50],
    ['SIGKILL', 100],
  ] as const) {
    for (let i = 0; i < 10 && processesIn(cluster).length > 0; i++) await wait(50)
    for (const pid of processesIn(cluster)) signalTo(pid, signal)
    for (let i = 0; i < tries && processesIn(cluster).length > 0; i++) await wait(100)
  }
  // Else PostgreSQL clears up by itself what the file names.
  if (isAlive(pid)) fs.rmSync(pidFile, { force: true })
}

async function endPostmaster(cluster: string, pid: number) {
  for (const [signal, tries] of [
    ['SIGINT', 100],
    ['SIGQUIT', 50],
    ['SIGKILL', 50],
  ] as const) {
    if (!isPostgresOf(pid, cluster)) break
    signalTo(pid, signal)
    for (let i = 0; i < tries && isPostgresOf(pid, cluster); i++) await wait(100)
  }
}

/** It may have ended since it was looked for. */
function signalTo(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** PostgreSQL's processes work inside the folder of their cluster. */
function processesIn(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          pid > 0 &&
          fs.readlinkSync(`/proc/${pid}/cwd`) === cluster &&
          fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
        )
      } catch {
        return false
      }
    })
}

function isAlive(pid: number) {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isPostgresOf(pid: number, cluster: string) {
  if (!isAlive(pid)) return false
  try {
    if (process.platform !== 'linux') return true
    const state = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]
    return state !== 'Z' && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return false
  }
}

/** A socket's path may have about 100 characters; a longer data folder gets its socket in the temporary folder. */
function socketFolder(home: string) {
  const folder = path.join(home, 'socket')
  if (folder.length <= 80) return folder
  const name = crypto.createHash('sha256').update(home).digest('hex').slice(0, 16)
  return path.join(os.tmpdir(), `pmb-${process.getuid?.() ?? 0}-${name}`)
}

function freshSocketFolder(home: string, runAs: RunAs) {
  const folder = socketFolder(home)
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { mode: 0o700 })
  if (runAs) fs.chownSync(folder, runAs.uid, runAs.gid)
  return folder
}

async function run(program: string, cluster: string, sockets: string, runAs: RunAs, unsafe: boolean, logFile: string) {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    max_connections: '150',
    shared_buffers: '128MB',
    jit: 'off',
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(unsafe && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  }
  if ((fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000) fs.rmSync(logFile)
  const log = fs.openSync(logFile, 'a')
  const before = fs.fstatSync(log).size
  const child = spawn(program, ['-D', cluster, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])], {
    ...runAs,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
    // Its own process group: Ctrl-C reaches the server first, which then stops the database in order.
    detached: true,
  })
  fs.closeSync(log)
  const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(String(error))))
  for (let waited = 0; waited < 120_000; waited += 25) {
    const outcome = await Promise.race([answers(socketUrl(sockets, 'postgres')), failed])
    if (outcome === true) return child
    if (typeof outcome === 'string' || child.exitCode !== null || child.signalCode)
      throw startError(typeof outcome === 'string' ? outcome : fs.readFileSync(logFile, 'utf8').slice(before))
    await wait(25)
  }
  await stop(child)
  throw new StartError(`The embedded database did not answer within two minutes; its log is ${logFile}.`)
}

/** Is a PostgreSQL there? */
export async function answers(connectionString: string) {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function stop(child: ChildProcess) {
  for (const [signal, limit] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await Promise.race([ended, wait(limit, undefined, { ref: false })])
  }
}
