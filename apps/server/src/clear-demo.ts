import fs from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'
import { findInstallation } from './platform/database/claim-database.ts'
import { lockDataDir } from './platform/database/data-lock.ts'
import { connect } from './platform/database/database.ts'
import { requireEmbeddedDatabase } from './platform/postgres/open-database.ts'
import { startDatabase } from './platform/postgres/start-database.ts'
import { StartError } from './platform/postgres/start-error.ts'

/**
 * Deletes the database and files of a demo; throws StartError while a server runs on it or if the data folder is no
 * demo.
 */
export async function clearDemo(config: Config): Promise<void> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl) throw new StartError('A demo lives in the embedded database only: unset DATABASE_URL.')
  requireEmbeddedDatabase(config)
  const unlock = lockDataDir(dataDir)
  try {
    if (!(await isDemo(config)))
      throw new StartError(`The data folder ${dataDir} holds no demo, so nothing was removed.`)
    // The database may be elsewhere, behind a link in the data folder.
    const link = path.join(dataDir, 'postgres')
    for (const folder of [fs.realpathSync(link), link, path.join(dataDir, 'files')])
      fs.rmSync(folder, { recursive: true, force: true })
  } finally {
    unlock()
  }
}

async function isDemo(config: Config): Promise<boolean> {
  const { connectionString, stop } = await startDatabase(config, (_name, work) => work())
  const { db } = connect(connectionString, { max: 1 })
  try {
    return (await findInstallation(db))?.demo ?? false
  } finally {
    await db.destroy()
    await stop()
  }
}
