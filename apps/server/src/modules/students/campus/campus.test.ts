import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueStudentNumber } from '#server/modules/students/issue-student-number.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration, payBills } from '#server-test/factories/admissions.ts'
import { untilLocked } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  admin = await asStaff(t, 'Administrator')
})
afterAll(() => t?.close())

let names = 0
async function aToken(scope: { withIdentity?: boolean; programmeIds?: string[] } = {}) {
  const answer = await admin.post('/settings/campus', {
    name: `SIAKAD ${++names}`,
    withIdentity: false,
    programmeIds: [],
    ...scope,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data as { id: string; token: string }
}

const call = (token: string | null, query = '') =>
  t.app.inject({
    url: `/api/campus/students${query}`,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
type Row = {
  id: string
  npm: string | null
  state: string
  withdrawnNumbers: string[]
  name: string
  identity: object | null
}
type Page = { data: Row[]; meta: { next: string | null; changedSince: string | null } }
const read = async (token: string, query = '') => (await call(token, query)).json() as Page
const since = (moment: string | null) => `?changedSince=${encodeURIComponent(moment!)}`

/** Reads all pages, as a campus system does. */
async function readAll(token: string, limit = 500) {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await read(token, `?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    rows.push(...page.data)
    cursor = page.meta.next
  }
  return rows
}

async function aConfirmed(options = {}) {
  const registration = await aRegistration(t, { status: 'confirmed', ...options })
  await t.db.transaction().execute((tx) => payBills(tx, registration.id, now))
  return registration
}
const issue = (id: string) => admin.post(`/npm-mahasiswa/${id}`, {})
async function aStudent(options = {}) {
  const registration = await aConfirmed(options)
  const { npm } = (await issue(registration.id)).json().data
  return { ...registration, npm: npm as string }
}

describe('a token of the campus system', () => {
  it('is shown once, stored as a hash, and gives access to students only', async () => {
    const { id, token } = await aToken()
    expect(token).toMatch(/^pmb_campus_[\w-]{43}$/)
    const listed = await admin.get('/settings/campus')
    const detail = await admin.get(`/settings/campus/${id}`)
    const audit = await t.db.selectFrom('auditLog').selectAll().where('action', '=', 'campus.create').execute()
    const rows = await t.db.selectFrom('campusTokens').selectAll().execute()
    const answers = await t.db.selectFrom('idempotencyKeys').selectAll().execute()
    expect(detail.json().data).toMatchObject({ id, lastUsedAt: null, revokedAt: null, programmes: null })
    for (const text of [listed.body, detail.body, JSON.stringify([audit, rows, answers])])
      expect(text).not.toContain(token)
    expect((await call(token)).statusCode).toBe(200)
    for (const url of ['/api/npm-mahasiswa', '/api/auth/my-profile', '/api/settings/campus'])
      expect((await t.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode, url).toBe(401)
  })

  it("is needed: without it, with a wrong one or with an administrator's session the call gets 401", async () => {
    const { token } = await aToken()
    for (const wrong of [null, `${token}x`, 'pmb_campus_', admin.token])
      expect((await call(wrong)).statusCode, String(wrong)).toBe(401)
  })

  it('is revoked at once and for good, and a refused call is logged', async () => {
    const { id, token } = await aToken()
    await aStudent()
    const { data } = await read(token, '?limit=1')
    expect(data).toHaveLength(1)
    expect((await admin.post(`/settings/campus/${id}/revoke`, { reason: 'x' })).statusCode).toBe(422)
    const revoked = await admin.post(`/settings/campus/${id}/revoke`, { reason: 'Server lama dimatikan' })
    expect(revoked.json().data).toMatchObject({
      revokedReason: 'Server lama dimatikan',
      revokedBy: 'Petugas Administrator',
    })
    expect((await call(token)).statusCode).toBe(401)
    const again = await admin.post(`/settings/campus/${id}/revoke`, { reason: 'Sekali lagi' })
    expect([again.statusCode, again.json().code]).toEqual([409, 'campus_token_revoked'])
    const calls = (await admin.get(`/settings/campus/${id}/calls`)).json().data
    expect(calls).toMatchObject([
      { outcome: 'revoked', students: 0 },
      { outcome: 'answered', students: 1, changedSince: null },
    ])
    expect((await admin.get('/settings/campus?state=revoked')).json().data).toMatchObject([{ id, state: 'revoked' }])
    await expect(
      sql`UPDATE campus_tokens SET revoked_at = NULL, revoked_by = NULL, revoked_reason = NULL
      WHERE id = ${id}`.execute(t.owner),
    ).rejects.toThrow('does not change')
  })

  it('has a name that no other active token has', async () => {
    const { id } = await aToken()
    const { name } = (await admin.get(`/settings/campus/${id}`)).json().data
    const make = () =>
      admin.post('/settings/campus', { name: name.toLowerCase(), withIdentity: false, programmeIds: [] })
    const refused = await make()
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['name']])
    await admin.post(`/settings/campus/${id}/revoke`, { reason: 'Diganti' })
    expect((await make()).statusCode).toBe(200)
  })

  it('reads identity numbers only if its creator may see them and included them', async () => {
    const { id } = await aStudent()
    await sql`UPDATE applicants SET nik = '3578010101080001', mother_name = 'Siti' WHERE id =
      (SELECT applicant_id FROM registrations WHERE id = ${id})`.execute(t.db)
    const [plain, full] = [await aToken(), await aToken({ withIdentity: true })]
    const find = (rows: Row[]) => rows.find((row) => row.id === id)
    expect(find(await readAll(plain.token))).toMatchObject({ identity: null })
    expect(JSON.stringify(await readAll(plain.token))).not.toContain('3578010101080001')
    expect(find(await readAll(full.token))).toMatchObject({ identity: { nik: '3578010101080001', motherName: 'Siti' } })
    const clerk = await asWithPermissions(t, ['settings-campus-create'])
    const refused = await clerk.post('/settings/campus', { name: 'Lebih', withIdentity: true, programmeIds: [] })
    expect(refused.statusCode).toBe(403)
  })

  it('limited to some programmes reads only their students', async () => {
    const { programmes } = await academicOf(t)
    const inside = await aStudent()
    const { programmeId } = await t.db
      .selectFrom('students')
      .select('programmeId')
      .where('registrationId', '=', inside.id)
      .executeTakeFirstOrThrow()
    const other = programmes.find((id) => id !== programmeId)!
    const [own, foreign] = [await aToken({ programmeIds: [programmeId] }), await aToken({ programmeIds: [other] })]
    expect((await readAll(own.token)).map(({ id }) => id)).toContain(inside.id)
    expect((await readAll(foreign.token)).map(({ id }) => id)).not.toContain(inside.id)
    const unknown = await admin.post('/settings/campus', {
      name: 'Tak dikenal',
      withIdentity: false,
      programmeIds: [inside.id],
    })
    expect(Object.keys(unknown.json().errors)).toEqual(['programmeIds'])
  })

  it('is limited to 60 calls a minute, counted per token', async () => {
    const [busy, calm] = [await aToken(), await aToken()]
    const answers = await Promise.all(Array.from({ length: 61 }, () => call(busy.token, '?limit=1')))
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status !== 200)).toEqual([429])
    expect((await call(calm.token)).statusCode).toBe(200)
  })

  it('is created, read and revoked only by roles for the whole university', async () => {
    const { programmes } = await academicOf(t)
    const { id } = await aToken()
    const clerk = await asWithPermissions(
      t,
      ['settings-campus-view', 'settings-campus-create', 'settings-campus-delete'],
      { programmeIds: [programmes[1]!] },
    )
    const answers = [
      await clerk.get('/settings/campus'),
      await clerk.get(`/settings/campus/${id}`),
      await clerk.get(`/settings/campus/${id}/calls`),
      await clerk.post('/settings/campus', { name: 'Sempit', withIdentity: false, programmeIds: [programmes[1]!] }),
      await clerk.post(`/settings/campus/${id}/revoke`, { reason: 'Coba-coba' }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
  })
})

describe('students for the campus system', () => {
  it('are read page by page, each once, in order of their last change', async () => {
    const students = [await aStudent(), await aStudent(), await aStudent()]
    const { token } = await aToken()
    const rows = await readAll(token, 1)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(rows.slice(-3).map(({ id, npm }) => ({ id, npm }))).toEqual(students.map(({ id, npm }) => ({ id, npm })))
    expect((await call(token, '?limit=501')).statusCode).toBe(422)
    expect((await call(token, '?changedSince=yesterday')).statusCode).toBe(422)
  })

  it('appear again after a correction, a new e-mail address or a withdrawn number', async () => {
    const { id, npm, applicant } = await aStudent()
    const { token } = await aToken()
    let last = (await read(token, '?limit=500')).meta.changedSince
    const changed = async () => {
      const { data, meta } = await read(token, since(last))
      last = meta.changedSince
      return data.filter((row) => row.id === id)
    }
    // `changedSince` includes the row changed at that moment.
    await aStudent()
    await changed()
    await sql`UPDATE applicants SET full_name = 'Nama Baru' WHERE account_id = ${applicant.accountId}`.execute(t.db)
    expect(await changed()).toMatchObject([{ name: 'Nama Baru', state: 'enrolled', npm }])
    await sql`UPDATE accounts SET email = 'baru-sekali@contoh.test' WHERE id = ${applicant.accountId}`.execute(t.db)
    expect(await changed()).toMatchObject([{ email: 'baru-sekali@contoh.test' }])
    await admin.post(`/npm-mahasiswa/${id}/withdraw`, { npm, reason: 'Prodi keliru' })
    expect(await changed()).toMatchObject([{ state: 'withdrawn', npm: null, withdrawnNumbers: [npm] }])
    const next = (await issue(id)).json().data.npm
    expect(await changed()).toMatchObject([{ state: 'enrolled', npm: next, withdrawnNumbers: [npm] }])
  })

  it('are not missed by a read made while a transaction that issues a number is still open', async () => {
    const [early, late] = [await aConfirmed(), await aConfirmed()]
    const { token } = await aToken()
    let seenUntil: string | null = null
    await inTransaction(t.services, systemActor, async (context) => {
      await issueStudentNumber(context, early.id)
      // Numbers from one counter wait for each other; meanwhile a student without a counter is added and read.
      await t.owner.transaction().execute(async (other) => {
        await sql`INSERT INTO students (registration_id, account_id, programme_id, npm, issued_at)
          SELECT id, account_id, accepted_programme_id, 'LAIN-1', now() FROM registrations WHERE id = ${late.id}`.execute(
          other,
        )
        await sql`UPDATE registrations SET status = 'enrolled', enrolled_at = now() WHERE id = ${late.id}`.execute(
          other,
        )
      })
      const { data, meta } = await read(token, '?limit=500')
      expect(data.map(({ id }) => id)).toContain(late.id)
      expect(data.map(({ id }) => id)).not.toContain(early.id)
      seenUntil = meta.changedSince
    })
    const { data } = await read(token, since(seenUntil))
    expect(data.map(({ id }) => id)).toContain(early.id)
  })

  it('are not missed by a read made between a change and its commit', async () => {
    const [first, second] = [await aStudent(), await aStudent()]
    const { token } = await aToken()
    const rename = (id: string, name: string) =>
      sql`UPDATE applicants SET full_name = ${name} WHERE id = (SELECT applicant_id FROM registrations WHERE id = ${id})`
    let seenUntil: string | null = null
    let renaming: Promise<unknown> | undefined
    await t.owner.transaction().execute(async (tx) => {
      await rename(first.id, 'Satu').execute(tx)
      await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
      renaming = rename(second.id, 'Dua').execute(t.db)
      await Promise.race([renaming, untilLocked(t, 1)])
      seenUntil = (await read(token, '?limit=500')).meta.changedSince
    })
    await renaming
    const { data } = await read(token, since(seenUntil))
    expect(data.filter(({ name }) => name === 'Satu' || name === 'Dua')).toHaveLength(2)
  })

  it('all arrive when twenty numbers are issued at once during the reading', async () => {
    const { token } = await aToken()
    const confirmed = await Promise.all(Array.from({ length: 20 }, () => aConfirmed()))
    const seen = new Set<string>()
    let last = (await read(token, '?limit=500')).meta.changedSince
    let isIssuing = true
    const issuing = Promise.all(confirmed.map(({ id }) => issue(id))).finally(() => {
      isIssuing = false
    })
    for (let round = 0; round < 40; round++) {
      const wasIssuing = isIssuing
      const { data, meta } = await read(token, since(last))
      for (const { id } of data) seen.add(id)
      last = meta.changedSince
      if (!wasIssuing) break
    }
    await issuing
    expect(confirmed.filter(({ id }) => !seen.has(id))).toEqual([])
  })
})

describe('the CSV for the campus system', () => {
  const csv = async (actor: TestActor, query = '') => {
    const answer = await actor.get(`/npm-mahasiswa/campus/export${query}`)
    return { status: answer.statusCode, lines: answer.body.replace('\uFEFF', '').trimEnd().split('\r\n') }
  }
  const save = (columns: { field: string; heading: string }[], version: number, actor = admin) =>
    actor.put('/npm-mahasiswa/campus/mapping', { columns, version })

  it('has default columns until the university saves its own names and order', async () => {
    const { npm } = await aStudent()
    expect((await csv(admin)).lines[0]).toMatch(/^nim[,;]nama[,;]kode_prodi/)
    const columns = [
      { field: 'name', heading: 'Nama Lengkap' },
      { field: 'npm', heading: 'NIM' },
    ]
    const saved = await save(columns, 0)
    expect(saved.json().data).toMatchObject({ columns, version: 1, edited: { by: 'Petugas Administrator' } })
    const { lines } = await csv(admin)
    expect(lines[0]).toMatch(/^Nama Lengkap[,;]NIM$/)
    expect(lines.filter((line) => line.endsWith(npm))).toHaveLength(1)
    const stale = await save(columns, 0)
    expect([stale.statusCode, stale.json().code]).toEqual([409, 'stale_version'])
    const repeated = await save([...columns, { field: 'email', heading: 'nim' }], 1)
    expect(Object.keys(repeated.json().errors)).toEqual(['columns'])
  })

  it('with identity numbers is refused to readers who may not see them', async () => {
    const { version } = (await admin.get('/npm-mahasiswa/campus/mapping')).json().data
    await save(
      [
        { field: 'npm', heading: 'NIM' },
        { field: 'nik', heading: 'NIK' },
      ],
      version,
    )
    const clerk = await asWithPermissions(t, ['npm-mahasiswa-view'])
    expect((await csv(clerk)).status).toBe(403)
    expect((await csv(admin)).status).toBe(200)
    await save([{ field: 'npm', heading: 'NIM' }], version + 1)
  })

  it("contains students of the reader's programmes; only roles for the whole university change its columns", async () => {
    const { programmes } = await academicOf(t)
    const { npm, id } = await aStudent()
    const { programmeId } = await t.db
      .selectFrom('students')
      .select('programmeId')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    const of = (programme: string) =>
      asWithPermissions(t, ['npm-mahasiswa-view', 'npm-mahasiswa-update'], { programmeIds: [programme] })
    const [inside, outside] = [await of(programmeId), await of(programmes.find((one) => one !== programmeId)!)]
    expect((await csv(inside)).lines).toContain(npm)
    expect((await csv(outside)).lines).toEqual(['NIM'])
    expect((await save([{ field: 'npm', heading: 'X' }], 1, inside)).statusCode).toBe(403)
  })
})
