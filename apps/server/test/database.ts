import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { withUrlChanged } from '#server/platform/database/database-url.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { newRunFolder } from '#testing/run-folder.ts'
import { findKeptCluster, keepCluster } from './kept-cluster.ts'

export const templateName = 'pmb_test_template'
/** Copy of the template that holds the demo university. */
export const demoName = `${templateName}_demo`
/** Copies of the template, lent to one test file after another. */
export const lentPrefix = 'pmb_test_lent_'

export type TestServer = {
  url(database: string): string
  /** Whether the template already exists. */
  isFilled: boolean
  /** Keeps the cluster for later runs. */
  keep(): Promise<void>
  stop(): Promise<void>
}

/** Bytes that the databases of a run may need. */
const neededBytes = 2e9

/** Server for the tests: the one in DATABASE_URL, or an embedded one, in memory if there is room. */
export async function startTestServer(databaseUrl = process.env.DATABASE_URL): Promise<TestServer> {
  if (databaseUrl) {
    const url = (database: string) =>
      withUrlChanged(databaseUrl, (url) => {
        url.pathname = `/${database}`
      })
    return { url, isFilled: false, keep: async () => {}, stop: async () => {} }
  }
  const dataDir = newRunFolder('pmb-test-', neededBytes)
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
