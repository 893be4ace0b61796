import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { lockDataDir } from '#server/platform/database/data-lock.ts'
import { createDatabaseIfMissing, migrate } from '#server/platform/database/migrate.ts'
import { runningEmbeddedUrl, startEmbeddedPostgres } from './embedded-postgres.ts'

const folders: string[] = []
function makeFolder(mode = 0o755) {
  const newFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-embedded-'))
  fs.chmodSync(newFolder, mode)
  folders.push(newFolder)
  return newFolder
}
afterEach(() => {
  for (const usedFolder of folders.splice(0)) {
    const cluster = path.join(usedFolder, 'postgres')
    if (fs.existsSync(cluster)) fs.rmSync(fs.realpathSync(cluster), { recursive: true, force: true })
    fs.rmSync(usedFolder, { recursive: true, force: true })
  }
})

async function ask(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const postmaster = (dataDir: string) =>
  Number(fs.readFileSync(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])

test('a database left running by a killed server is found, stopped cleanly, and keeps its rows', async () => {
  const dataDir = makeFolder()
  const firstStart = await startEmbeddedPostgres({ dataDir })
  await createDatabaseIfMissing(firstStart.url('postgres'), 'pmb')
  await ask(firstStart.url('pmb'), 'CREATE TABLE kept AS SELECT 1 AS one')
  const orphan = postmaster(dataDir)
  const secondStart = await startEmbeddedPostgres({ dataDir })
  expect(postmaster(dataDir)).not.toBe(orphan)
  expect(await ask(secondStart.url('pmb'), 'SELECT * FROM kept')).toEqual([{ one: 1 }])
  await secondStart.stop()
})

test('after kill -9 of everything the next start recovers, even if another process has the old id', async () => {
  const dataDir = makeFolder()
  const firstStart = await startEmbeddedPostgres({ dataDir })
  await createDatabaseIfMissing(firstStart.url('postgres'), 'pmb')
  await ask(firstStart.url('pmb'), 'CREATE TABLE kept AS SELECT 1 AS one')
  const pidFile = path.join(dataDir, 'postgres/cluster/postmaster.pid')
  const lines = fs.readFileSync(pidFile, 'utf8').split('\n')
  const killed = postmaster(dataDir)
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => fs.existsSync(`/proc/${killed}/cwd`)).toBe(false)
  fs.writeFileSync(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'))
  const secondStart = await startEmbeddedPostgres({ dataDir })
  expect(await ask(secondStart.url('pmb'), 'SELECT * FROM kept')).toEqual([{ one: 1 }])
  await secondStart.stop()
})

test('a PostgreSQL killed while its server runs is restarted without leftover processes, and keeps its rows', async () => {
  const dataDir = makeFolder()
  const revivals: number[] = []
  const server = await startEmbeddedPostgres({ dataDir, onRevived: (ms) => revivals.push(ms) })
  await createDatabaseIfMissing(server.url('postgres'), 'pmb')
  await ask(server.url('pmb'), 'CREATE TABLE kept AS SELECT 1 AS one')
  const busyClient = new pg.Client({ connectionString: server.url('pmb') })
  busyClient.on('error', () => {})
  await busyClient.connect()
  const { rows } = await busyClient.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const longQuery = busyClient.query('SELECT count(*) FROM generate_series(1, 1000000000)').catch(() => 'cut off')
  for (const round of [1, 2]) {
    process.kill(postmaster(dataDir), 'SIGKILL')
    for (let i = 0; i < 200 && revivals.length < round; i++) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await ask(runningEmbeddedUrl(dataDir, 'pmb'), 'SELECT * FROM kept')).toEqual([{ one: 1 }])
  }
  expect(await longQuery).toBe('cut off')
  expect(() => fs.readlinkSync(`/proc/${rows[0]!.pid}/cwd`)).toThrow()
  await server.stop()
  expect(revivals).toHaveLength(2)
})

test('a data folder closed to other users works, and so does a long path', async () => {
  const closedFolder = makeFolder(0o700)
  const dataDir = path.join(closedFolder, 'a-rather-long-name-of-a-folder/'.repeat(4), '.data')
  const server = await startEmbeddedPostgres({ dataDir, unsafe: true })
  await createDatabaseIfMissing(server.url('postgres'), 'pmb')
  await server.stop()
  const secondStart = await startEmbeddedPostgres({ dataDir, unsafe: true })
  expect(await ask(secondStart.url('pmb'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await secondStart.stop()
  const cluster = fs.realpathSync(path.join(dataDir, 'postgres'))
  if (!cluster.startsWith(closedFolder)) fs.rmSync(cluster, { recursive: true })
})

test('migrations run once, in order, and a changed one is refused', async () => {
  const server = await startEmbeddedPostgres({ dataDir: makeFolder(), unsafe: true })
  await createDatabaseIfMissing(server.url('postgres'), 'pmb')
  const runs = await Promise.all([migrate(server.url('pmb')), migrate(server.url('pmb'))])
  expect(runs.map((names) => names.length).toSorted((a, b) => a - b)[0]).toBe(0)
  await ask(server.url('pmb'), "UPDATE schema_migrations SET checksum = 'x' WHERE name LIKE '0001%'")
  await expect(migrate(server.url('pmb'))).rejects.toThrow('was changed after it ran')
  await server.stop()
})

test("a data folder in use is refused with one sentence; a dead process's lock is taken over", () => {
  const dataDir = makeFolder()
  const file = path.join(dataDir, 'lock')
  const { pid: deadPid } = spawnSync('true')
  fs.writeFileSync(file, `${deadPid} 1`)
  const unlock = lockDataDir(dataDir)
  expect(fs.readFileSync(file, 'utf8')).toContain(String(process.pid))
  unlock()
  fs.writeFileSync(file, `${process.ppid}`)
  expect(() => lockDataDir(dataDir)).toThrow(/is in use by another PMB Online \(process \d+\)/)
})
