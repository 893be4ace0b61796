import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedRoles } from '#seeds/roles/seed-roles.ts'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { type Running, startServices } from '#server/platform/start-services.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { testConfig } from '#server-test/test-config.ts'
import { createDatabaseIfMissing, migrate } from './migrate.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-away-'))
fs.chmodSync(dataDir, 0o755)
let postgres: EmbeddedPostgres
let server: Running
let app: Awaited<ReturnType<typeof buildApp>>
let admin: TestActor
beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDir, unsafe: true })
  await createDatabaseIfMissing(postgres.url('postgres'), 'pmb')
  const connectionString = postgres.url('pmb')
  await migrate(connectionString)
  server = await startServices({ config: testConfig({ databasePool: 3 }), connectionString, passiveJobs: true })
  const { services, owner } = server
  await seedRoles(owner)
  app = await buildApp(services)
  admin = await asStaff({ app, db: services.db, clock: systemClock } as unknown as TestApp)
}, 120_000)
afterAll(async () => {
  await app.close()
  await server.stop()
  await postgres.stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const religion = { code: '9', name: 'Contoh' }
const sameKey = { 'idempotency-key': 'the-same-each-time' }

test('while the database is down every call gets 503 with Retry-After; afterwards the same calls work', async () => {
  expect((await admin.get('/account')).statusCode).toBe(200)
  await postgres.stop()
  const answers = [
    await admin.get('/account'),
    await admin.get('/master/agama'),
    await admin.post('/master/agama', religion, sameKey),
    await app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: 'a@example.com', password: 'Contoh-2026' },
    }),
    await app.inject({ url: '/api/ready' }),
  ]
  expect(answers.map(({ statusCode, headers }) => [statusCode, Number(headers['retry-after']) > 0])).toEqual(
    answers.map(() => [503, true]),
  )
  expect((await app.inject({ url: '/api/health' })).statusCode).toBe(200)
  expect((await app.inject({ url: '/masuk' })).statusCode).toBe(200)

  postgres = await startEmbeddedPostgres({ dataDir, unsafe: true })
  expect((await admin.get('/account')).statusCode).toBe(200)
  const created = await admin.post('/master/agama', religion, sameKey)
  expect([created.statusCode, created.headers['idempotency-replayed']]).toEqual([201, undefined])
}, 60_000)
