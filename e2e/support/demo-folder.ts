import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startServer } from './server.ts'

const variable = 'E2E_DEMO_FOLDER'

/** Fills a data folder with the demo once for all journeys, which begin on copies of it. Global setup of Vitest. */
export default async function setup() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-e2e-demo-'))
  const server = await startServer(folder)
  await server.stop()
  process.env[variable] = folder
  return () => fs.rmSync(folder, { recursive: true, force: true })
}

/** Copies the filled folder into an empty one; without a global setup the product fills it itself. */
export function copyDemo(dataDir: string) {
  const folder = process.env[variable]
  // Keeps the owner: files of the database belong to the user of PostgreSQL.
  if (folder) execFileSync('cp', ['-a', `${folder}/.`, dataDir])
}
