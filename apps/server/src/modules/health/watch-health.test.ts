import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HealthLineName } from '#domain/health/lines.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordMaintenance } from '#server/platform/backup/maintenance-runs.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { keepStates, watchHealthJob } from './watch-health.job.ts'

let t: TestApp
let administrator: TestActor

beforeAll(async () => {
  t = await testApp({ config: { demo: false } })
  administrator = await asStaff(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  await sql`DELETE FROM health_lines`.execute(t.owner)
  await sql`DELETE FROM messages`.execute(t.owner)
})

describe('a line that becomes red', () => {
  const notices = async () => {
    const rows = await t.db
      .selectFrom('messages')
      .select(['event', 'subject', 'channel'])
      .where('accountId', '=', administrator.accountId)
      .where('channel', '=', 'email')
      .where('event', 'like', 'health-%')
      .orderBy('createdAt')
      .execute()
    return rows.map(({ event, subject }) => `${event}: ${subject}`)
  }
  const watch = (state: 'ok' | 'soon' | 'red', host = 'a', name: HealthLineName = 'backup') =>
    inTransaction(t.services, systemActor, (context) => keepStates(context, [{ name, state }], host))

  test('is announced to administrators once by mail, and once more when it is ok again', async () => {
    for (const state of ['soon', 'red', 'red', 'red'] as const) await watch(state)
    expect(await notices()).toEqual(['health-red: Needs attention now: Last backup'])
    for (const state of ['ok', 'ok'] as const) await watch(state)
    expect(await notices()).toEqual([
      'health-red: Needs attention now: Last backup',
      'health-well: Working again: Last backup',
    ])
  })

  test('is announced once while it alternates between soon and red', async () => {
    for (const state of ['red', 'soon', 'red', 'soon', 'red'] as const) await watch(state)
    expect(await notices()).toHaveLength(1)
  })

  test('is announced by only one of several servers that see it at the same moment', async () => {
    const second = await testApp({ sameDatabaseAs: t })
    await Promise.all(
      [t, second, t, second].map((app) =>
        inTransaction(app.services, systemActor, (context) =>
          keepStates(context, [{ name: 'backup', state: 'red' }], `host ${Math.random()}`),
        ),
      ),
    )
    expect(await notices()).toHaveLength(1)
    await second.close()
  })

  test('is not announced as ok again if nobody was notified that it was red', async () => {
    await t.db.updateTable('accounts').set({ active: false }).execute()
    await watch('red')
    await t.db.updateTable('accounts').set({ active: true }).execute()
    await watch('ok')
    const { mail } = t.services.config
    t.services.config.mail = { ...mail, smtpUrl: undefined }
    await watch('red', 'a', 'mail')
    t.services.config.mail = { ...mail, smtpUrl: 'smtp://mail.example' }
    await watch('ok', 'a', 'mail')
    t.services.config.mail = mail
    expect(await notices()).toEqual([])
  })

  test('of one server does not hide the same line of another', async () => {
    await watch('red', 'a', 'data-disk')
    await watch('ok', 'b', 'data-disk')
    await watch('red', 'a', 'data-disk')
    expect(await notices()).toHaveLength(1)
    const rows = await t.db.selectFrom('healthLines').select(['server', 'state']).orderBy('server').execute()
    expect(rows).toEqual([
      { server: 'a', state: 'red' },
      { server: 'b', state: 'ok' },
    ])
  })

  test('is not announced to an account without the permission', async () => {
    const other = await asWithPermissions(t, ['audit-view'])
    await watch('red')
    const rows = await t.db.selectFrom('messages').select('id').where('accountId', '=', other.accountId).execute()
    expect(rows).toEqual([])
  })

  test("is found by the job, which also stores the day's database size", async () => {
    const sixtyHoursAgo = new Date(Date.now() - 60 * 3_600_000)
    await recordMaintenance(t.connectionString, {
      ...{ kind: 'backup', startedAt: sixtyHoursAgo, finishedAt: sixtyHoursAgo, ok: true, size: 4_200_000, detail: {} },
    })
    await watchHealthJob.run(t.services, {})
    expect(await notices()).toHaveLength(1)
    expect((await notices())[0]).toContain('Last backup')
    const sizes = await t.db.selectFrom('databaseSizes').selectAll().execute()
    expect(sizes).toEqual([{ day: new Date().toISOString().slice(0, 10), bytes: expect.any(Number) }])
    await watchHealthJob.run(t.services, {})
    expect(await notices()).toHaveLength(1)
  })
})
