import { setTimeout as wait } from 'node:timers/promises'
import { runningEmbeddedUrl } from '#server/platform/postgres/embedded-postgres.ts'
import { inDatabase, newDemoFolder, snapshotName } from './demo-folder.ts'
import { isReady, type Server, startServer } from './server.ts'

type Shared = { server: Server; url: (database: string) => string }

let starting: Promise<Shared> | undefined

/**
 * Server shared by all journeys of a worker, because a start takes more than five seconds of CPU. Each journey file
 * starts with the demo's rows; rate limits and uploaded files carry over. Ends with the worker.
 */
export async function sharedServer(): Promise<{ server: Server; databaseUrl: string }> {
  const isNew = !starting
  starting ??= start().catch((error) => {
    // The next file tries again.
    starting = undefined
    throw error
  })
  const { server, url } = await starting
  if (!isNew) await restoreDemo(server, url)
  return { server, databaseUrl: url('pmb') }
}

async function start(): Promise<Shared> {
  const dataDir = newDemoFolder()
  // A report computed for one file must not answer another file, which has other rows.
  const server = await startServer(dataDir, { KEEP_REPORTS_FROM: '600000' })
  // Its last line; until then the server ends if its database is gone.
  await server.printed(/Ctrl-C stops everything/)
  server.endWithThisProcess()
  return { server, url: (database) => runningEmbeddedUrl(dataDir, database) }
}

/** Replaces the database with a copy of the snapshot. The server reconnects, as after a database failure. */
async function restoreDemo(server: Server, databaseUrl: Shared['url']) {
  await inDatabase(databaseUrl('postgres'), [
    'DROP DATABASE IF EXISTS pmb_next',
    // Copied before the old one is dropped, so that the server lacks its database only for a moment.
    `CREATE DATABASE pmb_next TEMPLATE ${snapshotName} STRATEGY FILE_COPY`,
    'DROP DATABASE IF EXISTS pmb WITH (FORCE)',
    'ALTER DATABASE pmb_next RENAME TO pmb',
  ])
  for (let tries = 0; tries < 150; tries++) {
    if (await isReady(server.url)) return
    await wait(100)
  }
  throw new Error(`The server did not find its database again:\n${await server.printed(/^/)}`)
}
