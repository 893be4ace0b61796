import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckOutcome } from '#domain/health/endpoints.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { withSettings } from '#server-test/factories/installation/other-settings.ts'
import { aXendit } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { checkStorage } from './storage.ts'

let t: TestApp
let administrator: TestActor

beforeAll(async () => {
  t = await testApp()
  administrator = await asStaff(t)
})
afterAll(() => t.close())

describe('storage, time and backups', () => {
  const check = async (actor: TestActor, name: string) => {
    const answer = await actor.post(`/settings/health/checks/${name}`, {})
    expect(answer.statusCode).toBe(200)
    return (answer.json().data as CheckOutcome).results
  }

  test('storage is written, read and cleaned up', async () => {
    expect(await check(administrator, 'storage')).toMatchObject([{ code: 'storage-ok', state: 'ok' }])
    const folder = path.join(t.services.config.dataDir, 'files/health')
    expect(fs.readdirSync(folder)).toEqual([])
  })

  test.each([
    ['a full disk', { code: 'ENOSPC' }, 'storage-full'],
    ["another user's folder", { code: 'EACCES' }, 'storage-forbidden'],
    ['a bucket that does not exist', { name: 'NoSuchBucket' }, 'storage-bucket'],
    ['a wrong S3 secret', { name: 'SignatureDoesNotMatch' }, 'storage-key'],
    ['an endpoint that does not answer', { code: 'ECONNREFUSED' }, 'storage-unreachable'],
  ])('%s is reported with a sentence', async (_name, error, code) => {
    const put = () => Promise.reject(Object.assign(new Error('refused'), error))
    const files = { ...t.services.files, put } as FileStore
    expect(await checkStorage({ ...t.services, files })).toMatchObject([{ code, state: 'red' }])
  })

  test('bytes that come back changed are reported', async () => {
    const files = { ...t.services.files, bytes: async () => Buffer.from('other') } as FileStore
    expect(await checkStorage({ ...t.services, files })).toMatchObject([{ code: 'storage-differs', state: 'red' }])
  })

  test('the clock agrees with the database, and an hour of difference is red', async () => {
    expect((await check(administrator, 'time'))[0]).toMatchObject({ code: 'time-ok' })
    t.clock.set(new Date(Date.now() + 3_600_000))
    expect((await check(administrator, 'time'))[0]).toMatchObject({ code: 'time-differs', state: 'red' })
    t.clock.reset()
  })

  test('the backup folder is missing, on the same disk as the data, or a file', async () => {
    const dataDir = fs.mkdtempSync(path.join(t.services.config.dataDir, 'checks-'))
    const backupDir = path.join(dataDir, 'backups')
    await withSettings(t, { dataDir, backupDir }, async (actor) => {
      expect(await check(actor, 'backup')).toMatchObject([{ code: 'backup-folder-missing', state: 'red' }])
      fs.mkdirSync(backupDir)
      const codes = (await check(actor, 'backup')).map(({ code }) => code)
      expect(codes).toContain('backup-folder-same-disk')
      expect(fs.readdirSync(backupDir)).toEqual([])
      fs.rmdirSync(backupDir)
      fs.writeFileSync(backupDir, '')
      expect(await check(actor, 'backup')).toMatchObject([{ code: 'backup-folder-forbidden', state: 'red' }])
    })
    fs.rmSync(dataDir, { recursive: true })
  })

  test('the last result stays on the page with its time and actor, and in the audit log', async () => {
    await check(administrator, 'storage')
    const { checks } = (await administrator.get('/settings/health/checks')).json().data
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'storage', state: 'ok', checkedBy: 'Petugas Administrator' }),
    )
    const audit = await t.db
      .selectFrom('auditLog')
      .select('subjectId')
      .where('action', '=', 'connection.check')
      .where('subjectId', '=', 'storage')
      .execute()
    expect(audit.length).toBeGreaterThan(0)
  })
})

describe('the first signed call from a bank', () => {
  test('is shown when it arrives, with the last refused one before it', async () => {
    const { peer } = await aXendit(t, 'bank-x')
    const standing = async () => (await administrator.get('/settings/health/checks')).json().data.banks[0]
    expect(await standing()).toMatchObject({ name: 'bank-x', verifiedAt: null, refused: null, answeredAt: null })
    await t.app.inject({
      method: 'POST',
      url: '/api/providers/bank-x/report',
      headers: { 'x-callback-token': 'not the token' },
      payload: { id: 'one' },
    })
    expect(await standing()).toMatchObject({ verifiedAt: null, refused: { outcome: 'wrong_signature' } })
    await sql`INSERT INTO bank_reports (provider, body, headers, received_at, outcome)
      VALUES ('bank-x', '', '{}', now(), 'ignored')`.execute(t.owner)
    await sql`INSERT INTO bank_calls (provider, action, method, url, status, called_at, took_ms)
      VALUES ('bank-x', 'check', 'GET', 'https://bank.invalid', NULL, now(), 5)`.execute(t.owner)
    const now = await standing()
    expect(now).toMatchObject({ verifiedAt: expect.any(String), unanswered: { problem: '' } })
    await peer.close()
  })
})
