import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { postgresUser } from '#server/platform/postgres/postgres-user.ts'

const packages = '/usr/lib/postgresql'

/** Folder of the oldest PostgreSQL among Debian's packages that the product supports, 15 or newer. */
function findPrograms(): string {
  const versions = fs.existsSync(packages) ? fs.readdirSync(packages).map(Number) : []
  const [version] = versions
    .filter((one) => one >= 15 && fs.existsSync(`${packages}/${one}/bin/initdb`))
    .toSorted((a, b) => a - b)
  if (!version) throw new Error('No PostgreSQL of Debian found: install the package postgresql')
  return `${packages}/${version}/bin`
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })

/**
 * Starts a separate cluster in a temporary folder, on loopback, with an empty database created by `createuser` and
 * `createdb` as in docs/operating.md; returns its DATABASE_URL.
 */
export async function startDebianPostgres() {
  const programs = findPrograms()
  const runAs = postgresUser()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-debian-'))
  if (runAs) fs.chownSync(folder, runAs.uid, runAs.gid)
  const options = { ...runAs, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const run = (program: string, ...args: string[]) => {
    const { status, stderr, error } = spawnSync(path.join(programs, program), args, { ...options, encoding: 'utf8' })
    if (status !== 0) throw error ?? new Error(`${program}: ${stderr}`)
  }
  const cluster = path.join(folder, 'cluster')
  run('initdb', '-D', cluster, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync')
  const port = await freePort()
  const server = spawn(
    path.join(programs, 'postgres'),
    ['-D', cluster, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
    { ...options, stdio: 'ignore' },
  )
  const stop = async () => {
    await end(server)
    fs.rmSync(folder, { recursive: true, force: true })
  }
  try {
    await answers(`postgresql://postgres@127.0.0.1:${port}/postgres`)
    const where = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    run('createuser', ...where, '--createrole', 'pmb')
    run('createdb', ...where, '--owner', 'pmb', 'pmb')
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `postgresql://pmb@127.0.0.1:${port}/pmb`, stop }
}

/** Waits until PostgreSQL accepts connections. */
async function answers(url: string) {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const end = (server: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (server.exitCode !== null) return resolve()
    server.once('exit', () => resolve())
    // SIGINT disconnects clients; SIGTERM would wait for them.
    server.kill('SIGINT')
  })
