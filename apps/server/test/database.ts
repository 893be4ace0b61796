import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { withUrlChanged } from '#server/platform/database/database-url.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'

export const templateName = 'pmb_test_template'

export type TestServer = { url(database: string): string; stop(): Promise<void> }

/** The server tests run on: the one DATABASE_URL names, or an embedded one in a temporary folder. */
export async function startTestServer(databaseUrl = process.env.DATABASE_URL): Promise<TestServer> {
  if (databaseUrl) {
    const url = (database: string) =>
      withUrlChanged(databaseUrl, (url) => {
        url.pathname = `/${database}`
      })
    return { url, stop: async () => {} }
  }
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-test-'))
  fs.chmodSync(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, unsafe: true })
  return {
    url: server.url,
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
    client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`),
  )

let copies = 0

/** A fresh copy of the migrated and seeded template, for one test file. */
export async function freshDatabase(): Promise<{ connectionString: string; drop(): Promise<void> }> {
  const templateUrl = inject('templateUrl')
  const name = `pmb_test_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${copies++}`
  await createDatabase(templateUrl, name, templateName)
  return {
    connectionString: templateUrl.replace(`/${templateName}`, `/${name}`),
    drop: async () => {
      await dropDatabase(templateUrl, name)
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    templateUrl: string
  }
}
