import { execFileSync, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleOf } from '#testing/form.ts'

// The real update on a tiny product: its database is a file, its migrations are files in a folder. The quick form draws
// the database for three failures and two of the steps at which it is killed.

let folder: string
let site: string
let author: string
const scripts = path.resolve(import.meta.dirname, '..')

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

const write = (cwd: string, file: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true })
  fs.writeFileSync(path.join(cwd, file), text)
}

/**
 * Reads the rows in its data folder's database; a migration whose text is `bad` fails, one with `crooked` breaks the
 * books.
 */
const maintenance = `import fs from 'node:fs'
import path from 'node:path'
const [name, argument] = process.argv.slice(2)
const file = process.env.PMB_DATA_DIR + '/postgres/cluster/db.json'
const readDb = () => JSON.parse(fs.readFileSync(file, 'utf8'))
const folder = path.join(import.meta.dirname, '../migrations')
function migrate(db) {
  for (const migration of fs.readdirSync(folder).filter((name) => name.endsWith('.sql')).sort()) {
    if (db.migrations.includes(migration)) continue
    const text = fs.readFileSync(path.join(folder, migration), 'utf8')
    if (text === 'bad') { save(db); console.error('Migration ' + migration + ' failed'); process.exit(1) }
    db.migrations.push(migration)
    if (text === 'crooked') db.crooked = 1
  }
  return db
}
let save = (db) => fs.writeFileSync(file, JSON.stringify(db))
const books = (db) => (db.crooked ? { sums: db.crooked } : {})
const answers = {
  books: () => books(readDb()),
  migrations: () => readDb().migrations,
  rehearse() { save = () => {}; return books(migrate(JSON.parse(fs.readFileSync(argument, 'utf8')))) },
  migrate() { const db = migrate(readDb()); save(db); return books(db) },
  record() { fs.appendFileSync(process.env.PMB_DATA_DIR + '/runs', argument + '\\n'); return {} },
}
if (fs.existsSync(process.env.PMB_DATA_DIR + '/kill-' + name)) {
  fs.rmSync(process.env.PMB_DATA_DIR + '/kill-' + name)
  if (name === 'migrate') answers.migrate()
  process.kill(process.ppid, 'SIGKILL')
}
console.log(JSON.stringify(answers[name]()))
`
const backup = `import fs from 'node:fs'
fs.mkdirSync(process.argv[2].replace(/[^/]*$/, ''), { recursive: true })
fs.copyFileSync(process.env.PMB_DATA_DIR + '/postgres/cluster/db.json', process.argv[2])
`
const restore = `import fs from 'node:fs'
fs.copyFileSync(process.argv[2], process.env.PMB_DATA_DIR + '/postgres/cluster/db.json')
`

/** The tiny product is run from its sources. */
const bundle = 'export const bundleOf = () => undefined, bundleServer = async () => {}'

const server = `import fs from 'node:fs'
import http from 'node:http'
if (fs.existsSync('does-not-come-up')) process.exit(1)
const status = fs.existsSync('is-not-well') ? 503 : 200
http.createServer((request, response) => response.writeHead(status).end(fs.readFileSync('version'))).listen(process.env.PORT)
`
const vite = `import fs from 'node:fs'
fs.mkdirSync('apps/web/dist/assets', { recursive: true })
fs.writeFileSync('apps/web/dist/index.html', fs.readFileSync('apps/web/page'))
`

const dataDir = () => path.join(folder, 'data')
const readDb = () => JSON.parse(fs.readFileSync(path.join(dataDir(), 'postgres/cluster/db.json'), 'utf8'))
const runs = () =>
  fs
    .readFileSync(path.join(dataDir(), 'runs'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { ok: boolean; detail: { problem?: string } })
const port = 20_000 + (process.pid % 20_000)
const answer = () =>
  fetch(`http://127.0.0.1:${port}/`)
    .then((response) => response.text())
    .catch(() => null)

/** A commit by the author, such as the next version. */
function publish(version: string, files: Record<string, string> = {}) {
  write(author, 'version', version)
  write(author, 'apps/web/page', version)
  for (const [file, text] of Object.entries(files)) write(author, file, text)
  git(author, 'add', '-A')
  git(author, 'commit', '-qm', version)
  git(author, 'push', '-q', 'origin', 'HEAD:main')
}

/** Runs the site's update; with `DATABASE_URL` it restores archives instead of copying files. */
async function update(args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    ['scripts/update.mjs', '--stop', `${folder}/stop`, '--start', `${folder}/start`, ...args],
    { cwd: site, env: { ...process.env, PORT: String(port), PMB_DATA_DIR: dataDir(), NODE_OPTIONS: '', ...env } },
  )
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  const status = await new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)))
  return { status, output }
}

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-update-'))
  author = path.join(folder, 'author')
  site = path.join(folder, 'site')
  git(folder, 'init', '-q', '--bare', 'origin')
  git(folder, 'clone', '-q', 'origin', 'author')
  fs.cpSync(scripts, path.join(author, 'scripts'), { recursive: true })
  write(author, 'package.json', '{ "type": "module" }')
  write(author, 'package-lock.json', '{}')
  write(author, '.gitignore', 'node_modules\ndist/\n.update/\n.update.lock\n')
  write(author, '.env.example', 'PORT=3000\n')
  write(author, 'packages/readme', '')
  write(author, 'apps/server/migrations/0001_first.sql', 'good')
  write(author, 'apps/server/src/maintenance.ts', maintenance)
  write(author, 'apps/server/src/backup.ts', backup)
  write(author, 'apps/server/src/restore.ts', restore)
  write(author, 'apps/server/src/main.ts', server)
  write(author, 'apps/server/src/bundle.mjs', bundle)
  publish('one')
  git(folder, 'clone', '-q', '-b', 'main', 'origin', 'site')
  write(site, 'node_modules/vite/bin/vite.js', vite)
  const hash = crypto.createHash('sha256').update('{}').update(process.platform).update(process.arch).digest('hex')
  write(site, 'node_modules/.installed', hash)
  write(site, 'node_modules/package.json', '{ "type": "module" }')
  write(site, 'apps/web/dist/index.html', 'one')
  write(
    dataDir(),
    'postgres/cluster/db.json',
    JSON.stringify({ migrations: ['0001_first.sql'], rows: ['an applicant'] }),
  )
  write(
    folder,
    'stop',
    `#!/bin/sh\n[ -f ${folder}/pid ] && kill -9 $(cat ${folder}/pid) 2>/dev/null; rm -f ${folder}/pid; exit 0\n`,
  )
  write(
    folder,
    'start',
    `#!/bin/sh\n[ -f ${folder}/pid ] && exit 0\ncd ${site} && PORT=${port} setsid ${process.execPath} apps/server/src/main.ts >/dev/null 2>&1 </dev/null &\necho $! > ${folder}/pid\n`,
  )
  for (const name of ['stop', 'start']) fs.chmodSync(path.join(folder, name), 0o755)
  execFileSync(path.join(folder, 'start'), { stdio: 'ignore' })
  for (let i = 0; i < 100 && (await answer()) === null; i++) await wait(50)
}, 30_000)
afterEach(() => {
  execFileSync(path.join(folder, 'stop'))
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The site as before: commit, build, database and a server that answers. */
async function expectVersionOne() {
  expect(await answer()).toBe('one')
  expect(git(site, 'log', '-1', '--format=%s')).toBe('one')
  expect(fs.readFileSync(path.join(site, 'apps/web/dist/index.html'), 'utf8')).toBe('one')
  expect(readDb()).toEqual({ migrations: ['0001_first.sql'], rows: ['an applicant'] })
  expect(fs.existsSync(path.join(site, '.update'))).toBe(false)
  expect(fs.readdirSync(path.join(dataDir(), 'postgres'))).toEqual(['cluster'])
}

async function expectVersionTwo(migrations = ['0001_first.sql', '0002_second.sql']) {
  expect(await answer()).toBe('two')
  expect(git(site, 'log', '-1', '--format=%s')).toBe('two')
  expect(fs.readFileSync(path.join(site, 'apps/web/dist/index.html'), 'utf8')).toBe('two')
  expect(readDb()).toEqual({ migrations, rows: ['an applicant'] })
  expect(fs.existsSync(path.join(site, '.update'))).toBe(false)
  expect(runs().at(-1)).toMatchObject({ ok: true })
}

const second = { 'apps/server/migrations/0002_second.sql': 'good' }
const outside = { DATABASE_URL: 'postgres://elsewhere/pmb' }
const databases = [{}, outside]

describe('an update', () => {
  test('says beforehand what it would do, and does nothing', async () => {
    publish('two', { ...second, '.env.example': 'PORT=3000\nNEW_SETTING=\n' })
    const { status, output } = await update(['--check'])
    expect(status).toBe(0)
    expect(output).toMatch(/0002_second\.sql[\s\S]*NEW_SETTING[\s\S]*seconds away/)
    await expectVersionOne()
  })

  test('brings commit, build and database to the newer version, and starts it', async () => {
    publish('two', second)
    expect((await update()).output).toContain('The server was away for')
    await expectVersionTwo()
    expect((await update()).output).toContain('There is nothing newer.')
  })

  test.each(sampleOf('refused update', databases, 1))(
    'whose migration fails is refused before the server is stopped (%o)',
    async (env) => {
      publish('two', { ...second, 'apps/server/migrations/0003_third.sql': 'bad' })
      const { status, output } = await update([], env)
      expect(status).toBe(1)
      expect(output).toMatch(/0003_third\.sql failed[\s\S]*Nothing was changed/)
      expect(output).not.toContain('Stopping')
      await expectVersionOne()
    },
  )

  test.each(sampleOf('failed update', databases, 1))(
    'whose migration fails on the live database only goes back (%o)',
    async (env) => {
      publish('two', { ...second, 'apps/server/migrations/0003_third.sql': 'bad' })
      const { status, output } = await update(['--no-rehearsal'], env)
      expect(status).toBe(1)
      expect(output).toMatch(/0003_third\.sql failed[\s\S]*nothing was lost/)
      await expectVersionOne()
      expect(runs().at(-1)).toMatchObject({ ok: false, detail: { problem: 'Migration 0003_third.sql failed' } })
    },
  )

  test('rolls back if the books contradict themselves afterwards', async () => {
    publish('two', { 'apps/server/migrations/0002_second.sql': 'crooked' })
    expect((await update(['--no-rehearsal'])).output).toContain('The books contradict themselves: sums: 1.')
    await expectVersionOne()
  })

  test('rolls back if the server does not come up', async () => {
    publish('two', { ...second, 'does-not-come-up': '' })
    expect((await update(['--patience', '2'])).output).toMatch(/not ready within[\s\S]*nothing was lost/)
    await expectVersionOne()
  })

  test.each(sampleOf('unwell update', databases, 1))(
    'that was ready to answer and then not well keeps the database of before (%o)',
    async (env) => {
      publish('two', { ...second, 'is-not-well': '' })
      const { status, output } = await update(['--patience', '2'], env)
      expect(status).toBe(1)
      const [, place = ''] = /its database is kept in (\S+)\.$/m.exec(output) ?? []
      if (env !== outside) expect(place).toBe(path.join(dataDir(), 'postgres/cluster.before-update'))
      const database = env === outside ? place : path.join(place, 'db.json')
      expect(JSON.parse(fs.readFileSync(database, 'utf8'))).toEqual({
        migrations: ['0001_first.sql'],
        rows: ['an applicant'],
      })
      expect(await answer()).toBe('two')
      expect(runs().at(-1)).toMatchObject({ ok: false })
      expect((await update([], env)).output).toContain('There is nothing newer.')
      expect(fs.existsSync(database)).toBe(true)
    },
  )

  test.each(sampleOf('killed update', ['books', 'rehearse', 'migrate', 'record'], 2))(
    'killed at "%s" goes on when it is run again',
    async (step) => {
      publish('two', second)
      write(dataDir(), `kill-${step}`, '')
      expect((await update()).status).toBe('SIGKILL')
      await update()
      await expectVersionTwo()
    },
  )

  test('killed while rolling back continues to roll back when run again', async () => {
    publish('two', { ...second, 'apps/server/migrations/0003_third.sql': 'bad' })
    write(dataDir(), 'kill-migrations', '')
    expect((await update(['--no-rehearsal'], outside)).status).toBe('SIGKILL')
    expect((await update([], outside)).output).toContain('nothing was lost')
    await expectVersionOne()
  })

  test('is refused if files are changed, or if the target lacks the current commit', async () => {
    publish('two', second)
    write(site, 'version', 'mine')
    expect((await update()).output).toContain('Files of this checkout were changed')
    git(site, 'commit', '-qam', 'mine')
    expect((await update()).output).toContain('has commits that')
  })

  /** Joins both migrations in a baseline that takes over databases with both. */
  const joined = {
    'apps/server/migrations/0001_all.sql': 'good',
    'apps/server/migrations/replaced.json': JSON.stringify({
      replaced: { '0001_first.sql': '', '0002_second.sql': '' },
    }),
  }
  const publishJoined = () => {
    for (const name of ['0001_first.sql', '0002_second.sql'])
      fs.rmSync(path.join(author, 'apps/server/migrations', name))
    publish('three', joined)
  }

  test('brings a database with all replaced migrations to the version that replaced them', async () => {
    publish('two', second)
    await update()
    publishJoined()
    expect((await update()).output).toContain('Migrations: 0001_all.sql')
    expect(await answer()).toBe('three')
    expect(readDb().rows).toEqual(['an applicant'])
  })

  test('to a version that replaced migrations names the commit to update to first', async () => {
    publish('two', second)
    const last = git(author, 'rev-parse', '--short', 'HEAD')
    publishJoined()
    expect((await update()).output).toContain(
      `needs a database with migration 0002_second.sql. Update first with --to ${last}.`,
    )
    await expectVersionOne()
  })

  test('is refused if nothing can stop the running product', async () => {
    publish('two', second)
    const { PATH = '' } = process.env
    const result = await new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['scripts/update.mjs'], {
        cwd: site,
        env: { PATH, PORT: String(port), PMB_DATA_DIR: dataDir() },
      })
      let output = ''
      child.stderr.on('data', (text) => {
        output += text
      })
      child.on('exit', () => resolve(output))
    })
    expect(result).toContain('no service was found')
    await expectVersionOne()
  })
})
