import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { startDatabase } from '#server/platform/postgres/start-database.ts'
import { startServices } from '#server/platform/start-services.ts'
import { freshDatabase } from '#server-test/database.ts'
import { testConfig } from '#server-test/test-config.ts'
import { withUrlChanged } from './database-url.ts'
import { runtimeRole } from './runtime-role.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.giveBack())

/** Connection string of the test database with its socket folder as `host` instead of a host name. */
function socketUrl(name?: string) {
  const {
    user,
    password,
    database: databaseName,
    host,
    port,
  } = new pg.Client({ connectionString: database.connectionString })
  const login = password ? `${user}:${encodeURIComponent(password)}` : user
  return `postgres://${login}@/${name ?? databaseName}?host=${encodeURIComponent(host)}&port=${port}`
}
const configFor = (databaseUrl: string) =>
  testConfig({ databaseUrl: readConfig({ DATABASE_URL: databaseUrl, SECRET_KEY: 'x'.repeat(64) }).databaseUrl })

test('a DATABASE_URL with a socket folder starts the server as the role that owns nothing', async () => {
  const config = configFor(socketUrl())
  const { connectionString, stop } = await startDatabase(config, (_name, work) => work())
  const server = await startServices({ config, connectionString, passiveJobs: true })
  const { rows } = await sql<{ user: string }>`SELECT current_user AS user`.execute(server.services.db)
  expect(rows).toEqual([{ user: runtimeRole }])
  await server.stop()
  await stop()
})

test('an unreachable DATABASE_URL is refused with a sentence', async () => {
  const start = (url: string) => startDatabase(configFor(url), (_name, work) => work())
  await expect(start(socketUrl('no_such'))).rejects.toThrow(
    /database of DATABASE_URL at .*no_such could not be reached/,
  )
  await expect(start('postgres://me@/pmb?host=/nowhere')).rejects.toThrow('/nowhere:5432/pmb could not be reached')
})

test.each([
  ['postgres://me:p%40ss@/pmb?host=/run/postgresql', 'postgres://me:p%40ss@/other?host=/run/postgresql'],
  ['postgres:///pmb?host=/run/postgresql', 'postgres:///other?host=/run/postgresql'],
  ['postgresql://me@db.test:5433/pmb', 'postgresql://me@db.test:5433/other'],
])('changing %s leaves the other parts unchanged', (url, expected) => {
  const changedUrl = withUrlChanged(url, (parts) => {
    parts.pathname = '/other'
  })
  expect(changedUrl).toBe(expected)
})
