import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { newRunFolder } from '#testing/run-folder.ts'
import { startServer } from './server.ts'

const variable = 'E2E_DEMO_FOLDER'

/** Bytes needed for the folders of two workers and of two journeys with their own server. */
const neededBytes = 5_000_000_000

/** Settings for a database that nobody needs after a power cut. They are in the tests' folder, not in the product. */
const unsafeSettings = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum']
  .map((name) => `${name} = off\n`)
  .concat(['max_wal_size = 128MB\n', 'min_wal_size = 32MB\n'])
  .join('')

/** Database with the freshly filled demo. Nothing connects to it, so it can be copied at any time. */
export const snapshotName = 'pmb_demo'

/** Fills a data folder with the demo once for all journeys, which start on copies of it. Global setup of Vitest. */
export default async function setup() {
  const root = newRunFolder('pmb-e2e-', neededBytes)
  const folder = path.join(root, 'demo')
  fs.mkdirSync(folder, { mode: 0o711 })
  const server = await startServer(folder)
  await server.stop()
  await keepSnapshot(folder)
  process.env[variable] = folder
  return async () => {
    await serversHaveEnded(root)
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function keepSnapshot(folder: string) {
  const postgresFolder = fs.realpathSync(path.join(folder, 'postgres'))
  fs.appendFileSync(path.join(postgresFolder, 'cluster/postgresql.conf'), `\n${unsafeSettings}`)
  const postgres = await startEmbeddedPostgres({ dataDir: folder })
  try {
    // Nothing gathers statistics later.
    await inDatabase(postgres.url('pmb'), ['ANALYZE'])
    await inDatabase(postgres.url('postgres'), [
      `CREATE DATABASE ${snapshotName} TEMPLATE pmb STRATEGY FILE_COPY`,
      'CHECKPOINT',
    ])
  } finally {
    await postgres.stop()
  }
}

export async function inDatabase(connectionString: string, statements: readonly string[]) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Workers' servers end with their worker, a moment later than Vitest; their lock is removed last. */
async function serversHaveEnded(root: string) {
  const isLocked = () => fs.readdirSync(root).some((name) => fs.existsSync(path.join(root, name, 'lock')))
  for (let tries = 0; tries < 100 && isLocked(); tries++) await wait(200)
}

/** A new data folder with the demo; empty without a global setup, so that the product fills it itself. */
export function newDemoFolder({ isEmpty = false } = {}): string {
  const demo = process.env[variable]
  const dataDir = fs.mkdtempSync(path.join(demo ? path.dirname(demo) : os.tmpdir(), 'pmb-e2e-world-'))
  // PostgreSQL's user must be able to enter.
  fs.chmodSync(dataDir, 0o711)
  // Keeps the owner, because database files belong to PostgreSQL's user.
  if (demo && !isEmpty) execFileSync('cp', ['-a', `${demo}/.`, dataDir])
  return dataDir
}
