import crypto from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { fillDatabase } from '#server/demo.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { type Running, startServices } from '#server/platform/start-services.ts'

export type OwnProduct = { db: pg.Client; product: Running; stop(): Promise<void> }

/** The product's use cases on a separate PostgreSQL, with the demo's data and this many registrations; no jobs run. */
export async function ownProduct(
  name: string,
  registrations: number,
  settings: Record<string, string> = {},
): Promise<OwnProduct> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), `pmb-bench-${name}-`))
  const postgres = await startEmbeddedPostgres({ dataDir })
  const connectionString = postgres.url('postgres')
  const environment = { DATABASE_URL: connectionString, PMB_DATA_DIR: dataDir, LOG_LEVEL: 'error', RUN_JOBS: 'false' }
  await fillDatabase({ environment, registrations })
  const secretKey = crypto.randomBytes(32).toString('hex')
  const product = await startServices({
    config: readConfig({ ...environment, SECRET_KEY: secretKey, ...settings }),
    connectionString,
    passiveJobs: true,
  })
  const db = new pg.Client({ connectionString })
  await db.connect()
  return {
    db,
    product,
    async stop() {
      await db.end()
      await product.stop()
      await postgres.stop()
      await fs.rm(dataDir, { recursive: true, force: true })
    },
  }
}
