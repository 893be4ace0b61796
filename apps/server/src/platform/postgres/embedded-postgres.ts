import { type ChildProcess, execFile as execFileWithCallback, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { clusterDir, postgresPrograms, postgresUser, type RunAs } from './postgres-user.ts'
import { isDiskFull, StartError } from './start-error.ts'

const execFile = promisify(execFileWithCallback)

export type EmbeddedPostgres = {
  /** Connection string of a database of this server. */
  url(database: string): string
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  /** For tests: no fsync, faster but not safe against a power cut. */
  unsafe?: boolean
  onPhase?(phase: string): void
  /** If set, a PostgreSQL that dies is restarted; called with the downtime. */
  onRevived?(milliseconds: number): void
}

/** Starts the PostgreSQL of the npm package in `<dataDir>/postgres`, reachable only through a local socket. */
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
    await initialise(programs.initdb, cluster, runAs)
  }
  await clearAfterCrash(cluster)
  const sockets = freshSocketFolder(home, runAs)
  onPhase?.('start the database')
  const spawnPostgres = () =>
    run(programs.postgres, cluster, sockets, runAs, unsafe ?? false, path.join(home, 'postgres.log'))
  let child = await spawnPostgres()
  let isStopping = false
  let revival = Promise.resolve()
  const watch = () =>
    child.once('exit', () => {
      if (!isStopping && onRevived) revival = revive(onRevived)
    })
  async function revive(tell: (milliseconds: number) => void) {
    const diedAtMs = performance.now()
    for (let attempt = 1; !isStopping; attempt++) {
      try {
        await clearAfterCrash(cluster)
        child = await spawnPostgres()
        watch()
        tell(performance.now() - diedAtMs)
        return
      } catch {
        // Retries for ever: a full disk, for example, may get space at any moment.
        await wait(Math.min(attempt, 30) * 1_000, undefined, { ref: false })
      }
    }
  }
  watch()
  return {
    url: (database) => socketUrl(sockets, database),
    async stop() {
      isStopping = true
      await revival
      await stop(child)
    },
  }
}

/** Connection string of a database whose PostgreSQL another process runs in a data folder. */
export const runningEmbeddedUrl = (dataDir: string, database: string) =>
  socketUrl(socketFolder(clusterDir(path.resolve(dataDir), postgresUser())), database)

const socketUrl = (sockets: string, database: string) =>
  `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(sockets)}`

/**
 * Initialises the cluster under a temporary name and renames it at the end, so a killed start leaves no partial
 * cluster.
 */
async function initialise(initdb: string, cluster: string, runAs: RunAs) {
  const temporary = `${cluster}.new`
  fs.rmSync(temporary, { recursive: true, force: true })
  const args = [
    '-D',
    temporary,
    '-U',
    'postgres',
    '--auth=trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--locale-provider=builtin',
  ]
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  try {
    // The server's modules load meanwhile.
    await execFile(initdb, [...args, '--builtin-locale=C.UTF-8', '--no-sync', '--no-instructions'], {
      ...runAs,
      cwd: '/',
      env,
    })
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true })
    throw startError(String(error))
  }
  fs.renameSync(temporary, cluster)
}

const startError = (output: string) =>
  isDiskFull(output)
    ? new StartError('The disk is full: the database could not be written. Free some space and start again.')
    : new StartError(`The embedded database could not start: ${output.trim().split('\n').at(-1)}`)

/**
 * Ends leftovers of a `kill -9`: a postmaster whose server died, or backends whose postmaster died, which would write
 * the same files as a new one. Removes a lock file that names a foreign process.
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
  // If the process is dead, PostgreSQL removes the stale file itself.
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

/** Sends a signal; ignores a process that has already ended. */
function signalTo(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** PostgreSQL processes whose working directory is the cluster folder. */
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

/** Socket folder. A socket path may have about 100 characters; a longer data folder uses the temporary folder. */
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

/**
 * PostgreSQL's shared buffers in megabytes: an eighth of the machine's memory. If too small, an insert waits until the
 * dirty page it evicts is on disk.
 */
function sharedBuffersMb() {
  const totalBytes = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(Math.max(Math.round(totalBytes / 8 / 1_048_576), 128), 2_048)
}

async function run(program: string, cluster: string, sockets: string, runAs: RunAs, unsafe: boolean, logFile: string) {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    max_connections: '150',
    // Creating or removing one trial locks all its tables and indexes at once.
    max_locks_per_transaction: '256',
    shared_buffers: unsafe ? '128MB' : `${sharedBuffersMb()}MB`,
    jit: 'off',
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(unsafe && {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' },
      ...{ wal_level: 'minimal', max_wal_senders: '0', max_parallel_workers_per_gather: '0' },
    }),
  }
  if ((fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000) fs.rmSync(logFile)
  const log = fs.openSync(logFile, 'a')
  const logSize = fs.fstatSync(log).size
  const child = spawn(program, ['-D', cluster, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])], {
    ...runAs,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
    // A separate process group: Ctrl-C then reaches only the server, which stops the database cleanly.
    detached: true,
  })
  fs.closeSync(log)
  const spawnError = new Promise<string>((resolve) => child.once('error', (error) => resolve(String(error))))
  for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 25) {
    const outcome = await Promise.race([answers(socketUrl(sockets, 'postgres')), spawnError])
    if (outcome === true) return child
    if (typeof outcome === 'string' || child.exitCode !== null || child.signalCode)
      throw startError(typeof outcome === 'string' ? outcome : fs.readFileSync(logFile, 'utf8').slice(logSize))
    await wait(25)
  }
  await stop(child)
  throw new StartError(`The embedded database did not answer within two minutes; its log is ${logFile}.`)
}

/** Whether a PostgreSQL accepts connections. */
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
  for (const [signal, limitMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode) return
    const exit = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await Promise.race([exit, wait(limitMs, undefined, { ref: false })])
  }
}
