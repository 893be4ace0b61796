import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { withUrlChanged } from '#server/platform/database/database-url.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { folderInMemory } from '#testing/folder-in-memory.ts'
import { findKeptCluster, keepCluster } from './kept-cluster.ts'

export const templateName = 'pmb_test_template'
/** Copy of the template that holds the demo university. */
export const demoName = `${templateName}_demo`

export type TestServer = {
  url(database: string): string
  /** Whether the template is there already. */
  isFilled: boolean
  /** Keeps the cluster as it is for later runs. */
  keep(): Promise<void>
  stop(): Promise<void>
}

const prefix = 'pmb-test-'
const ownerFile = 'owner.pid'

/** Ends and removes the servers of runs that were killed: they would fill the memory. */
function removeAbandoned(home: string) {
  for (const name of fs.readdirSync(home).filter((name) => name.startsWith(prefix))) {
    const folder = path.join(home, name)
    const owner = readPid(path.join(folder, ownerFile))
    if (owner === undefined || isAlive(owner)) continue
    const postmaster = readPid(path.join(folder, 'postgres/cluster/postmaster.pid'))
    if (postmaster !== undefined && isAlive(postmaster)) process.kill(postmaster, 'SIGQUIT')
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function readPid(file: string): number | undefined {
  return fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, 'utf8'), 10) : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The server tests run on: the one DATABASE_URL names, or an embedded one, in memory where there is room. */
export async function startTestServer(databaseUrl = process.env.DATABASE_URL): Promise<TestServer> {
  if (databaseUrl) {
    const url = (database: string) =>
      withUrlChanged(databaseUrl, (url) => {
        url.pathname = `/${database}`
      })
    return { url, isFilled: false, keep: async () => {}, stop: async () => {} }
  }
  const home = folderInMemory()
  removeAbandoned(home)
  const dataDir = fs.mkdtempSync(path.join(home, prefix))
  fs.chmodSync(dataDir, 0o755)
  fs.writeFileSync(path.join(dataDir, ownerFile), String(process.pid))
  const cluster = path.join(dataDir, 'postgres/cluster')
  const keptCluster = findKeptCluster()
  if (keptCluster) {
    fs.mkdirSync(path.dirname(cluster))
    execFileSync('cp', ['-a', keptCluster, cluster])
  }
  const start = () => startEmbeddedPostgres({ dataDir, unsafe: true })
  let server = await start()
  return {
    url: (database) => server.url(database),
    isFilled: keptCluster !== undefined,
    async keep() {
      await server.stop()
      keepCluster(fs.realpathSync(cluster))
      server = await start()
    },
    async stop() {
      await server.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const maintenanceUrl = (url: string) => url.replace(/\/[^/?]+(\?|$)/, '/postgres$1')

export const dropDatabase = (url: string, name: string) =>
  asOwner(maintenanceUrl(url), (client) =>
    client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  )

export const createDatabase = (url: string, name: string, template: string) =>
  asOwner(maintenanceUrl(url), (client) =>
    client.query(
      `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY FILE_COPY`,
    ),
  )

let copies = 0

/** A copy of the migrated and seeded template for one test, which drops it. */
export async function freshDatabase(): Promise<{ connectionString: string; giveBack(): Promise<void> }> {
  const templateUrl = inject('templateUrl')
  const name = `pmb_test_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${copies++}`
  await createDatabase(templateUrl, name, templateName)
  return {
    connectionString: templateUrl.replace(`/${templateName}`, `/${name}`),
    giveBack: async () => {
      await dropDatabase(templateUrl, name)
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    templateUrl: string
  }
}
