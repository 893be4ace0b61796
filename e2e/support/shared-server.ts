import { setTimeout as wait } from 'node:timers/promises'
import { runningEmbeddedUrl } from '#server/platform/postgres/embedded-postgres.ts'
import { inDatabase, newDemoFolder, snapshotName } from './demo-folder.ts'
import { isReady, type Server, startServer } from './server.ts'

type Shared = { server: Server; url: (database: string) => string }

let starting: Promise<Shared> | undefined

/**
 * The server that all journeys of a worker share: a start takes more than five seconds of processor. Each journey file
 * finds the rows of the demo; limits of requests and uploaded files stay. Ends with the worker.
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
  // A report that one file has had computed must not answer another file, which has other rows.
  const server = await startServer(dataDir, { KEEP_REPORTS_FROM: '600000' })
  // Its last line: until then the server ends if its database is gone.
  await server.printed(/Ctrl-C stops everything/)
  server.endWithThisProcess()
  return { server, url: (database) => runningEmbeddedUrl(dataDir, database) }
}

/** Puts a copy of the snapshot in the place of the database. The server connects again, as after a failure of the database. */
async function restoreDemo(server: Server, databaseUrl: Shared['url']) {
  await inDatabase(databaseUrl('postgres'), [
    'DROP DATABASE IF EXISTS pmb_next',
    // Copied before the old one goes: the server lacks its database for a moment only.
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
