import { spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HealthLine } from '#domain/health/endpoints.ts'
import { type HealthLineName, healthLineNames } from '#domain/health/lines.ts'
import { type MaintenanceRun, recordMaintenance } from '#server/platform/backup/maintenance-runs.ts'
import { cleanUpJob } from '#server/platform/clean-up.job.ts'
import { answerTimes } from '#server/platform/http/answer-times.ts'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { selfSigned } from '#server-test/factories/installation/self-signed.ts'
import { aProvider, providerInput } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { readCertificate, stateOfDisk } from './measure/machine.ts'
import { measureHealth } from './measure/measure-health.ts'

let t: TestApp
let administrator: Awaited<ReturnType<typeof asStaff>>

beforeAll(async () => {
  t = await testApp({ config: { demo: false } })
  administrator = await asStaff(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.reset()
  await sql`DELETE FROM health_lines`.execute(t.owner)
  await sql`DELETE FROM maintenance_runs`.execute(t.owner)
  await sql`DELETE FROM messages`.execute(t.owner)
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

async function lineNamed(name: HealthLineName, { services } = t) {
  const line = (await measureHealth(services)).find((one) => one.name === name)!
  return { state: line.state, code: line.code, facts: line.facts }
}

const ran = (
  kind: MaintenanceRun['kind'],
  hours: number,
  rest: { ok?: boolean; detail?: Record<string, unknown> } = {},
) =>
  recordMaintenance(t.connectionString, {
    ...{ kind, startedAt: hoursAgo(hours + 0.1), finishedAt: hoursAgo(hours), ok: true, size: 4_200_000, detail: {} },
    ...rest,
  })

describe('the page', () => {
  test('lists every line once, in order, with the name of the answering server', async () => {
    const answer = await administrator.get('/settings/health')
    expect(answer.statusCode).toBe(200)
    const { lines, server } = answer.json().data as { lines: HealthLine[]; server: string }
    expect(lines.map(({ name }) => name)).toEqual(healthLineNames)
    expect(server).toBe(os.hostname())
  })

  test('is refused without its permission, and to a role limited to some study programmes', async () => {
    const academic = await academicFixture(t.db)
    const other = await asWithPermissions(t, ['settings-general-view'])
    const reader = await asWithPermissions(t, ['settings-health-view'])
    const limited = await asWithPermissions(t, ['settings-health-view', 'settings-health-update'], {
      programmeIds: [academic.programmes[0]!],
    })
    expect((await other.get('/settings/health')).statusCode).toBe(403)
    expect((await limited.get('/settings/health')).statusCode).toBe(403)
    expect((await reader.get('/settings/health')).statusCode).toBe(200)
    expect((await reader.post('/settings/health/jobs/retry', { queue: 'clean-up' })).statusCode).toBe(403)
    for (const check of ['mail', 'mail-domain', 'storage', 'time', 'backup'])
      expect((await reader.post(`/settings/health/checks/${check}`, {})).statusCode).toBe(403)
  })
})

describe('backups and restore tests', () => {
  test.each([
    ['an hour old', 1, 'ok'],
    ['more than a day old', 30, 'soon'],
    ['more than two days old', 60, 'red'],
  ])('a backup %s', async (_name, hours, state) => {
    await ran('backup', hours)
    expect(await lineNamed('backup')).toMatchObject({ state, code: 'backup-done', facts: { sizeBytes: 4_200_000 } })
  })

  test('a failed backup is red although the one before was good', async () => {
    await ran('backup', 5)
    await ran('backup', 1, { ok: false, detail: { problem: 'the disk is full' } })
    const { state, code, facts } = await lineNamed('backup')
    expect([state, code, facts.problem]).toEqual(['red', 'backup-failed', 'the disk is full'])
    expect(facts.goodAt).not.toBeNull()
  })

  test('a missing backup is red once the installation is two days old', async () => {
    expect(await lineNamed('backup')).toMatchObject({ state: 'soon', code: 'backup-never' })
    t.clock.set(new Date(Date.now() + 3 * 86_400_000))
    expect(await lineNamed('backup')).toMatchObject({ state: 'red', code: 'backup-never' })
  })

  test('npm run backup records its run; a failed run records why', { timeout: 120_000 }, async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-health-'))
    const archive = path.join(folder, 'pmb.tar.gz')
    const backUp = (to: string) =>
      spawnSync(process.execPath, ['apps/server/src/backup.ts', to], {
        encoding: 'utf8',
        env: { ...process.env, DATABASE_URL: t.connectionString, PMB_DATA_DIR: folder },
      })
    expect(backUp(archive).stderr).not.toMatch(/Error/)
    expect(await lineNamed('backup')).toMatchObject({
      state: 'ok',
      facts: { sizeBytes: fs.statSync(archive).size },
    })
    const { detail } = await t.db.selectFrom('maintenanceRuns').select('detail').executeTakeFirstOrThrow()
    expect(detail).toMatchObject({ archive, rows: expect.any(Number), files: 0, missingFiles: 0 })
    expect(backUp(path.join(archive, 'pmb.tar.gz')).status).toBe(1)
    expect(await lineNamed('backup')).toMatchObject({ state: 'red', code: 'backup-failed' })
    fs.rmSync(folder, { recursive: true })
  })

  test('a restore test is due every week', async () => {
    await ran('restore_test', 9 * 24)
    expect(await lineNamed('restore-test')).toMatchObject({ state: 'soon', code: 'restore-done' })
    await ran('restore_test', 24)
    expect(await lineNamed('restore-test')).toMatchObject({ state: 'ok' })
  })

  test('the version line shows the last update, and why it failed', async () => {
    expect(await lineNamed('version')).toMatchObject({ state: 'ok', code: 'version' })
    await ran('update', 24)
    const { code, facts } = await lineNamed('version')
    expect([code, facts.updatedAt]).toEqual(['version-updated', expect.any(String)])
    await ran('update', 1, { ok: false, detail: { problem: 'Migration 0099 failed' } })
    expect(await lineNamed('version')).toMatchObject({
      state: 'ok',
      code: 'version-update-failed',
      facts: { problem: 'Migration 0099 failed' },
    })
  })
})

describe('jobs', () => {
  /** A job of the queue that has used up its attempts. */
  async function aFailedJob(message = 'smtp: connection refused\n  at deliver') {
    await t.db.transaction().execute((tx) => t.services.jobs.enqueue(tx, cleanUpJob, {}))
    const { rows } = await sql<{ id: string }>`UPDATE pgboss.job SET state = 'failed', completed_on = now(),
      output = ${JSON.stringify({ message })}::jsonb WHERE name = 'clean-up' AND state = 'created' RETURNING id`.execute(
      t.owner,
    )
    return rows[0]!.id
  }
  beforeEach(() => sql`DELETE FROM pgboss.job`.execute(t.owner))

  test('a failed job is red, with the first line of its error', async () => {
    const id = await aFailedJob()
    expect(await lineNamed('jobs-failed')).toMatchObject({ state: 'red', facts: { failed: 1 } })
    const { queues } = (await administrator.get('/settings/health')).json().data
    expect(queues).toMatchObject([
      { name: 'clean-up', failed: 1, failures: [{ id, problem: 'smtp: connection refused', attempts: 1 }] },
    ])
  })

  test('a failed job runs again, once for two clicks, and then no longer counts as failed', async () => {
    const id = await aFailedJob()
    const retry = () => administrator.post('/settings/health/jobs/retry', { queue: 'clean-up', ids: [id] })
    const answers = await Promise.all([retry(), retry()])
    expect(answers.map((answer) => answer.json().data.retried).toSorted()).toEqual([0, 1])
    await t.runJobs()
    const { rows } = await sql<{ state: string }>`SELECT state FROM pgboss.job WHERE id = ${id}`.execute(t.owner)
    expect(rows).toEqual([{ state: 'completed' }])
    expect(await lineNamed('jobs-failed')).toMatchObject({ state: 'ok' })
    const audit = await t.db.selectFrom('auditLog').select('after').where('action', '=', 'job.retry').execute()
    expect(audit).toEqual([{ after: { retried: 1 } }])
  })

  test('all failed jobs of a queue run again, those of another queue do not', async () => {
    await aFailedJob()
    await aFailedJob()
    const answer = await administrator.post('/settings/health/jobs/retry', { queue: 'expire-virtual-accounts' })
    expect(answer.json().data).toEqual({ retried: 0 })
    expect((await administrator.post('/settings/health/jobs/retry', { queue: 'clean-up' })).json().data).toEqual({
      retried: 2,
    })
  })

  test('a failed run of a schedule is cleared by a later successful run', async () => {
    await aFailedJob()
    await sql`INSERT INTO pgboss.schedule (name, key, cron, timezone) VALUES ('clean-up', '', '0 0 * * *', 'UTC')`.execute(
      t.owner,
    )
    expect(await lineNamed('jobs-failed')).toMatchObject({ state: 'red' })
    await t.db.transaction().execute((tx) => t.services.jobs.enqueue(tx, cleanUpJob, {}))
    await t.runJobs()
    expect(await lineNamed('jobs-failed')).toMatchObject({ state: 'ok' })
    await sql`DELETE FROM pgboss.schedule`.execute(t.owner)
  })

  test('a job that no worker takes is soon after five minutes and red after a quarter of an hour', async () => {
    await t.db.transaction().execute((tx) => t.services.jobs.enqueue(tx, cleanUpJob, {}))
    expect(await lineNamed('jobs-waiting')).toMatchObject({ state: 'ok' })
    t.clock.set(new Date(Date.now() + 6 * 60_000))
    expect(await lineNamed('jobs-waiting')).toMatchObject({ state: 'soon', code: 'jobs-waiting' })
    t.clock.set(new Date(Date.now() + 16 * 60_000))
    expect(await lineNamed('jobs-waiting')).toMatchObject({ state: 'red' })
  })
})

describe('mail and banks', () => {
  const mails = (status: 'sent' | 'failed' | 'queued', count: number, minutesAgo = 1) =>
    sql`INSERT INTO messages (channel, to_address, event, language, subject, body, status, created_at)
      SELECT 'email', 'a@example.com', 'note', 'en', 's', 'b', ${status}, now() - make_interval(mins => ${minutesAgo}::int)
      FROM generate_series(1, ${count}::int)`.execute(t.owner)

  test('without a mail server a real installation is red', async () => {
    expect(await lineNamed('mail')).toMatchObject({ state: 'red', code: 'mail-outbox' })
  })

  test('one failed mail among many is ok, most mails of an hour failing is red', async () => {
    const mailing = await testApp({
      sameDatabaseAs: t,
      mail: { kind: 'smtp', send: async () => {}, close: async () => {} },
    })
    const state = async () => (await measureHealth(mailing.services)).find(({ name }) => name === 'mail')!.state
    expect(await state()).toBe('ok')
    await mails('sent', 30)
    await mails('failed', 1)
    expect(await state()).toBe('ok')
    await mails('failed', 6)
    expect(await state()).toBe('soon')
    await mails('failed', 30)
    expect(await state()).toBe('red')
    await sql`DELETE FROM messages`.execute(t.owner)
    await mails('queued', 1, 12)
    expect(await state()).toBe('soon')
    await mails('queued', 1, 40)
    expect(await state()).toBe('red')
    await mailing.close()
  })

  test('without a bank a real installation needs attention, and a demo does not', async () => {
    expect(await lineNamed('banks')).toMatchObject({ state: 'soon', code: 'bank-missing' })
    const demo = await testApp({ sameDatabaseAs: t, config: { demo: true } })
    expect(await lineNamed('banks', demo)).toMatchObject({ state: 'ok', code: 'bank-none' })
    await demo.close()
  })

  test('a bank that refuses counts as having answered; one that does not answer is red', async () => {
    const call = (status: number | null) =>
      sql`INSERT INTO bank_calls (provider, action, method, url, status, error, called_at, took_ms)
        VALUES ('bni', 'issue', 'POST', 'http://bank', ${status}, ${status ? null : 'no answer in time'}, now(), 5)`.execute(
        t.owner,
      )
    const secrets = { secretKey: 'xnd-key', callbackToken: 'xnd-token' }
    await aProvider(t, providerInput('xendit', { active: true, secrets }))
    for (const status of [200, 409, 400]) await call(status)
    expect(await lineNamed('banks')).toMatchObject({ state: 'ok', facts: { hourGood: 3, hourFailed: 0 } })
    for (const status of [null, 503, 429]) await call(status)
    expect(await lineNamed('banks')).toMatchObject({ state: 'red', facts: { hourGood: 3, hourFailed: 3 } })
  })
})

describe('the machine', () => {
  test('a disk is red below 1 GB and ok when half empty', () => {
    const disk = (freeBytes: number, sizeBytes: number) => stateOfDisk({ freeBytes, sizeBytes })
    expect(disk(0.9e9, 500e9)).toBe('red')
    expect(disk(1.2e9, 50e9)).toBe('red')
    expect(disk(4e9, 20e9)).toBe('soon')
    expect(disk(19e9, 500e9)).toBe('soon')
    expect(disk(25e9, 500e9)).toBe('ok')
  })

  test('a clock a minute ahead of the database is red', async () => {
    expect(await lineNamed('clock')).toMatchObject({ facts: { aheadSeconds: expect.any(Number) } })
    expect((await lineNamed('clock')).state).not.toBe('red')
    t.clock.set(new Date(Date.now() + 60_000))
    expect(await lineNamed('clock')).toMatchObject({ state: 'red' })
  })

  test('a certificate that browsers refuse is red, and an address without an answer is soon', async () => {
    const server = tls.createServer(selfSigned)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const services = { ...t.services, config: { ...t.services.config, publicUrl: `https://127.0.0.1:${port}` } }
    expect(await readCertificate(services)).toMatchObject({ kind: 'refused', problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    await new Promise((resolve) => server.close(resolve))
    // Cached for an hour, so that refreshing the page does not connect again.
    expect(await readCertificate(services)).toMatchObject({ kind: 'refused' })
    t.clock.set(new Date(Date.now() + 2 * 3_600_000))
    expect(await readCertificate(services)).toMatchObject({ kind: 'unreachable' })
  })

  test('database growth is computed from the sizes of earlier days', async () => {
    const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
    await sql`INSERT INTO database_sizes (day, bytes) VALUES (${day}::date, 1000)`.execute(t.owner)
    const { code, facts } = await lineNamed('database')
    expect([code, facts.days, Number(facts.growthBytes)]).toEqual([
      'database-grows',
      10,
      Number(facts.sizeBytes) - 1000,
    ])
    await sql`DELETE FROM database_sizes`.execute(t.owner)
  })

  test('contradictions in the books are red', async () => {
    expect(await lineNamed('books')).toMatchObject({ state: 'soon', code: 'books-never' })
    await sql`INSERT INTO invariant_runs (started_at, finished_at, found) VALUES (now(), now(), 2)`.execute(t.owner)
    expect(await lineNamed('books')).toMatchObject({ state: 'red', code: 'books-differ', facts: { found: 2 } })
  })
})

describe('response times', () => {
  test('are kept by route for an hour, with median, 95th percentile and maximum', () => {
    const times = answerTimes()
    const start = Date.UTC(2026, 0, 1)
    for (let i = 0; i < 95; i++) times.record('GET /api/a', 8, 200, start)
    for (let i = 0; i < 5; i++) times.record('GET /api/a', 700, 500, start)
    const { all, routes } = times.lastHour(start)
    expect(routes).toEqual([{ ...all, route: 'GET /api/a' }])
    expect(all).toMatchObject({ count: 100, failed: 5, slowestMs: 700 })
    expect(all.p50Ms).toBeGreaterThan(5)
    expect(all.p50Ms).toBeLessThanOrEqual(10)
    expect(all.p95Ms).toBeLessThanOrEqual(10)
    expect(times.lastHour(start + 59 * 60_000).all.count).toBe(100)
    expect(times.lastHour(start + 61 * 60_000).all.count).toBe(0)
    expect(times.sinceStart()[0]!.bins.reduce((sum, count) => sum + count)).toBe(100)
  })

  test("are recorded under the route's pattern, so that ids create no new routes", async () => {
    await administrator.get('/settings/providers/11111111-1111-4111-8111-111111111111')
    await administrator.get('/settings/providers/22222222-2222-4222-8222-222222222222')
    const { routes } = t.services.answerTimes.lastHour(Date.now())
    expect(routes.find(({ route }) => route === 'GET /api/settings/providers/:id')).toMatchObject({ count: 2 })
  })
})

describe('metrics', () => {
  test('do not exist without a token', async () => {
    expect((await t.app.inject({ url: '/api/metrics' })).statusCode).toBe(404)
    expect((await administrator.get('/metrics')).statusCode).toBe(404)
  })

  test('are sent only for the right token, in Prometheus format', async () => {
    const metricsToken = 'a token of sixteen or more'
    const second = await testApp({ sameDatabaseAs: t, config: { metricsToken } })
    const scrape = (token?: string) =>
      second.app.inject({ url: '/api/metrics', headers: token ? { authorization: `Bearer ${token}` } : {} })
    expect((await scrape()).statusCode).toBe(401)
    expect((await scrape('a token of sixteen or less')).statusCode).toBe(401)
    expect((await scrape(administrator.token)).statusCode).toBe(401)
    await second.app.inject({ url: '/api/branding' })
    const answer = await scrape(metricsToken)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const sample = /^pmb_[a-z_]+(_total|_bucket|_sum|_count)?(\{([a-z_]+="[^"]*",?)+\})? -?[\d.e+-]+$/
    for (const line of answer.body.trimEnd().split('\n'))
      expect(line).toMatch(/^# (HELP|TYPE) pmb_/.test(line) ? /./ : sample)
    expect(answer.body).toMatch(/^pmb_database_size_bytes \d+$/m)
    expect(answer.body).toMatch(
      /^pmb_http_request_duration_seconds_bucket\{method="GET",route="[^"]+",le="\+Inf"\} 1$/m,
    )
    await second.close()
  })
})

describe('WhatsApp items that were not understood', () => {
  const keep = async (values: object) => {
    const { id: connectionId } = await t.db.selectFrom('whatsappConnections').select('id').executeTakeFirstOrThrow()
    await t.db
      .insertInto('whatsappItems')
      .values({
        kind: 'message',
        ...{ connectionId, key: crypto.randomUUID(), raw: Buffer.from('{"item":"secret"}') },
        ...{ phone: '+6281300000001', receivedAt: hoursAgo(1), handledAt: hoursAgo(1), ...values },
      })
      .execute()
  }

  test('are counted and listed with the reason, without the text of the message', async () => {
    expect(await lineNamed('whatsapp')).toMatchObject({ state: 'ok', code: 'whatsapp-none' })
    await keep({})
    expect(await lineNamed('whatsapp')).toMatchObject({ state: 'ok', code: 'whatsapp-understood' })
    await keep({ handledAt: null, receivedAt: new Date() })
    expect(await lineNamed('whatsapp')).toMatchObject({ code: 'whatsapp-understood' })
    await keep({ problem: 'unknown_status', kind: 'status', receivedAt: hoursAgo(200) })
    expect(await lineNamed('whatsapp')).toMatchObject({
      state: 'ok',
      code: 'whatsapp-problems',
      facts: { notUnderstood: 1 },
    })
    await keep({ problem: 'no_sender', receivedAt: hoursAgo(30) })
    expect(await lineNamed('whatsapp')).toMatchObject({ state: 'soon', facts: { notUnderstood: 2 } })
    await keep({ problem: 'failed', detail: 'out of memory', handledAt: null })
    await keep({ handledAt: null, receivedAt: hoursAgo(2) })
    expect(await lineNamed('whatsapp')).toMatchObject({ state: 'red', facts: { notUnderstood: 4 } })
    const answer = await administrator.get('/settings/health')
    expect(answer.body).not.toMatch(/secret|6281300000001/)
    const { whatsapp } = answer.json().data
    expect(whatsapp.notUnderstood).toBe(4)
    expect(whatsapp.items).toMatchObject([
      { kind: 'message', problem: 'failed', detail: 'out of memory', connection: 'Outbox' },
      { kind: 'message', problem: null },
      { kind: 'message', problem: 'no_sender' },
      { kind: 'status', problem: 'unknown_status' },
    ])
  })

  test('are tried again when an administrator asks, except those that would give the same result every time', async () => {
    await keep({ problem: 'other_number' })
    await keep({ kind: 'notice', problem: 'unreadable' })
    const reader = await asWithPermissions(t, ['settings-health-view'])
    expect((await reader.post('/settings/health/whatsapp/retry', {})).statusCode).toBe(403)
    const answer = await administrator.post('/settings/health/whatsapp/retry', {})
    expect(answer.json().data).toEqual({ retried: 2 })
    await t.db.deleteFrom('whatsappItems').execute()
  })
})
