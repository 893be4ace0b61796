import fs from 'node:fs'
import http from 'node:http'
import type net from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { jobs } from '#server/jobs.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aBankAccount, anImport } from '#server-test/factories/statements.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { endExportsJob } from './end-exports.job.ts'

let t: TestApp
let staff: TestActor
let academic: Awaited<ReturnType<typeof academicFixture>>

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())

const linesOf = (body: string) => body.replace('\uFEFF', '').trim().split('\r\n')
const register = async () =>
  (await staff.get('/exports')).json().data as {
    list: string
    status: string
    rows: number
    bytes: number
    filter: Record<string, string>
    filterWords: string
    format: string
    accountName: string
  }[]

describe('an export of master data', () => {
  it('has the filtered rows, names and codes instead of ids, labels instead of keys', async () => {
    const answer = await staff.get('/master/prodi/export?format=csv&q=Informatika&sort=-code')
    expect(answer.headers['content-type']).toContain('text/csv')
    expect(answer.headers['content-disposition']).toMatch(/prodi-\d{4}-\d\d-\d\d\.csv/)
    const [header, ...rows] = linesOf(answer.body)
    expect(header).toContain('Name,Code,Name in English,Faculty,Faculty code,Degree level')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain('Informatika,IF,,Fakultas Teknologi Informasi,FTI,')
  })

  it('uses the reader’s language and has the chosen columns in the chosen order', async () => {
    const answer = await staff.get('/master/jalur/export?format=csv&columns=name,kind,active', {
      'accept-language': 'id',
    })
    expect(linesOf(answer.body)[0]).toBe('Nama;Jenis;Aktif')
    expect(linesOf(answer.body)).toContain('Reguler;Reguler;Ya')
  })

  it('is refused if it asks for columns the list does not have, and names them', async () => {
    const answer = await staff.get('/master/jalur/export?format=csv&columns=name,gone,lost')
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { columns: ['The list has no such columns: gone, lost.'] },
    ])
  })

  it.each(['xlsx', 'pdf'] as const)('can have format %s too', async (format) => {
    const answer = await staff.get(`/master/fakultas/export?format=${format}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.subarray(0, 4).toString('latin1')).toBe(format === 'pdf' ? '%PDF' : 'PK\x03\x04')
  })

  it('of nested rows has those of their parent', async () => {
    const answer = await staff.get(`/master/prodi/${academic.programmes[0]}/detail/export?format=csv`)
    const [heads, ...lines] = linesOf(answer.body).map((line) => line.split(','))
    const above = heads!.indexOf('Study programme')
    expect(new Set(lines.map((cells) => cells[above]))).toEqual(new Set(['Informatika']))
    expect((await register())[0]).toMatchObject({ list: 'prodi-detail', filterWords: 'Study programme: Informatika' })
  })

  it('is refused without the permission to see the list, and hides fields only editors see', async () => {
    await staff.post('/master/afiliator', {
      code: 'AFX',
      name: 'Budi',
      kind: 'alumni',
      phone: '081234567890',
      email: 'budi@contoh.test',
    })
    const other = await asWithPermissions(t, ['master-fakultas-view'])
    expect((await other.get('/master/afiliator/export')).statusCode).toBe(403)
    const reader = await asWithPermissions(t, ['master-afiliator-view'])
    expect((await reader.get('/master/afiliator/export?format=csv')).body).not.toContain('81234567890')
    expect((await staff.get('/master/afiliator/export?format=csv')).body).toContain(',+6281234567890,')
  })

  it('has only rows of the programmes a role is limited to', async () => {
    const limited = await asWithPermissions(t, ['master-prodi-view'], { programmeIds: [academic.programmes[0]] })
    expect(linesOf((await limited.get('/master/prodi/export?format=csv')).body)).toHaveLength(2)
  })

  it('neutralises text that looks like a formula', async () => {
    await staff.post('/master/fakultas', { code: 'EVIL', name: '=HYPERLINK("http://x")' })
    expect((await staff.get('/master/fakultas/export?format=csv&q=EVIL')).body).toContain(`"'=HYPERLINK(""http://x"")"`)
  })
})

describe('an export that the database refuses', () => {
  it('answers with its status and ends as failed, in every format', async () => {
    await sql`ALTER TABLE affiliates RENAME TO affiliates_away`.execute(t.owner)
    try {
      const answers = await Promise.all(
        ['xlsx', 'xlsx', 'xlsx', 'csv', 'pdf'].map((format) => staff.get(`/master/afiliator/export?format=${format}`)),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(500))
    } finally {
      await sql`ALTER TABLE affiliates_away RENAME TO affiliates`.execute(t.owner)
    }
    await expect
      .poll(async () => (await register()).slice(0, 5).map(({ list, status }) => `${list} ${status}`))
      .toEqual(Array(5).fill('afiliator failed'))
  })

  it('because of a key with a NUL is refused like the page of the same rows', async () => {
    for (const address of ['rows?', 'rows/export?format=xlsx&', 'rows/export?format=csv&'])
      expect((await staff.get(`/reports/pendaftaran-prodi/${address}cell=programme:%2500`)).statusCode).toBe(422)
  })
})

describe('twenty exports at once', () => {
  it('five are served and fifteen refused', async () => {
    const statusCodes: number[] = []
    let answers: Promise<unknown> = Promise.resolve()
    await t.owner.transaction().execute(async (tx) => {
      await sql`LOCK TABLE affiliates IN ACCESS EXCLUSIVE MODE`.execute(tx)
      answers = Promise.all(
        Array.from({ length: 20 }, async () => {
          const { statusCode } = await staff.get('/master/afiliator/export?format=csv')
          statusCodes.push(statusCode)
        }),
      )
      // The served requests wait for the lock.
      await expect.poll(() => statusCodes.length).toBeGreaterThanOrEqual(15)
    })
    await answers
    expect(statusCodes).toEqual([...Array(15).fill(429), ...Array(5).fill(200)])
    await expect
      .poll(async () => (await register()).slice(0, 5).map(({ list, status }) => `${list} ${status}`))
      .toEqual(Array(5).fill('afiliator done'))
    expect((await staff.get('/master/afiliator/export?format=csv')).statusCode).toBe(200)
  })
})

describe('an export', () => {
  it.each(['/statement-lines', '/master/sma-nama/proposals', '/settings/audit', '/settings/roles'])(
    'of %s needs no second connection while its cursor is open',
    async (path) => {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const held = Array.from({ length: 9 }, () => t.db.connection().execute(() => released))
      try {
        expect((await staff.get(`${path}/export?format=csv`)).statusCode).toBe(200)
      } finally {
        release()
        await Promise.all(held)
      }
    },
  )
})

describe('an export that never ends', () => {
  it('counts as stopped after two hours', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const rowOf = (list: string, startedAt: Date) => ({
      accountId: staff.accountId,
      accountName: 'Petugas',
      roleName: 'Administrator',
      list,
      title: list,
      format: 'csv' as const,
      columns: [],
      filter: '{}',
      filterWords: '',
      startedAt,
    })
    await t.db
      .insertInto('exports')
      .values([rowOf('of-a-server-that-is-gone', hoursAgo(3)), rowOf('still-running', hoursAgo(1))])
      .execute()
    await endExportsJob.run(t.services, {})
    const rows = await t.db
      .selectFrom('exports')
      .select(['status', sql<boolean>`finished_at IS NOT NULL`.as('ended')])
      .where('list', 'in', ['of-a-server-that-is-gone', 'still-running'])
      .orderBy('startedAt')
      .execute()
    expect(rows).toEqual([
      { status: 'stopped', ended: true },
      { status: 'running', ended: false },
    ])
    expect(jobs).toContain(endExportsJob)
  })

  it('leaves no running row if its audit entry or its temporary file cannot be written', async () => {
    const running = async () =>
      (
        await t.db
          .selectFrom('exports')
          .select('id')
          .where('list', '=', 'fakultas')
          .where('status', '=', 'running')
          .execute()
      ).length
    const failingExport = async () => (await staff.get('/master/fakultas/export?format=csv')).statusCode
    await sql`CREATE FUNCTION lose_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'lost'; END $$`.execute(
      t.owner,
    )
    await sql`CREATE TRIGGER lose_entry BEFORE INSERT ON audit_log FOR EACH ROW WHEN (NEW.action = 'export.run')
      EXECUTE FUNCTION lose_entry()`.execute(t.owner)
    try {
      expect(await failingExport()).toBe(500)
      expect(await running()).toBe(0)
    } finally {
      await sql`DROP FUNCTION lose_entry CASCADE`.execute(t.owner)
    }
    vi.spyOn(fs.promises, 'open').mockRejectedValueOnce(new Error('the disk is full'))
    expect(await failingExport()).toBe(500)
    await expect.poll(running).toBe(0)
    vi.restoreAllMocks()
    expect(await failingExport()).toBe(200)
  })
})

describe('the register of exports', () => {
  it('shows who took what and how much, with the filter as sent and as text', async () => {
    const { body } = await staff.get('/master/jalur/export?format=csv&active=true&kind=regular')
    await expect
      .poll(async () => (await register())[0])
      .toMatchObject({
        list: 'jalur',
        format: 'csv',
        status: 'done',
        rows: linesOf(body).length - 1,
        bytes: Buffer.byteLength(body),
        accountName: 'Petugas Administrator',
        filter: { active: 'true', kind: 'regular' },
        filterWords: 'Active: Yes, Kind: Regular',
      })
  })

  it('names the row that a filter gives by id', async () => {
    const clerk = await asStaff(t, 'Keuangan')
    const bankAccount = await aBankAccount(t, clerk)
    await anImport(clerk, bankAccount.id, [['2026-11-20', 'SETORAN', '', 100_000]])
    const { id: importId } = await t.db.selectFrom('statementImports').select('id').executeTakeFirstOrThrow()
    const { roleId } = await t.db
      .selectFrom('accounts')
      .select('roleId')
      .where('id', '=', clerk.accountId)
      .executeTakeFirstOrThrow()
    const exportsWithWords: [TestActor, string, string][] = [
      [clerk, `/persetujuan/export?format=csv&requestedBy=${clerk.accountId}`, 'Asked by: Petugas Keuangan'],
      [staff, `/settings/audit/export?format=csv&actorId=${clerk.accountId}`, 'Person: Petugas Keuangan'],
      [staff, `/exports/export?format=csv&accountId=${clerk.accountId}`, 'Who: Petugas Keuangan'],
      [staff, `/settings/accounts/export?format=csv&roleId=${roleId}`, 'Role: Keuangan'],
      [clerk, `/statement-lines/export?format=csv&bankAccountId=${bankAccount.id}`, `Account: ${bankAccount.name}`],
      [clerk, `/statement-lines/export?format=csv&importId=${importId}`, 'Statement: koran.csv'],
    ]
    for (const [reader, path, filterWords] of exportsWithWords) {
      expect((await reader.get(path)).statusCode).toBe(200)
      await expect.poll(async () => (await register())[0]).toMatchObject({ filterWords })
    }
  })

  it('is read only with the permission for the audit log; it is searched, filtered and exported too', async () => {
    const other = await asWithPermissions(t, ['master-jalur-view'])
    expect((await other.get('/exports')).statusCode).toBe(403)
    const found = (await staff.get(`/exports?q=Kind&format=csv&from=2020-01-01&sort=-rows`)).json()
    expect(found.meta.total).toBeGreaterThan(0)
    expect((await staff.get(`/exports?to=2020-01-01`)).json().data).toEqual([])
    const sheet = linesOf((await staff.get('/exports/export?format=csv')).body)
    expect(sheet.length).toBeGreaterThan(3)
    // The export is marked as done right after its last byte was sent.
    await expect.poll(async () => (await register())[0]).toMatchObject({ list: 'exports', status: 'done' })
  })

  it('is written even if the reader disconnects halfway', async () => {
    await sql`INSERT INTO ethnic_groups (name) SELECT 'Suku ' || n || repeat(' panjang', 8) FROM generate_series(1, 50000) n`.execute(
      t.db,
    )
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as net.AddressInfo
    await new Promise<void>((resolve) => {
      const request = http.get(
        `http://127.0.0.1:${port}/api/master/suku/export?format=csv`,
        { headers: { authorization: `Bearer ${staff.token}` } },
        (response) => {
          response.once('data', () => {
            request.destroy()
            resolve()
          })
        },
      )
      request.on('error', () => {})
    })
    await expect.poll(async () => (await register())[0]).toMatchObject({ list: 'suku', status: 'stopped' })
    expect((await register())[0]!.rows).toBeLessThan(50_000)
  })

  it('counts every row of a long list', async () => {
    const answer = await staff.get('/master/suku/export?format=xlsx')
    expect(answer.statusCode).toBe(200)
    const total = (await staff.get('/master/suku')).json().meta.total
    // The register is written after the last byte.
    await expect.poll(async () => (await register())[0]).toMatchObject({ status: 'done', rows: expect.any(Number) })
    expect((await register())[0]!.rows).toBeGreaterThanOrEqual(50_000)
    expect(total).toBeGreaterThan(10_000)
  })

  it('keeps no connection for a reader that pauses, and is complete in the end', async () => {
    // More than the buffers of a connection hold.
    await sql`INSERT INTO ethnic_groups (name) SELECT 'Suku lain ' || n || repeat(' panjang', 8) FROM generate_series(1, 150000) n`.execute(
      t.db,
    )
    const { port } = t.app.server.address() as net.AddressInfo
    const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
      http
        .get(
          `http://127.0.0.1:${port}/api/master/suku/export?format=csv`,
          { headers: { authorization: `Bearer ${staff.token}` } },
          resolve,
        )
        .on('error', reject),
    )
    response.pause()
    const held = async () => {
      const { rows } = await sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND (state LIKE 'idle in transaction%' OR query LIKE 'FETCH%' AND state = 'active')`.execute(
        t.owner,
      )
      return rows.length
    }
    await expect.poll(held).toBe(1)
    await expect.poll(held, { timeout: 60_000 }).toBe(0)
    expect((await register())[0]).toMatchObject({ list: 'suku', status: 'running' })
    const bytes = await buffer(response)
    expect(bytes.toString().split('\r\n').length).toBeGreaterThan(200_000)
    await expect.poll(async () => (await register())[0]).toMatchObject({ status: 'done', bytes: bytes.length })
  }, 90_000)
})
