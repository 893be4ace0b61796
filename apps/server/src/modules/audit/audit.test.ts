import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registrationTransitions } from '#domain/admissions/registration-status.ts'
import { auditKinds, readingActions } from '#domain/audit/kinds.ts'
import { listAudit } from '#domain/audit/lists.ts'
import { actionSentence } from '#domain/audit/sentence.ts'
import { staffSteps } from '#domain/campaigns/campaigns.ts'
import { reviewActions } from '#domain/documents/document-status.ts'
import { eventSteps } from '#domain/events/events.ts'
import type { FiltersOf } from '#domain/list.ts'
import { approvalTransitions } from '#domain/payments/approvals/approvals.ts'
import { entities } from '#entities/index.ts'
import { audit as words } from '#locales/en/audit.ts'
import { hasSentence } from '#locales/translate.ts'
import { matchingRows, readerFor } from '#server/list/serve-list.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { sentences } from '#server/platform/text.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { aCampaign } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { auditSource } from './audit.routes.ts'
import { entryColumns } from './find-entries.ts'

let t: TestApp
let reader: TestActor
beforeAll(async () => {
  t = await testApp()
  reader = await asWithPermissions(t, ['audit-view'])
})
afterAll(() => t.close())

const list = async (query: string) => (await reader.get(`/settings/audit?${query}`)).json()
const record = (action: string, on: Record<string, string>, change: object = {}) =>
  recordAudit(t.db, systemActor, { action, on, ...change })

describe('reading the audit log', () => {
  test('a change of master data records actor, change, origin, and the record with its screen', async () => {
    const staff = await asStaff(t, 'Administrator')
    const created = (await staff.post('/master/fakultas', { code: 'FTK', name: 'Teknik Kelautan' })).json().data
    await staff.put(`/master/fakultas/${created.id}`, { ...pick(created), name: 'Teknologi Kelautan', version: 1 })
    const { data, meta } = await list(`subjectType=fakultas&subjectId=${created.id}`)
    expect(meta.total).toBe(2)
    expect(data[0]).toMatchObject({
      action: 'fakultas.update',
      actor: { id: staff.accountId, name: 'Petugas Administrator', role: 'Administrator' },
      subject: { title: 'Teknologi Kelautan', path: `/master/fakultas/${created.id}` },
      before: { name: 'Teknik Kelautan' },
      after: { name: 'Teknologi Kelautan' },
      ip: '127.0.0.1',
    })
    expect(data[0].requestId).toBeTruthy()
  })

  test('a campaign is opened on the screen of its audience', async () => {
    const paths = {
      registrations: '/kirim-informasi/pendaftaran',
      sheet: '/kirim-informasi/file-excel',
      leads: '/marketing/kirim-informasi',
    } as const
    for (const audience of ['registrations', 'sheet', 'leads'] as const) {
      const id = await aCampaign(t, { audience, state: 'planned' }, [])
      await record('campaign.create', { campaign: id })
      const { data } = await list(`subjectType=campaign&subjectId=${id}`)
      expect(data[0].subject.path).toBe(`${paths[audience]}/${id}`)
    }
  })

  test('filters by actor, action, kind, address and days, both days included', async () => {
    const staff = await asStaff(t, 'Administrator')
    await staff.post('/master/suku', { name: 'Suku A' })
    const countMatching = async (query: string) => (await list(query)).meta.total
    expect(await countMatching(`actorId=${staff.accountId}`)).toBe(1)
    expect(await countMatching(`actorId=${staff.accountId}&kind=master`)).toBe(1)
    expect(await countMatching(`actorId=${staff.accountId}&kind=payments`)).toBe(0)
    expect(await countMatching(`actorId=${staff.accountId}&action=suku.create`)).toBe(1)
    expect(await countMatching(`actorId=${staff.accountId}&ip=127.0.0.1`)).toBe(1)
    expect(await countMatching(`actorId=${staff.accountId}&ip=10.0.0.9`)).toBe(0)
    const day = (shift: number) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format(new Date(Date.now() + shift * 86_400_000))
    expect(await countMatching(`actorId=${staff.accountId}&from=${day(0)}&to=${day(0)}`)).toBe(1)
    expect(await countMatching(`actorId=${staff.accountId}&from=${day(1)}`)).toBe(0)
    expect(await countMatching(`actorId=${staff.accountId}&to=${day(-1)}`)).toBe(0)
    expect((await reader.get('/settings/audit?from=yesterday')).statusCode).toBe(422)
  })

  test('people are found by name, records by id', async () => {
    const staff = await asStaff(t, 'Administrator', { name: 'Wening Pratiwi' })
    const created = (await staff.post('/master/suku', { name: 'Suku B' })).json().data
    expect((await list('q=wening')).data[0].actor.name).toBe('Wening Pratiwi')
    expect((await list(`q=${created.id}`)).data).toHaveLength(1)
  })

  test('is refused without the permission, and for a role limited to some programmes', async () => {
    const other = await asWithPermissions(t, ['settings-general-view'])
    expect((await other.get('/settings/audit')).statusCode).toBe(403)
    const { programmes } = await academicOf(t)
    const limited = await asWithPermissions(t, ['audit-view'], { programmeIds: [programmes[0]] })
    for (const path of ['/settings/audit', '/settings/audit/export?format=csv']) {
      const answer = await limited.get(path)
      expect(answer.statusCode).toBe(403)
      expect(answer.json().code).toBe('audit_needs_whole_view')
      expect(answer.json().message).toContain('limited')
    }
  })

  test('a read while seeing as another account names both accounts', async () => {
    await sql`INSERT INTO audit_log (actor_name, role_name, action, subject_type, subject_id, acting_as_name)
      VALUES ('Rina', 'Administrator', 'document.view', 'document', 'seen-as', 'Budi')`.execute(t.db)
    expect((await list('subjectId=seen-as')).data[0].actor).toMatchObject({ name: 'Rina', actingAs: 'Budi' })
    const sheet = await reader.get('/settings/audit/export?format=csv&subjectId=seen-as')
    expect(sheet.body).toContain('Rina, seen as Budi')
  })

  test('no route changes or deletes entries', async () => {
    const admin = await asStaff(t, 'Administrator')
    const { data } = await list('')
    expect((await admin.put(`/settings/audit/${data[0].id}`, {})).statusCode).toBe(404)
    expect((await admin.delete(`/settings/audit/${data[0].id}`)).statusCode).toBe(404)
  })

  test('an export has the filtered entries as text, is listed, and is itself recorded', async () => {
    await record('registration.submit', { registration: 'export-me' }, { after: { status: 'submitted' } })
    const answer = await reader.get('/settings/audit/export?format=csv&subjectId=export-me')
    expect(answer.statusCode).toBe(200)
    const lines = answer.body.trim().split('\n')
    expect(lines[1]).toContain('Submitted the registration')
    expect(lines[1]).toContain('Status: submitted')
    expect(lines).toHaveLength(2)
    const { data } = await list('action=export.run')
    expect(data[0]).toMatchObject({ actor: { id: reader.accountId }, after: { list: 'audit', format: 'csv' } })
    expect(data[0].after.filter).toContain('export-me')
  })
})

const pick = ({ code, name, nameEn, dean }: Record<string, unknown>) => ({ code, name, nameEn, dean })

describe('secrets that are never recorded', () => {
  test.each([
    ['a password', { password: 'Rahasia-2026!' }, 'Rahasia'],
    ['a hash', { passwordHash: '$argon2id$v=19$abc' }, 'argon2id'],
    ['a token', { session: { accessToken: 'tok_123456' } }, 'tok_'],
    ['a TOTP secret', { totpSecret: 'JBSWY3DPEHPK3PXP' }, 'JBSW'],
    ['recovery codes', { recoveryCodes: ['aaaa-bbbb'] }, 'aaaa'],
    ['a whole NIK', { nik: '3171234567890123', list: [{ motherNik: '3171234567890123' }] }, '317123456789'],
    ['a whole bank account', { bankAccount: '1234567890' }, '123456'],
  ])('%s', async (_what, after, part) => {
    const id = crypto.randomUUID()
    await record('account.change_password', { account: id }, { before: after, after })
    const row = await t.db.selectFrom('auditLog').selectAll().where('subjectId', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(part)
    expect(JSON.stringify(row)).toContain('••••')
  })

  test('a flag about a secret stays readable', async () => {
    await record('role.update', { role: 'flag' }, { after: { requireTotp: true } })
    expect((await list('subjectId=flag')).data[0].after).toEqual({ requireTotp: true })
  })

  test("masks full numbers of a profile and a licence, and an affiliate's full bank account", async () => {
    const person = await asApplicant(t)
    await person.put('/auth/my-profile', {
      version: 0,
      fullName: 'Sari',
      nik: '3171015501050001',
      birthDate: '2005-01-15',
    })
    await person.put('/account/driving-licence', {
      version: 0,
      drives: true,
      class: 'C',
      number: '123456789012',
      expiresOn: '2031-01-01',
    })
    const rows = await t.db.selectFrom('auditLog').selectAll().where('actorId', '=', person.accountId).execute()
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(rows)).not.toMatch(/31710155|12345678/)
    const sensitive = entities.flatMap(({ slug, fields }) =>
      Object.entries(fields).flatMap(([key, field]) => (field.sensitive ? [[slug, key] as const] : [])),
    )
    expect(sensitive.length).toBeGreaterThan(0)
    for (const [type, key] of sensitive) {
      await record(`${type}.update`, { [type]: `${type}-${key}` }, { after: { [key]: '081234567890' } })
      expect((await list(`subjectId=${type}-${key}`)).data[0].after[key]).toBe('••••7890')
    }
  })

  test('older entries are masked when read', async () => {
    await sql`INSERT INTO audit_log (actor_name, role_name, action, subject_type, subject_id, after)
      VALUES ('Old', 'Old', 'profile.update', 'applicant', 'old-entry', '{"nik": "3171015501050001"}')`.execute(t.db)
    expect((await list('subjectId=old-entry')).data[0].after).toEqual({ nik: '••••0001' })
    const sheet = await reader.get('/settings/audit/export?format=csv&subjectId=old-entry')
    expect(sheet.body).not.toContain('31710155')
  })
})

describe('every action has a sentence', () => {
  const sources = fs
    .globSync('**/*.ts', { cwd: path.resolve(import.meta.dirname, '../..') })
    .filter((file) => !file.endsWith('.test.ts') && file !== 'platform/audit.ts')
    .map((file) => ({ file, text: fs.readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8') }))
  /** Actions whose names a call builds at run time: the expression in the source, and all its values. */
  const composed: Record<string, readonly string[]> = {
    '`registration.${action}`': Object.keys(registrationTransitions).map((step) => `registration.${step}`),
    '`document.${action}`': reviewActions.map((step) => `document.${step}`),
    '`approval.${action}`': Object.keys(approvalTransitions).map((step) => `approval.${step}`),
    '`event.${step}`': eventSteps.map((step) => `event.${step}`),
    '`bill.${step}`': ['bill.waiver', 'bill.discount', 'bill.guarantee', 'bill.installment-plan'],
    "`bank-account.${action === 'add' ? 'create' : action === 'edit' ? 'update' : 'mapping'}`": [
      'bank-account.create',
      'bank-account.update',
      'bank-account.mapping',
    ],
    '`document.${access}`': ['document.view', 'document.download'],
    '`test-waiting.${end}`': ['left', 'declined', 'expired', 'closed'].map((end) => `test-waiting.${end}`),
    '`affiliate.${decision}`': ['affiliate.release', 'affiliate.take_back'],
    '`lead.${action}`': ['contact', 'interest', 'register', 'lose', 'decline', 'reopen'].map((name) => `lead.${name}`),
    '`chat.${happening}`': ['taken', 'handed_over', 'returned'].map((happening) => `chat.${happening}`),
    '`campaign.${step}`': staffSteps.map((step) => `campaign.${step}`),
    '`survey.${step}`': ['survey.close', 'survey.reopen'],
    '`commission.${decision}`': ['commission.approve', 'commission.refuse'],
    'audit.action': ['update', 'compute', 'hold', 'release'].map((step) => `selection.${step}`),
    '`${subject}.upload`': ['import', 'workbook', 'score-import'].map((subject) => `${subject}.upload`),
    '`${slug}.delete`': [],
    '`${entity.slug}.create`': [],
    '`${entity.slug}.delete`': [],
    '`${entity.slug}.${action}`': [],
  }

  const calls = sources.flatMap(({ file, text }) =>
    [
      ...text.matchAll(
        /recordAudit\(\s*[\w.]+,\s*(?:[\w.]+\([^()]*\)|[\w.]+),\s*\{\s*action(?:: ((?:[^,?]|\?[^,]+:)+))?,/g,
      ),
    ].map(([, expression]) => ({ file, text, expression: expression?.trim() ?? 'action' })),
  )

  test('the scan finds the calls', () => {
    const named = sources.reduce((sum, { text }) => sum + [...text.matchAll(/recordAudit\((?!\.\.\.)/g)].length, 0)
    expect(calls.length).toBe(named)
    expect(calls.length).toBeGreaterThan(40)
  })

  test.each(calls.map(({ file, expression, text }) => [file, expression, text] as const))(
    '%s: %s',
    (_file, expression, text) => {
      const literals = [...expression.matchAll(/'([\w-]+\.[\w-]+)'/g)].map(([, action]) => action!)
      const named = /^\w+$/.test(expression)
        ? [
            ...(new RegExp(`const ${expression} = ([^\\n]+)`).exec(text)?.[1] ?? '').matchAll(/'([\w-]+\.[\w-]+)'/g),
          ].map(([, action]) => action!)
        : []
      const actions = [...literals, ...named, ...(composed[expression] ?? [])]
      if (!composed[expression]) expect(actions, `say in this test what ${expression} can be`).not.toEqual([])
      for (const action of actions)
        for (const language of ['en', 'id'] as const)
          expect(actionSentence(sentences(language), action, language), action).not.toBe(action)
    },
  )

  test('actions of master data and document reads have one too', () => {
    const steps = ['create', 'update', 'activate', 'deactivate', 'delete']
    for (const { slug } of entities)
      for (const step of steps)
        for (const language of ['en', 'id'] as const)
          expect(actionSentence(sentences(language), `${slug}.${step}`, language)).not.toBe(`${slug}.${step}`)
    for (const action of ['document.view', 'document.download', 'card.download'] as const) {
      expect(readingActions).toContain(action)
      expect(hasSentence(`audit:actions.${action}`, 'id')).toBe(true)
    }
  })

  test('every described subject belongs to one kind', () => {
    const placed = Object.values(auditKinds).flat() as string[]
    expect(new Set(placed).size).toBe(placed.length)
    for (const subject of Object.keys(words.actions)) expect(placed).toContain(subject)
  })
})

test("downloading an applicant's card is recorded for staff, not for the applicant", async () => {
  const { id, applicant: owner } = await aRegistration(t, { status: 'paid' })
  const staff = await asStaff(t, 'Panitia PMB')
  expect((await staff.get(`/pendaftaran/${id}/card.pdf?size=a6`)).statusCode).toBe(200)
  expect((await owner.get(`/pendaftaran/${id}/card.pdf?size=a6`)).statusCode).toBe(200)
  const { data } = await list(`kind=reading&subjectId=${id}`)
  expect(data.map((row: { actor: { id: string } }) => row.actor.id)).toEqual([staff.accountId])
  expect(data[0].subject.path).toBe(`/pendaftaran/${id}`)
})

describe('among 250,000 entries', () => {
  beforeAll(async () => {
    await sql`INSERT INTO audit_log (at, actor_id, actor_name, role_name, action, subject_type, subject_id, after, ip)
      SELECT now() - n * interval '2 minutes', md5('actor' || n % 40)::uuid, 'Petugas ' || n % 40, 'Panitia PMB',
        CASE WHEN n % 5000 = 0 THEN 'bill.cancel' WHEN n % 3 = 0 THEN 'account.sign_in' WHEN n % 7 = 0 THEN 'document.view'
          ELSE 'registration.edit' END,
        CASE WHEN n % 5000 = 0 THEN 'bill' WHEN n % 3 = 0 THEN 'account' ELSE 'registration' END,
        md5('subject' || n % 60000), '{"status": "paid"}', '10.0.' || n % 200 || '.1'
      FROM generate_series(1, 250000) n`.execute(t.owner)
    await sql`VACUUM (ANALYZE) audit_log`.execute(t.owner)
  })

  const day = (shift: number) => new Date(Date.now() - shift * 86_400_000).toISOString().slice(0, 10)

  test.each([
    ['everything', {}],
    ['one record', { subjectType: 'registration', subjectId: 'x' }],
    ['one person', { actorId: 'a' }],
    ['one person in a month', { actorId: 'a', from: day(200), to: day(170) }],
    ['one frequent action', { action: 'registration.edit' }],
    ['one rare action', { action: 'bill.cancel' }],
    ['a rare kind', { kind: 'payments' as const }],
    ['a frequent kind in a month', { kind: 'registrations' as const, from: day(200), to: day(170) }],
    ['one address', { ip: '10.0.7.1' }],
    ['an address and an action', { ip: '10.0.7.1', action: 'document.view' }],
    ['nobody', { actorId: 'none' }],
  ])('a page of %s, near or far, reads at most a few hundred blocks', async (_what, selection) => {
    const { rows: sampled } = await sql<{ actor: string; subject: string; at: string }>`
      SELECT md5('actor3')::uuid::text AS actor, md5('subject8') AS subject, now() - interval '180 days' AS at`.execute(
      t.db,
    )
    const filter = { ...selection } as FiltersOf<typeof listAudit>
    if (filter.actorId) filter.actorId = filter.actorId === 'none' ? crypto.randomUUID() : sampled[0]!.actor
    if (filter.subjectId) filter.subjectId = sampled[0]!.subject
    const source = { ...auditSource(t), scope: 'everyone' } as const
    const matching = await matchingRows(listAudit, source, readerFor(t.services, systemActor), filter)
    const first = matching.from.select(entryColumns).orderBy(sql`audit_log.at desc, audit_log.id desc`).limit(26)
    const behind = first.where(sql<boolean>`(audit_log.at, audit_log.id) < (${sampled[0]!.at}::timestamptz, 200000)`)
    for (const page of [first, behind]) {
      const { sql: text, parameters } = page.compile()
      const { rows } = await t.db.executeQuery<Record<string, string>>({
        ...page.compile(),
        sql: `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) ${text}`,
        parameters,
      })
      const plan = rows.map((row) => Object.values(row)[0]).join('\n')
      expect(plan).not.toContain('Seq Scan')
      const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? []
      expect(Number(hit) + Number(read), plan).toBeLessThan(400)
    }
  })

  test('paging to the end of the list repeats no entry', async () => {
    const one = await list('action=registration.edit&per_page=100')
    expect(one.meta.total_is_estimate).toBe(true)
    const two = await list(`action=registration.edit&per_page=100&after=${one.meta.next}`)
    expect(two.data).toHaveLength(100)
    const ids = [...one.data, ...two.data].map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(200)
    expect(two.data[0].at < one.data.at(-1).at).toBe(true)
  })
})
